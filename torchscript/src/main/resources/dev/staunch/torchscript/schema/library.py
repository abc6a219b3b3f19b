# Functions that stand for operators; library.txt says when. Part of the module, no archive's code.
# They call each other by their plain names.
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
def mul_number_first(a: number, b: Tensor) -> Tensor:
  return torch.mul(b, a)
def add_number_first(a: number, b: Tensor) -> Tensor:
  return torch.add(b, a)
def ne_number_first(a: number, b: Tensor) -> Tensor:
  return torch.ne(b, a)
def eq_number_first(a: number, b: Tensor) -> Tensor:
  return torch.eq(b, a)
def sub_number_first(a: number, b: Tensor) -> Tensor:
  return torch.add(torch.neg(b), a)
def div_number_first(a: number, b: Tensor) -> Tensor:
  return torch.mul(torch.reciprocal(b), a)
def lt_number_first(a: number, b: Tensor) -> Tensor:
  return torch.gt(b, a)
def le_number_first(a: number, b: Tensor) -> Tensor:
  return torch.ge(b, a)
def gt_number_first(a: number, b: Tensor) -> Tensor:
  return torch.lt(b, a)
def ge_number_first(a: number, b: Tensor) -> Tensor:
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
def copy_if_given(tensor: Optional[Tensor]) -> Optional[Tensor]:
  if torch.__is__(tensor, None):
    copy = annotate(Optional[Tensor], None)
  else:
    given = unchecked_cast(Tensor, tensor)
    copy = annotate(Optional[Tensor], torch.clone(given))
  return copy
def conv2d_clamp_prepack(W: Tensor, B: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int], groups: int, output_min: Optional[number], output_max: Optional[number]) -> __torch__.torch.classes.xnnpack.Conv2dOpContext:
  context = __torch__.torch.classes.xnnpack.Conv2dOpContext.__new__(__torch__.torch.classes.xnnpack.Conv2dOpContext)
  _0 = (context).__setstate__((torch.clone(W), copy_if_given(B), stride, padding, dilation, groups, output_min, output_max), )
  return context
def conv2d_transpose_clamp_prepack(W: Tensor, B: Optional[Tensor], stride: List[int], padding: List[int], output_padding: List[int], dilation: List[int], groups: int, output_min: Optional[number], output_max: Optional[number]) -> __torch__.torch.classes.xnnpack.TransposeConv2dOpContext:
  context = __torch__.torch.classes.xnnpack.TransposeConv2dOpContext.__new__(__torch__.torch.classes.xnnpack.TransposeConv2dOpContext)
  _0 = (context).__setstate__((torch.clone(W), copy_if_given(B), stride, padding, output_padding, dilation, groups, output_min, output_max), )
  return context
def linear_clamp_prepack(W: Tensor, B: Optional[Tensor], output_min: Optional[number], output_max: Optional[number]) -> __torch__.torch.classes.xnnpack.LinearOpContext:
  context = __torch__.torch.classes.xnnpack.LinearOpContext.__new__(__torch__.torch.classes.xnnpack.LinearOpContext)
  _0 = (context).__setstate__((torch.clone(W), copy_if_given(B), output_min, output_max), )
  return context
def unsafe_view(self: Tensor, size: List[int]) -> Tensor:
  return torch.view(self, size)
def reshape_alias(self: Tensor, size: List[int], stride: List[int]) -> Tensor:
  return torch.as_strided(self, size, stride)
def to_copy(self: Tensor, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool], non_blocking: bool, memory_format: Optional[int]) -> Tensor:
  return torch.to(self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, non_blocking=non_blocking, copy=True, memory_format=memory_format)
def cast_byte(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 0)
def cast_char(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 1)
def cast_short(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 2)
def cast_int(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 3)
def cast_long(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 4)
def cast_half(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 5)
def cast_float(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 6)
def cast_double(self: Tensor, non_blocking: bool) -> Tensor:
  return torch.to(self, 7)
