"""Records what libtorch returns for operations on complex numbers.

Usage: python3 record_complex_goldens.py > complex-golden.txt   (torch 1.13.1)

NaN and infinities are left out where libtorch computes them otherwise than C99 says.
"""
import sys
import torch
from record_tensor_goldens import B, D, F, I, INF, L, NAN, U, case, make

C, Z = torch.complex64, torch.complex128


def numbers(dtype, *shape):
    return torch.complex(make(D, *shape), make(D, *shape)).to(dtype)


def any_of(dtype, *shape):
    return numbers(dtype, *shape) if dtype.is_complex else make(dtype, *shape)


def grid(*parts):
    """All numbers with these parts, signs of zeros included."""
    return torch.view_as_complex(torch.tensor([[re, im] for re in parts for im in parts], dtype=D))


def layouts(dtype):
    return [numbers(dtype, 2, 3), numbers(dtype, 3, 2).t(), numbers(dtype, 2, 6)[:, 1::2], numbers(dtype), numbers(dtype, 0, 3)]


def casts():
    for d in (F, D, L, I, B, U, torch.float16):
        for to in (C, Z):
            case("to.dtype", make(d, 3, 2).t(), to)
        case("to.dtype", numbers(C, 2, 3), d)
    case("to.dtype", torch.tensor([2**53 + 1, 2**24 + 1, -3]), C)
    case("to.dtype", torch.tensor([2**53 + 1, 2**24 + 1, -3]), Z)
    for a, b in ((C, Z), (Z, C)):
        case("to.dtype", numbers(a, 3, 2).t(), b)
        case("copy_", numbers(a, 2, 3), numbers(b, 3))
    case("type_as", make(F, 2), numbers(C, 1))
    for d in (F, L, B):
        case("copy_", numbers(C, 2, 3), make(d, 3))
        case("copy_", make(d, 2, 3), numbers(C, 3))
    for joined in ("cat", "stack", "hstack"):
        case(joined, [make(F, 2, 3), numbers(C, 2, 3), make(D, 2, 3)])


def creation():
    for d in (C, Z):
        for op in ("zeros", "ones"):
            case(op, [2, 3], dtype=d)
            case(op + "_like", numbers(d, 3, 2).t())
            case("new_" + op, numbers(d, 1), [2])
            case(op + "_like", make(F, 2), dtype=d)
        for value in (1.5, 1 + 2j, True, 3):
            case("full", [2], value, dtype=d)
            case("full_like", numbers(d, 2), value)
            case("fill_.Scalar", numbers(d, 2, 3), value)
            case("scalar_tensor", value, dtype=d)
        case("eye", 3, dtype=d)
        case("eye.m", 2, 3, dtype=d)
        case("new_full", numbers(d, 2), [2], 1j)
        case("zero_", numbers(d, 2))
        case("fill_.Tensor", numbers(d, 2, 3), make(F))
    case("full", [2], 1j)
    case("full", [2], 1j, dtype=F)
    case("fill_.Scalar", make(F, 2), 1j)


