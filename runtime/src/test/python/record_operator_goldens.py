"""Records what libtorch returns for operations that programs seldom use, among those of its operator database.

Usage: python3 record_operator_goldens.py > operator-golden.txt   (torch 1.13.1)
"""
import math
import sys
import torch
from record_tensor_goldens import B, D, F, I, INF, L, NAN, U, case, make

BF = torch.bfloat16


def in_place():
    for d in (F, D):
        for n in (0, 2, 3) if d == D else (0, 1, 3):  # libtorch's trigamma has an error of 5e-10
            case("polygamma_", make(d, 3, 2).t().abs() + 0.5, n)
        for decimals in (0, 2, -1):
            case("round_.decimals", make(d, 2, 3) * 7, decimals=decimals)
        case("mvlgamma_", make(d, 2, 3).abs() + 2, 3)
        case("renorm_", make(d, 3, 4), 2, 0, 1.5)
        case("renorm_", make(d, 3, 4), 1, -1, 2)
        case("rrelu_", make(d, 2, 3), 0.25, 0.5, False)
        case("nextafter_", make(d, 2, 3), make(d, 3))
        case("ldexp_", make(d, 2, 3), make(L, 3))
        case("igamma_", make(d, 2, 3).abs(), make(d, 3).abs())
        case("igammac_", make(d, 2, 3).abs(), make(d, 3).abs())
        case("i0_", make(d, 4, 2)[::2])
    for d in (L, I, U):
        case("gcd_", make(d, 2, 4), make(d, 4))
        case("lcm_", make(d, 2, 4), make(d, 4))
    for decimals in (0, 1, 3, -1, -3):
        case("round.decimals", make(BF, 9) * 100, decimals=decimals)
    edges = torch.tensor([1.0, 1.0, 0.0, -0.0, 2.0, -1.0, INF, -3.5, NAN], dtype=BF)
    case("nextafter", edges, torch.tensor([2.0, 0.0, 1.0, -1.0, 2.0, 0.0, 0.0, -INF, 1.0], dtype=BF))
    for form in ("Tensor", "Scalar"):
        case("float_power_." + form, make(D, 2, 3).abs(), make(D, 3) if form == "Tensor" else 1.5)
    case("float_power_.Scalar", make(F, 3), 2)
    case("ldexp_", make(L, 3), make(L, 3))
    case("polygamma_", make(L, 3), 1)
    case("gcd_", make(L, 3), make(L, 2, 3))
    case("lcm_", make(F, 3), make(F, 3))
    case("nextafter_", make(F, 3), make(F, 2, 3))
    case("round_.decimals", make(L, 3), decimals=1)


def reductions_by_index():
    for reduce in ("prod", "mean", "amax", "amin"):
        for include in (True, False):
            for d in (F, L):
                case("index_reduce_", make(d, 3, 2), 0, torch.tensor([0, 2, 0]), make(d, 3, 2), reduce, include_self=include)
            case("index_reduce_", make(F, 4, 3).t(), 1, torch.tensor([3, 3]), make(F, 3, 2), reduce, include_self=include)
            for op in ("index_reduce", "index_reduce_"):
                case(op, make(F), 0, torch.tensor([0]), make(F, 1), reduce, include_self=include)
                case(op, make(F), 0, torch.tensor(0), make(F), reduce, include_self=include)
                case(op, make(F, 3), 0, torch.tensor(1), make(F), reduce, include_self=include)
    case("index_reduce_", make(F, 3), 0, torch.tensor([0, 1]), make(F, 3), "prod")
    case("index_reduce_", make(F, 3), 0, torch.tensor([3]), make(F, 1), "prod")
    case("index_reduce", make(F, 3), 0, torch.tensor([0]), make(F, 1), "sum")
    narrow = torch.tensor([2, 0], dtype=I)
    case("index_reduce", torch.tensor([1.0, 2.0, 3.0]), 0, narrow, torch.tensor([5.0, 7.0]), "amax")


def numbers(*shape):
    return torch.complex(make(D, *shape), make(D, *shape)).to(torch.complex64)


