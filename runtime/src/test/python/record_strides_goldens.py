"""Records the strides of PyTorch's results of pointwise operations, copies and image operations, for ResultStridesTest.

Usage: record_strides_goldens.py [LINES [LINES OF IMAGES [LINES OF OTHERS [LINES OF PLACED]]]]. Each line is
`OPERATION OPERANDS -> STRIDES`, with an operand as `SIZES@STRIDES`.
"""

import random
import sys
import torch

OPERATIONS = {
    "abs": (1, torch.abs),
    "add.Scalar": (1, lambda x: x + 2),
    "add.Tensor": (2, torch.add),
    "clamp.Tensor": (3, torch.clamp),
    "clone": (1, torch.clone),
    "empty_like": (1, torch.empty_like),
    "gt.Tensor": (2, torch.gt),
    "lerp.Tensor": (3, torch.lerp),
    "log_sigmoid": (1, torch.nn.functional.logsigmoid),
    "masked_fill.Scalar": (2, lambda x, mask: x.masked_fill(mask, 2)),
    "maximum": (2, torch.maximum),
    "mul.Tensor": (2, torch.mul),
    "pow.Scalar": (1, lambda x: torch.pow(2, x)),
    "rsub.Tensor": (2, torch.rsub),
    "to.dtype": (1, lambda x: x.to(torch.float64)),
    "where.self": (3, torch.where),
}

IMAGES = {
    "adaptive_avg_pool2d": lambda x: torch.nn.functional.adaptive_avg_pool2d(x, 2),
    "avg_pool2d": lambda x: torch.nn.functional.avg_pool2d(x, 2),
    "conv2d": torch.nn.functional.conv2d,
    "max_pool2d": lambda x: torch.nn.functional.max_pool2d(x, 2),
}

OTHERS = {
    "_upsample_bilinear2d_aa": lambda x: torch.ops.aten._upsample_bilinear2d_aa(x, [3, 2], False),
    "adaptive_max_pool2d": lambda x: torch.ops.aten.adaptive_max_pool2d(x, [2, 2])[0],
    "argsort": lambda x: torch.argsort(x, 1),
    "channel_shuffle": lambda x: torch.channel_shuffle(x, 2),
    "flip": lambda x: torch.flip(x, [1, 3]),
    "group_norm": lambda x: torch.nn.functional.group_norm(x, 2),
    "lgamma": torch.lgamma,
    "max_pool2d_with_indices": lambda x: torch.ops.aten.max_pool2d_with_indices(x, [2, 2])[0],
    "pixel_shuffle": lambda x: torch.nn.functional.pixel_shuffle(x, 2),
    "pixel_unshuffle": lambda x: torch.nn.functional.pixel_unshuffle(x, 2),
    "roll": lambda x: torch.roll(x, [1, 3], [1, 3]),
    "sort": lambda x: torch.sort(x, 1)[0],
    "special_zeta": torch.special.zeta,
    "stack": lambda *x: torch.stack(x, 1),
    "upsample_bilinear2d": lambda x: torch.ops.aten.upsample_bilinear2d(x, [3, 6], False),
    "upsample_nearest2d": lambda x: torch.ops.aten.upsample_nearest2d(x, [3, 6]),
}

PLACED = {
    "index_add": lambda x: x.index_add(0, torch.zeros(x.shape[0], dtype=torch.long), x),
    "index_copy": lambda x: x.index_copy(0, torch.zeros(x.shape[0], dtype=torch.long), x),
    "index_fill.int_Scalar": lambda x: x.index_fill(0, torch.zeros(x.shape[0], dtype=torch.long), 2),
    "index_put": lambda x: x.index_put((torch.zeros(x.shape[0], dtype=torch.long),), x),
    "masked_scatter": lambda x: x.masked_scatter(x > 0, x),
    "rrelu": torch.rrelu,
    "scatter.src": lambda x: x.scatter(0, torch.zeros(x.shape, dtype=torch.long), x),
    "scatter.value": lambda x: x.scatter(0, torch.zeros(x.shape, dtype=torch.long), 2),
    "scatter_add": lambda x: x.scatter_add(0, torch.zeros(x.shape, dtype=torch.long), x),
    "scatter_reduce.two": lambda x: x.scatter_reduce(0, torch.zeros(x.shape, dtype=torch.long), x, "sum"),
}


