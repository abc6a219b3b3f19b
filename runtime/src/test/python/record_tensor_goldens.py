"""Records what libtorch returns for many small calls of tensor operations.

Usage: python3 record_tensor_goldens.py > tensor-golden.txt   (torch 1.13.1)
"""
import itertools
import sys
import torch

aten = torch.ops.aten
torch.manual_seed(7)
F, D, L, I, B, U = torch.float32, torch.float64, torch.int64, torch.int32, torch.bool, torch.uint8
CODES = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
         torch.float32: 6, torch.float64: 7, torch.complex64: 9, torch.complex128: 10, torch.bool: 11, torch.bfloat16: 15}
NAN, INF = float("nan"), float("inf")
count = 0


def real(v):
    if v != v:
        return "NaN"
    if v in (INF, -INF):
        return "Infinity" if v > 0 else "-Infinity"
    return repr(v)


def parts(v):
    return f"{real(v.real)},{real(v.imag)}"


def word(v):
    return real(v) if isinstance(v, float) else parts(v) if isinstance(v, complex) else str(int(v))


def ints(values):
    return ",".join(str(v) for v in values) or "-"


def tensor(t, view_of=None):
    flat = torch.empty(0, dtype=t.dtype).set_(t.storage(), 0, (len(t.storage()),), (1,))
    if view_of is not None:
        shown = t.detach().resolve_conj().contiguous()
        flat = shown.reshape(-1)
        strides, offset = shown.stride(), 0
    else:
        strides, offset = t.stride(), t.storage_offset()
    values = flat.tolist()
    words = ",".join(word(v) for v in values) or "-"
    text = f"tensor {str(t.dtype)[6:]} {ints(t.shape)} {ints(strides)} {offset} {words}"
    if view_of is not None and any(t.data_ptr() and t.storage().data_ptr() == a.storage().data_ptr() for a in view_of):
        text += " " + ints(t.stride())
    return text


def lines(v, view_of=None):
    if isinstance(v, torch.Tensor):
        return [tensor(v, view_of)]
    if v is None:
        return ["none"]
    if isinstance(v, bool):
        return [f"bool {int(v)}"]
    if isinstance(v, torch.dtype):
        return [f"int {CODES[v]}"]
    if isinstance(v, int):
        return [f"int {v}"]
    if isinstance(v, float):
        return [f"float {real(v)}"]
    if isinstance(v, complex):
        return [f"complex {parts(v)}"]
    if isinstance(v, (str, torch.device)):
        return [f"str {v}"]
    if isinstance(v, torch.memory_format):
        return ["int %d" % {torch.contiguous_format: 0, torch.preserve_format: 1, torch.channels_last: 2}[v]]
    return [f"list {len(v)}"] + [line for item in v for line in lines(item, view_of)]


def case(name, *given, **named):
    """One call: the arguments before the call, the results, and the first argument if it was written."""
    global count
    op, _, overload = name.partition(".")
    function = getattr(getattr(aten, op), overload or "default")
    out = [f"case {name}"]
    positional, keywords, values = [], {}, []
    for i, argument in enumerate(function._schema.arguments):
        value = given[i] if i < len(given) else named.get(argument.name, argument.default_value)
        values.append(value)
        if argument.kwarg_only:
            keywords[argument.name] = value
        else:
            positional.append(value)
    for argument, value in zip(function._schema.arguments, values):
        if str(argument.type) == "number" and isinstance(value, bool):
            value = int(value)  # as the binding passes it
        text = lines(value)
        if str(argument.type) == "float" and isinstance(value, int):
            text = [f"float {float(value)}"]
        out += ["arg " + text[0]] + text[1:]
    tensors = [v for v in values if isinstance(v, torch.Tensor)]
    try:
        keywords = {k: v for k, v in keywords.items() if v is not None or k in named}
        result = function(*positional, **keywords)
    except (RuntimeError, IndexError, ValueError) as e:
        message = str(e).split("\n")[0]
        if "schema" in message or "Expected a value of type" in message or "argument" in message and "aten::" in message:
            print("skipped", name, message[:150], file=sys.stderr)
            return
        print("\n".join(out + ["error " + message, "end"]))
        count += 1
        return
    results = list(result) if isinstance(result, tuple) else [result]
    for r in results:
        text = lines(r, tensors)
        out += ["result " + text[0]] + text[1:]
    if op.endswith("_") and not op.startswith("__"):
        out += ["after " + tensor(values[0], ())]
    print("\n".join(out + ["end"]))
    count += 1