def differences():
    for d in (F, D, L):
        for order in (1, 2):
            case("gradient.scalarint", make(d, 4, 5), edge_order=order)
            case("gradient.scalarint", make(d, 4, 5).t(), spacing=0.5, dim=-1, edge_order=order)
            case("gradient.scalararray", make(d, 4, 3, 3), spacing=2, dim=[0, 2], edge_order=order)
            case("gradient.array", make(d, 4, 3), dim=[-1], edge_order=order)
            case("gradient.scalarrayint", make(d, 3, 4), spacing=[0.5, 2], edge_order=order)
            case("gradient.scalarrayarray", make(d, 3, 4), spacing=[0.5, 2.5], dim=[1, 0], edge_order=order)
            places = torch.tensor([0, 1, 4, 9]).to(d)
            case("gradient.tensorarrayint", make(d, 4, 4), spacing=[places], dim=0, edge_order=order)
            case("gradient.tensorarrayint", make(d, 4, 3), spacing=[places, places[:3]], edge_order=order)
            case("gradient.tensorarray", make(d, 2, 4), spacing=[places], dim=[1], edge_order=order)
    case("gradient.tensorarray", make(D, 2, 2), spacing=[torch.tensor([1, 3])], dim=[0])
    case("gradient.scalarint", torch.tensor(1.0))
    case("gradient.scalarint", make(F, 2), edge_order=2)
    case("gradient.scalarint", make(F, 1))
    case("gradient.scalarint", make(F, 3), edge_order=3)
    case("gradient.scalarint", make(U, 3))
    case("gradient.array", make(F, 3, 3), dim=[0, -2])
    case("gradient.array", make(F, 3, 3), dim=[2])
    case("gradient.scalarrayarray", make(F, 3, 3), spacing=[1.0], dim=[0, 1])
    for d in (F, L):
        for dim in (0, -1):
            case("cumulative_trapezoid.dx", make(d, 3, 4), dx=2.5, dim=dim)
            case("cumulative_trapezoid.x", make(d, 3, 4), make(F, 3 if dim == 0 else 4), dim=dim)
            case("cumulative_trapezoid.x", make(d, 3, 4), make(d, 3, 4), dim=dim)
        case("cumulative_trapezoid.x", make(d, 2, 3, 4), make(F, 3, 4), dim=1)
        case("cumulative_trapezoid.dx", make(d, 0))
    case("cumulative_trapezoid.x", make(U, 4), make(U, 4))
    case("cumulative_trapezoid.x", make(BF, 2), make(BF, 2))
    case("cumulative_trapezoid.x", make(F, 1, 3), make(F, 4))
    case("cumulative_trapezoid.x", make(B, 3), make(F, 3))
    case("cumulative_trapezoid.dx", make(B, 3))


def arrangements():
    for d in (F, L, torch.complex64):
        t = numbers(3, 4) if d.is_complex else make(d, 3, 4)
        case("narrow_copy", t, 1, 1, 2)
        case("narrow_copy", t.t(), -1, 0, 2)
        for op in ("atleast_1d", "atleast_2d", "atleast_3d"):
            case(op + ".Sequence", [t, t[0], t[0, 0], t.view(1, 3, 2, 2)])
        case("tensor_split.tensor_indices_or_sections", t, torch.tensor(2), 1)
        case("tensor_split.tensor_indices_or_sections", t, torch.tensor([1, 3]), -1)
        case("tensor_split.tensor_indices_or_sections", t, torch.tensor([-1]))
    case("narrow_copy", make(F, 3), 0, 2, 2)
    case("tensor_split.tensor_indices_or_sections", make(F, 3), torch.tensor([1], dtype=I))
    case("tensor_split.tensor_indices_or_sections", make(F, 3), torch.tensor([[1]]))
    case("tensor_split.tensor_indices_or_sections", make(F, 3), torch.tensor(0))
    for d in (F, L, torch.complex64):
        mask = make(B, 3, 4)
        def any_of(*shape):
            return numbers(*shape) if d.is_complex else make(d, *shape)
        case("masked_scatter", any_of(4), mask, any_of(12))
        case("masked_scatter", any_of(3, 1), make(B, 4), any_of(12))
        case("masked_scatter", any_of(), mask, any_of(12))
        case("masked_scatter_", any_of(3, 4), make(B, 4), any_of(12))
    case("masked_scatter_", make(F, 4), make(B, 3, 4), make(F, 12))
    case("masked_scatter", make(F, 4), torch.ones(3, 4, dtype=B), make(F, 11))
    case("masked_scatter", make(F, 4), make(B, 3), make(F, 12))
    for op in ("clamp_min", "clamp_max"):
        for form in ("", "_"):
            case(f"{op}{form}.Tensor", make(B, 6), make(B, 6))
            case(f"{op}{form}.Tensor", make(B, 2, 3), make(B, 3))
        case(op, make(B, 3), True)
    case("clamp.Tensor", make(B, 3), make(B, 3), make(B, 3))


