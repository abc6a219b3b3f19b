class CellParamsBase:
  kind : str
  halved : bool
  packed : List[__torch__.torch.classes.quantized.LinearPackedParamsBase]
  def __setstate__(self: __torch__.torch.classes.rnn.CellParamsBase,
    state: Tuple[str, List[Tensor], List[float], List[int], List[__torch__.torch.classes.quantized.LinearPackedParamsBase]]) -> NoneType:
    self.kind = (state)[0]
    self.halved = torch.eq((state)[3], [1])
    self.packed = (state)[4]
    return None
