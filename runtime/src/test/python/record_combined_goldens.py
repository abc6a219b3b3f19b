"""Records what libtorch returns for rare combinations of dtypes, layouts, numbers and forms.

Usage: python3 record_combined_goldens.py > combined-golden.txt   (torch 1.13.1)
"""
import sys
import torch
from record_tensor_goldens import B, D, F, I, INF, L, NAN, U, case, make


def inside(d, *shape, offset=2):
    """A dense tensor that starts after other elements in its storage."""
    whole = make(d, offset + torch.Size(shape).numel())
    return whole[offset:].view(shape)


def places():
    for p in (0.0, 1.0, 1.5, 2.0, INF):
        case("cdist", inside(F, 2, 3), inside(D, 4, 3, offset=1).to(F), p)
        case("cdist", make(D, 2, 3), inside(D, 4, 3), p)
    for d in (F, D, U):
        case("upsample_nearest1d.vec", inside(d, 1, 2, 3), [5], None)
        case("_upsample_nearest_exact1d.vec", inside(d, 1, 2, 3), None, [1.0])
        case("upsample_nearest2d", inside(d, 1, 2, 2, 3), [4, 3])
    for d in (F, D):
        case("upsample_linear1d", inside(d, 1, 2, 3), [5], False)
        for op in ("upsample_bilinear2d", "upsample_bicubic2d"):
            case(op, inside(d, 1, 2, 2, 3), [3, 5], True)
            case(op, inside(d, 1, 2, 2, 3), [3, 5], False)
        case("upsample_bilinear2d", make(d, 1, 1, 2, 3), [4, 3], False, None, 2.0)
        case("upsample_nearest2d", make(d, 1, 1, 2, 3), [2, 5], 2.0, None)
    case("ravel", make(F, 4, 6)[::2, :1])
    case("diag_embed", torch.empty(0, 2), -4, 2, -2)


def truths():
    bools = torch.tensor([False, False, True])
    for value in (0.1, -0.5, 0.0, 2):
        case("fill_.Scalar", bools.clone(), value)
        case("fill.Scalar", bools, value)
        case("masked_fill.Scalar", bools, ~bools, value)
        case("masked_fill.Tensor", bools, ~bools, torch.tensor(value))
        case("scatter.value", bools, 0, torch.tensor([0]), value)
    case("scatter.value_reduce", torch.tensor([True, False]), 0, torch.tensor([0, 1]), -1, reduce="add")
    small = torch.tensor([[0.1, -0.2], [0.3, 0.0]])
    for op, rest in (("sum", ()), ("prod", ()), ("sum.dim_IntList", ([1],)), ("prod.dim_int", (1,))):
        case(op, small, *rest, dtype=B)


def numbers():
    bounds = torch.tensor([-3, -1, 3])
    for value in (-1.5, -1, 2.5, 1e300, -INF):
        case("bucketize.Scalar", value, bounds)
        case("searchsorted.Scalar", bounds, value, right=True)
    for mode in ("trunc", "floor"):
        case("div.Scalar_mode", torch.tensor([3, 6, -7], dtype=torch.int8), 0.1, rounding_mode=mode)
        case("div_.Scalar_mode", make(torch.int16, 3), 2**62, rounding_mode=mode)
    for d, value in ((torch.int8, 300), (torch.int8, INF), (U, -1), (U, -1.0), (U, 256), (I, 2**31), (I, -2**31), (L, 1e19)):
        case("fill_.Scalar", make(d, 2), value)
        case("masked_fill.Scalar", make(d, 2), torch.tensor([True, False]), value)
        case("full", [2], value, dtype=d)
        case("scatter.value", make(d, 2), 0, torch.tensor([1]), value)
    case("fmod_.Scalar", make(I, 3), 2**40)
    case("remainder_.Scalar", make(U, 3), 256)
    case("heaviside", torch.tensor([NAN, -1.0, 0.0, 2.0]), torch.tensor([5.0, 5.0, NAN, 5.0]))
    case("linspace", 0.9, 5.9, 4, dtype=I)
    case("arange.start", -0.5, 2.5, dtype=U)
    infinite = torch.tensor([-INF, 1.0, INF])
    for kind in ("higher", "lower", "nearest"):
        for q in (0.2, 0.5, 0.8):
            case("quantile.scalar", infinite, q, interpolation=kind)


