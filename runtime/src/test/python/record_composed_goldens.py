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


GROUPS = (shrinking, losses, classes, distances)
if __name__ == "__main__":
    for number, group in enumerate(GROUPS):
        torch.manual_seed(100 + number)
        group()
