"""Records what libtorch returns for losses, distances, counts, orders, contractions and resizing.

Usage: python3 record_composed_goldens.py > composed-golden.txt   (torch 1.13.1)
"""
import sys
import torch
from record_tensor_goldens import B, D, F, I, INF, L, NAN, SPECIAL, U, case, make


def ids(*values, d=L):
    return torch.tensor(values, dtype=d)


def reals(*values, d=F):
    return torch.tensor(values, dtype=d)


def shrinking():
    for x in (SPECIAL[1:], make(F, 2, 3), make(D, 3, 2).t(), make(F, 0)):
        case("softshrink", x)
        case("softshrink", x, 1)
        case("hardshrink", x, 0.3)
        case("threshold", x, 0.1, 20)
        case("threshold_", x.clone(), -1, 0.5)
        case("nan_to_num", x)
        case("nan_to_num_", x.clone(), 1.0, 2.0, -3.0)
        case("logit", x, 0.2)
    case("hardshrink", SPECIAL, 0)
    case("threshold", SPECIAL, 0, 1)
    case("nan_to_num", SPECIAL, nan=4.0)
    case("nan_to_num", make(L, 3))
    case("logit", torch.rand(4, dtype=D))
    case("logit", make(L, 3), 0.1)
    case("softshrink", make(F, 2), -1)
    case("softshrink", make(L, 2))
    case("hardshrink", make(L, 2))
    case("threshold", make(L, 5), 1, 7)
    case("threshold", make(B, 2), 0, 1)
    for x, dim in ((make(F, 3, 4), 1), (make(D, 4, 3).t(), -1), (make(F, 2, 3, 2), 0), (make(F, 3, 4), 0), (make(F), 0),
                   (make(L, 2), 0), (make(F, 2), 3)):
        case("glu", x, dim)
    for x, w in ((make(F, 2, 3), make(F, 3)), (make(F, 2, 3), make(F, 1)), (make(D, 2, 3, 2), make(D, 3)),
                 (make(F, 3), make(F, 1)), (make(F, 2, 3), make(F, 2)), (make(F, 2, 3), make(D, 3))):
        case("prelu", x, w)
    for op in ("lshift", "rshift"):
        for d in (L, I, U, torch.int8):
            x = torch.tensor([1, 2, 3, 100], dtype=d)
            case(f"__{op}__.Scalar", x, 2)
            case(f"__{op}__.Tensor", x, torch.tensor([0, 1, 2, 3], dtype=d))
            case(f"__i{op}__.Scalar", x.clone(), 1)
            case(f"bitwise_{'left' if op[0] == 'l' else 'right'}_shift.Tensor", x, torch.tensor(3, dtype=d))
        case(f"__{op}__.Scalar", make(F, 3), 2)
        case(f"__{op}__.Tensor", make(B, 3), make(B, 3))


def losses():
    for d in (F, D):
        for reduction in (0, 1, 2):
            x, y = make(d, 3, 4), make(d, 3, 4)
            p, q = torch.rand(3, 4).to(d), torch.rand(3, 4).to(d)
            for op in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss", "kl_div"):
                case(op, x, q if op == "kl_div" else y, reduction)
            case("mse_loss", make(d, 4, 3).t(), y, reduction)
            case("smooth_l1_loss", x, y, reduction, 0.5)
            case("smooth_l1_loss", x, y, reduction, 0)
            case("huber_loss", x, y, reduction, 2)
            case("kl_div", x, y, reduction, log_target=True)
            case("binary_cross_entropy", p, q, None, reduction)
            case("binary_cross_entropy", p, q, y, reduction)
            case("binary_cross_entropy_with_logits", x, q, None, None, reduction)
            case("binary_cross_entropy_with_logits", x, q, make(d, 4), None, reduction)
            case("binary_cross_entropy_with_logits", x, q, y, p[0], reduction)
            case("poisson_nll_loss", x, y.abs() * 3, True, True, 1e-8, reduction)
            case("poisson_nll_loss", p, q, False, False, 1e-8, reduction)
            case("margin_ranking_loss", x, y, make(d, 3, 4).sign(), 0.5, reduction)
            case("hinge_embedding_loss", x, make(d, 3, 4).sign(), 1.0, reduction)
            case("cosine_embedding_loss", x, y, ids(1, -1, 1), 0.1, reduction)
            case("triplet_margin_loss", x, y, make(d, 3, 4), 1.0, 2.0, 1e-6, False, reduction)
            case("triplet_margin_loss", x, y, make(d, 3, 4), 1.0, 1.0, 1e-6, True, reduction)
    case("binary_cross_entropy", reals(0, 1, 0.5), reals(1, 1, 0))
    case("binary_cross_entropy", reals(0, 1.5), reals(1, 1))
    case("binary_cross_entropy", reals(0.5), reals(1, d=D))
    case("kl_div", reals(-1, -2), reals(0, 1))
    case("l1_loss", make(L, 3), make(L, 3), 2)
    case("l1_loss", make(L, 3), make(L, 3), 1)
    case("mse_loss", make(L, 3), make(L, 3))
    case("mse_loss", make(F, 3), make(F, 4))
    case("mse_loss", make(F, 0), make(F, 0))
    case("smooth_l1_loss", make(F, 3), make(F, 3), 1, -1.0)
    case("huber_loss", make(F, 3), make(F, 3), 1, 0.0)
    case("margin_ranking_loss", make(F, 3), make(F, 1, 3), make(F, 3))
    case("cosine_embedding_loss", make(F, 3, 2), make(F, 3, 2), make(F, 3, 2))
    case("triplet_margin_loss", make(F, 3, 2), make(F, 2), make(F, 3, 2))


