"""Records what PyTorch returns for the calls of SurfaceGoldenTest.

Usage: record_surface_goldens.py values|promotion. `values` writes `NAME DTYPE SHAPE VALUES` for each call, where a
sequence counts as several; `promotion` writes `OPERATION LEFT RIGHT RESULT`, where each side is `int`, `float` or a
dtype, followed by `0` if it has no dimensions.
"""

import sys
import torch
import torch.nn.functional as F

x = torch.tensor([[0.5, -1.5, 2.0], [3.0, -0.25, 1.0]])
y = torch.tensor([2.0, 0.5, -1.0])
n = torch.tensor([[7, -7, 3], [2, -5, 9]])
k = torch.tensor([2, -3, 4])
b = torch.tensor([True, False, True])
s = torch.tensor(3)
z = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
image = torch.arange(32.0).view(1, 2, 4, 4)
kernel = torch.linspace(-1, 1, 24).view(3, 2, 2, 2)

CALLS = {
    "add tensor": lambda: x + y, "add int": lambda: x + 2, "add float": lambda: n + 2.5, "add bool": lambda: b + 1,
    "add scalar tensor": lambda: x + s, "sub": lambda: n - k, "rsub": lambda: 1 - x, "mul": lambda: x * n, "div int": lambda: n / k,
    "div float": lambda: x / 2, "floorDivide": lambda: n // k, "floorDivide float": lambda: n // 2.0, "remainder": lambda: n % k,
    "fmod": lambda: n.fmod(k), "pow int": lambda: n**2, "pow float": lambda: z**0.5, "neg": lambda: -n, "abs": lambda: x.abs(),
    "maximum": lambda: x.maximum(y), "clamp": lambda: x.clamp(-1.0, 1.0), "clamp int": lambda: n.clamp(-3, 5),
    "lerp": lambda: x.lerp(torch.ones_like(x), 0.25), "addcmul": lambda: x.addcmul(y, y, value=0.5), "exp": lambda: x.exp(), "log int": lambda: s.log(),
    "sqrt": lambda: z.sqrt(), "atan2": lambda: x.atan2(y), "round": lambda: x.round(), "floor int": lambda: n.floor(),
    "eq": lambda: n == 2, "lt": lambda: x < y, "ge scalar": lambda: n >= 2.5, "logicalNot": lambda: n.logical_not(),
    "logicalXor": lambda: b.logical_xor(k), "bitwiseAnd": lambda: n & 3, "bitwiseNot": lambda: ~b, "where": lambda: torch.where(b, x, y),
    "where scalar": lambda: torch.where(x > 0, x, torch.tensor(0.0)), "sum": lambda: n.sum(), "sum bool": lambda: b.sum(), "sum dims": lambda: x.sum((0,)),
    "sum keep": lambda: x.sum((-1,), True), "mean": lambda: x.mean(), "mean dims": lambda: x.mean((0, 1)), "prod": lambda: n.prod(1),
    "std": lambda: x.std(), "var": lambda: x.var((1,), False, True), "norm": lambda: x.norm(), "norm one": lambda: x.norm(1, (1,), False),
    "max": lambda: x.max(), "max dim": lambda: list(x.max(1)), "min dim keep": lambda: list(n.min(0, True)), "argmax": lambda: x.argmax(),
    "argmin dim": lambda: x.argmin(1), "all": lambda: b.all(), "any dim": lambda: (x > 1).any(0), "cumsum": lambda: n.cumsum(1),
    "logsumexp": lambda: x.logsumexp((1,)), "matmul": lambda: x @ z, "matmul vector": lambda: x @ y, "mm": lambda: x.mm(z),
    "bmm": lambda: x.view(1, 2, 3).bmm(z.view(1, 3, 2)), "dot": lambda: y.dot(y), "outer": lambda: y.outer(y), "addmm": lambda: torch.addmm(torch.ones(2), x, z, beta=2, alpha=0.5),
    "relu": lambda: x.relu(), "leakyRelu": lambda: F.leaky_relu(x, 0.1), "gelu": lambda: F.gelu(x), "silu": lambda: F.silu(x), "sigmoid": lambda: x.sigmoid(),
    "softplus": lambda: F.softplus(x), "softmax": lambda: x.softmax(1), "logSoftmax": lambda: x.log_softmax(0), "hardtanh": lambda: F.hardtanh(x, -1.0, 1.0),
    "linear": lambda: F.linear(x, z.t(), torch.ones(2)), "conv2d": lambda: F.conv2d(image, kernel), "conv2d more": lambda: F.conv2d(image, kernel, torch.ones(3), 2, 1, 1),
    "layerNorm": lambda: F.layer_norm(x, (3,)), "batchNorm": lambda: F.batch_norm(x, y, y * y), "embedding": lambda: F.embedding(torch.tensor([2, 0]), z),
    "maxPool2d": lambda: F.max_pool2d(image, 2), "avgPool2d": lambda: F.avg_pool2d(image, 3, 1, 1), "adaptive": lambda: F.adaptive_avg_pool2d(image, (3, 2)),
    "pad": lambda: F.pad(x, (1, 2)), "oneHot": lambda: F.one_hot(torch.tensor([2, 0]), 3), "reshape": lambda: x.reshape(3, -1), "flatten": lambda: image.flatten(1),
    "permute": lambda: image.permute(0, 2, 3, 1), "transpose": lambda: x.transpose(0, 1), "squeeze": lambda: x.unsqueeze(0).squeeze(), "expand": lambda: y.expand(2, -1),
    "narrow": lambda: x.narrow(1, 1, 2), "select": lambda: x.select(1, -1), "slice": lambda: image[:, :, 1:4:2], "repeat": lambda: y.repeat(2, 2), "flip": lambda: x.flip(1),
    "roll": lambda: y.roll(1, 0), "tril": lambda: x.tril(0), "split": lambda: list(x.split(2, 1)), "chunk": lambda: list(n.chunk(2, 0)), "unbind": lambda: list(z.unbind(1)),
    "sort": lambda: list(x.sort(1, True)), "argsort": lambda: n.argsort(1), "topk": lambda: list(x.topk(2)), "nonzero": lambda: (x > 0).nonzero(), "to int": lambda: x.to(torch.int32),
    "to bool": lambda: x.to(torch.bool), "gather": lambda: x.gather(1, torch.tensor([[0, 2], [1, 1]])), "maskedSelect": lambda: x.masked_select(b),
    "maskedFill": lambda: x.masked_fill(b, -9.0), "indexSelect": lambda: x.index_select(1, torch.tensor([2, 0])), "scatterAdd": lambda: torch.zeros(2, 3).scatter_add(1, torch.tensor([[0, 0, 2]]), x),
    "add_": lambda: x.clone().add_(y), "mul_ int": lambda: n.clone().mul_(2), "clamp_": lambda: x.clone().clamp_(0.0, 1.0), "fill_": lambda: x.clone().fill_(4), "copy_": lambda: n.clone().copy_(y),
    "argmax keep": lambda: n.argmax(1, True), "argmin keep": lambda: x.argmin(-1, True), "all keep": lambda: (x > 0).all(1, True), "any keep": lambda: (x > 2).any(1, True),
    "diff": lambda: x.diff(1, 0), "diff twice": lambda: n.diff(2, -1), "quantile": lambda: x.quantile(0.3), "quantile dim": lambda: x.quantile(0.75, 1, True),
    "bincount": lambda: torch.tensor([1, 3, 1]).bincount(), "bincount weights": lambda: torch.tensor([1, 3, 1]).bincount(y, 5), "histc": lambda: x.histc(4, -2, 2),
    "histc range": lambda: y.histc(3), "uniqueCounts": lambda: list(torch.unique(torch.tensor([[3, -1], [3, 0]]), return_inverse=True, return_counts=True)),
    "searchsorted": lambda: torch.searchsorted(torch.tensor([-1.0, 0.5, 1.0, 1.0]), x), "searchsorted right": lambda: torch.searchsorted(torch.tensor([-1.0, 0.5, 1.0, 1.0]), x, right=True),
    "isClose": lambda: x.isclose(x + torch.tensor([0.0, 0.2, 0.02]), 0.01, 0.1), "clamp tensors": lambda: x.clamp(torch.tensor([[0.0], [1.0]]), y), "clamp upper": lambda: x.clamp(None, y),
    "repeatInterleave": lambda: x.repeat_interleave(2, 0), "repeatInterleave tensor": lambda: x.repeat_interleave(torch.tensor([2, 0, 1]), 1), "diag": lambda: x.diag(1),
    "diag vector": lambda: y.diag(-1), "trace": lambda: n.trace(), "cov": lambda: x.cov(), "cdist": lambda: torch.cdist(z, z[:2]), "meshgrid": lambda: list(torch.meshgrid(y, z[0], indexing="ij")),
    "crossEntropy": lambda: F.cross_entropy(x, torch.tensor([2, 0])), "crossEntropy ignored": lambda: F.cross_entropy(x, torch.tensor([-100, 1])), "crossEntropy parts": lambda: F.cross_entropy(x, x.softmax(1)),
    "indexAdd": lambda: x.index_add(1, torch.tensor([2, 2]), z[:2, :2]), "indexAdd_": lambda: n.clone().index_add_(0, torch.tensor([1, 1]), torch.stack((k, k))),
    "maskedFill_": lambda: n.clone().masked_fill_(b, 5), "linspace": lambda: torch.linspace(-1, 1, 5), "logspace": lambda: torch.logspace(-1, 1, 3), "cat": lambda: torch.cat((x, n), 1), "stack": lambda: torch.stack((y, y), 1),
}
DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
OPERATIONS = {
    "add": lambda p, q: p + q, "mul": lambda p, q: p * q, "div": lambda p, q: p / q, "remainder": lambda p, q: p % q,
    "eq": lambda p, q: p == q, "pow": lambda p, q: p**q,
}


def name(tensor):
    return str(tensor.dtype).replace("torch.", "")


def values():
    for key, call in CALLS.items():
        results = call()
        for result in results if isinstance(results, list) else [results]:
            shape = ",".join(map(str, result.shape)) or "-"
            print("_".join(key.split()), name(result), shape, ",".join(repr(float(v)) for v in result.flatten()) or "-")


def promotion():
    sides = {d: torch.ones(2, dtype=getattr(torch, d)) for d in DTYPES}
    sides |= {d + "0": torch.ones((), dtype=getattr(torch, d)) for d in DTYPES}
    for operation, call in OPERATIONS.items():
        for left, p in sides.items():
            for right, q in (sides | {"int": 1, "float": 1.0}).items():
                try:
                    print(operation, left, right, name(call(p, q)))
                except RuntimeError:
                    pass


{"values": values, "promotion": promotion}[sys.argv[1]]()