def matrices():
    full = torch.tensor([[[2.0, 1.0, 0.0], [0.5, 1.5, 0.25]], [[1.0, 0.0, 1.0], [1.0, 0.001, 1.0]]])
    for d in (F, D):
        m = full.to(d)
        limit = torch.tensor([0.01, 1.6], dtype=d)
        case("linalg_pinv.rcond_tensor", m, limit / 2)
        case("linalg_pinv.atol_rtol_tensor", m, atol=limit)
        case("linalg_pinv.atol_rtol_tensor", m, rtol=torch.tensor(0.1, dtype=d))
        case("linalg_pinv.atol_rtol_tensor", m, atol=limit, rtol=limit / 4)
        case("linalg_pinv.atol_rtol_tensor", m[:1])
        square = m[0] @ m[0].t()
        case("linalg_pinv.atol_rtol_tensor", square, atol=torch.tensor(0.1, dtype=d), hermitian=True)
        for counts in (None, torch.tensor([1, 0, 3, 2])):
            for weights in (None, torch.tensor([0.5, 1.0, 0.0, 2.5])):
                for correction in (0, 1, 2):
                    case("cov", make(d, 3, 4), correction=correction, fweights=counts, aweights=weights)
                case("cov", make(d, 4), fweights=counts, aweights=weights)
                case("cov", make(L, 2, 4), fweights=counts, aweights=weights)
    case("cov", make(F, 2, 4), aweights=torch.tensor([0.5, 1.0, 0.0, 2.5], dtype=D))
    case("cov", make(F, 2, 3), fweights=torch.tensor([1, -1, 2]))
    case("cov", make(F, 2, 3), fweights=torch.tensor([0, 0, 0]))
    case("cov", make(F, 2, 3), fweights=torch.tensor([1, 2]))
    case("cov", make(F, 2, 3), fweights=make(F, 3))
    case("cov", make(F, 2, 3), aweights=torch.tensor([1, 2, 3]))


def tables():
    for d in (F, D):
        for norm in (1.0, 2.0, 3.0):
            case("embedding_renorm_", make(d, 5, 3), torch.tensor([4, 0, 4]), 1.5, norm)
        case("embedding_renorm_", make(d, 3, 5).t(), torch.tensor([[1, 2], [2, 3]]), 2.0, 2.0)
    case("embedding_renorm_", make(F, 5, 3), torch.tensor([1], dtype=I), 1.0, 2.0)
    case("embedding_renorm_", make(F, 5, 3), torch.tensor([5]), 1.0, 2.0)
    case("embedding_renorm_", make(F, 5, 3), torch.tensor([1.0]), 1.0, 2.0)


def transforms():
    for norm in (None, "ortho", "forward"):
        case("fft_hfft2", numbers(2, 3, 4), None, [-2, -1], norm)
        case("fft_hfftn", numbers(2, 3, 4), [3, 4], None, norm)
        case("fft_ihfft2", make(F, 2, 3, 4), None, [-2, -1], norm)
        case("fft_ihfftn", make(F, 2, 3, 4), [2, 5], None, norm)
    case("fft_hfft2", make(F, 3, 4), [4, 5])
    case("fft_hfftn", make(L, 2, 3, 3), None, [2, 0])
    case("fft_ihfft2", make(D, 3, 4), [4, 5], [1, 0])
    case("fft_ihfftn", make(L, 2, 3, 3))
    case("fft_ihfftn", numbers(2, 3))
    case("fft_hfftn", numbers(2, 3), [2, 2], [0])
    case("fft_hfft2", numbers(2, 3), None, [-2, -1], "none")


