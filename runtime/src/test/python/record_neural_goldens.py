"""Records what libtorch returns for linear, neural and embedding operations.

Usage: python3 record_neural_goldens.py > neural-golden.txt

One item per line, so that plain Java can read it back:
  case NAME                      the operation, with its overload
  arg KIND ...                   tensor, int, float, bool, str, none, ints; one per line
  result tensor                  one per line; or
  error TEXT                     libtorch's message
  after INDEX tensor             the content of an argument that the call wrote
  end
A tensor: DTYPE SHAPE STRIDES OFFSET VALUES; lists are joined by commas, '-' is the empty one.
VALUES are those of the storage up to the extent of the layout; for results, they are in row-major order.
"""

import math

import torch

torch.manual_seed(20)
NAMES = {torch.float32: "float32", torch.float64: "float64", torch.int64: "int64",
         torch.int32: "int32", torch.bool: "bool", torch.float16: "float16"}
AT = torch.ops.aten


def joined(values):
    return ",".join(values) if len(values) else "-"


def number(value, short=False):
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "%.9g" % value if short else repr(value)


def tensor(t, whole):
    if whole:
        extent = 0
        if t.numel():
            extent = t.storage_offset() + 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride()))
        flat = torch.as_strided(t, (extent,), (1,), 0).tolist()
        strides, offset = t.stride(), t.storage_offset()
    else:
        t = t.contiguous()
        flat, strides, offset = t.reshape(-1).tolist(), t.stride(), 0
    return " ".join([NAMES[t.dtype], joined([str(n) for n in t.shape]),
                     joined([str(n) for n in strides]), str(offset),
                     joined([number(v, t.dtype == torch.float32) for v in flat])])


def argument(value):
    if isinstance(value, torch.Tensor):
        return "tensor " + tensor(value, True)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "bool " + ("1" if value else "0")
    if isinstance(value, int):
        return "int " + str(value)
    if isinstance(value, float):
        return "float " + repr(value)
    if isinstance(value, str):
        return "str " + value
    return "ints " + joined([str(v) for v in value])


def case(name, *args):
    lines = ["case " + name] + ["arg " + argument(a) for a in args]
    before = [a.clone() if isinstance(a, torch.Tensor) else None for a in args]
    packet = getattr(AT, name.split(".")[0])
    operation = getattr(packet, name.split(".")[1] if "." in name else "default")
    named = [a.name for a in operation._schema.arguments if a.kwarg_only]
    plain = len(operation._schema.arguments) - len(named)
    positional, keywords = args[:plain], dict(zip(named, args[plain:]))
    try:
        results = operation(*positional, **keywords)
        for result in results if isinstance(results, tuple) else [results]:
            lines.append("result " + tensor(result, False))
        for i, old in enumerate(before):
            if old is not None and not torch.equal(torch.nan_to_num(old), torch.nan_to_num(args[i])):
                lines.append("after %d %s" % (i, tensor(args[i], False)))
    except (RuntimeError, IndexError) as e:
        lines.append("error " + str(e).split("\n")[0])
    print("\n".join(lines + ["end"]), flush=True)


def r(*shape, d=torch.float32):
    return torch.randn(*shape, dtype=torch.float64).to(d)


def ints(*shape, d=torch.int64):
    return torch.randint(-9, 10, shape).to(d)


def ids(*values, d=torch.int64):
    return torch.tensor(values, dtype=d)