def aminmax(self: Tensor) -> Tuple[Tensor, Tensor]:
  least, most = torch.aminmax(self)
  return (least, most)
def aminmax_dim(self: Tensor, dim: int, keepdim: bool) -> Tuple[Tensor, Tensor]:
  least, most = torch.aminmax(self, dim=dim, keepdim=keepdim)
  return (least, most)
def adaptive_avg_pool2d(self: Tensor, output_size: List[int]) -> Tensor:
  return torch.adaptive_avg_pool2d(self, output_size)
def adaptive_avg_pool3d(self: Tensor, output_size: List[int]) -> Tensor:
  return torch.adaptive_avg_pool3d(self, output_size)
def local_scalar(self: Tensor) -> number:
  return torch.item(self)
def index_put_(self: Tensor, indices: List[Optional[Tensor]], values: Tensor, accumulate: bool, unsafe: bool) -> Tensor:
  return torch.index_put_(self, indices, values, accumulate)
def unsafe_index(self: Tensor, indices: List[Optional[Tensor]]) -> Tensor:
  return torch.index(self, indices)
def unsafe_index_put(self: Tensor, indices: List[Optional[Tensor]], values: Tensor, accumulate: bool) -> Tensor:
  return torch.index_put(self, indices, values, accumulate)
def conj_physical(self: Tensor) -> Tensor:
  if torch.is_complex(self):
    result = torch.conj_physical(self)
  else:
    result = torch.clone(self)
  return result
def stack(tensors: List[Tensor], dim: int) -> Tensor:
  return torch.stack(tensors, dim)
def embedding_bag(weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: bool, mode: int, sparse: bool, per_sample_weights: Optional[Tensor], include_last_offset: bool, padding_idx: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
  if torch.lt(padding_idx, 0):
    bags, bag, sizes, indices0 = torch.embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, None)
  else:
    bags, bag, sizes, indices0 = torch.embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx)
  return (bags, bag, sizes, indices0)
def addmm_activation(self: Tensor, mat1: Tensor, mat2: Tensor, beta: number, alpha: number, use_gelu: bool) -> Tensor:
  sums = torch.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
  if use_gelu:
    result = torch.gelu(sums)
  else:
    result = torch.relu(sums)
  return result
def fft_norm(normalization: int, forward: bool) -> str:
  if torch.eq(normalization, 1):
    norm = "ortho"
  else:
    if torch.eq(torch.eq(normalization, 0), forward):
      norm = "backward"
    else:
      norm = "forward"
  return norm
def fft_c2c(self: Tensor, dim: List[int], normalization: int, forward: bool) -> Tensor:
  norm = fft_norm(normalization, forward)
  if forward:
    result = torch.fft_fftn(self, None, dim, norm)
  else:
    result = torch.fft_ifftn(self, None, dim, norm)
  return result
def fft_r2c(self: Tensor, dim: List[int], normalization: int, onesided: bool) -> Tensor:
  norm = fft_norm(normalization, True)
  if onesided:
    result = torch.fft_rfftn(self, None, dim, norm)
  else:
    result = torch.fft_fftn(self, None, dim, norm)
  return result
def fft_c2r(self: Tensor, dim: List[int], normalization: int, last_dim_size: int) -> Tensor:
  norm = fft_norm(normalization, False)
  others = torch.slice(dim, None, -1)
  if torch.gt(torch.len(others), 0):
    first = torch.fft_ifftn(self, None, others, norm)
  else:
    first = self
  return torch.fft_irfft(first, last_dim_size, dim[-1], norm)
def list_to_tensor(self: List[int]) -> Tensor:
  result = torch.zeros([torch.len(self)], dtype=3)
  for i in range(torch.len(self)):
    _0 = torch.fill_(torch.select(result, 0, i), self[i])
  return result