def histograms():
    for d in (F, D):
        x = make(d, 4, 6)
        for density in (False, True):
            case("histogram.bin_ct", x, 5, density=density)
            case("histogram.bin_ct", x.t(), 3, range=[-1.0, 2.0], weight=make(d, 6, 4).abs(), density=density)
            case("histogram.bins_tensor", x, torch.tensor([-3, -0.5, 0, 1, 3], dtype=d), weight=make(d, 4, 6), density=density)
            case("histogramdd", make(d, 9, 2), [2, 3], density=density)
            case("histogramdd", make(d, 2, 4, 3), [2, 1, 2], [-2.0, 2.0, -1.0, 3.0, 0.0, 2.0], make(d, 2, 4), density)
            case("histogramdd.int_bins", make(d, 7, 2), 3, density=density)
            edges = [torch.tensor([-2, 0, 3], dtype=d), torch.tensor([-1, -0.5, 2, 2.5], dtype=d)]
            case("histogramdd.TensorList_bins", make(d, 8, 2), edges, None, make(d, 8), density)
    case("histogram.bin_ct", torch.tensor([1.0, 2, 3, 3, 5]), 4)
    case("histogram.bin_ct", torch.ones(3), 2)
    case("histogram.bin_ct", torch.zeros(0), 2)
    case("histogram.bin_ct", torch.tensor(3.0), 3)
    case("histogram.bin_ct", make(F, 5), 2, range=[3.0, 3.0])
    case("histogram.bins_tensor", torch.tensor([1.0, 2, 3, NAN, 5, INF]), torch.tensor([1.0, 3, 3, 5]))
    case("histogram.bins_tensor", make(F, 4), torch.tensor([1.0]))
    case("histogram.bin_ct", torch.tensor([1.0, NAN]), 4)
    case("histogram.bin_ct", make(F, 4), 0)
    case("histogram.bin_ct", make(F, 4), 2, range=[3.0, 1.0])
    case("histogram.bin_ct", make(F, 4), 2, range=[3.0])
    case("histogram.bin_ct", make(L, 4), 2)
    case("histogram.bin_ct", make(F, 4), 2, weight=make(D, 4))
    case("histogram.bin_ct", make(F, 4), 2, weight=make(F, 2))
    case("histogram.bins_tensor", make(F, 4), torch.tensor([[1.0, 2.0]]))
    case("histogramdd", make(F, 4), [2])


def segments():
    lengths = torch.tensor([2, 0, 3])
    for reduce in ("max", "min", "sum", "mean", "prod"):
        for d in (F, D):
            for initial in (None, 3):
                case("segment_reduce", make(d, 5), reduce, lengths=lengths, initial=initial)
                case("segment_reduce", make(d, 2, 5).t(), reduce, offsets=torch.tensor([0, 1, 1, 5]), initial=initial)
            case("segment_reduce", make(d, 2, 3, 2), reduce, lengths=torch.tensor([[1, 2], [3, 0]]), axis=1)
        case("segment_reduce", torch.tensor([1.0, NAN, 2.0, 3.0]), reduce, lengths=torch.tensor([2, 2]))
        case("segment_reduce", make(F, 5), reduce, lengths=torch.tensor([1, 2]), unsafe=True)
    case("segment_reduce", make(F, 2, 3), "sum", lengths=torch.tensor([[1, 2], [3, 0]], dtype=I), axis=-1)
    case("segment_reduce", make(F, 5), "sum", lengths=torch.tensor([2, 2]))
    case("segment_reduce", make(F, 5), "sum", lengths=torch.tensor([6, -1]))
    case("segment_reduce", make(F, 5), "sum")
    case("segment_reduce", make(F, 5), "median", lengths=torch.tensor([5]))
    case("segment_reduce", make(F, 5), "sum", lengths=torch.tensor([5]), indices=torch.tensor([0]))
    case("segment_reduce", make(L, 5), "sum", lengths=torch.tensor([5]))
    case("segment_reduce", make(F, 5), "sum", lengths=torch.tensor([5.0]))
    case("segment_reduce", make(F, 2, 3), "sum", lengths=torch.tensor([1, 2]), axis=1)


def windows():
    for d in (F, D):
        for dims in (2, 3):
            op = f"fractional_max_pool{dims}d"
            samples = torch.rand(2, 2, dims, dtype=d)
            case(op, make(d, 2, 2, *[6, 5, 7][:dims]), [2, 1, 3][:dims], [3, 2, 4][:dims], samples)
            case(op, make(d, 2, *[6, 5, 7][:dims]), [2] * dims, [1] * dims, samples[:1])
    case("fractional_max_pool3d", make(F, 2, 3, 3, 3), [2] * 3, [3] * 3, torch.rand(1, 2, 3))
    case("fractional_max_pool3d", make(L, 2, 3, 3, 3), [2] * 3, [2] * 3, torch.rand(1, 2, 3))