def record_linear():
    for d in (torch.float32, torch.float64):
        case("linear", r(3, 16, d=d), r(5, 16, d=d), r(5, d=d))
        case("linear", r(1, 16, d=d), r(17, 16, d=d), r(17, d=d))
        case("linear", r(1, 270, d=d), r(9, 270, d=d), None)
        case("linear", r(0, 16, d=d), r(5, 16, d=d), r(5, d=d))
        case("linear", r(16, d=d), r(5, 16, d=d), r(5, d=d))
        case("linear", r(2, 3, 7, d=d), r(5, 7, d=d), r(5, d=d))
        case("linear", r(7, 2, 3, d=d).permute(1, 2, 0), r(5, 7, d=d), r(5, d=d))
        case("linear", r(6, 7, d=d)[::2], r(7, 5, d=d).t(), r(10, d=d)[::2])
        case("linear", r(2, 7, d=d), r(7, d=d), None)
        case("linear", r(4, 0, d=d), r(5, 0, d=d), r(5, d=d))
        case("matmul", r(7, d=d), r(7, d=d))
        case("matmul", r(3, 7, d=d), r(7, d=d))
        case("matmul", r(7, d=d), r(7, 3, d=d))
        case("matmul", r(5, 7, d=d), r(7, 3, d=d))
        case("matmul", r(2, 5, 7, d=d), r(7, 3, d=d))
        case("matmul", r(2, 5, 7, d=d), r(7, d=d))
        case("matmul", r(7, d=d), r(2, 7, 3, d=d))
        case("matmul", r(4, 1, 5, 7, d=d), r(3, 7, 2, d=d))
        case("matmul", r(4, 3, 5, 7, d=d).transpose(1, 2), r(1, 5, 7, 2, d=d))
        case("matmul", r(5, 7, d=d), r(2, 3, 7, 4, d=d))
        case("matmul", r(2, 0, 7, d=d), r(2, 7, 3, d=d))
        case("mm", r(3, 270, d=d), r(270, 8, d=d)[:, :5])
        case("mm", r(2, 3, d=d), r(3, 260, d=d))
        case("mm", r(5, 7, d=d).t(), r(3, 5, d=d).t())
        case("mm", r(3, 0, d=d), r(0, 2, d=d))
        case("bmm", r(2, 3, 4, d=d), r(2, 4, 5, d=d))
        case("bmm", r(2, 3, 4, d=d), r(2, 5, 4, d=d).transpose(1, 2))
        case("bmm", r(1, 3, 4, d=d).expand(2, 3, 4), r(2, 4, 5, d=d))
        case("mv", r(3, 4, d=d), r(4, d=d))
        case("dot", r(4, d=d), r(4, d=d))
        case("dot", r(8, d=d)[::2], r(4, d=d))
        case("outer", r(4, d=d), r(6, d=d)[::2])
        case("ger", r(4, d=d), r(3, d=d))
        case("addmm", r(5, d=d), r(2, 3, d=d), r(3, 5, d=d), 1, 1)
        case("addmm", r(2, 5, d=d), r(2, 3, d=d), r(3, 5, d=d), 0.5, 2.0)
        case("addmm", r(2, 1, d=d), r(2, 3, d=d), r(3, 5, d=d), 2, -1)
        case("addmm", torch.full((5,), math.nan, dtype=d), r(2, 3, d=d), r(3, 5, d=d), 0, 1)
        case("addmv", r(2, d=d), r(2, 3, d=d), r(3, d=d), 0.5, 2.0)
        case("baddbmm", r(2, 3, 5, d=d), r(2, 3, 4, d=d), r(2, 4, 5, d=d), 1, 1)
        case("baddbmm", r(1, 1, 5, d=d), r(2, 3, 4, d=d), r(2, 4, 5, d=d), 0.5, 0.25)
        case("baddbmm", r(5, d=d), r(2, 3, 4, d=d), r(2, 4, 5, d=d), 0, 0.25)
    for d in (torch.int64, torch.int32):
        case("matmul", ints(3, 4, d=d), ints(4, 5, d=d))
        case("matmul", ints(4, d=d), ints(4, d=d))
        case("addmm", ints(5, d=d), ints(2, 3, d=d), ints(3, 5, d=d), 2, 3)
        case("bmm", ints(2, 3, 4, d=d), ints(2, 4, 5, d=d))
    big = torch.tensor([[2 ** 62, 3]])
    case("mm", big, torch.tensor([[3], [2 ** 61]]))