def classes():
    for d in (F, D):
        x, w = make(d, 3, 4), torch.rand(4).to(d)
        for reduction in (0, 1, 2):
            for op in ("nll_loss", "nll_loss_nd", "cross_entropy_loss"):
                case(op, x, ids(1, 0, 3), None, reduction)
                case(op, x, ids(1, 0, 3), w, reduction)
                case(op, x, ids(1, -100, 3), w, reduction)
                case(op, x, ids(1, 2, 3), w, reduction, 2)
                case(op, make(d, 4), torch.tensor(2), None, reduction)
            wide = make(d, 2, 3, 2, 2)
            spots = torch.randint(0, 3, (2, 2, 2))
            for op in ("nll_loss2d", "nll_loss_nd", "cross_entropy_loss"):
                case(op, wide, spots, w[:3].clone(), reduction, 1)
                case(op, make(d, 2, 2, 2, 3).permute(0, 3, 1, 2), spots, None, reduction)
            case("nll_loss_nd", make(d, 2, 3, 4), torch.randint(0, 3, (2, 4)), None, reduction)
            case("cross_entropy_loss", make(d, 2, 3, 2, 1, 2), torch.randint(0, 3, (2, 2, 1, 2)), None, reduction)
            p = torch.softmax(make(d, 3, 4), 1)
            for smoothing in (0.0, 0.2):
                case("cross_entropy_loss", x, p, None, reduction, -100, smoothing)
                case("cross_entropy_loss", x, p, w, reduction, -100, smoothing)
                case("cross_entropy_loss", make(d, 2, 3, 2), torch.softmax(make(d, 2, 3, 2), 1), w[:3].clone(), reduction, -100, smoothing)
                case("cross_entropy_loss", x[0].clone(), p[0].clone(), None, reduction, -100, smoothing)
                case("cross_entropy_loss", x, ids(1, 0, 3), w, reduction, -100, smoothing)
                case("cross_entropy_loss", x, ids(1, 0, 3), None, reduction, 0, smoothing)
                case("cross_entropy_loss", x, ids(1, 0, 3), w, reduction, 0, smoothing)
                case("cross_entropy_loss", wide, spots, None, reduction, -100, smoothing)
                case("cross_entropy_loss", make(d, 4), torch.tensor(2), None, reduction, -100, smoothing)
    x = make(F, 3, 4)
    case("nll_loss", x, ids(-100, -100, -100))
    case("nll_loss", make(F, 0, 4), ids())
    for op in ("nll_loss", "nll_loss_nd", "cross_entropy_loss"):
        case(op, x, ids(1, 4, 0))
        case(op, x, ids(1, -1, 0))
        case(op, x, ids(1, 1))
        case(op, x, ids(1, 1, 0, d=I))
        case(op, x, ids(1, 1, 0), make(F, 3))
        case(op, make(L, 3, 4), ids(1, 1, 0))
        case(op, make(F), torch.tensor(1))
    case("nll_loss2d", make(F, 2, 3, 2, 2), torch.zeros(2, 2, 3, dtype=L))
    case("nll_loss_nd", make(F, 2, 3, 4), torch.zeros(2, 3, dtype=L))
    case("cross_entropy_loss", x, torch.zeros(3, 4, dtype=L))
    case("cross_entropy_loss", x, torch.rand(3, 4), None, 1, 2)
    case("cross_entropy_loss", x, torch.rand(3, 4), None, 1, -100, 1.5)
    case("cross_entropy_loss", x, ids(1, 1, 0), None, 1, -100, 1.5)


def distances():
    for d in (F, D):
        case("cosine_similarity", make(d, 3, 4), make(d, 3, 4))
        case("cosine_similarity", make(d, 3, 4), make(d, 4), 1, 1e-8)
        case("cosine_similarity", make(d, 3, 4), make(d, 3, 4), 0)
        case("cosine_similarity", torch.zeros(2, 3, dtype=d), make(d, 2, 3))
        for p in (2.0, 1.0, 3.0, INF, 0.0):
            case("pairwise_distance", make(d, 3, 4), make(d, 3, 4), p)
            case("pairwise_distance", make(d, 3, 4), make(d, 4), p, 1e-6, True)
            case("cdist", make(d, 3, 4), make(d, 2, 4), p)
            case("cdist", make(d, 2, 3, 4), make(d, 5, 4), p, 1)
            case("cdist", make(d, 2, 1, 3, 4).transpose(2, 3), make(d, 3, 5, 3), p)
            case("dist", make(d, 3, 4), make(d, 3, 4), p)
        case("cdist", make(d, 0, 4), make(d, 2, 4))
        case("cdist", make(d, 3, 0), make(d, 2, 0))
    case("cosine_similarity", make(F, 3, 4), make(D, 3, 4))
    case("cosine_similarity", make(L, 3, 4), make(L, 3, 4))
    case("cosine_similarity", make(F, 3, 4), make(F, 3, 5))
    case("cosine_similarity", make(F, 3, 4), make(F, 3, 4), 2)
    case("pairwise_distance", make(F, 3, 4), make(F, 3, 3))
    case("cdist", make(F, 3, 4), make(F, 3, 3))
    case("cdist", make(F, 3), make(F, 3, 3))
    case("cdist", make(L, 3, 3), make(L, 3, 3))
    case("cdist", make(F, 3, 3), make(F, 3, 3), -1.0)
    case("dist", make(L, 3), make(L, 3))


