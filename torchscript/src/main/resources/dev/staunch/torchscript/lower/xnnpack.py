class Conv2dOpContext:
  weight : Tensor
  bias : Optional[Tensor]
  stride : List[int]
  padding : List[int]
  dilation : List[int]
  groups : int
  output_min : float
  output_max : float
  def __setstate__(self: __torch__.torch.classes.xnnpack.Conv2dOpContext,
    state: Tuple[Tensor, Optional[Tensor], List[int], List[int], List[int], int, Optional[number], Optional[number]]) -> NoneType:
    self.weight = (state)[0]
    self.bias = (state)[1]
    self.stride = (state)[2]
    self.padding = (state)[3]
    self.dilation = (state)[4]
    self.groups = (state)[5]
    self.output_min = __torch__.torch.classes.xnnpack.bound((state)[6], -inf, )
    self.output_max = __torch__.torch.classes.xnnpack.bound((state)[7], inf, )
    return None
class TransposeConv2dOpContext:
  weight : Tensor
  bias : Optional[Tensor]
  stride : List[int]
  padding : List[int]
  output_padding : List[int]
  dilation : List[int]
  groups : int
  output_min : float
  output_max : float
  def __setstate__(self: __torch__.torch.classes.xnnpack.TransposeConv2dOpContext,
    state: Tuple[Tensor, Optional[Tensor], List[int], List[int], List[int], List[int], int, Optional[number], Optional[number]]) -> NoneType:
    self.weight = (state)[0]
    self.bias = (state)[1]
    self.stride = (state)[2]
    self.padding = (state)[3]
    self.output_padding = (state)[4]
    self.dilation = (state)[5]
    self.groups = (state)[6]
    self.output_min = __torch__.torch.classes.xnnpack.bound((state)[7], -inf, )
    self.output_max = __torch__.torch.classes.xnnpack.bound((state)[8], inf, )
    return None
class LinearOpContext:
  weight : Tensor
  bias : Optional[Tensor]
  output_min : float
  output_max : float
  def __setstate__(self: __torch__.torch.classes.xnnpack.LinearOpContext,
    state: Tuple[Tensor, Optional[Tensor], Optional[number], Optional[number]]) -> NoneType:
    self.weight = (state)[0]
    self.bias = (state)[1]
    self.output_min = __torch__.torch.classes.xnnpack.bound((state)[2], -inf, )
    self.output_max = __torch__.torch.classes.xnnpack.bound((state)[3], inf, )
    return None
def bound(given: Optional[number], otherwise: float) -> float:
  if torch.__is__(given, None):
    result = otherwise
  else:
    given0 = unchecked_cast(number, given)
    result = float(given0)
  return result