def record_linear_errors():
    case("linear", r(3, 15), r(32, 16), r(32))
    case("linear", r(15), r(32, 16), None)
    case("linear", r(2, 3, 15), r(32, 16), None)
    case("linear", r(2, 3, d=torch.float64), r(4, 3), None)
    case("linear", r(2, 3), r(4, 3), r(5))
    case("linear", ints(2, 3), r(4, 3), r(4))
    case("mm", r(2, 3), r(4, 3))
    case("mm", r(3), r(3, 3))
    case("mm", r(2, 3, 4), r(4, 3))
    case("mm", r(2, 3).bool(), r(3, 2).bool())
    case("mm", r(2, 3).half(), r(3, 2).half())
    case("bmm", r(2, 3, 4), r(3, 4, 3))
    case("bmm", r(2, 3, 4), r(2, 3, 4))
    case("bmm", r(3, 4), r(3, 4, 3))
    case("mv", r(3, 4), r(3))
    case("dot", r(4), r(3))
    case("dot", r(4, 1), r(3))
    case("matmul", r(2, 3, 4), r(3, 4, 3))
    case("matmul", r(2, 3, 4), r(3))
    case("matmul", torch.tensor(1.0), r(3))
    case("addmm", r(4), r(2, 3), r(3, 5), 1, 1)
    case("baddbmm", r(2, 4, 5), r(2, 3, 4), r(2, 4, 5), 1, 1)
    case("outer", r(2, 2), r(3))


def record_normalization():
    for d in (torch.float32, torch.float64):
        w, b, m, v = r(3, d=d), r(3, d=d), r(3, d=d), r(3, d=d).abs() + 0.1
        for shape in ((4, 3), (1, 3), (2, 3, 5), (2, 3, 4, 5), (0, 3)):
            case("batch_norm", r(*shape, d=d), w, b, m, v, False, 0.1, 1e-5, True)
        case("batch_norm", r(5, 4, 3, d=d).permute(0, 2, 1), w, b, m, v, False, 0.1, 1e-5, True)
        case("batch_norm", r(4, 3, d=d), None, None, m, v, False, 0.1, 1e-3, True)
        case("batch_norm", r(4, 3, d=d), w, None, m, v, False, 0.1, 1e-3, True)
        for shape in ((4, 3), (2, 3, 5), (1, 3, 2), (2, 3, 4, 5)):
            case("batch_norm", r(*shape, d=d), w, b, m.clone(), v.clone(), True, 0.1, 1e-5, True)
        case("batch_norm", r(4, 3, d=d), w, b, r(6, d=d)[::2], (r(6, d=d).abs())[::2], True, 0.3, 1e-5, True)
        case("batch_norm", r(4, 3, d=d), w, b, None, None, True, 0.1, 1e-5, True)
        case("batch_norm", r(0, 3, d=d), w, b, m.clone(), v.clone(), True, 0.1, 1e-5, True)
        case("layer_norm", r(4, 3, d=d), [3], w, b, 1e-5, True)
        case("layer_norm", r(2, 4, 3, d=d), [4, 3], r(4, 3, d=d), r(4, 3, d=d), 1e-5, True)
        case("layer_norm", r(4, 3, d=d), [3], None, None, 1e-2, True)
        case("layer_norm", r(3, 4, d=d).t(), [3], w, b, 1e-5, True)
        case("layer_norm", r(0, 3, d=d), [3], w, b, 1e-5, True)
        case("layer_norm", r(4, 3, d=d) + 10, [3], w, None, 1e-5, True)
    w, m, v = r(3), r(3), r(3).abs()
    case("batch_norm", r(2, 4), None, None, m, v, False, 0.1, 1e-5, True)
    case("batch_norm", r(2, 3), r(4), None, m, v, False, 0.1, 1e-5, True)
    case("batch_norm", r(4), None, None, m, v, False, 0.1, 1e-5, True)
    case("batch_norm", r(4, 3), None, None, None, None, False, 0.1, 1e-5, True)
    case("batch_norm", r(4, 3, d=torch.float64), w, w, m, v, False, 0.1, 1e-5, True)
    case("batch_norm", ints(4, 3), None, None, m, v, False, 0.1, 1e-5, True)
    case("layer_norm", r(2, 3), [4], None, None, 1e-5, True)
    case("layer_norm", r(2, 3), [3], r(2), None, 1e-5, True)
    case("layer_norm", r(3), [2, 3], None, None, 1e-5, True)