def ranks():
    ties = torch.tensor([[3, 1, 3, 2, 1], [2, 2, 2, 2, 2], [5, 4, 3, 2, 1]])
    gaps = reals(1, NAN, 3, -2, NAN, 0.5).view(2, 3)
    for x in (make(F, 3, 5), make(D, 5, 3).t(), ties, ties.float(), ties.to(I), gaps, make(F, 2, 3, 4)):
        for k in (1, 2):
            case("kthvalue", x, k)
            case("kthvalue", x, k, 0, True)
        for op in ("median", "nanmedian"):
            case(op, x)
            case(op + ".dim", x, 1)
            case(op + ".dim", x, 0, True)
        case("msort", x)
        case("aminmax", x)
        case("aminmax", x, dim=1)
        case("aminmax", x, dim=-1, keepdim=True)
        case("cummax", x, 1)
        case("cummin", x, 0)
        case("diff", x)
        case("diff", x, 2, 0)
        case("diff", x, 1, 1, x, x)
        case("count_nonzero", x)
        case("count_nonzero", x, 0)
        case("count_nonzero.dim_IntList", x, [0, 1])
        if x.dtype.is_floating_point:
            case("logcumsumexp", x, 1)
            case("trapz.dx", x)
            case("trapezoid.dx", x, dx=0.5, dim=0)
            case("trapz.x", x, torch.arange(x.shape[-1]).to(x.dtype))
            case("trapezoid.x", x, x * 2)
            for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
                for op in ("quantile", "nanquantile"):
                    case(op + ".scalar", x, 0.3, interpolation=mode)
                    case(op, x, torch.tensor([0, 0.25, 0.9], dtype=x.dtype), 1, True, interpolation=mode)
                    case(op, x, torch.tensor(0.5, dtype=x.dtype), 0, interpolation=mode)
    one = make(F)
    case("kthvalue", one, 1)
    case("median", one)
    case("median.dim", one, 0)
    case("cummax", one, 0)
    case("kthvalue", make(F, 3), 4)
    case("kthvalue", make(F, 3), 0)
    case("kthvalue", make(F, 3), 1, 2)
    case("median", make(F, 0))
    case("median.dim", make(F, 2, 0), 1)
    case("median.dim", make(F, 2, 2), 2)
    case("aminmax", make(F, 0))
    case("cummax", make(F, 2), 1)
    case("logcumsumexp", make(L, 2), 0)
    case("logcumsumexp", make(F, 2), 1)
    case("logcumsumexp", reals(-INF, -INF, 1), 0)
    case("diff", make(B, 5))
    case("diff", make(F, 3), 5)
    case("diff", make(F, 3), 0)
    case("diff", make(F))
    case("trapz.dx", make(F, 2, 0))
    case("trapz.dx", make(B, 3))
    case("trapz.x", make(F, 3), make(F, 4))
    case("trapezoid.x", make(F, 2, 3), make(F, 3))
    case("trapezoid.dx", make(L, 4))
    case("quantile.scalar", make(F, 3), 1.5)
    case("quantile.scalar", make(F, 0), 0.5)
    case("quantile.scalar", make(L, 3), 0.5)
    case("quantile", make(F, 3), reals(0.5, d=D))
    case("quantile", make(F, 3), reals(0.5, 0.6).view(1, 2))
    case("quantile.scalar", make(F, 3), 0.5, 3)
    case("quantile.scalar", make(F, 3), 0.5, interpolation="cubic")


def counts():
    for d in (L, I, U):
        x = torch.tensor([3, 1, 1, 0, 5], dtype=d)
        case("bincount", x)
        case("bincount", x, None, 9)
        case("bincount", x, make(F, 5))
        case("bincount", x, make(L, 5))
    case("bincount", ids())
    case("bincount", ids(1, -1))
    case("bincount", make(F, 3))
    case("bincount", ids([1], [2]))
    case("bincount", ids(1), None, -2)
    case("bincount", ids(1), make(F, 2))
    for d in (F, D):
        x = make(d, 4, 5)
        case("histc", x, 4, 0, 4)
        case("histc", x)
        case("histc", x, 7)
        case("histc", x.t(), 3, -1.5, 1.5)
        case("histc", torch.full((3,), 2.0, dtype=d), 4)
        case("histc", torch.empty(0, dtype=d), 4)
    case("histc", make(F, 3), 0)
    case("histc", make(F, 3), 3, 4, 1)
    case("histc", make(L, 3), 3)
    case("histc", reals(NAN, 1), 3)
    bounds = {d: torch.tensor([1, 3, 3, 5], dtype=d) for d in (F, D, L, I)}
    for d, b in bounds.items():
        x = torch.tensor([[0, 1, 2], [3, 4, 9]], dtype=d)
        for right in (False, True):
            case("bucketize.Tensor", x, b, right=right)
            case("bucketize.Scalar", 3, b, right=right)
            case("searchsorted.Tensor", b, x.t(), right=right, out_int32=True)
            case("searchsorted.Scalar", b, 2, right=right)
            case("searchsorted.Tensor", torch.stack([b, b + 1]), x, right=right)
    case("searchsorted.Tensor", bounds[F], reals(NAN, INF, 3), side="right")
    case("searchsorted.Tensor", bounds[L], make(F, 3))
    case("searchsorted.Tensor", ids(2 ** 60, 2 ** 60 + 1), ids(2 ** 60 + 1))
    case("searchsorted.Tensor", bounds[F].flip(0), reals(1, 3), sorter=ids(3, 2, 1, 0))
    case("bucketize.Tensor", make(F), bounds[F])
    case("bucketize.Tensor", make(F, 2), make(F, 0))
    case("bucketize.Tensor", make(F, 2), make(F, 2, 2))
    case("bucketize.Tensor", make(F, 2), bounds[L])
    case("searchsorted.Tensor", make(F, 2, 2), make(F, 3, 2))
    case("searchsorted.Tensor", bounds[F], make(F, 2), right=True, side="left")
    case("searchsorted.Tensor", bounds[F], make(F, 2), side="middle")
    case("searchsorted.Tensor", make(F), make(F, 2))
    for invert in (False, True):
        case("isin.Tensor_Tensor", make(L, 3, 4), ids(1, 2, 3), invert=invert)
        case("isin.Tensor_Tensor", make(F, 3).round(), make(L, 2, 2), invert=invert)
        case("isin.Tensor_Scalar", make(L, 5), 2, invert=invert)
    flags = [(False, False), (True, False), (False, True), (True, True)]
    for x in (torch.tensor([[3, 1, 3], [2, 1, 1]]), reals(1, 2.5, 1, -0.0, 0.0), torch.tensor([True, False, True]), ids(),
              torch.tensor([[1, 2], [1, 2], [0, 5]], dtype=I).t()):
        for inverse, number in flags:
            case("_unique2", x, True, inverse, number)
            case("unique_consecutive", x, inverse, number)
        case("_unique", x, True, True)
        for dim in range(x.dim()):
            case("unique_dim", x, dim, True, True, True)
            case("unique_dim_consecutive", x, dim, True, True)
            case("unique_consecutive", x, True, True, dim)
    case("unique_dim", make(F, 2), 1)
    case("unique_dim", make(F, 2, 0), 0)
    case("where", make(B, 3, 4))
    case("where", torch.tensor(True))
    case("argwhere", make(L, 3, 2))