def dim_arange(like: Tensor, dim: int) -> Tensor:
  return torch.arange(torch.size(like, dim), dtype=4)
def native_batch_norm_no_training(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Tensor, running_var: Tensor, momentum: float, eps: float) -> Tuple[Tensor, Tensor, Tensor]:
  result = torch.batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps, False)
  return (result, torch.new_empty(input, [0]), torch.new_empty(input, [0]))
def native_batch_norm(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Tensor, running_var: Tensor, training: bool, momentum: float, eps: float) -> Tuple[Tensor, Tensor, Tensor]:
  result, mean, inverse = torch.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
  return (result, mean, inverse)
def native_batch_norm_no_stats(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], training: bool, momentum: float, eps: float) -> Tuple[Tensor, Tensor, Tensor]:
  result, mean, inverse = torch.native_batch_norm(input, weight, bias, None, None, training, momentum, eps)
  return (result, mean, inverse)
def safe_softmax(self: Tensor, dim: int, dtype: Optional[int]) -> Tensor:
  weights = torch.softmax(self, dim, dtype)
  masked = torch.all(torch.eq(self, -inf), dim, True)
  return torch.masked_fill(weights, masked, 0.)
def lift(self: Tensor) -> Tensor:
  return self
def lift_fresh_copy(self: Tensor) -> Tensor:
  return torch.clone(self)
def log_sigmoid_forward(self: Tensor) -> Tuple[Tensor, Tensor]:
  return (torch.log_sigmoid(self), torch.exp(torch.neg(torch.abs(self))))
def native_channel_shuffle(self: Tensor, groups: int) -> Tensor:
  return torch.channel_shuffle(self, groups)
def sym_size_int(self: Tensor, dim: int) -> int:
  return torch.size(self, dim)
def sym_size(self: Tensor) -> List[int]:
  return torch.size(self)
def sym_numel(self: Tensor) -> int:
  return torch.numel(self)
def sym_stride_int(self: Tensor, dim: int) -> int:
  return torch.stride(self, dim)
def sym_stride(self: Tensor) -> List[int]:
  return torch.stride(self)
def sym_storage_offset(self: Tensor) -> int:
  return torch.storage_offset(self)
def linalg_svd(A: Tensor, full_matrices: bool, compute_uv: bool, driver: Optional[str]) -> Tuple[Tensor, Tensor, Tensor]:
  if compute_uv:
    u, s, vh = torch.linalg_svd(A, full_matrices)
  else:
    s = torch.linalg_svdvals(A)
    u, vh = torch.new_empty(A, [0]), torch.new_empty(A, [0])
  return (u, s, vh)
def linalg_eigh(A: Tensor, UPLO: str, compute_v: bool) -> Tuple[Tensor, Tensor]:
  if compute_v:
    values, vectors = torch.linalg_eigh(A, UPLO)
  else:
    values, vectors = torch.linalg_eigvalsh(A, UPLO), torch.new_empty(A, [0])
  return (values, vectors)
def pad_circular(self: Tensor, pad: List[int]) -> Tensor:
  return torch.pad(self, pad, "circular")
def is_all_true(self: Tensor) -> Tensor:
  return torch.all(self)
def is_any_true(self: Tensor) -> Tensor:
  return torch.any(self)
def xlogy_other(self: Tensor, other: number) -> Tensor:
  return torch.xlogy(self, other)
def xlogy_self(self: number, other: Tensor) -> Tensor:
  return torch.xlogy(self, other)
def arctan2_(self: Tensor, other: Tensor) -> Tensor:
  return torch.atan2_(self, other)
def thnn_conv2d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int]) -> Tensor:
  kernels = torch.reshape(weight, [torch.size(weight, 0), -1, kernel_size[0], kernel_size[1]])
  return torch.conv2d(self, kernels, bias, stride, padding)