def operand(draw, sizes, dtype):
    """A tensor that broadcasts to the sizes: permuted, perhaps with gaps and repeated dimensions; or row-major.

    If it is contiguous, it has the strides of a new tensor, also in dimensions of size 1, because Staunch reads it so.
    """
    own = [1 if draw.random() < 0.2 else size for size in sizes]
    repeated = [size > 1 and draw.random() < 0.15 for size in own]
    order = list(range(len(own)))
    if draw.random() < 0.75:
        draw.shuffle(order)
    strides = [0] * len(own)
    step = 1
    for dim in reversed(order):
        if not repeated[dim]:
            strides[dim] = step
            step *= own[dim] * (2 if draw.random() < 0.15 else 1)
    tensor = torch.empty(step, dtype=dtype).as_strided(own, strides)
    if tensor.is_contiguous():
        tensor = torch.empty(own, dtype=dtype)
    leading = 0
    while leading < len(own) and own[leading] == 1 and draw.random() < 0.5:
        leading += 1
    return tensor.reshape(tensor.shape[leading:]) if leading else tensor


def image(draw, sizes):
    """Row-major, channels last, expanded or permuted in any way; perhaps with gaps."""
    orders = ([0, 1, 2, 3], [0, 2, 3, 1], [0, 2, 3, 1], draw.sample(range(4), 4))
    strides = [0] * 4
    step = 1
    for dim in reversed(draw.choice(orders)):
        if sizes[dim] == 1 or draw.random() < 0.95:
            strides[dim] = step
            step *= sizes[dim] * (2 if draw.random() < 0.1 else 1)
    return torch.empty(step).as_strided(sizes, strides)


def text(values):
    return ",".join(map(str, values)) or "-"


def line_of(name, operands, result):
    return f"{name} {' '.join(text(x.shape) + '@' + text(x.stride()) for x in operands)} -> {text(result.stride())}"


def images(lines):
    draw = random.Random(20261124)
    seen = set()
    while len(seen) < lines:
        name, function = draw.choice(sorted(IMAGES.items()))
        channels = draw.randint(1, 4)
        operands = [image(draw, [draw.randint(1, 3), channels, draw.randint(2, 5), draw.randint(2, 5)])]
        if name == "conv2d":
            operands.append(image(draw, [draw.randint(1, 4), channels, draw.randint(1, 2), draw.randint(1, 2)]))
        line = line_of(name, operands, function(*operands))
        if line not in seen:
            seen.add(line)
            print(line)


def others(lines):
    draw = random.Random(20261128)
    seen = set()
    while len(seen) < lines:
        name, function = draw.choice(sorted(OTHERS.items()))
        sizes = [draw.randint(1, 3), draw.choice((4, 8) if name == "pixel_shuffle" else (2, 4)), draw.choice((2, 4)), draw.choice((2, 4))]
        operands = [image(draw, sizes) for _ in range(2 if name in ("stack", "special_zeta") else 1)]
        line = line_of(name, operands, function(*operands))
        if line not in seen:
            seen.add(line)
            print(line)


def placed(lines):
    draw = random.Random(20261129)
    seen = set()
    while len(seen) < lines:
        name, function = draw.choice(sorted(PLACED.items()))
        x = image(draw, [draw.randint(1, 3) for _ in range(4)])
        line = line_of(name, [x], function(x))
        if line not in seen:
            seen.add(line)
            print(line)


def main(lines):
    draw = random.Random(20261124)
    seen = set()
    while len(seen) < lines:
        name, (count, function) = draw.choice(sorted(OPERATIONS.items()))
        sizes = [draw.choice((1, 2, 3, 4)) for _ in range(draw.randint(2, 4))]
        masks = {"where.self": 0, "masked_fill.Scalar": 1}
        operands = [operand(draw, sizes, torch.bool if masks.get(name) == i else torch.float) for i in range(count)]
        if all(each.is_contiguous() for each in operands) and draw.random() < 0.9:
            continue
        result = function(*operands)
        line = line_of(name, operands, result)
        if line not in seen:
            seen.add(line)
            print(line)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
images(int(sys.argv[2]) if len(sys.argv) > 2 else 120)
others(int(sys.argv[3]) if len(sys.argv) > 3 else 150)
placed(int(sys.argv[4]) if len(sys.argv) > 4 else 100)