def placing():
    for d in (F, D, L, I, B):
        x = make(d, 3, 4)
        case("take", x, ids(0, 5, -1))
        case("take", x.t(), ids([0, 3], [11, 1]))
        case("put_", x.clone(), ids(1, 3), make(d, 2))
        case("put", x.t(), ids(1, 1), make(d, 2), d != B)
        case("index_copy", x, 0, ids(2, 0), make(d, 2, 4))
        case("index_copy_", x.clone().t(), 1, ids(2), make(d, 4, 1))
        case("index_fill.int_Scalar", x, 1, ids(0, -1), 1)
        case("index_fill.int_Tensor", x, 0, ids(1), make(d))
        case("index_fill_.int_Scalar", x.clone(), 0, ids(1), 1)
        case("masked_scatter", x, make(B, 3, 4), make(d, 12))
        case("masked_scatter_", x.clone(), make(B, 4), make(d, 12))
        case("index_add", x, 0, ids(2, 0, 2), make(d, 3, 4))
        case("index_add", x, 1, ids(1, d=I), make(d, 3, 1), alpha=1)
    x = make(F, 3, 4)
    case("index_add", x, 0, ids(2, 0), make(F, 2, 4), alpha=0.5)
    case("index_add_", x.clone(), 1, ids(2, 2), make(F, 3, 2), alpha=2)
    case("index_add", make(F, 3), 0, torch.tensor(1), make(F, 1))
    case("index_add", make(F), 0, ids(0), make(F, 1))
    case("take_along_dim", x, ids([0, 1], [1, 0], [2, 2]), 1)
    case("take_along_dim", x, ids([[0, 1]]).view(1, 2), 1)
    case("take_along_dim", x, ids(5, 2), None)
    case("take", x, ids(12))
    case("take", x, ids(1, d=I))
    case("take", make(F, 0), ids(1))
    case("take", x, ids())
    case("put_", x.clone(), ids(1), make(F, 2))
    case("put_", x.clone(), ids(1), make(L, 1))
    case("put_", x.clone(), ids(-13), make(F, 1))
    case("index_add", x, 0, ids(3), make(F, 1, 4))
    case("index_add", x, 0, ids(1), make(F, 2, 4))
    case("index_add", x, 0, ids(1), make(F, 1, 3))
    case("index_add", x, 0, ids(1), make(L, 1, 4))
    case("index_add", x, 2, ids(1), make(F, 1, 4))
    case("index_add", x, 0, reals(1), make(F, 1, 4))
    case("index_add", x, 0, ids([1]), make(F, 1, 4))
    case("index_fill.int_Scalar", x, 0, ids(3), 1)
    case("index_fill.int_Scalar", x, 0, ids(1, d=I), 1)
    case("index_fill.int_Tensor", x, 0, ids(1), make(F, 1))
    case("index_copy", x, 0, ids(-1), make(F, 1, 4))
    case("masked_scatter", x, torch.ones(3, 4, dtype=B), make(F, 3))
    case("masked_scatter", x, torch.ones(3, 4, dtype=B), make(L, 12))