def forms():
    case("addbmm", make(I, 2, 3), make(I, 4, 2, 5), make(I, 4, 5, 3), beta=2, alpha=3)
    case("addbmm", make(I, 2, 1, 1), make(I, 3, 1, 2), make(I, 3, 2, 1), beta=0)
    case("addbmm", make(D, 2, 3), make(F, 4, 2, 5), make(F, 4, 5, 3))
    case("addr", make(D, 2, 1, 2), make(D, 1), make(D, 2))
    case("addr", make(D, 2), make(D, 3), make(D, 2), beta=2, alpha=3)
    case("cross", make(D, 1, 1, 3), make(D, 3, 1, 3))
    case("cross", make(D, 1, 2), make(D, 3, 2))
    for rows in (3, 30):
        case("embedding", make(F, 2 + rows, 1)[2:, :0], torch.zeros(rows, dtype=L))
    case("repeat_interleave.Tensor", torch.tensor([2, 0, 1], dtype=I))
    case("argmax", make(F, 2, 3), None, True)
    case("argmin", make(L, 3), None, True)
    case("cov", make(D, 1, 5))
    case("corrcoef", make(D, 1, 5))
    case("cat", [make(L, 2), make(D, 0)])
    case("concat", [make(F, 0)])
    case("chain_matmul", [make(F, 2, 3)])
    case("linalg_multi_dot", [make(F, 2, 3)])
    case("pixel_shuffle", make(F, 1, 2, 3), 1)
    case("pixel_unshuffle", make(F, 1, 2, 1), 1)
    case("channel_shuffle", make(F, 1, 3, 2), 1)
    case("to.dtype", make(F, 2, 3), F, memory_format=torch.contiguous_format)
    case("sum.IntList_out", torch.tensor([0.1, 1e8, -1e8]), [0], out=torch.empty((), dtype=D))
    case("max_pool2d_with_indices", make(F, 1, 1, 8), [3], [3, 3], [1], [2, 1], True)
    case("_convolution_mode", make(D, 1, 3, 6), make(D, 1, 3, 3), None, [1], "same", [], 1)


def programs():
    for d in (F, D):
        for p in (0.0, 1.0, 2.0, INF):
            case("pdist", make(d, 4, 3), p)
        case("pdist", make(d, 1, 3))
        case("linalg_vecdot", make(d, 2, 3), make(d, 3))
        case("linalg_vecdot", make(d, 2, 3), make(d, 2, 1), dim=1)
        case("linalg_diagonal", make(d, 2, 3, 4), offset=1)
        for op in ("linalg_vander", "vander"):
            case(op, make(d, 3))
            case(op, make(d, 3), N=5)
        case("nuclear_norm", make(d, 3, 2), True)
        case("nuclear_norm.dim", make(d, 2, 3, 2), [0, 2], True)
        case("frobenius_norm.out", make(d, 2, 3), [0], out=torch.empty(3, dtype=d))
        case("linalg_tensorinv", make(d, 6, 2, 3), 1)
        case("linalg_tensorsolve", make(d, 2, 6, 3), make(d, 6), [0, 2])
        case("linalg_householder_product", make(d, 2, 4, 3), make(d, 2, 2))
        case("orgqr", make(d, 3, 2), make(d, 2))
        case("geqrf", make(d, 2, 4, 3))
        case("geqrf", make(d, 2, 3))
        case("matrix_H", make(d, 2, 3))
        case("mH", make(d, 2, 2, 3))
        case("isreal", make(d, 2))
        case("conv_tbc", make(d, 5, 2, 3), make(d, 2, 3, 4), make(d, 4), 1)
    case("conv_tbc", make(F, 3, 2), make(F, 2, 2, 4), make(F, 4))
    case("conv_tbc", make(F, 5, 2, 3), make(F, 2, 2, 4), make(F, 4))
    case("pdist", make(F, 3))
    case("pdist", make(L, 2, 3))
    case("pdist", make(F, 2, 3), -1.0)
    case("linalg_vecdot", make(L, 3), make(L, 3))
    case("linalg_vander", make(L, 2, 3), N=4)
    case("linalg_vander", make(F, 3), N=1)
    case("vander", make(L, 3), 4, True)
    case("vander", make(F, 2, 3))
    case("linalg_tensorinv", make(F, 2, 3, 4), 1)
    case("linalg_tensorsolve", make(F, 2, 3), make(F, 2))
    case("linalg_householder_product", make(F, 2, 3), make(F, 2))
    case("nuclear_norm", make(F, 2, 3, 2))
    case("matrix_H", make(F, 2, 2, 3))
    for size in ([3], [1, 3], [2, 1], [], [2, 3], [4], [2, 2, 3]):
        case("sum_to_size", make(F, 2, 3), size)
    case("sum_to_size", make(I, 2, 3), [3])
    case("prod.int_out", make(F, 2, 3), 0, out=torch.empty(3))
    case("angle.out", make(F, 2), out=torch.empty(2))


