"""Models after quantisation, with the answers of PyTorch 1.13 (engine onednn, which computes as on x86).

    TSGEN_OUT=out python3 quantized.py       (Debian's python3-torch and python3-torchvision)
"""
import warnings

import torch
import torch.ao.quantization as tq
import torch.nn as nn
import torch.nn.functional as F
import torch.ao.nn.quantized as nnq
from torch.ao.nn.quantized import FloatFunctional
from torch.ao.quantization import quantize_fx

import tsgen

warnings.filterwarnings("ignore")
torch.manual_seed(15)
torch.set_num_threads(1)
torch.backends.quantized.engine = "onednn"


def statically(module, *calibration):
    """Converts a module with stubs, by the ranges that it sees."""
    module = module.eval()
    module.qconfig = tq.get_default_qconfig("fbgemm")
    tq.prepare(module, inplace=True)
    for inputs in calibration:
        module(*inputs)
    return tq.convert(module, inplace=True)


def by_graph(module, *calibration, qconfig="fbgemm"):
    module = module.eval()
    mapping = tq.get_default_qconfig_mapping(qconfig)
    prepared = quantize_fx.prepare_fx(module, mapping, calibration[0])
    for inputs in calibration:
        prepared(*inputs)
    return quantize_fx.convert_fx(prepared)


class Stubbed(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.enter, self.inner, self.leave = tq.QuantStub(), inner, tq.DeQuantStub()

    def forward(self, x):
        return self.leave(self.inner(self.enter(x)))


def small_net(fused=False):
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, padding=1, groups=8), nn.Hardswish(),
        nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 6), nn.ReLU(inplace=True), nn.Linear(6, 3)).eval()
    return tq.fuse_modules(net, [["0", "1", "2"], ["8", "9"]] if fused else [["0", "1"]])


class Attention(nn.Module):
    """One layer as BERT has it."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = [nn.Linear(8, 8) for _ in range(4)]
        self.wide, self.narrow, self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 8), nn.LayerNorm(8), nn.LayerNorm(8)

    def forward(self, x):
        b, t, f = x.shape
        q, k, v = [layer(x).view(b, t, 2, f // 2).transpose(1, 2) for layer in (self.query, self.key, self.value)]
        mixed = torch.softmax(q @ k.transpose(2, 3) / 2.0, -1) @ v
        x = self.first(x + self.out(mixed.transpose(1, 2).reshape(b, t, f)))
        return self.second(x + self.narrow(F.gelu(self.wide(x))))


class Block(nn.Module):
    """A residual block with squeeze and excitation, as MobileNetV3 has them."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(4, 8, 1), nn.Conv2d(8, 4, 3, stride=1, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.squeeze, self.excite = nn.Conv2d(8, 2, 1), nn.Conv2d(2, 8, 1)
        self.gate, self.act = nn.Hardsigmoid(), nn.Hardswish()

    def forward(self, x):
        y = self.act(self.a(x))
        scale = self.gate(self.excite(F.relu(self.squeeze(F.adaptive_avg_pool2d(y, 1)))))
        return F.relu(self.norm(self.b(y * scale)) + x)