def shapes():
    for d in (F, L):
        x, y = make(d, 2, 3), make(d, 2, 3, 4)
        case("broadcast_to", x, [4, 2, 3])
        case("broadcast_to", x, [-1, 3])
        case("broadcast_tensors", [x, make(d, 3), make(d)])
        case("movedim.int", y, 0, 2)
        case("movedim.int", y, -1, 0)
        case("moveaxis.intlist", y, [0, 1], [-1, 0])
        case("swapdims", y, 0, -1)
        case("unfold", y, 2, 2, 1)
        case("unfold", y.transpose(0, 2), 0, 3, 2)
        case("unfold", make(d), 0, 1, 1)
        for offset in (0, 1, -1, 5):
            case("diagonal", x, offset)
            case("diag", x, min(offset, 2))
            case("diag", x[0].clone(), min(offset, 2))
        case("diagonal", y, 1, 2, 0)
        case("diag_embed", x)
        case("diag_embed", x, 1, 0, 2)
        case("diagflat", x, -1)
        case("unflatten.int", y, 2, [2, -1])
        case("tensor_split.sections", y, 3, 2)
        case("tensor_split.indices", y, [1, 3], 2)
        case("tensor_split.indices", y, [-1, 9], 1)
        for op in ("hstack", "vstack", "dstack", "column_stack"):
            case(op, [x, x])
            case(op, [make(d, 3), make(d, 3)])
            case(op, [make(d), make(d)])
            case(op, [y, y])
        for rank in (1, 2, 3):
            for t in (make(d), make(d, 3), x, y):
                case(f"atleast_{rank}d", t)
        case("tile", x, [2])
        case("tile", x, [2, 1, 2])
        case("repeat_interleave.self_int", x, 2)
        case("repeat_interleave.self_int", x, 2, 1)
        case("repeat_interleave.self_Tensor", x, ids(1, 0, 2), 1)
        case("repeat_interleave.self_Tensor", x, ids(2), 0)
        case("fliplr", x)
        case("flipud", x)
        for k in (0, 1, 2, 3, -1):
            case("rot90", x, k)
        case("rot90", y, 1, [2, 0])
        for mode in ("ij", "xy"):
            case("meshgrid.indexing", [make(d, 2), make(d, 3)], indexing=mode)
            case("meshgrid.indexing", [make(d, 2), make(d), make(d, 3)], indexing=mode)
    case("meshgrid", [make(F, 2), make(F, 3)])
    case("repeat_interleave.Tensor", ids(2, 0, 1))
    x = make(F, 2, 3)
    case("broadcast_to", x, [2, 4])
    case("broadcast_tensors", [x, make(F, 2)])
    case("movedim.int", x, 2, 0)
    case("movedim.intlist", x, [0, 0], [0, 1])
    case("movedim.intlist", x, [0], [0, 1])
    case("unfold", x, 1, 4, 1)
    case("unfold", x, 1, 2, 0)
    case("diagonal", x, 0, 1, 1)
    case("diagonal", make(F, 3))
    case("diag", make(F, 2, 2, 2))
    case("diag_embed", x, 0, 1, 1)
    case("unflatten.int", x, 1, [2, 2])
    case("tensor_split.sections", x, 0)
    case("tensor_split.sections", make(F), 1)
    case("hstack", [])
    case("vstack", [x, make(F, 2)])
    case("tile", x, [-1])
    case("repeat_interleave.self_int", x, -1)
    case("repeat_interleave.self_Tensor", x, ids(1, 2), 1)
    case("repeat_interleave.Tensor", ids([1, 2]))
    case("fliplr", make(F, 3))
    case("rot90", x, 1, [0, 0])
    case("rot90", make(F, 3))
    case("meshgrid.indexing", [x, x], indexing="ij")
    case("meshgrid.indexing", [make(F, 2)], indexing="ji")
    case("meshgrid", [make(F, 2), make(L, 2)])
    case("meshgrid", [])


def contractions():
    for d in (F, D, L):
        a, b, c = make(d, 2, 3), make(d, 4, 3), make(d, 3, 4)
        for text, given in (("ij,kj->ik", [a, b]), ("ij->ji", [a]), ("ij,ij->", [a, a]), ("...j,kj->...k", [make(d, 2, 5, 3), b]),
                            ("ii->i", [make(d, 3, 3)]), ("ii", [make(d, 3, 3)]), ("ij,jk", [a, c]), ("ij,jk,lk->il", [a, c, make(d, 5, 4)]),
                            ("bij,bjk->bik", [make(d, 2, 3, 4), make(d, 2, 4, 2)]), ("i,j->ij", [make(d, 2), make(d, 3)]),
                            ("ba", [a]), ("i->", [make(d, 4)]), ("bhid,bhjd->bhij", [make(d, 2, 2, 3, 4), make(d, 2, 2, 5, 4)]),
                            ("bi,ij,bj->b", [a, make(d, 3, 3), a]), ("...,...->...", [a, make(d, 1, 3)]), (" i j , j -> i", [a, make(d, 3)]),
                            ("iij->ij", [make(d, 2, 2, 3)]), ("ij,ik->j", [a, make(d, 2, 4)]), ("...ij->...ji", [make(d, 2, 3, 4)]),
                            ("ij,j->ij", [make(d, 2, 0), make(d, 0)]), ("ij,jk->ik", [make(d, 2, 0), make(d, 0, 3)]), (",->", [make(d), make(d)])):
            case("einsum", text, given)
        case("tensordot", a, b, [1], [1])
        case("tensordot", a, c, [-1], [0])
        case("tensordot", make(d, 2, 3, 4), make(d, 4, 3, 5), [1, 2], [1, 0])
        case("tensordot", a, b, [], [])
        case("tensordot", make(d, 2, 1), b, [1], [1])
        case("inner", a, b)
        case("inner", a, make(d))
        case("kron", a, c)
        case("kron", a, make(d, 2))
        case("trace", make(d, 3, 4))
        case("vdot", make(d, 3), make(d, 3))
        case("cross", make(d, 3, 4), make(d, 3, 4))
        case("cross", make(d, 2, 3), make(d, 2, 3), 1)
        case("linalg_cross", a, make(d, 3))
        case("chain_matmul", [a, c, make(d, 4, 2)])
        case("chain_matmul", [a])
        case("addr", make(d, 2, 3), make(d, 2), make(d, 3), beta=2, alpha=3)
        case("addbmm", make(d, 2, 3), make(d, 4, 2, 5), make(d, 4, 5, 3), beta=2)
    for d in (F, D):
        case("cov", make(d, 3, 5))
        case("cov", make(d, 5), correction=0)
        case("corrcoef", make(d, 3, 5))
        case("corrcoef", make(d, 4))
        case("bilinear", make(d, 2, 3), make(d, 2, 4), make(d, 5, 3, 4), make(d, 5))
        case("bilinear", make(d, 2, 2, 3), make(d, 2, 2, 4), make(d, 5, 3, 4), None)
    a, b = make(F, 2, 3), make(F, 4, 3)
    for text, given in (("ij,jk->ik", [a, b]), ("ij", [a, b]), ("ij,kj->ik", [a]), ("ij->ik", [a]), ("ij->ii", [a]), ("ijk->i", [a]),
                        ("i->i", [a]), ("i.j->i", [a]), ("i1->i", [a]), ("ii->i", [a]), ("ij,kj->ik", [a, make(D, 4, 3)])):
        case("einsum", text, given)
    case("tensordot", a, b, [0], [0])
    case("tensordot", a, b, [0, 1], [0])
    case("tensordot", a, b, [2], [0])
    case("inner", a, make(F, 2))
    case("trace", make(F, 3))
    case("cross", a, make(F, 2, 4))
    case("cross", make(F, 2, 4), make(F, 2, 4))
    case("linalg_cross", make(F, 2, 4), make(F, 2, 4))
    case("chain_matmul", [a, b])
    case("vdot", make(F, 3), make(F, 4))
    case("cov", make(F, 2, 2, 2))
    case("bilinear", make(F, 2, 3), make(F, 3, 4), make(F, 5, 3, 4), None)


