"""The meaning of the language, its context managers and its keywords, with the answers of PyTorch 1.13.

    TSGEN_OUT=out python3 language.py [NAME...]           (Debian's python3-torch)

Each class of this file is a case: an archive of the same name in snake case, and the calls that
the class lists.
"""
import enum
import math
import re
import sys
import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

import tsgen

torch.manual_seed(5)
torch.set_num_threads(1)
R = torch.randn
CASES = {}


def case(*calls, grad=False, trace=False):
    def noted(cls):
        CASES[cls] = (calls, grad, trace)
        return cls
    return noted


@case([R(3)], [torch.tensor([1.7, -2.0, 3.0])], [torch.ones(1, dtype=torch.int64)])
class ImplicitNumbers(nn.Module):
    """A tensor where a number is expected: PyTorch writes annotate(int, ...)."""

    def forward(self, x):
        i = torch.arange(7)[3]
        f = x.sum()
        return max(i, 2), min(torch.arange(4)[1], 5), x[:i], torch.full([2], f), math.floor(f), round(f)


@case([R(2, 3)])
class TupleSlices(nn.Module):
    def forward(self, x):
        t = (x, 1, "a", x + 1, 2.5)
        a, *b, c = t
        return t[1:3], t[:-3], t[-2:], a, c, t[3:][0]


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Twice(nn.Module):
    def __init__(self, by: float):
        super().__init__()
        self.by = by

    def forward(self, x: Tensor) -> Tensor:
        return x * self.by


@case([R(3), 0], [R(3), 1], [R(3), -1], [R(3), 5])
class ModuleListByIndex(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Twice(2.0), Twice(3.0)])

    def forward(self, x, i: int):
        layer: Layer = self.layers[i]
        return layer.forward(x)