def selections():
    for a, b in ((C, C), (C, F), (F, C), (C, Z), (C, D), (L, C)):
        case("where.self", make(B, 2, 1), any_of(a, 3), any_of(b, 2, 3))
        case("where.self", make(B, 2, 3), any_of(a), any_of(b, 2, 3))
    case("where.ScalarSelf", make(B, 3), 1 + 2j, numbers(C, 3))
    case("where.ScalarOther", make(B, 3), numbers(C, 3), 0.0)
    case("where.ScalarOther", make(B, 3), make(F, 3), 1j)
    case("where.Scalar", make(B, 3), 1j, 2.0)
    mask = torch.tensor([True, False, True])
    for value in (0, 2.5, 1 - 1j):
        case("masked_fill.Scalar", numbers(C, 2, 3), mask, value)
        case("masked_fill_.Scalar", numbers(Z, 2, 3), mask, value)
    case("masked_fill.Tensor", numbers(C, 2, 3), mask, make(F))
    case("masked_fill.Tensor", numbers(C, 2, 3), mask, numbers(C))
    case("masked_fill.Tensor", make(F, 2, 3), mask, numbers(C))
    case("masked_scatter", numbers(C, 3), mask, numbers(C, 3))
    rows = torch.tensor([[0], [1]])
    case("scatter.src", numbers(C, 2, 3), 1, rows, numbers(C, 2, 3))
    case("scatter.value", numbers(C, 2, 3), 1, rows, 1j)
    case("scatter_add", numbers(C, 2, 3), 1, rows, numbers(C, 2, 3))
    case("index_put", numbers(C, 2, 3), [torch.tensor([0, 0])], numbers(C, 3), True)
    case("index_put", numbers(C, 3), [mask], numbers(C, 1))
    case("index_fill.int_Scalar", numbers(C, 2, 3), 1, torch.tensor([0]), 1j)
    case("constant_pad_nd", numbers(C, 2, 3), [1, -1, 2, 0], 1.5 - 1j)
    case("pad", numbers(C, 2, 3), [1, 1], "constant", 2.0)
    case("pad", numbers(C, 1, 2, 5), [1, 1], "reflect")
    special = grid(0.0, -0.0, 1.0, NAN, INF)
    for op in ("isnan", "isinf", "isfinite", "logical_not", "nonzero", "count_nonzero", "any", "all"):
        case(op, special)
    case("any", grid(0.0)[:1])
    case("eq.Tensor", special, special.flip(0))
    case("ne.Tensor", special, special)
    case("eq.Scalar", special, 1.0)
    case("ne.Scalar", special, 1j)
    case("eq.Scalar", make(F, 3), 1j)
    case("eq_.Tensor", numbers(C, 3), numbers(C, 3))
    case("logical_and", special, special.flip(0))
    case("isclose", special, special.flip(0), equal_nan=True)
    case("equal", special[:6], special[:6])
    case("allclose", special[:6], special[:6] + 1e-9)


FUNCTIONS = """exp log log2 log10 sqrt rsqrt reciprocal square sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh
sigmoid silu sinc sgn abs angle neg conj_physical""".split()
AS_C99 = "log sqrt sin cos tan sinh cosh tanh asinh acosh atanh".split()


def functions():
    finite = grid(0.5, -2.0, 3.0, -0.25)
    for op in FUNCTIONS:
        case(op, finite)
        for x in layouts(C):
            case(op, x)
        if op not in ("abs", "angle"):
            case(op + "_", numbers(C, 3, 2).t())
    for op in AS_C99:
        case(op, grid(0.0, -0.0, 1.0, -1.0, 0.5, -30.0, INF, -INF, NAN))
    for alias in ("arcsin", "arccosh", "negative", "absolute"):
        case(alias, finite)
    case("exp.out", numbers(C, 3), out=torch.empty(3, dtype=C))


def arithmetic():
    pairs = ((C, C), (C, F), (F, C), (C, Z), (C, D), (L, C))
    for op in "add mul div pow sub rsub true_divide multiply float_power".split():
        form = op + (".Tensor_Tensor" if "pow" in op else ".Tensor")
        for a, b in pairs:
            case(form, any_of(a, 2, 3), any_of(b, 3))
            case(form, any_of(a), any_of(b, 3))
        case(form, numbers(C, 3, 2).t(), numbers(C, 2, 1))
        number = op + (".Tensor_Scalar" if "pow" in op else ".Scalar")
        if op not in ("true_divide", "multiply"):
            for value in (2, 0.5, 1 + 2j, -1, -2.5, 3):
                case(number, numbers(C, 3), value)
            case(number, make(F, 3), 1 + 2j)
        if op not in ("rsub", "float_power"):
            case(op + "_.Tensor", numbers(C, 2, 3), numbers(Z, 3))
            case(op + "_.Tensor", make(F, 3), numbers(C, 3))
    case("pow.Scalar", 2, numbers(C, 3))
    case("pow.Scalar", 1j, make(F, 3))
    case("add.Tensor", numbers(C, 2), numbers(C, 2), alpha=1j)
    case("addcmul", numbers(C, 2, 3), numbers(C, 3), numbers(C, 3), value=1j)
    case("addcdiv", numbers(C, 2, 3), numbers(C, 3), numbers(C, 3))
    case("lerp.Scalar", numbers(C, 3), numbers(C, 3), 0.3)
    case("lerp.Tensor", numbers(C, 3), numbers(C, 3), numbers(C, 3))


