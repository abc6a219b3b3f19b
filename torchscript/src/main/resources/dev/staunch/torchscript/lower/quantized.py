class LinearPackedParamsBase:
  weight : Tensor
  bias : Optional[Tensor]
  def __setstate__(self: __torch__.torch.classes.quantized.LinearPackedParamsBase,
    state: Tuple[Tensor, Optional[Tensor]]) -> NoneType:
    self.weight = (state)[0]
    self.bias = (state)[1]
    return None
  def unpack(self: __torch__.torch.classes.quantized.LinearPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return (self.weight, self.bias)
class Conv2dPackedParamsBase:
  weight : Tensor
  bias : Optional[Tensor]
  stride : List[int]
  padding : List[int]
  output_padding : List[int]
  dilation : List[int]
  groups : int
  transposed : bool
  def __setstate__(self: __torch__.torch.classes.quantized.Conv2dPackedParamsBase,
    state: Tuple[str, List[Tensor], List[Optional[Tensor]]]) -> NoneType:
    settings = __torch__.torch.classes.quantized.settings(((state)[1])[0], )
    self.weight = ((state)[1])[1]
    self.bias = ((state)[2])[0]
    self.stride = settings[0]
    self.padding = settings[1]
    self.dilation = settings[2]
    self.output_padding = settings[3]
    self.groups = (settings[4])[0]
    self.transposed = torch.ne((settings[4])[1], 0)
    return None
  def unpack(self: __torch__.torch.classes.quantized.Conv2dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return (self.weight, self.bias)
class Conv3dPackedParamsBase:
  weight : Tensor
  bias : Optional[Tensor]
  stride : List[int]
  padding : List[int]
  output_padding : List[int]
  dilation : List[int]
  groups : int
  transposed : bool
  def __setstate__(self: __torch__.torch.classes.quantized.Conv3dPackedParamsBase,
    state: Tuple[str, List[Tensor], List[Optional[Tensor]]]) -> NoneType:
    settings = __torch__.torch.classes.quantized.settings(((state)[1])[0], )
    self.weight = ((state)[1])[1]
    self.bias = ((state)[2])[0]
    self.stride = settings[0]
    self.padding = settings[1]
    self.dilation = settings[2]
    self.output_padding = settings[3]
    self.groups = (settings[4])[0]
    self.transposed = torch.ne((settings[4])[1], 0)
    return None
  def unpack(self: __torch__.torch.classes.quantized.Conv3dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return (self.weight, self.bias)
class EmbeddingPackedParamsBase:
  weight : Tensor
  def __setstate__(self: __torch__.torch.classes.quantized.EmbeddingPackedParamsBase,
    state: Tuple[int, List[Tensor], List[float], List[int]]) -> NoneType:
    self.weight = ((state)[1])[0]
    return None
def settings(packed: Tensor) -> List[List[int]]:
  n = int(torch.select(packed, 0, 0))
  result = annotate(List[List[int]], [])
  for part in range(5):
    numbers = annotate(List[int], [])
    first = torch.add(1, torch.mul(part, n))
    if torch.eq(part, 4):
      end = torch.len(packed)
    else:
      end = torch.add(first, n)
    for i in range(torch.sub(end, first)):
      _0 = torch.append(numbers, int(torch.select(packed, 0, torch.add(first, i))))
    _1 = torch.append(result, numbers)
  return result
