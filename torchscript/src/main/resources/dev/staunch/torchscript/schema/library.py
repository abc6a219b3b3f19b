# Functions that stand for operators; library.txt says when. Part of the module, no archive's code.
def div_tensor_before_4(self: Tensor, other: Tensor) -> Tensor:
  if torch.is_floating_point(self):
    real = True
  else:
    real = torch.is_floating_point(other)
  if real:
    result = torch.div(self, other)
  else:
    result = torch.div(self, other, rounding_mode="trunc")
  return result
def div_scalar_before_4(self: Tensor, other: number) -> Tensor:
  if torch.is_floating_point(self):
    real = True
  else:
    real = isinstance(other, float)
  if real:
    result = torch.div(self, other)
  else:
    result = torch.div(self, other, rounding_mode="trunc")
  return result
def div__tensor_before_4(self: Tensor, other: Tensor) -> Tensor:
  if torch.is_floating_point(self):
    real = True
  else:
    real = torch.is_floating_point(other)
  if real:
    result = torch.div_(self, other)
  else:
    result = torch.div_(self, other, rounding_mode="trunc")
  return result
def div__scalar_before_4(self: Tensor, other: number) -> Tensor:
  if torch.is_floating_point(self):
    real = True
  else:
    real = isinstance(other, float)
  if real:
    result = torch.div_(self, other)
  else:
    result = torch.div_(self, other, rounding_mode="trunc")
  return result
def div_out_before_4(self: Tensor, other: Tensor, out: Tensor) -> Tensor:
  if torch.is_floating_point(self):
    real = True
  else:
    if torch.is_floating_point(other):
      real = True
    else:
      real = torch.is_floating_point(out)
  if real:
    result = torch.div(self, other, out=out)
  else:
    result = torch.div(self, other, rounding_mode="trunc", out=out)
  return result
def full_before_5(size: List[int], fill_value: number, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
  if torch.__is__(dtype, None):
    result = torch.full(size, float(fill_value), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
  else:
    result = torch.full(size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
  return result
def linspace_before_8(start: number, end: number, steps: Optional[int], dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
  if torch.__is__(steps, None):
    count = 100
  else:
    count = unchecked_cast(int, steps)
  return torch.linspace(start, end, count, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
def linspace_out_before_8(start: number, end: number, steps: Optional[int], out: Tensor) -> Tensor:
  if torch.__is__(steps, None):
    count = 100
  else:
    count = unchecked_cast(int, steps)
  return torch.linspace(start, end, count, out=out)
def logspace_before_9(start: number, end: number, steps: Optional[int], base: float, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
  if torch.__is__(steps, None):
    count = 100
  else:
    count = unchecked_cast(int, steps)
  return torch.logspace(start, end, count, base, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
def logspace_out_before_9(start: number, end: number, steps: Optional[int], base: float, out: Tensor) -> Tensor:
  if torch.__is__(steps, None):
    count = 100
  else:
    count = unchecked_cast(int, steps)
  return torch.logspace(start, end, count, base, out=out)
def mul_float_first(a: float, b: Tensor) -> Tensor:
  return torch.mul(b, a)
def mul_int_first(a: int, b: Tensor) -> Tensor:
  return torch.mul(b, a)
def mul_complex_first(a: complex, b: Tensor) -> Tensor:
  return torch.mul(b, a)
def add_float_first(a: float, b: Tensor) -> Tensor:
  return torch.add(b, a)
def add_int_first(a: int, b: Tensor) -> Tensor:
  return torch.add(b, a)
def add_complex_first(a: complex, b: Tensor) -> Tensor:
  return torch.add(b, a)
def ne_float_first(a: float, b: Tensor) -> Tensor:
  return torch.ne(b, a)
def ne_int_first(a: int, b: Tensor) -> Tensor:
  return torch.ne(b, a)
def ne_complex_first(a: complex, b: Tensor) -> Tensor:
  return torch.ne(b, a)
def eq_float_first(a: float, b: Tensor) -> Tensor:
  return torch.eq(b, a)
def eq_int_first(a: int, b: Tensor) -> Tensor:
  return torch.eq(b, a)
def eq_complex_first(a: complex, b: Tensor) -> Tensor:
  return torch.eq(b, a)
def sub_float_first(a: float, b: Tensor) -> Tensor:
  return torch.add(torch.neg(b), a)
def sub_int_first(a: int, b: Tensor) -> Tensor:
  return torch.add(torch.neg(b), a)
def sub_complex_first(a: complex, b: Tensor) -> Tensor:
  return torch.add(torch.neg(b), a)
def div_float_first(a: float, b: Tensor) -> Tensor:
  return torch.mul(torch.reciprocal(b), a)
def div_int_first(a: int, b: Tensor) -> Tensor:
  return torch.mul(torch.reciprocal(b), a)
def div_complex_first(a: complex, b: Tensor) -> Tensor:
  return torch.mul(torch.reciprocal(b), a)
def lt_float_first(a: float, b: Tensor) -> Tensor:
  return torch.gt(b, a)
def lt_int_first(a: int, b: Tensor) -> Tensor:
  return torch.gt(b, a)
def le_float_first(a: float, b: Tensor) -> Tensor:
  return torch.ge(b, a)
def le_int_first(a: int, b: Tensor) -> Tensor:
  return torch.ge(b, a)
def gt_float_first(a: float, b: Tensor) -> Tensor:
  return torch.lt(b, a)
def gt_int_first(a: int, b: Tensor) -> Tensor:
  return torch.lt(b, a)
def ge_float_first(a: float, b: Tensor) -> Tensor:
  return torch.le(b, a)
def ge_int_first(a: int, b: Tensor) -> Tensor:
  return torch.le(b, a)