def factors():
    for d in (F, D):
        for upper in (True, False):
            case("symeig", make(d, 2, 3, 3), False, upper)
        case("_lu_with_info", make(d, 2, 3, 3))
        case("_lu_with_info", make(d, 3, 4))
        for left in (True, False):
            for transpose in (True, False):
                case("ormqr", make(d, 2, 3, 3), make(d, 2, 3), make(d, 2, 3, 3), left, transpose)
                case("ormqr", make(d, 4, 2), make(d, 2), make(d, *((4, 3) if left else (3, 4))), left, transpose)
        for n in (1, 2, 3, 6):
            m = make(d, 2, n, n)
            if n > 1:
                m[0].diagonal().zero_()
            case("linalg_ldl_factor", m)
            case("linalg_ldl_factor_ex", m)
            LD, pivots = torch.linalg.ldl_factor(m)
            case("linalg_ldl_solve", LD, pivots, make(d, 2, n, 3))
            case("linalg_ldl_solve", LD[0], pivots[0], make(d, 2, n, 1))
            case("linalg_ldl_solve", LD, pivots, make(d, n, 1))
    case("ormqr", make(F, 2, 5), make(F, 2), make(F, 2, 5))
    case("ormqr", make(F, 2, 5), make(F, 3), make(F, 2, 5))
    case("linalg_householder_product", make(F, 2, 5), make(F, 2))
    case("ormqr", numbers(4, 2), numbers(2), numbers(4, 3), True, True)
    case("ormqr", numbers(4, 2), numbers(2), numbers(3, 4), False, False)
    case("linalg_ldl_factor_ex", torch.zeros(2, 2))
    case("linalg_ldl_factor", torch.zeros(2, 2))
    case("linalg_ldl_factor_ex", torch.zeros(2, 2), check_errors=True)
    case("linalg_ldl_factor", make(F, 2, 3))
    case("linalg_ldl_solve", make(F, 3, 3), torch.tensor([1, 2, 3], dtype=I), make(F, 3))
    case("linalg_ldl_solve", make(F, 3, 3), torch.tensor([1, 2, 3], dtype=I), make(D, 3, 1))
    case("linalg_ldl_solve", make(F, 3, 3), torch.tensor([1, 2], dtype=I), make(F, 3, 1))
    case("ormqr", make(F, 4, 2), make(F, 2), make(F, 3, 3))
    case("symeig", make(F, 2, 3))
    case("_lu_with_info", torch.zeros(2, 2))


FUNCTIONS = (
    "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0",
    "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "spherical_bessel_j0", "airy_ai",
)
POLYNOMIALS = (
    "chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
    "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l",
    "legendre_polynomial_p",
)


def waves():
    # Libtorch has errors of up to 1e-7 between 3 and 10, and of up to 3e-6 in Ai between -4 and -2.1. There, only
    # float32 is recorded, and SpecialFunctionsTest has exact values.
    small = torch.tensor([0.0, -0.0, 1e-30, 1e-9, 1e-5, 0.01, 0.3, 1.0, 1.5, 2.0], dtype=D)
    middle = torch.tensor([2.4, 3.0, 4.5, 6.0, 7.0, 8.5, 9.5])
    large = torch.tensor([11.0, 14.0, 20.0, 24.9, 25.5, 29.0, 31.0, 50.0, 99.0, 300.0, INF, NAN], dtype=D)
    for name in FUNCTIONS:
        case("special_" + name, torch.cat((small, large)))
        case("special_" + name, -torch.cat((small, large)))
        case("special_" + name, small.to(F))
        case("special_" + name, middle)
        case("special_" + name, -middle)
        case("special_" + name, make(L, 2, 3))
        case("special_" + name, make(B, 4))
        case("special_" + name + ".out", make(F, 3, 2).t(), out=torch.zeros(2, 3))
        case("special_" + name, numbers(2))


