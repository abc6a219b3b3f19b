"""Records what libtorch returns for operations that programs seldom use, among those of its operator database.

Usage: python3 record_operator_goldens.py > operator-golden.txt   (torch 1.13.1)
"""
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


GROUPS = (
    in_place, reductions_by_index,
)

if __name__ == "__main__":
    for group in GROUPS:
        group()
        print(group.__name__, file=sys.stderr)