def record_convolution():
    for d in (torch.float32, torch.float64):
        one, zero = [1, 1], [0, 0]
        case("conv2d", r(2, 3, 8, 7, d=d), r(4, 3, 3, 3, d=d), r(4, d=d), one, zero, one, 1)
        case("conv2d", r(2, 3, 8, 7, d=d), r(4, 3, 3, 3, d=d), None, [2, 1], [1, 2], one, 1)
        case("conv2d", r(1, 4, 9, 9, d=d), r(6, 2, 3, 2, d=d), r(6, d=d), [2], [1], [2], 2)
        case("conv2d", r(1, 4, 6, 6, d=d), r(8, 1, 3, 3, d=d), r(8, d=d), one, one, one, 4)
        case("conv2d", r(3, 6, 6, d=d), r(2, 3, 3, 3, d=d), r(2, d=d), one, zero, one, 1)
        case("conv2d", r(0, 3, 6, 6, d=d), r(2, 3, 3, 3, d=d), r(2, d=d), one, zero, one, 1)
        case("conv2d", r(2, 3, 5, 5, d=d), r(4, 3, 1, 1, d=d), r(4, d=d), [2], zero, one, 1)
        case("conv2d", r(2, 5, 6, 3, d=d).permute(0, 3, 1, 2), r(3, 3, 3, 4, d=d).permute(3, 0, 1, 2), r(8, d=d)[::2], one, zero, one, 1)
        case("conv2d.padding", r(1, 2, 6, 7, d=d), r(3, 2, 3, 4, d=d), r(3, d=d), one, "same", one, 1)
        case("conv2d.padding", r(1, 2, 6, 7, d=d), r(3, 2, 3, 4, d=d), r(3, d=d), [2], "valid", one, 1)
        case("conv1d", r(2, 3, 9, d=d), r(4, 3, 3, d=d), r(4, d=d), [2], [1], [1], 1)
        case("conv1d", r(3, 9, d=d), r(4, 3, 3, d=d), None, [1], [0], [2], 1)
        case("conv1d.padding", r(2, 3, 9, d=d), r(4, 3, 3, d=d), None, [1], "same", [2], 1)
        case("_convolution", r(2, 3, 8, 7, d=d), r(4, 3, 3, 3, d=d), r(4, d=d), one, one, one,
             False, zero, 1, False, False, True, True)
        case("_convolution.deprecated", r(2, 3, 8, d=d), r(4, 3, 3, d=d), r(4, d=d), [1], [1], [1],
             False, [0], 1, False, False, True)
        case("convolution", r(2, 4, 8, 7, d=d), r(4, 2, 3, 3, d=d), None, [1], [1], [1], False, [0], 2)
    one, zero = [1, 1], [0, 0]
    case("conv2d", r(1, 32, 1, 34).expand(1, 32, 34, 34), r(1, 32, 3, 3), r(1), one, zero, one, 1)
    case("conv2d", r(2, 3, 5, 5), r(4, 2, 3, 3), None, one, zero, one, 1)
    case("conv2d", r(2, 2, 2, 2), r(4, 2, 3, 3), None, one, zero, one, 1)
    case("conv2d", r(2, 2), r(4, 2, 3, 3), None, one, zero, one, 1)
    case("conv2d", r(2, 2, 4, 4), r(4, 2, 3, 3), r(3), one, zero, one, 1)
    case("conv2d", r(2, 2, 4, 4), r(4, 2, 3, 3, d=torch.float64), None, one, zero, one, 1)
    case("conv2d", r(2, 2, 4, 4), r(5, 1, 3, 3), None, one, zero, one, 2)
    case("conv2d", r(2, 2, 4, 4), r(4, 2, 3, 3), None, zero, zero, one, 1)
    case("conv2d", r(2, 2, 4, 4), r(4, 2, 3, 3), None, one, [-1, 0], one, 1)
    case("conv2d.padding", r(2, 2, 4, 4), r(4, 2, 3, 3), None, [2], "same", one, 1)
    case("conv2d.padding", r(2, 2, 4, 4), r(4, 2, 3, 3), None, one, "some", one, 1)
    case("conv1d", r(2, 2, 2), r(4, 2, 3), None, [1], [0], [1], 1)