def make(dtype, *shape):
    n = 1
    for s in shape:
        n *= s
    if dtype == B:
        return (torch.rand(shape) > 0.5)
    if dtype.is_floating_point:
        return (torch.randn(shape, dtype=D) * 2).to(F).to(dtype)
    low = 0 if dtype == U else -6
    return torch.randint(low, 7, shape).to(dtype)


def inputs(dtype):
    """Plain, transposed, sliced, scalar, empty and expanded tensors."""
    return [make(dtype, 3, 4), make(dtype, 4, 3).t(), make(dtype, 3, 8)[:, 1::2], make(dtype), make(dtype, 0, 4),
            make(dtype, 4).expand(3, 4)]


SPECIAL = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 2.5, 30.0, -30.0, 1e-8])
DTYPES = [F, D, L, I, B, U]


def unary():
    plain = """neg abs sign floor ceil round trunc frac exp exp2 expm1 log log1p log2 log10 sqrt rsqrt reciprocal sigmoid
    erf erfc sin cos tan asin acos atan sinh cosh tanh relu silu mish selu hardsigmoid hardswish log_sigmoid square
    isnan isinf isfinite logical_not bitwise_not gelu leaky_relu elu celu hardtanh relu6 softplus deg2rad rad2deg sgn""".split()
    for op in plain:
        case(op, SPECIAL)
        for dtype in DTYPES:
            for x in inputs(dtype) if dtype == F else inputs(dtype)[:2]:
                case(op, x)
    for op in plain:
        if hasattr(aten, op + "_") and op != "log_sigmoid":
            for dtype in (F, L, B):
                case(op + "_", make(dtype, 2, 3))
            case(op + "_", make(F, 4, 3).t())
            case(op + "_", make(F, 3).expand(2, 3))
    for x in (make(F, 5), SPECIAL, make(L, 3)):
        case("gelu", x, approximate="tanh")
        case("leaky_relu", x, 0.3)
        case("elu", x, 1.5, 2.0, 0.5)
        case("hardtanh", x, -2, 2)
        case("softplus", x, 2, 3)
        case("dropout", x, 0.5, False)
        case("dropout_", x.clone(), 0.5, False)
    case("dropout", make(F, 2), 1.5, False)


