# Sorts a list of objects by merging; ELEMENT stands for their class. Equal objects keep their order,
# as in libtorch's sort of up to 16 of them.
def ordered(values: List[ELEMENT], reverse: bool) -> List[ELEMENT]:
  count = torch.len(values)
  runs = torch.list(values)
  width = 1
  unsorted = torch.lt(width, count)
  while unsorted:
    merged = annotate(List[ELEMENT], [])
    start = 0
    more = True
    while more:
      middle = ops.prim.min(torch.add(start, width), count)
      end = ops.prim.min(torch.add(middle, width), count)
      left = start
      right = middle
      for i in range(torch.sub(end, start)):
        if torch.eq(left, middle):
          first = False
        else:
          if torch.eq(right, end):
            first = True
          else:
            if reverse:
              later = ((runs)[left]).__lt__((runs)[right], )
            else:
              later = ((runs)[right]).__lt__((runs)[left], )
            first = torch.__not__(later)
        if first:
          _0 = torch.append(merged, (runs)[left])
          left0, right0 = torch.add(left, 1), right
        else:
          _1 = torch.append(merged, (runs)[right])
          left0, right0 = left, torch.add(right, 1)
        left, right = left0, right0
      start = end
      more = torch.lt(start, count)
    runs = merged
    width = torch.mul(width, 2)
    unsorted = torch.lt(width, count)
  return runs