def record_pooling():
    for d in (torch.float32, torch.float64):
        x = r(2, 3, 7, 8, d=d)
        case("max_pool2d", x, [2], [], [0], [1], False)
        case("max_pool2d", x, [3, 2], [2, 1], [1, 1], [1], False)
        case("max_pool2d", x, [3], [2], [1], [2], True)
        case("max_pool2d", x, [2], [2], [0], [1], True)
        case("max_pool2d", r(3, 5, 5, d=d), [2], [2], [1], [1], True)
        case("max_pool2d", x.transpose(2, 3), [2], [2], [0], [1], False)
        case("max_pool2d", torch.full((1, 1, 2, 2), -math.inf, dtype=d), [2], [], [0], [1], False)
        case("max_pool2d", torch.tensor([[[1, math.nan], [2, 3]]], dtype=d), [2], [], [0], [1], False)
        case("max_pool1d", r(2, 3, 9, d=d), [3], [2], [1], [1], True)
        case("avg_pool2d", x, [2], [], [0], False, True, None)
        case("avg_pool2d", x, [3, 2], [2, 1], [1, 1], False, True, None)
        case("avg_pool2d", x, [3], [2], [1], True, True, None)
        case("avg_pool2d", x, [3], [2], [1], True, False, None)
        case("avg_pool2d", x, [3], [2], [1], False, False, 5)
        case("avg_pool2d", r(3, 5, 5, d=d), [2], [2], [1], True, True, -2)
        case("avg_pool1d", r(2, 3, 9, d=d), [3], [2], [1], True, False)
        case("adaptive_avg_pool2d", x, [1, 1])
        case("adaptive_avg_pool2d", x, [3, 5])
        case("adaptive_avg_pool2d", r(3, 4, 4, d=d), [6, 2])
        case("adaptive_avg_pool1d", r(2, 3, 9, d=d), [4])
        case("max_pool2d", r(0, 3, 4, 4, d=d), [2], [], [0], [1], False)
        case("adaptive_avg_pool2d", r(0, 3, 4, 4, d=d), [2, 2])
        case("constant_pad_nd", r(2, 3, d=d), [1, 2], 0)
        case("constant_pad_nd", r(2, 3, d=d), [1, -1, 0, 1], 1.5)
        case("constant_pad_nd", r(2, 3, 4, d=d).transpose(0, 2), [-1, 0, 2, 2], 7)
        case("pad", r(2, 3, d=d), [0, 1], "constant", None)
        case("pad", r(2, 3, d=d), [0, 1, 1, 0], "constant", 2.5)
    case("constant_pad_nd", ints(2, 3), [1, 1], 4)
    case("constant_pad_nd", ints(2, 3) > 0, [1, 1], 1)
    case("constant_pad_nd", r(2), [-1, -2], 0)
    case("constant_pad_nd", r(2), [1], 0)
    case("constant_pad_nd", r(2), [1, 1, 1, 1], 0)
    case("max_pool2d", r(1, 1, 2, 2), [3], [], [0], [1], False)
    case("max_pool2d", r(1, 1, 2, 2), [2], [], [2], [1], False)
    case("max_pool2d", r(2, 2), [2], [], [0], [1], False)
    case("max_pool2d", r(1, 1, 4, 4), [0], [], [0], [1], False)
    case("max_pool2d", r(1, 1, 4, 4), [2], [0], [0], [1], False)
    case("max_pool2d", r(1, 1, 4, 4), [2, 2, 2], [], [0], [1], False)
    case("avg_pool2d", r(1, 1, 2, 2), [3], [], [0], False, True, None)
    case("avg_pool2d", r(1, 1, 4, 4), [2], [], [0], False, True, 0)
    case("adaptive_avg_pool2d", r(2, 2), [3, 3])