def binary():
    shapes = [((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((3, 4), ()), ((), (4,)), ((0, 4), (4,)), ((2, 3), (2, 4)),
              ((2, 1, 3), (4, 1))]
    ops = """add.Tensor sub.Tensor mul.Tensor div.Tensor remainder.Tensor fmod.Tensor maximum minimum eq.Tensor ne.Tensor
    lt.Tensor le.Tensor gt.Tensor ge.Tensor logical_and logical_or logical_xor bitwise_and.Tensor bitwise_or.Tensor
    bitwise_xor.Tensor atan2 pow.Tensor_Tensor floor_divide __and__.Tensor __or__.Tensor fmax fmin max.other rsub.Tensor""".split()
    pairs = [(F, F), (F, L), (L, F), (L, L), (I, L), (D, F), (B, B), (B, L), (U, I), (I, F)]
    for op in ops:
        for a, b in shapes:
            case(op, make(F, *a), make(F, *b))
        for a, b in pairs:
            case(op, make(a, 3, 4), make(b, 4))
            case(op, make(a, 3, 4), make(b))
            case(op, make(a), make(b, 4))
        case(op, make(F, 4, 3).t(), make(F, 3, 8)[:, ::2])
        case(op, SPECIAL.unsqueeze(1), SPECIAL[:6])
        base, _, form = op.partition(".")
        if hasattr(aten, base + "_") and not base.startswith("_") and form != "Tensor_Tensor":
            for a, b in ((F, F), (L, F), (L, L), (F, L), (B, L)):
                case(base + "_" if form == "" and base != "floor_divide" else f"{base}_.Tensor", make(a, 3, 4), make(b, 4))
            if form:
                case(f"{base}_.{form}", make(F, 4), make(F, 3, 4))
                case(f"{base}_.{form}", make(F, 4).expand(3, 4), make(F, 3, 4))
    scalars = [2, -3, 0, 0.5, -1.5, True, 1.0, INF]
    for op in """add.Scalar sub.Scalar mul.Scalar div.Scalar remainder.Scalar fmod.Scalar eq.Scalar ne.Scalar lt.Scalar le.Scalar
    gt.Scalar ge.Scalar bitwise_and.Scalar bitwise_or.Scalar pow.Tensor_Scalar floor_divide.Scalar rsub.Scalar""".split():
        for s in scalars:
            for dtype in DTYPES:
                case(op, make(dtype, 2, 3), s)
        base, _, form = op.partition(".")
        if hasattr(aten, base + "_"):
            for s in (2, 0.5):
                for dtype in (F, L):
                    case(base + "_.Scalar", make(dtype, 2, 3), s)
    case("eq.Scalar", torch.tensor([0.1, 0.2]), 0.1)
    for alpha in (2, 0.5, True, 0):
        for dtype in (F, L, B):
            case("add.Tensor", make(dtype, 2, 3), make(dtype, 3), alpha=alpha)
            case("sub.Tensor", make(dtype, 2, 3), make(dtype, 3), alpha=alpha)
            case("rsub.Scalar", make(dtype, 2, 3), 3, alpha)
    for mode in (None, "trunc", "floor", "up"):
        for dtype in (F, L, B):
            case("div.Tensor_mode", make(dtype, 5, 5), make(dtype, 5), rounding_mode=mode)
            case("div.Tensor_mode", make(dtype, 5, 5), torch.tensor([1, 2, -3, 5, -4]).to(dtype), rounding_mode=mode)
            case("div.Scalar_mode", make(dtype, 5), -2, rounding_mode=mode)
            case("div_.Tensor_mode", make(dtype, 5), make(F, 5), rounding_mode=mode)
    case("floor_divide", make(L, 5, 5), torch.tensor([1, 2, -3, 5, -4]))
    case("remainder.Tensor", make(L, 5, 5), torch.tensor([1, 2, -3, 5, -4]))
    case("fmod.Tensor", make(L, 5, 5), torch.tensor([1, 2, -3, 5, -4]))
    for base in (2, 0.5, -1):
        for dtype in (F, L):
            case("pow.Scalar", base, make(dtype, 4).abs())
    case("remainder.Scalar_Tensor", 7, torch.tensor([2, -3]))
    x = torch.zeros(6)
    case("add.Tensor", x[1:], x[:5])


def clamps():
    for low, high in ((0, 2), (-0.5, 0.5), (None, 1), (1.5, None), (2, -2), (None, None)):
        for dtype in DTYPES:
            case("clamp", make(dtype, 3, 4), low, high)
            case("clamp_", make(dtype, 3, 4), low, high)
    case("clamp", SPECIAL, -1, 1)
    for dtype in (F, L):
        case("clamp_min", make(dtype, 4), 0.5)
        case("clamp_max", make(dtype, 4), 1)
        case("clamp.Tensor", make(dtype, 3, 4), make(dtype, 4), make(F, 3, 1))
        case("clamp.Tensor", make(dtype, 3, 4), None, make(F, 3, 1))


def selections():
    for a, b in itertools.product((F, L, B, D), repeat=2):
        case("where.self", make(B, 3, 4), make(a, 4), make(b, 3, 1))
        case("where.self", make(B, 3, 4), make(a), make(b, 3, 1))
    case("where.self", make(F, 3), make(F, 3), make(F, 3))
    case("where.self", make(B, 3), make(F, 3), make(F, 4))
    for dtype in (F, L, D):
        case("where.ScalarSelf", make(B, 3), 1.5, make(dtype, 3))
        case("where.ScalarOther", make(B, 3), make(dtype, 3), 2)
        case("masked_fill.Scalar", make(dtype, 3, 4), make(B, 4), 2)
        case("masked_fill.Scalar", make(dtype, 4), make(B, 3, 4), -INF if dtype != L else 3)
        case("masked_fill.Tensor", make(dtype, 4), make(B, 4), torch.tensor(3))
        case("masked_fill.Tensor", make(dtype, 4), make(B, 4), make(dtype, 4))
        case("masked_fill_.Scalar", make(dtype, 3, 4), make(B, 4), 1)
        case("masked_fill_.Scalar", make(dtype, 4), make(B, 3, 4), 1)
        case("masked_fill.Scalar", make(dtype, 4), make(L, 4), 1)
        case("lerp.Scalar", make(dtype, 3), make(dtype, 3), 0.3)
        case("lerp.Tensor", make(dtype, 3), make(dtype, 3), make(dtype, 2, 3))
        case("addcmul", make(dtype, 3), make(dtype, 2, 1), make(dtype, 3), value=2)
        case("addcdiv", make(dtype, 3), make(dtype, 2, 1), make(dtype, 3), value=0.5)
        case("addcmul_", make(dtype, 3), make(dtype, 3), make(dtype, 3), value=3)
    case("where.Scalar", make(B, 3), 1.0, 2)
    case("lerp.Scalar", make(F, 3), make(D, 3), 0.3)
    case("masked_fill.Scalar", make(L, 3), make(B, 3), 1.5)


def reductions():
    x = make(F, 2, 3, 4)
    tensors = [x, x.transpose(0, 2), make(F, 3, 8)[:, 1::2], make(F), make(F, 0, 3), SPECIAL, make(D, 3, 4), make(L, 3, 4), make(I, 3, 4),
               make(B, 3, 4), make(U, 3, 4), make(F, 4).expand(3, 4)]
    for t in tensors:
        for op in ("sum", "mean", "prod", "max", "min", "any", "all", "var", "std", "argmax", "argmin", "amax", "amin", "norm.Scalar",
                   "var_mean", "argsort", "sort", "std_mean"):
            if op in ("argsort", "sort") and (t.dtype != F or t.stride()[:1] == (0,)) :
                continue
            case(op, t)
        for dim in (0, -1, 5):
            case("sum.dim_IntList", t, [dim])
            case("mean.dim", t, [dim], True)
            case("prod.dim_int", t, dim)
            case("amax", t, [dim], True)
            case("amin", t, [dim])
            case("any.dim", t, dim)
            case("all.dim", t, dim, True)
            case("var.dim", t, [dim])
            case("std.dim", t, [dim], False, True)
            case("var_mean.dim", t, [dim], False)
            case("var.correction", t, [dim], correction=0)
            case("var_mean.correction", t, [dim], correction=None, keepdim=True)
            case("softmax.int", t, dim)
            case("log_softmax.int", t, dim)
            case("logsumexp", t, [dim])
            case("cumsum", t, dim)
            case("cumprod", t, dim)
            case("norm.ScalarOpt_dim", t, 2, [dim])
            case("norm.ScalarOpt_dim", t, None, [dim], True)
            case("norm.ScalarOpt_dim", t, INF, [dim])
            case("norm.ScalarOpt_dim", t, 1, [dim])
            if t.dtype not in (B, U):
                case("max.dim", t, dim)
                case("min.dim", t, dim, True)
                case("argmax", t, dim)
                case("argmin", t, dim, True)
    for t in (x, x.transpose(0, 2), make(L, 2, 3, 4)):
        case("sum.dim_IntList", t, [0, 2])
        case("sum.dim_IntList", t, None)
        case("sum.dim_IntList", t, [])
        case("sum.dim_IntList", t, [0, 0])
        case("sum.dim_IntList", t, [1, -1], True, dtype=D)
        case("sum", t, dtype=I)
        case("mean", t, dtype=F)
        case("mean.dim", t, [0, 1])
        case("amax", t, [0, 2])
        case("softmax.int", t, 1, D)
        case("cumsum", t, 1, dtype=F)
        case("norm.Scalar", t, 3)
    for t in (torch.randperm(24).view(4, 6).to(F), torch.randperm(24).view(6, 4).t(), torch.randperm(24).view(2, 3, 4).to(D),
              torch.tensor([1.0, NAN, -3.0, INF, -INF, 2.0])):
        for dim in (0, -1):
            for flag in (True, False):
                case("sort", t, dim, flag)
                case("argsort", t, dim, flag)
                case("sort.stable", t, stable=True, dim=dim, descending=flag)
                case("topk", t, 2, dim, flag)
            case("topk", t, 7, dim)
            case("topk", t, 0, dim)
            case("topk", t, -1, dim)
    case("sort.stable", torch.tensor([1, 0, 1, 0, 1, 0]), stable=True)
    case("sort.stable", torch.tensor([1, 0, 1, 0, 1, 0]), stable=True, descending=True)
    case("softmax.int", torch.full((2, 3), -INF), 1)
    case("log_softmax.int", torch.tensor([[1e4, 0.0], [-1e4, 0.0]]), 1)
    case("logsumexp", torch.tensor([[INF, 0.0], [-INF, -INF]]), [1])


def views():
    x = make(F, 2, 3, 4)
    tensors = [x, x.transpose(0, 2), make(F, 3, 8)[:, 1::2], make(F), make(F, 0, 4), make(L, 6), make(F, 4).expand(3, 4), make(F, 2, 1, 3, 1)]
    for t in tensors:
        for sizes in ([-1], [24], [6, 4], [2, -1, 2], [3, 4], [4, 3], [-1, -1], [1, -1, 1], [], [0, 4], [-1, 0], [5, -2], [2, 12], [3, 2, 2], [1]):
            case("view", t, sizes)
            case("reshape", t, sizes)
        for a, b in ((0, -1), (0, 1), (1, 2), (1, 0), (-2, -1), (0, 7)):
            case("flatten.using_ints", t, a, b)
            case("transpose.int", t, a, b)
        for dim in (0, 1, -1, -2, 3, 6):
            case("squeeze.dim", t, dim)
            case("unsqueeze", t, dim)
            case("unbind.int", t, dim)
            case("size.int", t, dim)
            for index in (0, -1, 2, 9):
                case("select.int", t, dim, index)
            for start, end, step in ((None, None, 1), (1, None, 1), (None, -1, 1), (0, 9, 2), (-2, 100, 1), (2, 1, 1), (0, 2, 0), (1, 3, 5)):
                case("slice.Tensor", t, dim, start, end, step)
            case("narrow", t, dim, 1, 1)
            case("narrow", t, dim, -1, 1)
            case("narrow", t, dim, 1, 9)
            case("split.Tensor", t, 2, dim)
            case("split.Tensor", t, 0, dim)
            case("split.sizes", t, [1, 2], dim)
            case("split_with_sizes", t, [1, 1, 1], dim)
            case("chunk", t, 2, dim)
            case("chunk", t, 5, dim)
            case("chunk", t, 0, dim)
            case("roll", t, [1], [dim])
            case("flip", t, [dim])
        for op in ("squeeze", "t", "contiguous", "clone", "detach", "alias", "size", "dim", "numel", "stride", "storage_offset",
                   "is_contiguous", "is_floating_point", "numpy_T", "tril", "triu", "nonzero"):
            case(op, t)
        case("permute", t, [2, 0, 1])
        case("permute", t, [1, 0])
        case("permute", t, [0, 0])
        for sizes in ([3, 4], [2, 3, 4], [5, -1, -1, -1], [5, 2, 3, 4], [7], [-1, 4], [2, 5, 3, 2], [0]):
            case("expand", t, sizes)
        for sizes in ([2], [1, 2, 1], [2, 0, 3], [1, 2, 3, 2], [-1, 1, 1, 1], [2, 2]):
            case("repeat", t, sizes)
        case("roll", t, [2], [])
        case("roll", t, [-1, 2], [0, 1])
        case("tril", t, -1)
        case("triu", t, 2)
        case("flip", t, [0, 1])
        case("flip", t, [])
        for dtype in (F, D, L, I, B):
            case("to.dtype", t, dtype)
        case("to.dtype", t, F, False, True)
        case("to.other", t, make(D, 1))
        case("type_as", t, make(L, 1))
        case("view_as", t, make(F, 4, 6))
        case("expand_as", t, make(F, 2, 3, 4))
        case("copy_", t.clone(), make(L, 4))
        case("copy_", t.clone(), make(F, 7))
        case("fill_.Scalar", t.clone(), 2.5)
        case("fill_.Tensor", t.clone(), torch.tensor(3))
        case("zero_", t.clone())
    case("to.dtype", SPECIAL[3:], L)
    case("to.dtype", SPECIAL, B)
    case("to.dtype", torch.tensor([300, -1, 5]), U)
    case("zero_", make(F, 3).expand(2, 3))
    case("clone", make(F, 1, 2, 3, 4), memory_format=torch.channels_last)
    case("is_same_size", x, x)
    case("equal", x, x)
    case("equal", x, make(F, 2, 3, 4))
    case("equal", make(L, 3), make(F, 3))


def joins():
    for dim in (0, 1, -1, 2, 5):
        case("cat", [make(F, 2, 3), make(F, 2, 3)], dim)
        case("cat", [make(F, 2, 3), make(L, 4, 3)], dim)
        case("cat", [make(F, 3, 2).t(), make(F, 0), make(D, 2, 3)], dim)
        case("stack", [make(F, 2, 3), make(F, 3, 2).t()], dim)
        case("stack", [make(F, 2, 3), make(F, 3)], dim)
        case("stack", [make(F), make(F)], dim)
    case("cat", [make(F), make(F)], 0)
    case("cat", [make(F, 2, 3), make(F, 3)], 0)
    case("cat", [], 0)
    case("cat", [make(F, 0), make(F, 0)], 0)
    case("stack", [], 0)


def indexing():
    x = make(F, 3, 4, 5)
    i, j = torch.tensor([0, 2, -1]), torch.tensor([[1], [3]])
    for t in (x, x.transpose(0, 2), make(L, 3, 4, 5)):
        for index in ([i], [None, i], [i, None, i], [i, j], [None, i, j], [j], [None, None, j], [i, i, i], [torch.tensor(1)], [torch.tensor([7])],
                      [i, torch.tensor([0, 1])], [i, i, i, i], [make(F, 2)], [make(B, t.shape[0])], [make(B, 2)], [None, make(B, t.shape[1])],
                      [make(B, t.shape[0], t.shape[1])], [make(B, *t.shape)], [torch.zeros(0, dtype=L)], [None, make(B, t.shape[1]), torch.tensor([1])]):
            case("index.Tensor", t, index)
        case("index_put_", t.clone(), [i], make(t.dtype, *t.shape[1:]))
        case("index_put_", t.clone(), [None, i], make(t.dtype), True)
        case("index_put_", t.clone(), [i, j], make(t.dtype, 3))
        case("index_put", t, [make(B, t.shape[0])], make(t.dtype))
        case("index_put", t, [i], make(t.dtype, 7))
        case("index_put", t, [i], make(B, 1))
        for dim in (0, 1, -1, 4):
            case("index_select", t, dim, torch.tensor([0, 2, 2]))
            case("index_select", t, dim, torch.tensor([9]))
            case("index_select", t, dim, torch.tensor([[0]]))
            g = torch.randint(0, 3, (2, 3, 2))
            case("gather", t, dim, g)
            case("gather", t, dim, g + 9)
            case("gather", t, dim, g[0])
            for op in ("scatter.src", "scatter_add", "scatter_add_", "scatter_.src"):
                unique = torch.arange(2).view(2, 1, 1).expand(2, 2, 2) if dim == 0 else torch.zeros(2, 1, 2, dtype=L) if dim == 1 else torch.tensor([0, 1]).expand(2, 2, 2)
                case(op, t.clone(), dim, unique, make(t.dtype, 2, 3, 2))
            case("scatter.value", t.clone(), dim, g, 2)
            case("scatter_add", t.clone(), dim, g, make(t.dtype, 2, 3, 2))
        case("masked_select", t, make(B, t.shape[2]))
        case("masked_select", t, make(L, t.shape[2]))
    case("gather", make(F), 0, torch.tensor(0))
    case("masked_select", make(F), torch.tensor(True))
    case("nonzero", make(B, 3, 4))
    case("nonzero", torch.tensor(1.0))


def creation():
    for op in ("zeros", "ones", "new_zeros", "new_ones"):
        for sizes in ([2, 3], [], [0], [-1, 2], [2 ** 40, 2 ** 40]):
            for dtype in (None, F, L, B):
                case(op, *([make(D, 1)] if op[0] == "n" else []), sizes, dtype=dtype)
    for value in (2, 1.5, True):
        for dtype in (None, F, L, B):
            case("full", [2, 2], value, dtype=dtype)
            case("full_like", make(F, 2, 3).t(), value, dtype=dtype)
            case("scalar_tensor", value, dtype=dtype)
    for t in (make(F, 2, 3), make(L, 3, 2).t(), make(B)):
        case("zeros_like", t)
        case("ones_like", t, dtype=D)
    for end in (5, 0, 5.5, -1, 2 ** 62):
        case("arange", end)
    for start, end, step in ((1, 5, 2), (5, 1, -1), (0, 1, 0.25), (1, 2, 0), (3, 1, 1), (0.5, 3, 1), (0, -5, -2), (0, 10, 3)):
        for dtype in (None, F, L, I):
            case("arange.start_step", start, end, step, dtype=dtype)
        case("arange.start", start, end)
    for start, end, steps in ((0, 1, 5), (3, -3, 7), (1, 1, 1), (0, 9, 0), (0, 1, -2), (0.5, 2.5, 4)):
        case("linspace", start, end, steps)
        case("linspace", start, end, steps, dtype=D)
    for n in (0, 3, -1):
        case("eye", n)
        case("eye.m", n, 2, dtype=L)


if __name__ == "__main__":
    for group in (unary, binary, clamps, selections, reductions, views, joins, indexing, creation):
        group()
    print(count, "cases", file=sys.stderr)
