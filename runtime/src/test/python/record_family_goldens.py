"""Records what libtorch returns for volumes, matrices, special functions, patches and short programs.

Usage: python3 record_family_goldens.py > family-golden.txt   (torch 1.13.1)
"""
import torch
from record_tensor_goldens import B, D, F, I, L, U, case, make


def positive(n, d=F):
    a = make(d, n, n)
    return a @ a.t() + n * torch.eye(n, dtype=d)


def volumes():
    for d in (F, D):
        x = make(d, 1, 4, 5, 4, 3)
        case("conv3d", x, make(d, 3, 4, 2, 3, 1), make(d, 3), [1, 2, 1], [0, 1, 0], [2, 1, 1])
        case("conv3d", x, make(d, 4, 2, 3, 2, 2), None, [2, 1, 1], [1, 1, 0], [1, 1, 1], 2)
        case("conv3d", make(d, 4, 5, 6, 4), make(d, 3, 4, 1, 1, 1))
        case("conv3d.padding", x, make(d, 3, 4, 2, 3, 3), make(d, 3), [1, 1, 1], "same")
        case("conv3d.padding", x, make(d, 3, 4, 2, 3, 3), None, [2, 1, 1], "valid")
        case("conv_transpose3d.input", x, make(d, 4, 3, 2, 3, 2), make(d, 3), [2, 1, 2], [1, 0, 1], [1, 0, 0])
        case("conv_transpose3d.input", x, make(d, 4, 2, 3, 1, 2), None, [1, 1, 1], [0, 0, 0], [0, 0, 0], 2, [2, 1, 1])
        case("max_pool3d", x, [2, 3, 2], [], [1, 1, 0])
        case("max_pool3d", x, [2, 2, 2], [2, 1, 3], [0, 0, 0], [2, 1, 1], True)
        case("avg_pool3d", x, [2, 3, 2], [2, 2, 2], [1, 1, 1], True, False)
        case("avg_pool3d", x, [3, 2, 2], [], [1, 0, 1], False, True)
        case("avg_pool3d", x, [3, 2, 2], [], [0, 0, 0], False, True, 5)
        case("adaptive_avg_pool3d", x, [3, 4, 1])
        case("upsample_nearest3d", x, [7, 3, 8])
        case("_upsample_nearest_exact3d", x, [7, 3, 8])
        case("upsample_trilinear3d", x, [7, 3, 8], False)
        case("upsample_trilinear3d", x, [7, 3, 8], True)
    case("conv3d", make(F, 2, 3, 4, 4, 4), make(F, 3, 4, 2, 2, 2))
    case("conv3d", make(F, 2, 4, 1, 4, 4), make(F, 3, 4, 2, 2, 2))
    case("conv3d", make(F, 3, 4), make(F, 3, 4, 2, 2, 2))
    case("max_pool3d", make(F, 3, 4), [2, 2, 2])


def matrices():
    for d in (F, D):
        for a in (positive(1, d), positive(4, d), torch.stack([positive(3, d), positive(3, d)]), positive(4, d).t()):
            for op in ("linalg_inv", "inverse", "linalg_det", "det", "linalg_slogdet", "slogdet", "logdet", "linalg_cholesky", "cholesky",
                       "linalg_eigvalsh", "linalg_svdvals", "matrix_exp", "linalg_matrix_exp", "linalg_pinv.atol_rtol_float", "pinverse"):
                case(op, a * 0.1 if op.endswith("exp") else a)
            b = make(d, a.shape[-1], 2)
            case("linalg_solve", a, b)
            case("linalg_cholesky", a, upper=True)
            l = torch.linalg.cholesky(a)
            case("cholesky_solve", b.expand(a.shape[:-2] + b.shape), l)
            case("cholesky_solve", b.expand(a.shape[:-2] + b.shape), l.transpose(-1, -2), True)
            case("cholesky_inverse", l)
            case("linalg_solve_triangular", l, b, upper=False)
            case("linalg_solve_triangular", a.triu(), b, upper=True)
            case("linalg_solve_triangular", a, b, upper=True, unitriangular=True)
            case("linalg_solve_triangular", l, b.transpose(-1, -2), upper=False, left=False)
            case("triangular_solve", b, a)
            case("triangular_solve", b, a, False, True)
            for n in (-2, -1, 0, 1, 2, 5):
                case("linalg_matrix_power", a * 0.3, n)
            for p in (1, -1, 2, -2, float("inf"), -float("inf")):
                case("linalg_matrix_norm", a, p)
            for p in ("fro", "nuc"):
                case("linalg_matrix_norm.str_ord", a, p)
                case("linalg_norm.ord_str", a, p, [-2, -1], True)
            case("linalg_norm", a)
            case("linalg_cond", a)
            case("linalg_matrix_rank.atol_rtol_float", a)
        for a in (make(d, 5, 3), make(d, 3, 3), make(d, 2, 4, 3), make(d, 3, 5)):
            case("linalg_qr", a)
            case("qr", a)
            case("linalg_svdvals", a)
            case("linalg_pinv.atol_rtol_float", a)
        case("linalg_norm", make(d, 5), 3)
    case("linalg_solve", positive(3), make(F, 3))
    case("linalg_solve", torch.zeros(3, 3), make(F, 3, 1))
    case("linalg_inv", torch.zeros(2, 2))
    case("linalg_inv", make(F, 2, 3))
    case("linalg_inv", make(L, 2, 2))
    case("linalg_cholesky", -positive(3))
    case("linalg_det", torch.zeros(3, 3))
    case("slogdet", torch.zeros(3, 3))
    case("linalg_det", make(F, 3))