def slow_conv3d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int]) -> Tensor:
  kernels = torch.reshape(weight, [torch.size(weight, 0), -1, kernel_size[0], kernel_size[1], kernel_size[2]])
  return torch.conv3d(self, kernels, bias, stride, padding)
def slow_conv_dilated2d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int]) -> Tensor:
  return torch.conv2d(self, weight, bias, stride, padding, dilation)
def slow_conv_transpose2d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int], output_padding: List[int], dilation: List[int]) -> Tensor:
  return torch.conv_transpose2d(self, weight, bias, stride, padding, output_padding, 1, dilation)
def slow_conv_dilated3d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int]) -> Tensor:
  return torch.conv3d(self, weight, bias, stride, padding, dilation)
def slow_conv_transpose3d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int], output_padding: List[int], dilation: List[int]) -> Tensor:
  return torch.conv_transpose3d(self, weight, bias, stride, padding, output_padding, 1, dilation)
def conv_depthwise2d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int]) -> Tensor:
  return torch.conv2d(self, weight, bias, stride, padding, dilation, torch.size(self, 1))
def conv_depthwise3d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int]) -> Tensor:
  return torch.conv3d(self, weight, bias, stride, padding, dilation, torch.size(self, 1))
def nnpack_convolution(input: Tensor, weight: Tensor, bias: Optional[Tensor], padding: List[int], stride: List[int]) -> Tensor:
  return torch.conv2d(input, weight, bias, stride, padding)
def data(self: Tensor) -> Tensor:
  return torch.detach(self)
def norm_except_dim(v: Tensor, pow: int, dim: int) -> Tensor:
  if torch.eq(dim, -1):
    result = torch.norm(v, pow)
  else:
    rows = torch.reshape(torch.transpose(v, 0, dim), [torch.size(v, dim), -1])
    norms = torch.norm(rows, pow, [1])
    for i in range(torch.sub(torch.dim(v), 1)):
      norms = torch.unsqueeze(norms, -1)
    result = torch.transpose(norms, 0, dim)
  return result
def with_dimensions(tensor: Tensor, dims: List[int], rank: int) -> Tensor:
  places = annotate(List[int], [])
  for i in range(torch.len(dims)):
    if torch.lt(dims[i], 0):
      _0 = torch.append(places, torch.add(dims[i], rank))
    else:
      _1 = torch.append(places, dims[i])
  torch.sort(places)
  result = tensor
  for k in range(torch.len(places)):
    result = torch.unsqueeze(result, places[k])
  return result
def trilinear(i1: Tensor, i2: Tensor, i3: Tensor, expand1: List[int], expand2: List[int], expand3: List[int], sumdim: List[int], unroll_dim: int) -> Tensor:
  rank = torch.add(torch.dim(i1), torch.len(expand1))
  a = with_dimensions(i1, expand1, rank)
  b = with_dimensions(i2, expand2, rank)
  c = with_dimensions(i3, expand3, rank)
  product = torch.mul(torch.mul(a, b), c)
  if torch.gt(torch.len(sumdim), 0):
    result = torch.sum(product, sumdim, dtype=ops.prim.dtype(product))
  else:
    result = product
  return result
def index_put_of_tensors_(self: Tensor, indices: List[Tensor], values: Tensor, accumulate: bool, unsafe: bool) -> Tensor:
  return torch.index_put_(self, indices, values, accumulate)
def unsafe_index_of_tensors(self: Tensor, indices: List[Tensor]) -> Tensor:
  return torch.index(self, indices)
def unsafe_index_put_of_tensors(self: Tensor, indices: List[Tensor], values: Tensor, accumulate: bool) -> Tensor:
  return torch.index_put(self, indices, values, accumulate)
def in_dtype_for(value: number, tensor: Tensor) -> Tensor:
  if torch.is_floating_point(tensor):
    dtype = ops.prim.dtype(tensor)
  else:
    dtype = 6
  return torch.to(torch.full([], value, dtype=7), dtype)