def polynomials():
    places = torch.tensor([0.0, 1.0, -1.0, 0.5, -0.3, 0.99, 2.0, -1.5, NAN, INF], dtype=D)
    degrees = torch.tensor([-1.0, 0.0, 1.0, 2.0, 3.0, 2.7, 7.0, 10.0], dtype=D)
    for name in POLYNOMIALS:
        op = "special_" + name
        case(op, places, degrees[:, None])
        case(op, make(D, 2, 3) / 5, torch.tensor([40, 64, 101]))
        case(op, make(F, 3), torch.tensor([[0], [1], [2], [5]]))
        case(op, make(L, 3), make(L, 3))
        case(op + ".x_scalar", 0.25, torch.tensor([0, 3, 5]))
        case(op + ".x_scalar", 1, torch.tensor([[2.0, 9.0]], dtype=D))
        case(op + ".n_scalar", make(F, 3, 2).t(), 4)
        case(op + ".n_scalar", make(B, 3), 2.0)
        case(op + ".n_scalar_out", make(D, 2), 3, out=torch.zeros(2, dtype=D))
        case(op + ".x_scalar_out", 0.5, make(D, 2), out=torch.zeros(2, dtype=D))
        case(op + ".out", make(D, 2), make(D, 2), out=torch.zeros(2, dtype=D))
        case(op, make(F, 3), make(F, 2))
        case(op, numbers(2), make(F, 2))


def mixed():
    """Operands of different dtypes, integers that wrap, and permuted tensors that are written in place."""
    t, C = torch.tensor, torch.complex64
    I8, I16, H = torch.int8, torch.int16, torch.float16
    for op in ("gcd", "lcm"):
        case(op, t([12, 200], dtype=U), t(-100, dtype=I16))
        case(op, t([12, -128], dtype=I8), t(300, dtype=I16))
        case(op, t([12, 5], dtype=I8), t([300, 400], dtype=I16))
    hundred = t([100], dtype=I8)
    case("addcmul", t([1 + 0j]), hundred, hundred)
    case("addcmul", t([1 + 0j]), hundred, hundred, value=1j)
    case("addcmul", t([1 + 2j], dtype=torch.complex128), hundred, t([0.1]))
    case("rsub.Scalar", t([37, 3], dtype=U), 1 - 2j)
    case("rsub.Scalar", t([100, 3], dtype=U), 1j, 3)
    case("rsub.Tensor", t([200, 3], dtype=U), t([1j, 2j]), alpha=2)
    for d in (I8, U, I16, I):
        y, x = t([100, 100, 50], dtype=d), t([0, 100, -100] if d != U else [0, 200, 100], dtype=d)
        for op in ("trapz", "trapezoid"):
            case(op + ".dx", y)
            case(op + ".dx", y, dx=2.5)
            case(op + ".dx", y[:1])
            case(op + ".x", y, x)
            case(op + ".x", y, x.to(D))
            case(op + ".x", y.to(D), x)
    for self in (t([1.5], dtype=H), t(1.5, dtype=BF), t([3], dtype=I)):
        for other in (t([2]), t(2), t([2], dtype=U), t([2.0], dtype=D), t(2.0, dtype=D), t([2.0], dtype=H), t(2.0, dtype=H)):
            case("ldexp.Tensor", self, other)
    none = torch.empty(0, dtype=L)
    for weights in (torch.empty(0), torch.empty(0, dtype=D), torch.ones(2), None):
        case("bincount", none, weights, 3)
    for dim in (0, -1, None):
        for keep in (True, False):
            case("aminmax", t(3.0), dim=dim, keepdim=keep)
    for dims in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        self = torch.zeros(2, 3, 4).permute(dims)
        case("masked_scatter_", self, torch.arange(24).view(self.shape) % 3 > 0, torch.arange(30.0))
        case("masked_scatter_", self, torch.arange(self.shape[2]) > 0, torch.arange(30.0))
    case("masked_scatter_", torch.zeros(4, 6)[:, ::2].t(), torch.ones(3, 4, dtype=B), torch.arange(12.0))
    case("masked_scatter_", torch.zeros(2, 3), torch.ones(3, 2, dtype=B).t(), torch.arange(6.0))
    case("masked_scatter", torch.zeros(2, 3).t(), torch.ones(3, 2, dtype=B), torch.arange(6.0))
    pairs = torch.arange(30.0).view(2, 5, 3).permute(1, 2, 0)
    case("istft", pairs, 8)
    for d in (U, I8, I16, I, L):
        self = t([1, 2], dtype=d)
        for bound in (300, -1, -300, 70000, 10**10, 1e10):
            case("clamp", self, bound)
            case("clamp", self, 0, bound)
            case("clamp_max_", self, bound)
            case("where.ScalarOther", self > 1, self, bound)
            case("where.ScalarSelf", self > 1, bound, self)
    for d in (F, D, I):
        self = t([1, 2], dtype=d)
        case("clamp", self, NAN)
        case("clamp", self, None, NAN)
        case("clamp", self, 0, NAN)
        case("clamp", self, NAN, 1)
        case("clamp_min", self, NAN)
        case("clamp_max", self, NAN)
    for d in (L, I8):
        for log in (True, False):
            for full in (True, False):
                case("poisson_nll_loss", t([1, 2], dtype=d), t([100, 3], dtype=d), log, full, 1e-8, 0)
        for value in (2.7, -1.5, 300):
            case("addcmul", t([1], dtype=d), t([3], dtype=d), t([5], dtype=d), value=value)
    case("poisson_nll_loss", t([1, 2]), t([0.5, 3]), True, True, 1e-8, 1)
    for target in (t(0), t([0]), t(-1)):
        for reduction in (0, 1):
            case("multi_margin_loss", t(0.25), target, reduction=reduction)
            case("multilabel_margin_loss", t(0.25), target, reduction)
    for index in (torch.empty(2, 0, dtype=U), torch.empty(0)):
        case("gather", torch.ones(2, 3), 1, index)
        case("scatter.value", torch.ones(2, 3), 1, index, 5)
        case("scatter_add", torch.ones(2, 3), 1, index, torch.ones(2, 3))
    for weight in (None, torch.ones(3)):
        for train in (True, False):
            case("batch_norm", torch.ones(0, 3, 2), weight, weight, torch.zeros(3), torch.ones(3), train, 0.1, 1e-5, False)
            case("batch_norm", torch.ones(0, 3, 2), weight, weight, None, None, train, 0.1, 1e-5, False)
    case("batch_norm", torch.ones(0, 3), None, None, torch.zeros(4), torch.ones(5), False, 0.1, 1e-5, False)