class Lines(nn.Module):
    """Convolutions over one dimension, one of them transposed."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv1d(3, 6, 5, stride=2, padding=2), nn.ConvTranspose1d(6, 3, 4, stride=2, padding=1)

    def forward(self, x):
        return torch.sigmoid(self.b(F.relu(self.a(x))))


class Up(nn.Module):
    """An encoder and a decoder with a skip connection."""

    def __init__(self):
        super().__init__()
        self.down, self.up, self.out = nn.Conv2d(2, 4, 3, stride=2, padding=1), nn.ConvTranspose2d(4, 4, 2, stride=2), nn.Conv2d(6, 2, 3, padding=1)

    def forward(self, x):
        y = self.up(F.relu(self.down(x)))
        return F.interpolate(self.out(torch.cat([x, y], 1)), scale_factor=2.0, mode="nearest")


class Tagger(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.embed = nn.Embedding(11, 6)
        self.rnn = kind(6, 5, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(10, 4)

    def forward(self, x):
        return self.out(self.rnn(self.embed(x))[0])


class Packed(nn.Module):
    """Sequences of different lengths."""

    def __init__(self, kind):
        super().__init__()
        self.rnn = kind(3, 4, bidirectional=True)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
        output, last = self.rnn(packed)
        return nn.utils.rnn.pad_packed_sequence(output)[0], last


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru, self.rnn = nn.LSTMCell(4, 3), nn.GRUCell(3, 3), nn.RNNCell(3, 2)

    def forward(self, x):
        h, c = self.lstm(x)
        return self.rnn(self.gru(h, c)), c


class Text(nn.Module):
    """A quantised embedding and a bag of them."""

    def __init__(self):
        super().__init__()
        self.words, self.bag, self.out = nn.Embedding(20, 8), nn.EmbeddingBag(20, 8, mode="sum"), nn.Linear(8, 3)

    def forward(self, x, flat, offsets):
        return self.out(self.words(x).mean(1) + self.bag(flat, offsets))


def nibbles(rows, width):
    """A table of 4-bit codes."""
    table = torch.randn(rows, width)
    low, high = table.min(1).values, table.max(1).values
    scales = (high - low) / 15
    return torch.quantize_per_channel(table, scales, -low / scales, 0, torch.quint4x2)


class Nibbles(nn.Module):
    """An embedding and a bag of them, of 4-bit codes."""

    def __init__(self):
        super().__init__()
        kind = dict(dtype=torch.quint4x2)
        self.words = nnq.Embedding(20, 8, _weight=nibbles(20, 8), **kind)
        self.bag = nnq.EmbeddingBag(12, 6, mode="sum", include_last_offset=True, _weight=nibbles(12, 6), **kind)

    def forward(self, x, flat, offsets):
        return self.words(x), self.bag(flat, offsets)


class Arithmetic(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.leave = tq.QuantStub(), tq.DeQuantStub()
        self.a, self.b, self.c, self.d, self.e = [FloatFunctional() for _ in range(5)]

    def forward(self, x, y):
        x, y = self.enter(x), self.enter(y)
        z = self.a.add_relu(self.b.mul(x, y), x)
        joined = self.c.cat([z, y], 1)
        return self.leave(self.d.add_scalar(joined, 0.3)), self.leave(self.e.mul_scalar(joined, -1.5)), self.leave(joined.transpose(0, 1).flatten())


class Values(nn.Module):
    """What a program can ask a quantised tensor."""

    def forward(self, x):
        q = torch.quantize_per_tensor(x, 0.05, 10, torch.quint8)
        s = torch.quantize_per_tensor(x, scale=0.02, zero_point=-3, dtype=torch.qint8)
        c = torch.quantize_per_channel(x, torch.tensor([0.1, 0.02, 0.3]), torch.tensor([0, 5, -7]), 0, torch.qint8)
        w = torch.quantize_per_tensor(x, 1e-6, 0, torch.qint32)
        d = torch.quantize_per_tensor_dynamic(x, torch.quint8, False)
        parts = torch.chunk(q, 2, dim=1)
        return (q.int_repr(), q.q_scale(), q.q_zero_point(), q.dtype, q.is_quantized, q.size(), q.dequantize(), s.int_repr(), s.dequantize(),
                c.int_repr(), c.dequantize(), c.q_per_channel_scales(), c.q_per_channel_zero_points(), c.q_per_channel_axis(), w.int_repr(),
                d.int_repr(), d.q_scale(), d.q_zero_point(), q.t().dequantize(), q.view(-1)[2:7].dequantize(), parts[1].dequantize(),
                F.relu(s).int_repr(), torch.clamp(q, -0.5, 0.5).int_repr(), torch.sigmoid(q).dequantize(), torch.tanh(s).dequantize(), q > s,
                torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 255),
                torch.fake_quantize_per_channel_affine(x, torch.tensor([0.1, 0.2, 0.3]), torch.tensor([1, 2, 3], dtype=torch.int32), 0, -128, 127))


class Functions(nn.Module):
    """What torch.nn.functional and tensors offer for quantised operands."""

    def forward(self, image, matrix):
        q, m = torch.quantize_per_tensor(image, 0.05, 60, torch.quint8), torch.quantize_per_tensor(matrix, 0.05, -8, torch.qint8)
        best, places = torch.topk(m, 3)
        least, lowest = torch.min(m, 1)
        results = [F.relu6(q), F.hardtanh(q, -1.0, 1.0), F.avg_pool2d(q, 3, 2, 1), F.adaptive_avg_pool2d(q, [3, 2]), F.max_pool2d(q, 3, 2, 1),
                   F.interpolate(q, scale_factor=2.0, mode="nearest"), torch.stack([q, q], 0), F.pad(q, [1, 2]), F.pad(q, [1, 1, 1, 1], "reflect"),
                   q.masked_fill(q > 0.3, 0.0), torch.channel_shuffle(q, 2), F.leaky_relu(q, 0.2), best, least, torch.sort(m)[0],
                   m[torch.tensor([1, 0])], m.unfold(1, 3, 2), m[1:3, ::2], torch.ops.quantized.add_scalar(m, 30.0),
                   torch.ops.quantized.mul_scalar(m, -1.5), torch.ops.quantized.mul_scalar_relu(m, 2.5), torch.ops.quantized.matmul(m, m.t(), 0.3, 10),
                   torch.ops.quantized.softmax(m, 1, 1.0 / 256, -128), torch.ops.quantized.celu(m, 0.05, 6, 0.7),
                   torch.ops.quantized.group_norm(q, 2, None, None, 1e-5, 0.05, 100), torch.ops.quantized.layer_norm(m, [8], None, None, 1e-5, 0.05, 1),
                   torch.ops.quantized.cat_relu([m, m], 1, 0.07, 9), torch.ops.quantized.clamp(m, -0.5, 0.5)]
        scales = [each.q_scale() for each in results]
        return [each.dequantize() for each in results], scales, [each.q_zero_point() for each in results], places, lowest, torch.equal(q, q)


class Words(nn.Module):
    """Quantised tensors as text."""

    def forward(self, x):
        q, small = torch.quantize_per_tensor(x, 0.05, 128, torch.quint8), torch.quantize_per_tensor(1e6 * x, 700.0, 0, torch.qint32)
        scales, zeros = torch.tensor([0.1, 0.25]), torch.tensor([0, 1])
        c = torch.quantize_per_channel(x, scales, zeros, 0, torch.qint8)
        return str(q), str([q[0], q[0, 0]]), f"{small}", str(c), str(c[:, 1:]), "{} and {}".format(c[1], q.view(2, 1, 3))


class Observed(nn.Module):
    """What a model that is trained with quantisation in mind does to its activations and weights."""

    def __init__(self, observe: int, fake: int, each: bool, symmetric: bool):
        super().__init__()
        ranges = 3 if each else 1
        self.each, self.symmetric = each, symmetric
        for name, value in (("observe", [observe]), ("fake", [fake])):
            self.register_buffer(name, torch.tensor(value))
        for name, value in (("least", -0.5), ("most", 1.5), ("scale", 0.25)):
            self.register_buffer(name, torch.full([ranges], value))
        self.register_buffer("zero", torch.ones(ranges, dtype=torch.int32))

    def forward(self, x):
        y = torch.fused_moving_avg_obs_fake_quant(x, self.observe, self.fake, self.least, self.most, self.scale, self.zero, 0.1, -128, 127, 0,
                                                  self.each, self.symmetric)
        return y, self.least, self.most, self.scale, self.zero


class Observers(nn.Module):
    def __init__(self):
        super().__init__()
        kinds = [(o, f, e, s) for o in (0, 1) for f in (0, 1) for e in (False, True) for s in (False, True)]
        self.each = nn.ModuleList([Observed(*kind) for kind in kinds])

    def forward(self, x):
        return [each(x) for each in self.each], [each(x[:, :, 0])[0] for each in self.each]


def in_training(module, *batches):
    module = module.train()
    module.qconfig = tq.get_default_qat_qconfig("fbgemm")
    tq.prepare_qat(module, inplace=True)
    for batch in batches:
        module(batch)
    return module.eval()


def dynamic(module, *kinds):
    return tq.quantize_dynamic(module.eval(), set(kinds) or None)


def save(name, module, *calls, traced=False, frozen=False):
    module = module.eval()
    scripted = torch.jit.trace(module, tuple(calls[0])) if traced else torch.jit.script(module)
    if frozen:
        scripted = torch.jit.freeze(scripted)
    tsgen.save("quantized_" + name, scripted, [("forward", list(call)) for call in calls], tags=("family",))


if __name__ == "__main__":
    pictures = torch.randn(4, 3, 8, 8)
    save("static", statically(Stubbed(small_net()), [pictures]), [pictures], [3 * pictures[:1]])
    save("traced", statically(Stubbed(small_net()), [pictures]), [pictures], traced=True)
    save("frozen", statically(Stubbed(small_net()), [pictures]), [pictures], frozen=True)
    save("fused", statically(Stubbed(small_net(fused=True)), [pictures]), [pictures])
    wide = torch.randn(2, 4, 6, 6)
    save("block", by_graph(Block(), [wide]), [wide], [0.5 * wide[:1]])
    save("up", by_graph(Up(), [wide[:, :2]], qconfig="qnnpack"), [wide[:, :2]])
    save("lines", by_graph(Lines(), [torch.randn(2, 3, 12)], qconfig="qnnpack"), [torch.randn(2, 3, 12)])
    pair = torch.randn(3, 4), torch.randn(3, 4)
    save("arithmetic", statically(Arithmetic(), pair), list(pair))
    save("values", Values(), [torch.randn(3, 4)])
    save("functions", Functions(), [2 * torch.randn(2, 4, 6, 6), 2 * torch.randn(5, 8)])
    save("dynamic_mlp", dynamic(nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 4))), [torch.randn(3, 5)], [torch.zeros(2, 5)], [torch.randn(2, 3, 5)])
    save("dynamic_attention", dynamic(Attention()), [torch.randn(2, 4, 8)], traced=True)
    words = torch.randint(0, 11, (3, 5))
    save("dynamic_lstm", dynamic(Tagger(nn.LSTM)), [words])
    save("dynamic_gru", dynamic(Tagger(nn.GRU)), [words])
    lengths = [torch.randn(5, 3, 3), torch.tensor([2, 5, 3])]
    save("dynamic_packed_lstm", dynamic(Packed(nn.LSTM)), lengths)
    save("dynamic_packed_gru", dynamic(Packed(nn.GRU)), lengths)
    save("dynamic_cells", dynamic(Cells(), nn.LSTMCell, nn.GRUCell, nn.RNNCell), [torch.randn(2, 4)])
    text = Text().eval()
    text.words.qconfig = text.bag.qconfig = tq.float_qparams_weight_only_qconfig
    tq.prepare(text, inplace=True)
    tq.convert(text, inplace=True)
    save("embeddings", text, [torch.randint(0, 20, (2, 4)), torch.randint(0, 20, (5,)), torch.tensor([0, 2])])
    save("words", Words(), [torch.tensor([[-1.0, 0.5, 1.27], [2.0, -3.0, 0.12]])])
    save("observed", Observers(), [torch.randn(3, 4, 2)], [3 * torch.randn(3, 2, 5)])
    layers = nn.Sequential(tq.QuantStub(), nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3), tq.DeQuantStub())
    batches = torch.randn(5, 2, 3, 4, 4)
    save("in_training", in_training(layers, *batches), [2 * batches[0]], [batches[1]], traced=True)
    save("nibbles", Nibbles(), [torch.tensor([3, 19, 0]), torch.tensor([1, 11, 5, 5]), torch.tensor([0, 3, 3, 4])])
    tsgen.finish()