def functions():
    for d in (F, D):
        x = torch.tensor([0.1, 0.5, 1, 1.5, 2, 3.7, 8, 20, 50, 120], dtype=d)
        both = torch.cat([-x, torch.zeros(1, dtype=d), x])
        for op in ("special_erfcx", "special_ndtr", "special_log_ndtr", "i0", "special_i0e", "special_i1", "special_i1e", "special_entr", "special_sinc"):
            case(op, both / 4 if op in ("i0", "special_i1") else both)
        for op in ("lgamma", "digamma", "special_gammaln", "special_psi"):
            case(op, torch.cat([x, -x[:1] * 3]))
        case("erfinv", torch.tensor([-1, -0.99, -0.5, -1e-4, 0, 1e-7, 0.3, 0.9, 0.9999, 1, 2], dtype=d))
        case("special_ndtri", torch.tensor([0, 1e-6, 0.01, 0.2, 0.5, 0.7, 0.999, 1, 2], dtype=d))
        for n in (0, 1, 2, 4):
            if n != 1 or d is F:  # libtorch's trigamma is off by 3e-10 in float64
                case("polygamma", n, x)
        case("mvlgamma", x + 3, 3)
        case("special_zeta", x[2:] + 1, x[:8])
        case("igamma", x[:8], x[2:])
        case("igammac", x[:8], x[2:])
        case("igamma", x[:8], x[:8] * 3)
        case("special_xlog1py", both, x[:1])
    for op in ("lgamma", "digamma", "erfinv", "special_i0e"):
        case(op, torch.tensor([0, 1, 2]))
        case(op, make(F, 2, 3).t())
    case("lgamma_", make(F, 3).abs() + 1)
    a, b = torch.tensor([12, 0, -8, 7, 0]), torch.tensor([18, 5, 12, 0, 0])
    for op in ("gcd", "lcm"):
        case(op, a, b)
        case(op, a.int().view(5, 1), b.int())
        case(op, make(F, 2), make(F, 2))
    case("nextafter", make(F, 3), make(F, 3))
    case("nextafter", make(D, 3), make(D, 3))
    case("frexp.Tensor", torch.tensor([0.0, 1.0, -3.5, 0.1, float("inf")]))
    case("ldexp.Tensor", make(F, 3), torch.tensor([1, -2, 3]))


def patches():
    for d in (F, D):
        x = make(d, 2, 3, 6, 5)
        case("im2col", x, [3, 2], [1, 1], [1, 0], [2, 1])
        case("im2col", x[0], [2, 2], [2, 1], [0, 0], [1, 1])
        u = torch.nn.functional.unfold(x, [3, 2], padding=(1, 0), stride=(2, 1))
        case("col2im", u, [6, 5], [3, 2], [1, 1], [1, 0], [2, 1])
        case("col2im", make(d, 4, 3), [6, 5], [3, 2], [1, 1], [1, 0], [2, 1])
        y, i = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
        case("max_unpool2d", y, i, [6, 5])
        for aligned in (False, True):
            case("_upsample_bilinear2d_aa", x, [3, 2], aligned)
            case("_upsample_bicubic2d_aa", x, [4, 7], aligned)
    case("im2col", make(F, 2, 3, 2, 2), [3, 3], [1, 1], [0, 0], [1, 1])