def xlog1py_other(self: Tensor, other: number) -> Tensor:
  return torch.special_xlog1py(self, in_dtype_for(other, self))
def xlog1py_self(self: number, other: Tensor) -> Tensor:
  return torch.special_xlog1py(in_dtype_for(self, other), other)
def zeta_other(self: Tensor, other: number) -> Tensor:
  return torch.special_zeta(self, in_dtype_for(other, self))
def zeta_self(self: number, other: Tensor) -> Tensor:
  return torch.special_zeta(in_dtype_for(self, other), other)
def to_mkldnn(self: Tensor, dtype: Optional[int]) -> Tensor:
  return torch.to(self, dtype=dtype, copy=True)
def mkldnn_linear(self: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
  return torch.linear(self, weight, bias)
def mkldnn_convolution(self: Tensor, weight: Tensor, bias: Optional[Tensor], padding: List[int], stride: List[int], dilation: List[int], groups: int) -> Tensor:
  return torch.convolution(self, weight, bias, stride, padding, dilation, False, [0], groups)
def mkldnn_reorder_conv2d_weight(self: Tensor, padding: List[int], stride: List[int], dilation: List[int], groups: int, input_size: Optional[List[int]]) -> Tensor:
  return self
def mkldnn_reorder_conv3d_weight(self: Tensor, padding: List[int], stride: List[int], dilation: List[int], groups: int, input_size: Optional[List[int]]) -> Tensor:
  return self
def each_size(size: Optional[int], count: int) -> Optional[List[int]]:
  if torch.__is__(size, None):
    sizes = annotate(Optional[List[int]], None)
  else:
    sizes = annotate(Optional[List[int]], torch.mul([unchecked_cast(int, size)], count))
  return sizes
def each_scale(scale: Optional[float], count: int) -> Optional[List[float]]:
  if torch.__is__(scale, None):
    scales = annotate(Optional[List[float]], None)
  else:
    scales = annotate(Optional[List[float]], torch.mul([unchecked_cast(float, scale)], count))
  return scales
def real_scale(scale: Optional[int]) -> Optional[float]:
  if torch.__is__(scale, None):
    result = annotate(Optional[float], None)
  else:
    result = annotate(Optional[float], float(unchecked_cast(int, scale)))
  return result
def scaled_sizes(input: Tensor, scales: List[float], count: int) -> List[int]:
  sizes = annotate(List[int], [])
  for i in range(count):
    _0 = torch.append(sizes, torch.floor(torch.mul(float(torch.size(input, torch.add(i, 2))), scales[i])))
  return sizes
def interpolated(input: Tensor, size: Optional[List[int]], scale_factor: Optional[List[float]], mode: str, align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
  if antialias:
    ops.prim.RaiseException("Antialias is not yet supported", "builtins.RuntimeError")
  else:
    pass
  count = torch.sub(torch.dim(input), 2)
  if torch.__is__(align_corners, None):
    aligned = False
  else:
    if torch.__contains__(["nearest", "area"], mode):
      ops.prim.RaiseException("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear", "builtins.RuntimeError")
    else:
      pass
    aligned = unchecked_cast(bool, align_corners)
  if torch.__is__(recompute_scale_factor, None):
    kept = False
  else:
    kept = torch.__not__(unchecked_cast(bool, recompute_scale_factor))
  if torch.__is__(size, None):
    if torch.__is__(scale_factor, None):
      ops.prim.RaiseException("either size or scale_factor should be defined", "builtins.RuntimeError")
    else:
      pass
    factors = unchecked_cast(List[float], scale_factor)
    computed = scaled_sizes(input, factors, count)
    if kept:
      sizes, scales = annotate(Optional[List[int]], None), annotate(Optional[List[float]], factors)
    else:
      sizes, scales = annotate(Optional[List[int]], computed), annotate(Optional[List[float]], None)
  else:
    computed = unchecked_cast(List[int], size)
    sizes, scales = annotate(Optional[List[int]], computed), annotate(Optional[List[float]], None)
  kind = torch.add(mode, str(count))
  if torch.eq(kind, "nearest1"):
    result = torch.upsample_nearest1d(input, sizes, scales)
  else:
    if torch.eq(kind, "nearest2"):
      result = torch.upsample_nearest2d(input, sizes, scales)
    else:
      if torch.eq(kind, "nearest3"):
        result = torch.upsample_nearest3d(input, sizes, scales)
      else:
        if torch.eq(kind, "area1"):
          result = torch.adaptive_avg_pool1d(input, computed)
        else:
          if torch.eq(kind, "area2"):
            result = torch.adaptive_avg_pool2d(input, computed)
          else:
            if torch.eq(kind, "area3"):
              result = torch.adaptive_avg_pool3d(input, computed)
            else:
              result = smoothly_interpolated(input, kind, mode, sizes, scales, aligned)
  return result
def smoothly_interpolated(input: Tensor, kind: str, mode: str, sizes: Optional[List[int]], scales: Optional[List[float]], aligned: bool) -> Tensor:
  if torch.eq(kind, "linear1"):
    result = torch.upsample_linear1d(input, sizes, aligned, scales)
  else:
    if torch.eq(kind, "bilinear2"):
      result = torch.upsample_bilinear2d(input, sizes, aligned, scales)
    else:
      if torch.eq(kind, "bicubic2"):
        result = torch.upsample_bicubic2d(input, sizes, aligned, scales)
      else:
        if torch.eq(kind, "trilinear3"):
          result = torch.upsample_trilinear3d(input, sizes, aligned, scales)
        else:
          ops.prim.RaiseException(torch.format("Got {}D input, which {} mode does not take", torch.dim(input), mode), "builtins.RuntimeError")
          result = input
  return result
def interpolate(input: Tensor, size: Optional[int], scale_factor: Optional[float], mode: str, align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
  count = torch.sub(torch.dim(input), 2)
  return interpolated(input, each_size(size, count), each_scale(scale_factor, count), mode, align_corners, recompute_scale_factor, antialias)
def interpolate_sizes(input: Tensor, size: Optional[List[int]], scale_factor: Optional[float], mode: str, align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
  count = torch.sub(torch.dim(input), 2)
  return interpolated(input, size, each_scale(scale_factor, count), mode, align_corners, recompute_scale_factor, antialias)
def interpolate_scales(input: Tensor, size: Optional[int], scale_factor: Optional[List[float]], mode: str, align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
  count = torch.sub(torch.dim(input), 2)
  return interpolated(input, each_size(size, count), scale_factor, mode, align_corners, recompute_scale_factor, antialias)
def upsample(input: Tensor, size: Optional[int], scale_factor: Optional[int], mode: str, align_corners: Optional[bool]) -> Tensor:
  count = torch.sub(torch.dim(input), 2)
  return interpolated(input, each_size(size, count), each_scale(real_scale(scale_factor), count), mode, align_corners, None, False)
def upsample_sizes(input: Tensor, size: Optional[List[int]], scale_factor: Optional[int], mode: str, align_corners: Optional[bool]) -> Tensor:
  count = torch.sub(torch.dim(input), 2)
  return interpolated(input, size, each_scale(real_scale(scale_factor), count), mode, align_corners, None, False)
def no_grad_embedding_renorm_(weight: Tensor, input: Tensor, max_norm: float, norm_type: float) -> Tensor:
  return torch.embedding_renorm_(weight, input, max_norm, norm_type)
def pack_sequence(output: Tensor, batch_sizes: Tensor, sorted_indices: Optional[Tensor], unsorted_indices: Optional[Tensor]) -> Tuple[Tensor, Tensor, Optional[Tensor], Optional[Tensor]]:
  return (output, batch_sizes, sorted_indices, unsorted_indices)