def record_embedding():
    for d in (torch.float32, torch.float64):
        w = r(6, 3, d=d)
        case("embedding", w, ids(0, 5, 2), -1, False, False)
        case("embedding", w, ids(4, 1, d=torch.int32), 1, False, False)
        case("embedding", w, ids([0, 1], [2, 3]).t(), -1, False, False)
        case("embedding", w, torch.tensor(3), -1, False, False)
        case("embedding", w, torch.zeros(0, dtype=torch.int64), -1, False, False)
        case("embedding", r(3, 6, d=d).t(), ids(0, 5, 2), -1, False, False)
        bags = (ids(0, 1, 2, 3, 1, 5), ids(0, 2, 2, 5))
        for mode in (0, 1, 2):
            for last in (False, True):  # ids after the last offset would make libtorch crash
                bags = (ids(0, 1, 2, 3, 1, 5), ids(0, 2, 2, 6 if last else 5))
                case("embedding_bag", w, *bags, False, mode, False, None, last)
                for padding in (None, 1, -5):
                    case("embedding_bag.padding_idx", w, *bags, False, mode, False, None, last, padding)
            case("embedding_bag", w, ids(0, 5, d=torch.int32), ids(0, 1, d=torch.int32), False, mode, False, None, False)
            case("embedding_bag", w, torch.zeros(0, dtype=torch.int64), ids(0, 0), False, mode, False, None, False)
            case("embedding_bag", r(3, 6, d=d).t(), *bags, False, mode, False, None, False)
            case("embedding_bag", w, ids(0, 1, 0, 2), ids(0), False, mode, False, None, False)
        case("embedding_bag", w, *bags, False, 0, False, r(6, d=d), False)
        case("embedding_bag.padding_idx", w, *bags, False, 0, False, r(6, d=d), True, 1)
    w = r(6, 3)
    case("embedding", w, torch.tensor([1.0]), -1, False, False)
    case("embedding", w, ids(1, 6), -1, False, False)
    case("embedding", w, ids(-1), -1, False, False)
    case("embedding", r(6), ids(1), -1, False, False)
    case("embedding", ints(6, 3), ids(1, 2), -1, False, False)
    end = (False, 0, False, None, False)
    case("embedding_bag", w, torch.tensor([1.0]), ids(0), *end)
    case("embedding_bag", w, ids(1), ids(1), *end)
    case("embedding_bag", w, ids(1), torch.tensor(0), *end)
    case("embedding_bag", w, ids(1), ids(0, 2), *end)
    case("embedding_bag", w, ids(1), ids(0), False, 1, False, torch.ones(1), False)
    case("embedding_bag", w, ids(1), ids(0), False, 0, False, torch.ones(2), False)
    case("embedding_bag", w, ids(7), ids(0), *end)
    case("embedding_bag", w, ids(-1), ids(0), *end)
    case("embedding_bag", w, ids(7), ids(0), False, 1, False, None, False)
    case("one_hot", ids(1, 0, 2), -1)
    case("one_hot", ids([1], [3]), 5)
    case("one_hot", ids(1, 3), 3)
    case("one_hot", ids(-1), 3)
    case("one_hot", torch.zeros(0, dtype=torch.int64), 4)
    case("one_hot", torch.zeros(0, dtype=torch.int64), -1)
    case("one_hot", ids(1, d=torch.int32), 3)


record_linear()
record_linear_errors()
record_normalization()
record_convolution()
record_pooling()
record_embedding()