def programs():
    x = make(F, 4, 5)
    case("as_strided", make(F, 12), [3, 2], [2, 3], 1)
    case("as_strided", x, [2, 2], [5, 1])
    case("as_strided", make(F, 3), [3, 2], [2, 3], 1)
    case("select_scatter", x, make(F, 5), 0, -1)
    case("select_scatter", x, make(F, 4), 0, 1)
    case("slice_scatter", x, make(F, 4, 2), 1, 1, 5, 2)
    case("diagonal_scatter", x, make(F, 4), 1)
    case("as_strided_scatter", x, make(F, 2, 2), [2, 2], [5, 1], 1)
    for shape in ((3, 3), (3, 5), (7, 3), (2, 2, 2)):
        case("fill_diagonal_", make(F, *shape), 2.5)
        case("fill_diagonal_", make(F, *shape), 1, True)
    case("fill_diagonal_", make(F, 3, 4).t(), 1)
    case("fill_diagonal_", make(F, 3), 1)
    case("block_diag", [make(F, 2, 3), make(F, 2), torch.tensor(3.0)])
    case("cartesian_prod", [make(F, 2), make(F, 3)])
    case("combinations", make(F, 4))
    case("combinations", make(F, 4), 3)
    case("combinations", make(F, 3), 2, True)
    case("vander", make(F, 3), 4)
    case("vander", make(F, 3), None, True)
    case("renorm", x, 2, 0, 1.0)
    case("renorm", x, 1.0, -1, 0.5)
    case("_weight_norm", x, make(F, 4, 1))
    case("_weight_norm", x, make(F, 1, 5), 1)
    case("rrelu", x)
    case("rrelu", x, 0.2, 0.6)
    t = torch.randint(0, 5, (4,))
    for reduction in (0, 1, 2):
        case("multi_margin_loss", x, t, 1, 1, None, reduction)
        case("multi_margin_loss", x, t, 2, 0.5, make(F, 5).abs(), reduction)
        m = torch.tensor([[3, 0, -1, 1, 2], [1, -1, 2, 0, 0], [-1, 0, 0, 0, 0], [0, 1, 2, 3, 4]])
        case("multilabel_margin_loss", x, m, reduction)
        p = torch.log_softmax(make(F, 6, 2, 4), 2)
        q = torch.tensor([[1, 2, 2], [3, 1, 1]])
        n, k = torch.tensor([6, 5]), torch.tensor([3, 2])
        case("ctc_loss.Tensor", p, q, n, k, 0, reduction)
        case("ctc_loss.IntList", p, q, [6, 2], [3, 2], 0, reduction, True)
        case("ctc_loss.IntList", p, torch.tensor([1, 2, 2, 3, 1]), [6, 5], [3, 2], 0, reduction)
    for d in (F, L):
        y = torch.randint(0, 3, (3, 5)).to(d)
        case("mode", y, 1)
        case("mode", y, 0, True)
    case("mode", torch.tensor([2.0, 2.0, 1.0]))


def short_programs():
    for d in (F, D):
        x = make(d, 2, 4, 6)
        case("concatenate", [x, x + 1], 1)
        case("linalg_matmul", x, make(d, 6, 2))
        for n in (0, 1, 3, -1, 400):
            case("round.decimals", x * 7, decimals=n)
        case("special_round", x, decimals=2)
        case("float_power.Tensor_Scalar", x.abs(), 1.5)
        case("float_power.Scalar", 2, x)
        case("float_power.Tensor_Tensor", x.abs(), x)
    i = make(L, 4, 6)
    case("float_power.Tensor_Scalar", i, 2)
    case("round.decimals", i, decimals=1)
    for op, y in (("hsplit", i), ("vsplit", i), ("dsplit", make(F, 2, 2, 6)), ("hsplit", make(F, 6))):
        for n in (1, 2, 5, 0):
            case(op + ".int", y, n)
        case(op + ".array", y, [1, 3])
    case("vsplit.int", make(F, 6), 2)
    case("dsplit.array", i, [1])
    case("unsafe_split_with_sizes", i, [1, 3], 0)
    case("unsafe_split_with_sizes", i, [1, 3], 1)