@case([R(3), "a"], [R(3), "b"], [R(3), "c"])
class ModuleDictByKey(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": Twice(2.0), "b": Twice(5.0)})

    def forward(self, x, k: str):
        head: Layer = self.heads[k]
        total = x.sum()
        for name, module in self.heads.items():
            total = total + module(x).sum() + len(name)
        return head.forward(x), total, k in self.heads, len(self.heads)


@case([R(2), None], [R(2), R(2)], [None, None])
class UnwrappedOptional(nn.Module):
    def forward(self, x: Optional[Tensor], y: Optional[Tensor]):
        z = torch.jit._unwrap_optional(x)
        if y is not None:
            z = z + y
        assert x is not None, "x is needed"
        return z


@case([R(3, requires_grad=True)], [R(3)])
class NoGrad(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = x * 2
        z = x * 2
        return y, y.requires_grad, z.requires_grad, torch.is_grad_enabled()


@case([R(3)], grad=True)
class GradInside(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x):
        y = self.w * x
        with torch.no_grad():
            z = self.w * x * 2
            a = torch.is_grad_enabled()
        d = y.detach()
        return y.requires_grad, z.requires_grad, d.requires_grad, a, self.w.data.requires_grad


@case([R(3), 1], [R(3), 0], grad=True)
class GradientFlags(nn.Module):
    """A flag that is set in place is the flag of all names of the tensor, but not of its views."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x, n: int):
        y = x.clone()
        y.requires_grad_()
        z = y * 2
        u = self.w * x
        part = u[:1]
        v = u
        u.detach_()
        p = x + 1
        if n > 0:
            p.requires_grad_(True)
        w = v * 2
        return (y.requires_grad, z.requires_grad, u.requires_grad, v.requires_grad, w.requires_grad,
                part.requires_grad, p.requires_grad, y, w)


@case(["h\u00e9 1"], ["\u65e5\u672c\u8a9e"], ["plain"], [""])
class TextBytes(nn.Module):
    """A text is a sequence of bytes, and those of a character may be taken apart."""

    def forward(self, text: str) -> Tuple[str, str, bool, List[int], Dict[str, int], str, str, int, str]:
        copied = ""
        codes: List[int] = []
        counts: Dict[str, int] = {}
        for c in text:
            copied = copied + c
            codes.append(ord(c))
            counts[c + "\u00e9"] = len(c)
        parts = list(text)
        made = ""
        for code in codes:
            made += chr(code)
        formatted = ""
        for c in text:
            formatted = "{}{}".format(formatted, c)
        known: Dict[str, int] = {"\u00e9": 7}
        found = -1
        if text[1:3] in known:
            found = known[text[1:3]]
        return (copied, "".join(parts), text[:2] + text[2:] == text, codes,
                {"n": len(counts)}, made, formatted, found, "%s%s" % (text[:1], text[1:]))


@case([R(3)])
class Profiled(nn.Module):
    def forward(self, x):
        with torch.autograd.profiler.record_function("part"):
            y = x + 1
        return y


@case([R(2, 3, 4, 4)])
class MemoryFormats(nn.Module):
    def forward(self, x):
        a = x.contiguous(memory_format=torch.channels_last)
        b = x.to(memory_format=torch.channels_last)
        c = torch.empty_like(a)
        d = torch.zeros_like(a, memory_format=torch.contiguous_format)
        e = a.clone()
        h = a.clone(memory_format=torch.contiguous_format)
        i = a.contiguous(memory_format=torch.channels_last)
        i.add_(1)
        j = torch.empty([2, 3, 2, 2], memory_format=torch.channels_last)
        return (a, a.stride(), b.stride(), c.stride(), d.stride(), e.stride(), h.stride(), i, j.stride(),
                a.is_contiguous(), a.is_contiguous(memory_format=torch.channels_last),
                x.is_contiguous(memory_format=torch.channels_last_3d), a.float().stride(), a.double().stride())


@case([R(2, 3)])
class Factories(nn.Module):
    def forward(self, x):
        d = torch.device("cpu")
        a = torch.zeros([2], dtype=torch.int32, device=d, layout=torch.strided, pin_memory=False)
        b = torch.ones([2], device="cpu").requires_grad_(True)
        c = torch.full([2], 3)
        e = torch.full([2], 3.5, dtype=torch.float64)
        f = torch.arange(0, 1, 0.25)
        g = torch.tensor([1, 2], dtype=torch.float16)
        h = x.new_zeros([1], dtype=torch.bool)
        i = x.new_full([2], 1.5)
        j = torch.tensor(2.5)
        k = torch.as_tensor([1.5, 2.5])
        return a, b.requires_grad, c, e, f, g, h, i, j, k, x.to("cpu"), x.to(d, non_blocking=True), x.type_as(e), x.device


@case([R(4)])
class Copies(nn.Module):
    def forward(self, x):
        y = x.to(torch.float32)
        z = x.to(torch.float32, copy=True)
        y.add_(1)
        z.add_(10)
        w = x.type(torch.int64)
        v = x.cpu()
        v.mul_(2)
        return x, y, z, w


@case([R(3)])
class CudaScopes(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            x = x + 1
        return x, x.is_cuda, x.is_sparse, x.is_quantized, x.is_mkldnn, x.is_meta, x.layout


@case([R(3)])
class Unused(nn.Module):
    def forward(self, x, flag: bool = False):
        if flag:
            return self.later(x)
        return x

    @torch.jit.unused
    def later(self, x: Tensor) -> Tensor:
        return [each for each in x][0]


@case([R(3)])
class Ignored(nn.Module):
    def forward(self, x):
        return x * 2

    @torch.jit.ignore(drop=True)
    def train_only(self, x: Tensor) -> Tensor:
        return x

    @torch.jit.export
    def step(self, x):
        return self.forward(x) + 1


class Color(enum.Enum):
    RED = 1
    GREEN = 2


@case([R(2), 1], [R(2), 2])
class Enums(nn.Module):
    def forward(self, x, k: int):
        c = Color.RED
        if k == 2:
            c = Color.GREEN
        names = [each.name for each in [Color.RED, Color.GREEN]]
        return c.value, c.name, c == Color.RED, names


class Point(NamedTuple):
    x: Tensor
    n: int = 3


@case([R(2)])
class NamedTuples(nn.Module):
    def forward(self, x):
        p = Point(x)
        q = Point(p.x + 1, n=p.n + 1)
        a, n = q
        return p, q, a, n, q[1], [p, q]


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.n = start
        self.seen: List[int] = []

    def add(self, k: int) -> int:
        self.n += k
        self.seen.append(k)
        return self.n

    @property
    def last(self) -> int:
        return self.seen[-1]

    def __len__(self) -> int:
        return len(self.seen)

    def __getitem__(self, i: int) -> int:
        return self.seen[i]

    def __eq__(self, other: "Counter") -> bool:
        return self.n == other.n

    def __contains__(self, k: int) -> bool:
        return k in self.seen

    @staticmethod
    def twice(k: int) -> int:
        return 2 * k


@case([3], [-1])
class Classes(nn.Module):
    def forward(self, k: int):
        c = Counter(1)
        d = Counter(k)
        c.add(k)
        c.add(Counter.twice(k))
        return c.n, c.last, len(c), c[0], c == d, k in c, c.seen


class Around:
    def __init__(self, log: List[str]):
        self.log = log

    def __enter__(self):
        self.log.append("in")
        return self.log

    def __exit__(self, type: Any, value: Any, tb: Any):
        self.log.append("out")


@case([1], [0])
class OwnContext(nn.Module):
    def forward(self, k: int):
        log: List[str] = []
        with Around(log) as inner:
            inner.append("body")
            with Around(log):
                log.append(str(6 // k))
        return log


@case([[3, 1, 2]], [[5]], [torch.jit.annotate(List[int], [])])
class Lists(nn.Module):
    def forward(self, x: List[int]):
        a = x.copy()
        a.sort(reverse=True)
        b = sorted(x)
        a.extend([7, 7])
        a.insert(1, 9)
        c = a.pop()
        a.reverse()
        d = a.count(7)
        e = a.index(9)
        a.remove(7)
        f = [y * y for y in x]
        g = a + [0] * 3
        del a[0]
        a[-1] = 5
        return a, b, c, d, e, f, g, max(g), min(g), sum(g), a[::2], a[-2:], any([y > 2 for y in x]), all([y > 0 for y in x]), x[0]


@case([{"a": 1, "b": 2}], [{"c": 3}])
class Dicts(nn.Module):
    def forward(self, d: Dict[str, int]):
        e = d.copy()
        e["z"] = 9
        a = e.pop("z")
        e.setdefault("q", 4)
        e.update({"r": 5})
        keys = [k for k in e.keys()]
        total = 0
        for k, v in e.items():
            total += v
        f = {str(v): k for k, v in e.items()}
        g = e.get("no")
        h = e.get("no", 11)
        n = len(e)
        del e["q"]
        return a, keys, list(e.values()), total, f, g, h, n, "a" in e, d["a"]


@case(["Hello, World"], [""])
class Words(nn.Module):
    def forward(self, s: str):
        return (s.lower(), s.split(","), s.replace("l", "L"), s.find("o"), s.startswith("He"), s.strip(), s[1:4], s[::-1],
                len(s), "-".join([s, "x"]), s + "!", s == "x", s < "x", "%s=%d" % (s, 3), f"{s}:{len(s)}",
                "{} {}".format(s, 1.5), s.isdigit(), s.upper().center(20, "*"), ord("a"), chr(98), hex(255), bin(5), oct(8))


@case([7, 2.5], [-7, -2.5])
class Numbers(nn.Module):
    def forward(self, i: int, f: float):
        return (i // 2, i % 3, i / 2, f // 1, f % 2, i ** 2, 2 ** -1, abs(i), round(f), int(f), float(i), bool(i), i & 3, i | 8, i ^ 5, i << 2,
                i >> 1, divmod(i, 3), math.floor(f), math.ceil(f), math.fmod(f, 2.0), math.copysign(1.0, f), math.isnan(f), math.gcd(i, 21), math.inf, max(i, f), pow(i, 2), -i, not i)


@case([R(2)])
class Complexes(nn.Module):
    def forward(self, x):
        c = complex(1, 2)
        return c * c, abs(c), c == complex(1, 2)


@case([R(3)], [torch.tensor([1.0, 2.0])])
class Warned(nn.Module):
    def forward(self, x):
        if x.numel() > 2:
            warnings.warn("more than two")
        print("x has", x.numel())
        return x


@case([3], [0])
class Raised(nn.Module):
    def forward(self, k: int):
        if k == 0:
            raise ValueError(f"k is {k}")
        elif k < 0:
            raise RuntimeError("negative")
        return k


@case([[1, "a", 2.5]])
class AnyList(nn.Module):
    def forward(self, v: List[Any]):
        n = 0
        for each in v:
            if isinstance(each, int):
                n += 1
            elif isinstance(each, (str, float)):
                n += 10
        return n


@case([R(4), 2])
class Loops(nn.Module):
    def forward(self, x, n: int):
        out = []
        for i, (a, b) in enumerate(zip(x, range(1, 9, 2))):
            if i == 1:
                continue
            if i > n:
                break
            out.append(a * b)
        k = 0
        while True:
            k += 1
            if k > 3:
                break
        return torch.stack(out), k


@case([R(3)])
class Forked(nn.Module):
    def forward(self, x):
        f = torch.jit.fork(torch.relu, x)
        g = [torch.jit.fork(F.gelu, x + i) for i in range(2)]
        return torch.jit.wait(f), [torch.jit.wait(each) for each in g]


class Statistics(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))
        self.register_buffer("hidden", torch.ones(1), persistent=False)
        self.count = 0
        self.names: Dict[str, int] = {"a": 1}
        self.scale = torch.jit.Attribute(None, Optional[Tensor])

    def forward(self, x):
        self.count += 1
        self.seen += x.sum()
        self.names["n"] = self.count
        if self.scale is None:
            self.scale = x * 2
        return self.seen.clone(), self.hidden, self.count, self.names, self.scale


CASES[Statistics] = (([torch.ones(2)], [torch.ones(3)]), False, False)


@case([R(2, 3)])
class Seeded(nn.Module):
    def forward(self, x):
        return torch.rand(x.shape, dtype=x.dtype).shape, torch.randn([2], generator=None).shape, torch.randint(0, 1, [3]), \
            torch.bernoulli(torch.ones([2])), F.dropout(x, 0.5, training=self.training)


@case([R(3)], [R(3)], trace=True)
class TracedFormats(nn.Module):
    def forward(self, x):
        y = x.view(1, 3, 1, 1).expand(2, 3, 4, 4).contiguous(memory_format=torch.channels_last)
        with torch.no_grad():
            z = y.to(torch.float64, non_blocking=True, copy=True)
        return z.sum() + x.shape[0], torch.ones(x.size(0), device=x.device)


@case([R(3, 4).to(torch.float64)], [R(3, 4)])
class Doubled(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 2).double()

    def forward(self, x):
        return self.l(x)


class Weighted(NamedTuple):
    first: Tensor
    second: int = 3


@case([R(2)], [R(2), R(2)], [R(2), R(2), None], [R(2), R(2), None, (R(1), 3)])
class Defaults(nn.Module):
    """Values of parameters that a call may leave out: constants of the archive, members of enums, devices."""

    def forward(self, x, a: Tensor = torch.ones(2), b: Optional[Tensor] = torch.full([1], 3.0),
                c: Tuple[Tensor, int] = (torch.ones(1), 2), d: Weighted = Weighted(torch.ones(2)),
                e: Color = Color.RED, f: torch.device = torch.device("cpu"), g: float = -math.inf):
        y = x + a
        if b is not None:
            y = y * b
        if e == Color.RED:
            y = y - 1
        return y + c[0] * c[1] + d.first * d.second, a, torch.zeros([1], device=f), g


@case([R(2)], [R(2)], [R(2), R(2)], [R(2)])
class DefaultsWritten(nn.Module):
    def forward(self, x, a: Tensor = torch.zeros(2)):
        a += x
        return a * 1.0


@case([R(2), (1, -2, 3), 1], [R(2), (1, 2, 3), -1], [R(2), (1, 2, 3), 3])
class TuplesByIndex(nn.Module):
    """An index that is no literal, of a tuple whose elements have one type."""

    def forward(self, x, sizes: Tuple[int, int, int], n: int):
        pad: List[int] = []
        for k in [2, 1, 0]:
            pad.append(max(sizes[k], 0))
        pair = (x, x + 1)
        return F.pad(x, pad[:2]), pair[n % 2], sizes[n], pad


class Padding(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(2, 2, 3, padding=1, padding_mode="reflect")
        self.d = nn.Conv1d(2, 2, 3, padding=2, padding_mode="circular")
        self.e = nn.Embedding(5, 3, padding_idx=0, max_norm=1.0, scale_grad_by_freq=True)
        self.b = nn.EmbeddingBag(5, 3, mode="max", padding_idx=2)
        self.s = nn.Softmax2d()
        self.r = nn.ReflectionPad2d(1)

    def forward(self, x, i):
        return self.c(x), self.d(x[:, :, 0]), self.e(i), self.b(i), self.s(x), self.r(x)


CASES[Padding] = (([R(1, 2, 4, 4), torch.tensor([[0, 2, 4]])],), False, False)


@case([3, 1.5, "a text of several words é", True, None], [-5, -0.0, "", False, 7], [1 << 40, float("nan"), "12345678", True, None])
class Hashes(nn.Module):
    """The hash of a tensor is left out: it is its address."""

    def forward(self, i: int, f: float, s: str, b: bool, o: Optional[int]):
        return hash(i), hash(f), hash(s), hash(b), hash(o), hash((i, b, s)), hash(s) % 100


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = Twice(2.0)

        def before(self, input: Tuple[Tensor]) -> Tuple[Tensor]:
            return (input[0] + 1,)

        def after(self, input: Tuple[Tensor], result: Tensor) -> Tensor:
            return result * 10

        self.l.register_forward_pre_hook(before)
        self.l.register_forward_hook(after)

    def forward(self, x):
        return self.l(x)


CASES[Hooked] = (([torch.ones(2)],), False, False)


def main(only):
    for cls, (calls, grad, trace) in CASES.items():
        name = "lang_" + re.sub("(?<!^)([A-Z])", r"_\1", cls.__name__).lower()
        if only and name not in only:
            continue

        def make():
            module = cls().eval()
            saved = torch.jit.trace(module, tuple(calls[0])) if trace else torch.jit.script(module)
            tsgen.save(name, saved, [dict(method="forward", args=list(a), grad=grad) for a in calls], tags=("language",))

        make.__name__ = name
        tsgen.guard(make)
    tsgen.finish()


main(set(sys.argv[1:]))
