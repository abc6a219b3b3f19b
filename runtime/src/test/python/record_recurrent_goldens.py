"""Records what libtorch returns for recurrent layers, their cells and packed sequences.

Usage: python3 record_recurrent_goldens.py > recurrent-golden.txt   (torch 1.13.1)
"""
import torch
from record_tensor_goldens import B, D, F, I, L, case

torch.manual_seed(11)
GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def make(dtype, *shape):
    """Multiples of 1/16, which are short as text."""
    return (torch.randint(-16, 17, shape) / 16).to(dtype)


def weights(kind, dtype, features, size, layers, directions, biases, projection=0):
    """The parameters of all layers, in the order of nn.RNNBase."""
    found, state = [], projection or size
    for layer in range(layers):
        width = features if layer == 0 else state * directions
        for _ in range(directions):
            rows = GATES[kind] * size
            found += [make(dtype, rows, width), make(dtype, rows, state)]
            found += [make(dtype, rows), make(dtype, rows)] if biases else []
            found += [make(dtype, projection, size)] if projection else []
    return found


def states(kind, dtype, count, batch, size, projection=0):
    hidden = make(dtype, count, batch, projection or size)
    return [hidden, make(dtype, count, batch, size)] if kind == "lstm" else hidden


def padded(kind, dtype, layers=1, bidirectional=False, biases=True, batch_first=False, batch=3, steps=4, features=5,
           size=6, projection=0, dropout=0.0, train=False):
    directions = 1 + bidirectional
    x = make(dtype, batch, steps, features) if batch_first else make(dtype, steps, batch, features)
    case(kind + ".input", x, states(kind, dtype, layers * directions, batch, size, projection),
         weights(kind, dtype, features, size, layers, directions, biases, projection), biases, layers, dropout, train,
         bidirectional, batch_first)


def packed(kind, dtype, sizes, layers=1, bidirectional=False, biases=True, projection=0):
    directions = 1 + bidirectional
    case(kind + ".data", make(dtype, sum(sizes), 4), torch.tensor(sizes),
         states(kind, dtype, layers * directions, sizes[0], 5, projection),
         weights(kind, dtype, 4, 5, layers, directions, biases, projection), biases, layers, 0.0, False, bidirectional)


def layers():
    for kind in GATES:
        for dtype in (F, D):
            padded(kind, dtype)
            padded(kind, dtype, layers=2, bidirectional=True, batch_first=True)
            padded(kind, dtype, biases=False, batch=1, steps=1, features=1, size=1)
            packed(kind, dtype, [3, 3, 2, 1])
            packed(kind, dtype, [4, 2, 1], layers=2, bidirectional=True)
        padded(kind, F, layers=3, train=True)
        padded(kind, F, layers=2, train=True, dropout=1.0)
        padded(kind, F, layers=2, train=False, dropout=0.5)
        padded(kind, F, batch=0)
        packed(kind, F, [2], biases=False)
        packed(kind, F, [1, 1, 1], bidirectional=True, biases=False)
    for dtype in (F, D):
        padded("lstm", dtype, projection=3)
        padded("lstm", dtype, projection=3, layers=2, bidirectional=True, batch_first=True)
        padded("lstm", dtype, projection=2, layers=2, biases=False)
        packed("lstm", dtype, [3, 2, 2, 1], layers=2, bidirectional=True, projection=4)
    h, w = make(F, 1, 6, 3), weights("gru", F, 5, 3, 1, 1, True)
    x = make(F, 12, 4, 10)[::2, :, ::2].transpose(0, 1)
    case("gru.input", x, h, [w[0].t().contiguous().t()] + w[1:], True, 1, 0.0, False, False, False)
    case("gru.input", x[0], h, w, True, 1, 0.0, False, False, True)