def functions():
    for d in (F, D, L):
        x, y = make(d, 3, 4), make(d, 4)
        case("isclose", x, x + 1)
        case("isclose", x, y, 0.5, 0.5)
        case("allclose", x, x)
        case("allclose", x, x + 1)
        case("xlogy.Tensor", x, y.abs())
        case("xlogy.Scalar_Other", x, 2)
        case("xlogy.Scalar_Self", 2, x.abs())
        case("copysign.Tensor", x, y)
        case("copysign.Scalar", x, -1)
        case("heaviside", x, y)
        case("isposinf", x)
        case("isneginf", x)
        case("signbit", x)
        for op in ("asinh", "acosh", "atanh", "sinc", "special_expit"):
            case(op, x)
        if d != L:
            case("hypot", x, y)
            case("hypot_", x.clone(), y)
            case("logaddexp", x, y)
            case("logaddexp2", x, y)
            case("acosh_", x.abs() + 1)
    case("isclose", SPECIAL, SPECIAL, equal_nan=True)
    case("isclose", SPECIAL, SPECIAL)
    case("isclose", SPECIAL, SPECIAL.flip(0))
    for op in ("asinh", "acosh", "atanh", "sinc", "signbit", "isposinf", "isneginf"):
        case(op, SPECIAL)
    case("logaddexp", SPECIAL.unsqueeze(1), SPECIAL[:5])
    case("xlogy.Tensor", SPECIAL.unsqueeze(1), SPECIAL[:6])
    case("isclose", make(F, 2), make(D, 2))
    case("isclose", make(F, 2), make(F, 2), -1.0)
    case("allclose", make(F, 2), make(F, 3))
    case("hypot", make(L, 2), make(L, 2))
    for d in (None, F, D, L):
        case("logspace", 0, 2, 5, dtype=d)
        case("logspace", -1, 1, 4, 2.0, dtype=d)
        case("logspace", 0.5, 2.5, 1, dtype=d)
    case("logspace", 0, 2, -1)
    for op in ("triu_indices", "tril_indices"):
        for row, col, offset in ((3, 3, 0), (2, 4, 1), (4, 2, -1), (3, 3, 5), (3, 3, -5), (0, 2, 0), (2, 0, 0)):
            case(op, row, col, offset)
        case(op, 3, 3, dtype=I)
        case(op, -1, 2)
    for given, out in ((("div.out", make(F, 2, 3), make(F, 3)), make(F, 2, 3)), (("div.out", make(L, 2), make(L, 2)), make(L, 2)),
                       (("exp.out", make(F, 3)), make(F, 3)), (("sum.IntList_out", make(F, 2, 3), [1]), make(F, 2)),
                       (("tensordot.out", make(F, 2, 3), make(F, 3, 2), [1], [0]), make(F, 2, 2)),
                       (("matmul.out", make(F, 2, 3), make(F, 3, 2)), make(F, 2, 2)), (("cat.out", [make(F, 2), make(F, 1)]), make(F, 3)),
                       (("norm.out", make(F, 2, 3), 2, [1]), make(F, 2)), (("matmul.out", make(F, 2, 3), make(F, 2, 2)), make(F, 2, 2))):
        case(*given, out=out)