def factors():
    for d in (F, D):
        square = make(d, 2, 3, 3)
        for a in (square, make(d, 4, 2), make(d, 2, 4), positive(3, d).t()):
            case("linalg_lu_factor", a)
            case("linalg_lu_factor_ex", a)
            case("linalg_lu", a)
            case("lu_unpack", *torch.linalg.lu_factor(a))
        lu, pivots = torch.linalg.lu_factor(square)
        b = make(d, 3, 2)
        case("lu_unpack", lu, pivots, True, False)
        case("lu_unpack", lu, pivots, False, True)
        case("lu_solve", b.expand(2, 3, 2), lu, pivots)
        case("linalg_lu_solve", lu, pivots, b)
        case("linalg_lu_solve", lu, pivots, b, adjoint=True)
        case("linalg_lu_solve", lu, pivots, b.t(), left=False)
        case("linalg_lu_solve", lu, pivots, b.t(), left=False, adjoint=True)
        for op in ("linalg_inv_ex", "linalg_cholesky_ex"):
            case(op, torch.stack([positive(3, d), positive(3, d)]))
            case(op, make(d, 2, 3))
        case("linalg_cholesky_ex", positive(3, d), upper=True, check_errors=True)
        case("linalg_cholesky_ex", -positive(3, d), check_errors=True)
        case("linalg_inv_ex", torch.zeros(2, 2, dtype=d), check_errors=True)
        case("linalg_solve_ex", square, b)
        case("linalg_solve_ex", square, b.t(), left=False)
        case("linalg_solve_ex", square[0], make(d, 3))
        case("linalg_solve_ex", torch.zeros(2, 2, dtype=d), make(d, 2, 1), check_errors=True)
    case("linalg_lu_factor", make(L, 2, 2))
    case("linalg_lu_factor_ex", torch.ones(2, 2), check_errors=True)
    case("linalg_lu_solve", make(F, 3, 2), torch.tensor([1, 2], dtype=torch.int32), make(F, 3, 1))


def natives():
    for d in (F, D):
        x = make(d, 2, 4, 4, 3, 2)
        case("max_pool3d_with_indices", x, [2, 3, 2], [], [1, 1, 0])
        case("max_pool3d_with_indices", x, [2, 2, 2], [2, 1, 3], [0, 0, 0], [2, 1, 1], True)
        case("max_pool3d_with_indices", torch.ones_like(x[0]), [2, 2, 2], [1, 1, 1])
        case("adaptive_max_pool3d", x, [3, 2, 2])
        case("adaptive_max_pool3d", x[0].round(), [2, 4, 1])
        case("native_layer_norm", x, [3, 2], make(d, 3, 2), make(d, 3, 2), 1e-3)
        case("native_layer_norm", x[0, :2], [2], None, None, 0.5)
        case("native_group_norm", x, make(d, 4), None, 2, 4, 24, 2, 1e-3)
        case("native_group_norm", x[:1], None, None, 2, 4, 24, 2, 1e-3)
        mean, var = make(d, 4), make(d, 4).abs()
        case("native_batch_norm", x, make(d, 4), make(d, 4), mean, var, False, 0.1, 1e-3)
        case("native_batch_norm", x, None, make(d, 4), None, None, True, 0.1, 1e-3)
    case("max_pool3d_with_indices", make(F, 4, 4), [2, 2, 2])
    case("adaptive_max_pool3d", make(F, 2, 3, 3, 3), [2, -1, 2])
    case("native_layer_norm", make(F, 2, 3), [2], None, None, 1e-3)
    for a, b in ((F, L), (I, U), (torch.float16, torch.bfloat16), (B, U), (torch.int8, U), (D, F)):
        x, y = torch.zeros(2, dtype=a), torch.zeros(3, dtype=b)
        case("result_type.Tensor", x, y)
        case("result_type.Tensor", x, y[0])
        case("result_type.Scalar", x, 1.5)
        case("result_type.Scalar_Tensor", 3, y)
        case("promote_types", a, b)
        case("can_cast", a, b)
        case("can_cast", b, a)
    case("result_type.Scalar_Scalar", 3, 2.5)


torch.manual_seed(5)
volumes()
matrices()
functions()
patches()
programs()
short_programs()
factors()
natives()