def wrong_layers():
    x, h, c = make(F, 4, 3, 5), make(F, 1, 3, 6), make(F, 1, 3, 6)
    w = weights("lstm", F, 5, 6, 1, 1, True)
    plain = (True, 1, 0.0, False, False, False)
    case("lstm.input", x, [h], w, *plain)
    case("lstm.input", x, [h, c[:, :2]], w, *plain)
    case("lstm.input", x[:0], [h, c], w, *plain)
    case("lstm.input", x[:, :, :4], [h, c], w, *plain)
    case("lstm.input", x, [h, c], w[:3], *plain)
    case("lstm.input", x, [h, c], w, True, 2, 0.0, False, False, False)
    case("lstm.input", x.double(), [h, c], w, *plain)
    case("lstm.input", x.to(I), [h, c], w, *plain)
    two = weights("gru", F, 5, 6, 2, 1, True)
    case("gru.input", x, make(F, 2, 3, 6), two, True, 2, 1.5, True, False, False)
    case("gru.input", x, make(F, 2, 2, 6), two, True, 2, 0.0, False, False, False)
    case("gru.input", x, make(F, 2, 3, 7), two, True, 2, 0.0, False, False, False)
    d, g = make(F, 9, 5), weights("gru", F, 5, 6, 1, 1, True)
    flat = (True, 1, 0.0, False, False)
    case("gru.data", d, torch.tensor([2, 3, 2, 2]), make(F, 1, 2, 6), g, *flat)
    case("gru.data", d, torch.tensor([3, 3, 2, 2]), h, g, *flat)
    case("gru.data", d, torch.tensor([3, 3, 3]), make(F, 1, 4, 6), g, *flat)


def cells():
    for kind in GATES:
        for dtype in (F, D):
            for biases in (True, False):
                w = weights(kind, dtype, 4, 5, 1, 1, biases)
                h = make(dtype, 3, 5)
                case(kind + "_cell", make(dtype, 4, 3).t(), [h, make(dtype, 3, 5)] if kind == "lstm" else h, *w)
        w = weights(kind, F, 4, 5, 1, 1, True)
        for x, h in ((make(F, 2, 3), make(F, 2, 5)), (make(F, 2, 4), make(F, 3, 5)), (make(F, 2, 4), make(F, 2, 6)),
                     (make(D, 2, 4), make(F, 2, 5)), (make(F, 4), make(F, 5))):
            case(kind + "_cell", x, [h, h] if kind == "lstm" else h, *w)
        case(kind + "_cell", make(F, 0, 4), [make(F, 0, 5)] * 2 if kind == "lstm" else make(F, 0, 5), *w)
    case("lstm_cell", make(F, 2, 4), [make(F, 2, 5)], *weights("lstm", F, 4, 5, 1, 1, True))


def packing():
    x = make(F, 5, 3, 2)
    for lengths in ([5, 3, 2], [4, 4, 4], [3, 1, 1], [5, 3], [5, 3, 0], [2, 3, 5]):
        for dtype in (F, D, L, B):
            case("_pack_padded_sequence", x.to(dtype), torch.tensor(lengths), False)
        case("_pack_padded_sequence", x.transpose(0, 1), torch.tensor(lengths), True)
        case("_pack_padded_sequence", x[:, :, 0], torch.tensor(lengths), False)
        case("_pack_padded_sequence", make(F, 5, 3, 2, 2), torch.tensor(lengths), False)
    case("_pack_padded_sequence", x[:0], torch.tensor([5, 3, 2]), False)
    case("_pack_padded_sequence", x, torch.tensor([5, 3, 2], dtype=I), False)
    case("_pack_padded_sequence", x, torch.tensor([[5, 3, 2]]), False)
    case("_pack_padded_sequence", x[:, 0, 0], torch.tensor([5, 3, 2]), False)
    for dtype in (F, D, L):
        for first, value, total in ((False, 0, 0), (True, -1.5, 0), (False, 2, 4), (True, 0.0, 6), (False, 0, 3)):
            case("_pad_packed_sequence", make(dtype, 9, 2), torch.tensor([3, 3, 2, 1]), first, value, total)
    case("_pad_packed_sequence", make(F, 9), torch.tensor([3, 3, 2, 1]), True, 0.0, 0)
    case("_pad_packed_sequence", make(F, 9, 2, 2), torch.tensor([3, 3, 2, 1]), True, 0.0, 5)
    case("_pad_packed_sequence", make(F, 8, 2), torch.tensor([3, 3, 2, 1]), False, 0.0, 0)
    case("_pad_packed_sequence", make(F, 9, 2), torch.tensor([2, 3, 3, 1]), False, 0.0, 0)
    case("_pad_packed_sequence", make(F, 9, 2), torch.tensor([3, 3, 2, 1], dtype=I), False, 0.0, 0)


for group in (layers, wrong_layers, cells, packing):
    group()
