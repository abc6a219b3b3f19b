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
def conv2d_clamp_run(X: Tensor, W_prepack: __torch__.torch.classes.xnnpack.Conv2dOpContext) -> Tensor:
  sums = torch.conv2d(X, W_prepack.weight, W_prepack.bias, W_prepack.stride, W_prepack.padding, W_prepack.dilation, W_prepack.groups)
  return torch.clamp(sums, W_prepack.output_min, W_prepack.output_max)
def conv2d_transpose_clamp_run(X: Tensor, W_prepack: __torch__.torch.classes.xnnpack.TransposeConv2dOpContext) -> Tensor:
  sums = torch.conv_transpose2d(X, W_prepack.weight, W_prepack.bias, W_prepack.stride, W_prepack.padding, W_prepack.output_padding, W_prepack.groups, W_prepack.dilation)
  return torch.clamp(sums, W_prepack.output_min, W_prepack.output_max)
def linear_clamp_run(X: Tensor, W_prepack: __torch__.torch.classes.xnnpack.LinearOpContext) -> Tensor:
  sums = torch.linear(X, W_prepack.weight, W_prepack.bias)
  return torch.clamp(sums, W_prepack.output_min, W_prepack.output_max)
def add_relu(self: Tensor, other: Tensor, alpha: number) -> Tensor:
  return torch.relu(torch.add(self, other, alpha=alpha))
def add_relu_(self: Tensor, other: Tensor, alpha: number) -> Tensor:
  return torch.relu_(torch.add_(self, other, alpha=alpha))
def add_relu_scalar(self: Tensor, other: number, alpha: number) -> Tensor:
  return torch.relu(torch.add(self, other, alpha))
def add_relu_scalar_(self: Tensor, other: number, alpha: number) -> Tensor:
  return torch.relu_(torch.add_(self, other, alpha))
def conv2d_clamp_prepack(W: Tensor, B: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int], groups: int, output_min: Optional[number], output_max: Optional[number]) -> __torch__.torch.classes.xnnpack.Conv2dOpContext:
  context = __torch__.torch.classes.xnnpack.Conv2dOpContext.__new__(__torch__.torch.classes.xnnpack.Conv2dOpContext)
  _0 = (context).__setstate__((W, B, stride, padding, dilation, groups, output_min, output_max), )
  return context
def conv2d_transpose_clamp_prepack(W: Tensor, B: Optional[Tensor], stride: List[int], padding: List[int], output_padding: List[int], dilation: List[int], groups: int, output_min: Optional[number], output_max: Optional[number]) -> __torch__.torch.classes.xnnpack.TransposeConv2dOpContext:
  context = __torch__.torch.classes.xnnpack.TransposeConv2dOpContext.__new__(__torch__.torch.classes.xnnpack.TransposeConv2dOpContext)
  _0 = (context).__setstate__((W, B, stride, padding, output_padding, dilation, groups, output_min, output_max), )
  return context
def linear_clamp_prepack(W: Tensor, B: Optional[Tensor], output_min: Optional[number], output_max: Optional[number]) -> __torch__.torch.classes.xnnpack.LinearOpContext:
  context = __torch__.torch.classes.xnnpack.LinearOpContext.__new__(__torch__.torch.classes.xnnpack.LinearOpContext)
  _0 = (context).__setstate__((W, B, output_min, output_max), )
  return context