def resizing():
    for d in (F,):
        line, picture = make(d, 2, 3, 5), make(d, 2, 3, 4, 5)
        for op in ("upsample_nearest", "_upsample_nearest_exact"):
            case(op + "1d", line, [8])
            case(op + "1d", line, [3], 0.7)
            case(op + "2d", picture, [8, 3])
            case(op + "2d.vec", picture, [7, 9], None)
            case(op + "2d.vec", picture, None, [2.0, 1.5])
            case(op + "2d.vec", picture.transpose(2, 3), None, [0.7, 0.5])
            case(op + "1d.vec", line, None, [2.3])
        for aligned in (False, True):
            case("upsample_linear1d", line, [8], aligned)
            case("upsample_linear1d.vec", line, None, aligned, [1.7])
            for op in ("upsample_bilinear2d", "upsample_bicubic2d"):
                case(op, picture, [8, 3], aligned)
                case(op, picture, [1, 1], aligned)
                case(op + ".vec", picture, [4, 9], aligned, None)
                case(op + ".vec", picture, None, aligned, [2.0, 1.3])
        case("pixel_shuffle", make(d, 2, 8, 3, 2), 2)
        case("pixel_unshuffle", make(d, 2, 2, 4, 6), 2)
        case("channel_shuffle", make(d, 2, 6, 3), 3)
        for mode in (0, 1):
            for padding in (0, 1, 2):
                for aligned in (False, True):
                    case("grid_sampler", picture, make(d, 2, 3, 2, 2) * 0.7, mode, padding, aligned)
        case("affine_grid_generator", make(d, 2, 2, 3), [2, 1, 3, 4], True)
        case("affine_grid_generator", make(d, 2, 2, 3), [2, 1, 3, 1], False)
        for op, sizes in (("reflection", (2, 1)), ("replication", (3, 4))):
            case(f"{op}_pad1d", line, list(sizes))
            case(f"{op}_pad2d", picture, [1, 2, *sizes])
            case(f"{op}_pad2d", picture[0], [1, 0, *sizes])
            case(f"{op}_pad3d", make(d, 2, 2, 3, 3, 3), [1, 1, 0, 2, *sizes])
        case("reflection_pad2d", picture.transpose(1, 3), [-1, 1, 1, -1])
        for mode in ("reflect", "replicate", "circular"):
            case("pad", line, [2, 1], mode)
            case("pad", picture, [2, 1, 0, 3], mode)
        case("adaptive_max_pool1d", line, [3])
        case("adaptive_max_pool2d", picture, [3, 2])
        case("adaptive_max_pool2d", picture[0].transpose(1, 2), [1, 7])
        case("max_pool1d_with_indices", line, [2], [2], [1], [1], True)
        case("max_pool2d_with_indices", picture, [3, 2], [2, 1], [1, 1], [1, 1], True)
        case("max_pool2d_with_indices", picture, [2], [], [0], [2])
        case("group_norm", make(d, 2, 6, 3), 3, make(d, 6), make(d, 6))
        case("group_norm", make(d, 2, 6, 3, 2), 2, None, None, 0.1)
        case("group_norm", make(d, 2, 4), 2, make(d, 4))
        case("instance_norm", picture, make(d, 3), make(d, 3), None, None, True, 0.1, 1e-5, False)
        case("instance_norm", picture, None, None, None, None, True, 0.1, 1e-5, False)
        case("instance_norm", picture, make(d, 3), make(d, 3), make(d, 3), make(d, 3).abs(), False, 0.1, 1e-5, False)
    line, picture = make(F, 2, 3, 5), make(F, 2, 3, 4, 5)
    case("upsample_nearest2d", picture, [0, 3])
    case("upsample_nearest2d", line, [4, 3])
    case("upsample_nearest2d", picture, [4])
    case("upsample_nearest2d", make(L, 2, 3, 4, 5), [4, 4])
    case("upsample_bilinear2d.vec", picture, [4, 4], False, [1.0, 1.0])
    case("upsample_bilinear2d.vec", picture, None, False, None)
    case("pixel_shuffle", make(F, 2, 6, 3, 2), 2)
    case("pixel_unshuffle", make(F, 2, 6, 3, 2), 2)
    case("channel_shuffle", make(F, 2, 5, 3), 2)
    case("grid_sampler", picture, make(F, 1, 3, 2, 2), 0, 0, False)
    case("grid_sampler", picture, make(F, 2, 3, 2, 3), 0, 0, False)
    case("grid_sampler", picture, make(D, 2, 3, 2, 2), 0, 0, False)
    case("affine_grid_generator", make(F, 2, 3, 3), [2, 1, 3, 4], True)
    case("reflection_pad1d", line, [5, 1])
    case("reflection_pad2d", line, [1, 1])
    case("upsample_bilinear2d", make(D, 1, 2, 2, 3), [4, 4], False)
    case("upsample_bicubic2d", make(D, 1, 1, 2, 3), [4, 4], False)
    case("grid_sampler", make(D, 1, 2, 3, 3), make(D, 1, 2, 2, 2), 0, 2, False)
    case("pad", line, [1, 1], "mirror")
    case("pad", line, [6, 1], "circular")
    case("adaptive_max_pool2d", make(F, 3), [2, 2])
    case("max_pool2d_with_indices", picture, [2, 2], [], [2, 2])
    case("group_norm", make(F, 2, 5), 2)
    case("group_norm", make(F, 2, 4), 2, make(F, 3))
    case("instance_norm", picture, None, None, None, None, False, 0.1, 1e-5, False)


def scattering():
    for d in (F, D, L, I):
        x, index, source = make(d, 3, 4), torch.randint(0, 3, (2, 4)), make(d, 3, 4)
        for reduce in ("sum", "prod", "mean", "amax", "amin"):
            for own in (True, False):
                case("scatter_reduce.two", x, 0, index, source, reduce, include_self=own)
            case("scatter_reduce_.two", x.clone().t(), 1, index.t(), source.t(), reduce)
        for reduce in ("add", "multiply"):
            case("scatter.reduce", x, 0, index, source, reduce=reduce)
            case("scatter.value_reduce", x, 1, index, 2, reduce=reduce)
    x, index = make(F, 3, 4), torch.randint(0, 3, (2, 4))
    case("scatter_reduce.two", x, 0, index, make(F, 3, 4), "average")
    case("scatter_reduce.two", x, 0, index + 3, make(F, 3, 4), "sum")
    case("scatter_reduce.two", x, 0, index, make(L, 3, 4), "sum")
    case("scatter_reduce.two", x, 2, index, make(F, 3, 4), "sum")
    case("scatter.reduce", x, 0, index, make(F, 3, 4), reduce="sub")