def reductions():
    for x in (numbers(C, 2, 3), numbers(C, 3, 2).t(), numbers(C), numbers(C, 0, 3), numbers(Z, 2, 3)):
        for op in ("sum", "mean", "prod", "linalg_vector_norm", "linalg_norm"):
            case(op, x)
        case("norm.Scalar", x, 2)
        for op in ("sum", "prod"):
            for d in (Z, F, L, B):
                case(op, x, dtype=d)
        for op in ("cumsum", "cumprod"):
            case(op, x, 0)
            case(op, x, -1, dtype=Z)
        case("prod.dim_int", x, -1, True)
        case("mean.dim", x, [0])
        case("var", x)
        case("std.correction", x, [-1], correction=0)
        case("norm.ScalarOpt_dtype", x, 2, dtype=Z)
    for order in (0, 1, 2, 3, INF, -INF, 0.5):
        case("norm.ScalarOpt_dim", numbers(C, 2, 3), order, [0])
        case("linalg_vector_norm", numbers(C, 2, 3), order, [1], True)
    for order in (1, -1, INF, -INF):
        case("linalg_norm", numbers(C, 2, 3), order, None)
    case("linalg_norm.ord_str", numbers(C, 2, 3), "fro")
    case("frobenius_norm.dim", numbers(C, 2, 3), [0, 1])
    case("dist", numbers(C, 3), numbers(C, 3))
    case("cumprod_", numbers(C, 2, 3), 1)
    case("trapezoid.dx", numbers(C, 5))
    for d in (F, L, B):
        case("sum", make(d, 2, 3), dtype=C)
        case("mean.dim", make(d, 2, 3), [0], dtype=C)
        case("prod.dim_int", make(d, 2, 3), 0, dtype=C)
        case("cumsum", make(d, 2, 3), 0, dtype=Z)


def products():
    for x in (numbers(C, 4), numbers(C, 3, 4), numbers(C, 2, 3, 4), numbers(C, 0, 4)):
        case("linear", x, numbers(C, 5, 4))
        case("linear", x, numbers(C, 5, 4), numbers(C, 5))
        case("matmul", x, numbers(C, 4, 2))
    for beta, alpha in ((1, 1), (0, 2), (0.5, 1j), (1j, 2 - 1j)):
        case("addmm", numbers(C, 2), numbers(C, 3, 4), numbers(C, 4, 2), beta=beta, alpha=alpha)
        case("baddbmm", numbers(C, 2, 3, 2), numbers(C, 2, 3, 4), numbers(C, 2, 4, 2), beta=beta, alpha=alpha)
    case("addmv", numbers(C, 3), numbers(C, 3, 4), numbers(C, 4))
    case("addbmm", numbers(C, 3, 2), numbers(C, 2, 3, 4), numbers(C, 2, 4, 2))
    case("addr", numbers(C, 3, 4), numbers(C, 3), numbers(C, 4), beta=1j)
    case("addmm_", numbers(C, 3, 2), numbers(C, 3, 4), numbers(C, 4, 2))
    case("einsum", "ij,jk,kl->il", [numbers(C, 2, 3), numbers(C, 3, 4), numbers(C, 4, 2)])
    case("einsum", "i,j,k->ijk", [numbers(C, 2), numbers(C, 3), numbers(C, 2)])
    case("einsum", "ii->i", [numbers(C, 3, 3)])
    case("einsum", "bixy,ioxy->boxy", [numbers(C, 2, 3, 2, 2), numbers(C, 3, 4, 2, 2)])
    case("conv1d", numbers(C, 1, 2, 8), numbers(C, 3, 2, 3), numbers(C, 3))
    case("conv2d", numbers(C, 1, 2, 5, 5), numbers(C, 3, 2, 3, 3), None, [1, 1], [1, 1])
    for power in (0, 1, 3, -1):
        case("matrix_power", numbers(C, 2, 2), power)
    case("linalg_inv", numbers(Z, 2, 3, 3))