def integers():
    for n in (0, 1, 3, 5):
        case("matrix_power", make(L, 2, 3, 3), n)
    case("matrix_power", make(L, 3, 3), -1)
    case("matrix_power", make(U, 2, 2), 3)
    for beta, alpha in ((0.5, 1), (2.0, 1), (1, 1.5), (-1.5, 2.7)):
        case("addmm", make(L, 2), make(L, 3, 4), make(L, 4, 2), beta=beta, alpha=alpha)
        case("addmv", make(L, 3), make(L, 3, 4), make(L, 4), beta=beta, alpha=alpha)
        case("baddbmm", make(L, 2, 3, 2), make(L, 2, 3, 4), make(L, 2, 4, 2), beta=beta, alpha=alpha)
        case("addbmm", make(L, 3, 2), make(L, 2, 3, 4), make(L, 2, 4, 2), beta=beta, alpha=alpha)
        case("addr", make(L, 3, 4), make(L, 3), make(L, 4), beta=beta, alpha=alpha)
    for size, rest in ((2, ([3],)), (2, ([3], [1], [0], [1], True)), (1, ([4], [1], [1])), (1, ([3], [1])), (3, ([2], [1], [0], [3])),
                       (1, ([5], [2], [0], [1], True))):
        case("max_pool1d", make(F, 1, 1, size), *rest)
        case("max_pool1d_with_indices", make(F, 1, 1, size), *rest)
    for op, rest in (("linalg_norm.ord_str", ("fro",)), ("linalg_norm", (2,))):
        case(op, make(F, 2, 2, 3), *rest)


def nothing():
    """Images without elements, paddings that crop all or more, and one value per channel."""
    for shape in ((0, 3, 4, 4), (2, 0, 4, 4), (4, 0, 4), (2, 3, 4, 0)):
        case("pixel_unshuffle", make(F, *shape), 2)
        case("channel_shuffle", make(F, *shape), 1)
    case("pixel_shuffle", make(F, 0, 4, 2, 3), 2)
    case("pixel_shuffle", make(F, 4, 0, 3), 2)
    case("pixel_unshuffle", make(F, 0, 3, 4, 4), 3)
    for mode in ("reflection", "replication"):
        for pad in ([-5, 3], [3, -5], [-3, 1], [-2, -2], [-4, 1], [1, -6]):
            case(mode + "_pad1d", make(F, 2, 4), pad)
            case(mode + "_pad2d", make(F, 1, 2, 2, 4), pad + [1, 0])
        case(mode + "_pad1d", make(F, 0, 3), [1, 1])
        case(mode + "_pad2d", make(F, 2, 3, 4), [-2, -2, -3, 0])
        case(mode + "_pad2d", make(F, 0, 3, 4), [1, 1, 1, 1])
        case(mode + "_pad3d", make(F, 1, 2, 2, 3, 2), [-1, -1, 1, 1, 0, -2])
        case(mode + "_pad3d", make(F, 0, 2, 3, 2), [1, 1, 1, 1, 1, 1])
    for pad in ([-3, 0], [0, -4], [1, -5]):
        case("pad", make(F, 1, 2, 4), pad, "circular")
    for given in ((make(D, 3), make(D, 3), make(D, 3), make(D, 3).abs()), (None, None, None, None)):
        case("batch_norm", make(D, 1, 3), *given, True, 0.1, 1e-5, False)
        case("batch_norm", make(D, 1, 3, 1, 1), *given, True, 0.1, 1e-5, False)
        case("native_batch_norm", make(D, 1, 3, 1), *given, True, 0.1, 1e-5)
        case("instance_norm", make(D, 2, 3, 1), *given, True, 0.1, 1e-5, False)
    even = make(F, 3).expand(4, 3)
    case("batch_norm", even, make(F, 3), make(F, 3), None, None, True, 0.1, 0.0, False)


if __name__ == "__main__":
    for group in (places, truths, numbers, forms, programs, integers, nothing):
        group()
        print(group.__name__, file=sys.stderr)