def layers():
    for d in (F, D):
        line, picture = make(d, 2, 4, 5), make(d, 2, 4, 3, 5)
        case("conv_transpose1d", line, make(d, 4, 3, 3), make(d, 3), [2], [1], [1])
        case("conv_transpose1d", line[0].clone(), make(d, 4, 2, 2), None)
        case("conv_transpose1d", line, make(d, 4, 2, 3), None, [3], [0], [2], 2, [2])
        case("conv_transpose2d.input", picture, make(d, 4, 3, 3, 2), make(d, 3), [2, 1], [1, 0], [1, 0])
        case("conv_transpose2d.input", picture, make(d, 4, 1, 2, 2), None, [2], [0], [0], 4)
        case("conv_transpose2d.input", picture, make(d, 4, 2, 3, 3), make(d, 4), [1], [2], [0], 2, [2])
        case("_convolution", picture, make(d, 4, 3, 3, 2), make(d, 3), [2, 2], [1, 0], [1, 1], True, [1, 0], 1, False, False, True, True)
        case("nansum", picture, [1])
        case("nanmean", reals(1, NAN, 3, NAN, d=d).view(2, 2), [0], True)
        case("frobenius_norm.dim", picture, [2, 3])
        for op, extra in (("tril_", (0,)), ("triu_", (1,)), ("cumsum_", (1,)), ("cumprod_", (0,))):
            case(op, make(d, 3, 4), *extra)
        case("addmm_", make(d, 2, 3), make(d, 2, 4), make(d, 4, 3), beta=2, alpha=3)
        case("addr_", make(d, 2, 3), make(d, 2), make(d, 3))
        case("fill.Scalar", picture, 2)
        case("ravel", line)
        case("unsafe_chunk", line, 2, 1)
        case("unsafe_split.Tensor", line, 2, 2)
        case("arctan2", make(d, 3), make(d, 3))
        case("positive", line)
    line, picture = make(F, 2, 4, 5), make(F, 2, 4, 3, 5)
    case("nansum", make(L, 2, 3), None)
    case("nanmean", make(L, 2, 3))
    case("conv_transpose1d", line, make(F, 3, 3, 3), None)
    case("conv_transpose1d", line, make(F, 4, 3, 3), None, [2], [0], [2])
    case("conv_transpose1d", line, make(F, 4, 3, 3), None, [0])
    case("conv_transpose2d.input", picture, make(F, 4, 3, 3), None)
    case("conv_transpose2d.input", picture, make(F, 4, 3, 1, 1), None, [1], [2])
    case("addmm_", make(F, 3), make(F, 2, 4), make(F, 4, 3))


def images():
    """Positions that are not finite, batches of none, statistics that move."""
    for d in (F, D):
        picture = make(d, 1, 2, 3, 4)
        places = reals(NAN, 0.1, INF, 0.2, 0.1, -INF, 0.3, NAN, d=d).view(1, 2, 2, 2)
        volume, spots = make(d, 1, 1, 2, 3, 4), reals(NAN, 0.2, 0.1, 0.1, INF, 0.1, 0.2, 0.1, -INF, d=d).view(1, 1, 1, 3, 3)
        for mode in (0, 1, 2):
            for padding in (0, 1, 2):
                case("grid_sampler", picture, places, mode, padding, padding == 1)
                if mode < 2:
                    case("grid_sampler", volume, spots, mode, padding, padding == 1)
        case("grid_sampler", make(d, 0, 2, 3, 4), make(d, 0, 1, 2, 2), 2, 0, False)
        case("grid_sampler", make(d, 0, 2, 2, 3, 4), make(d, 0, 1, 1, 2, 3), 0, 0, False)
        picture = make(d, 2, 3, 4, 5)
        case("instance_norm", picture, make(d, 3), None, make(d, 3), make(d, 3).abs(), True, 0.3, 1e-5, False)
        case("instance_norm", picture.permute(1, 0, 3, 2), None, None, make(d, 2), make(d, 2), True, 0.1, 0.1, False)
    case("grid_sampler", make(F, 1, 2, 0, 4), make(F, 1, 1, 2, 2), 2, 0, False)
    case("instance_norm", make(F, 2, 3, 4), None, None, make(F, 4), make(F, 4), True, 0.1, 1e-5, False)


def pairs():
    """Distances of the rows of one matrix."""
    for d in (F, D):
        for p in (2.0, 1.0, 3.0, INF, 0.0):
            case("pdist", make(d, 4, 3), p)
        case("pdist", make(d, 3, 4).t())
        for shape in ((1, 3), (0, 3), (3, 0)):
            case("pdist", make(d, *shape))
    case("pdist", make(F, 3))
    case("pdist", make(L, 3, 2))
    case("pdist", make(F, 3, 2), -1.0)


def turned():
    """Matrices turned around, and the inverse of a pooling for a batch of none."""
    for d in (F, D):
        for name in ("mT", "mH", "adjoint"):
            case(name, make(d, 2, 3))
            case(name, make(d, 2, 3, 4).transpose(0, 1))
            case(name, make(d))
        case("max_unpool2d", make(d, 0, 3, 2, 2), ids().view(0, 3, 2, 2), [4, 4])
        case("max_unpool3d", make(d, 0, 3, 2, 2, 2), ids().view(0, 3, 2, 2, 2), [4, 4, 4], [2, 2, 2], [0, 0, 0])
    case("mH", make(F, 3))


GROUPS = (shrinking, losses, classes, distances, ranks, counts, placing, shapes, contractions, functions, resizing, scattering, layers, images, pairs, turned)
if __name__ == "__main__":
    for number, group in enumerate(GROUPS):
        torch.manual_seed(100 + number)
        group()
