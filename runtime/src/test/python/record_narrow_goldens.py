"""Records what PyTorch returns for float16 or bfloat16 with a wider operand, for NarrowFloatGoldenTest.

Usage: record_narrow_goldens.py. Writes `DTYPE OPERATION OTHER VALUES`: OTHER is `longs`, `wide0` or `tenth0` (float64
without dimensions), `long0`, or a number.
"""

import torch

VALUES = [0.1, 1.5, -2.25, 7.3, 100.3, 2049.0, 0.33333, -0.7]
OTHERS = {
    "longs": torch.tensor([3, 2049, -4097, 7, 2051, 1001, 5, -3]), "wide0": torch.tensor(2049.1, dtype=torch.float64),
    "tenth0": torch.tensor(0.1, dtype=torch.float64), "long0": torch.tensor(4097), "0.1": 0.1, "4097": 4097, "2049.1": 2049.1,
}
for dtype in (torch.float16, torch.bfloat16):
    for name in ("add", "sub", "mul", "div", "fmod", "remainder", "floor_divide", "ne", "lt", "pow"):
        for key, other in OTHERS.items():
            result = getattr(torch, name)(torch.tensor(VALUES).to(dtype), other)
            print(str(dtype)[6:], name, key, ",".join(repr(float(v)) for v in result).replace("inf", "Infinity").replace("nan", "NaN"))