def programs():
    for op in ("complex", "polar"):
        case(op + ".out", make(F, 2), make(F, 2), out=torch.zeros(2, dtype=C))
    case("angle.out", numbers(C, 2), out=torch.zeros(2))
    for op in ("mH", "matrix_H", "adjoint"):
        case(op, numbers(C, 2, 3))
    case("matrix_H", numbers(C, 2, 2, 3))
    case("isreal", grid(0.0, -0.0, 1.0, NAN))
    case("linalg_vecdot", numbers(C, 2, 3), numbers(C, 2, 3))
    case("linalg_vander", numbers(C, 2, 3))
    case("vander", numbers(C, 3), 4)
    case("linalg_householder_product", numbers(C, 2, 4, 3), numbers(C, 2, 2))
    case("linalg_svdvals", numbers(C, 2, 3, 2))
    case("nuclear_norm.dim", numbers(C, 2, 3, 2), [0, 2], True)
    for order in (2, -2):
        case("linalg_norm", numbers(C, 2, 3), order, [0, 1], True)
    case("linalg_norm.ord_str", numbers(C, 2, 3), "nuc")
    case("linalg_solve", numbers(C, 2, 3, 3), numbers(C, 2, 3))
    case("linalg_solve", numbers(C, 2, 3, 3), numbers(C, 3, 2))
    case("linalg_tensorinv", numbers(C, 6, 2, 3), 1)
    case("conv_transpose1d", numbers(C, 1, 2, 5), numbers(C, 2, 3, 3), numbers(C, 3))
    case("conv1d.padding", numbers(C, 1, 2, 8), numbers(C, 3, 2, 3), None, [1], "same")
    case("div.Tensor_mode", numbers(C, 2), numbers(C, 2), rounding_mode=None)
    case("div.Tensor_mode", numbers(C, 2), numbers(C, 2), rounding_mode="floor")
    for op in ("add.Tensor", "sub.Tensor"):
        case(op, make(F, 2), make(F, 2), alpha=1j)
    case("addcmul", make(F, 2), make(F, 2), make(F, 2), value=1j)
    case("lerp.Scalar", make(F, 2), make(F, 2), 1j)
    case("addmm", make(F, 2, 2), make(F, 2, 2), make(F, 2, 2), beta=1j)
    case("mm", numbers(C, 2, 2), numbers(Z, 2, 2))
    case("linear", numbers(C, 2, 2), make(F, 2, 2))
    case("where.self", numbers(C, 2), numbers(C, 2), numbers(C, 2))
    case("masked_fill.Scalar", numbers(C, 2), numbers(C, 2), 1)
    case("gather", numbers(C, 2), 0, numbers(C, 2))
    case("nansum", numbers(C, 2))
    for op in ("tensor", "as_tensor"):
        case(op + ".complex", 1 + 2j)
        case(op + ".complex", 1 + 2j, dtype=Z)


def spectra():
    for c, d in ((C, F), (Z, D)):
        case("_conj", numbers(c, 2, 3))
        pairs = make(d, 5, 6, 2)
        case("istft", pairs, 8)
        case("istft", pairs, 8, 3, 6, make(d, 6), False, True, True, 9)
        case("istft", numbers(c, 5, 6), 8, onesided=True, return_complex=True)
        case("istft", numbers(c, 5, 6), 8, window=numbers(c, 8))
        whole = numbers(c, 2, 8, 6)
        case("istft", whole, 8, 2)
        case("istft", whole, 8, 2, 8, make(d, 8), True, False, None, 12, True)
        case("istft", whole, 8, 2, None, numbers(c, 8), False, False, False, None, True)
        case("istft", whole, 8, 2, None, numbers(c, 8))
    case("istft", torch.ones(5, 6, 2, dtype=torch.bfloat16), 8)
    case("istft", torch.ones(5, 6, 3), 8)


if __name__ == "__main__":
    for group in (casts, creation, selections, functions, arithmetic, reductions, products, programs, spectra):
        group()
        print(group.__name__, file=sys.stderr)