def edges():
    for d in (F, D):
        case("frexp.Tensor", torch.tensor([1e-40, -1e-44, 1e-310, 5e-324, -2.0 ** -1022, 0.75], dtype=d))
    case("lcm", torch.tensor([-(2 ** 31 - 1), 2 ** 31 - 1], dtype=I), torch.tensor([4, 2 ** 31 - 2], dtype=I))
    case("lcm", torch.tensor([100, 127], dtype=torch.int8), torch.tensor([99, 126], dtype=torch.int8))
    for sizes in ((2, 3, 3, 5, 2), (1, 1, 3, 5, 2), (2, 1, 1, 5, 1), (2, 3, 1, 5, 1)):
        volume = torch.arange(math.prod(sizes), dtype=F).reshape(sizes)
        for x in (volume, volume.contiguous(memory_format=torch.channels_last_3d)):
            case("upsample_nearest3d.vec", x, None, [1.1, 1.1, 2.3])
            case("_upsample_nearest_exact3d.vec", x, None, [1.1, 1.1, 2.3])
    image = make(torch.bfloat16, 2, 3, 4, 5)
    last = image.contiguous(memory_format=torch.channels_last)
    weight = make(torch.bfloat16, 2, 3, 2, 2)
    for x, w in ((last, weight), (image, weight.contiguous(memory_format=torch.channels_last))):
        case("conv2d", x, w)
    case("max_pool2d", last, [2, 2])
    case("upsample_nearest2d", last, [3, 3])
    for d in (I, torch.int8, F):
        case("scalar_tensor", 1 + 2j, dtype=d)
    case("scalar_tensor", 300, dtype=torch.int8)
    for start, end, step in ((2 ** 60, 2 ** 60 + 3, 1), (2 ** 60 + 1, 2 ** 60 + 10, 3), (-(2 ** 62) - 1, 2 ** 61, 2 ** 60),
                             (2 ** 60, 2 ** 60 - 5, -2), (2 ** 60, 2 ** 60 - 3, 1)):
        case("arange.start_step", start, end, step)
        case("arange.start_step", start, end, step, dtype=D)
    for sizes in ((2, 3, 0), (0, 2)):
        case("index_put", torch.empty(sizes), [None], torch.empty(sizes), True)
    case("linspace", 0, 2 ** 60, 5, dtype=I)
    case("linspace", -3.7, 9.2, 7, dtype=U)
    case("linspace", -3.7, 9.2, 7, dtype=I)


GROUPS = (
    in_place, reductions_by_index, differences, arrangements, matrices, tables, transforms, histograms, segments, windows, factors,
    waves, polynomials, mixed, edges,
)

if __name__ == "__main__":
    for group in GROUPS:
        group()
        print(group.__name__, file=sys.stderr)
