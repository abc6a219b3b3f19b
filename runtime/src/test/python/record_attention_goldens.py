"""Records what libtorch returns for attention and the fast path of a transformer layer.

Usage: python3 record_attention_goldens.py > attention-golden.txt   (torch 1.13.1)

For operations that 1.13 does not have, the result follows their documentation, computed in float64.
"""
import math

import torch
from record_tensor_goldens import B, D, F, I, aten, case, lines

torch.manual_seed(13)


def make(dtype, *shape):
    """Multiples of 1/16, which are short as text."""
    return (torch.randint(-16, 17, shape) / 16).to(dtype)


def flags(*rows):
    return torch.tensor(rows).to(B)


def heads(dtype, batch=2, length=4, width=6, count=2, mask=None, kind=None, needed=True, averaged=True, inputs=None):
    x = make(dtype, batch, length, width)
    q, k, v = inputs or (x, x, x)
    case("_native_multi_head_attention", q, k, v, width, count, make(dtype, 3 * width, width), make(dtype, 3 * width),
         make(dtype, width, width), make(dtype, width), mask, needed, averaged, kind)


def multi_head():
    padding = flags([0, 0, 0, 1], [0, 0, 1, 1])
    for dtype in (F, D):
        heads(dtype)
        heads(dtype, averaged=False)
        heads(dtype, batch=1, length=7, width=12, count=3)
        heads(dtype, length=1, width=3, count=3)
        heads(dtype, mask=padding, kind=1)
        heads(dtype, mask=padding.to(dtype), kind=1, averaged=False)
        heads(dtype, mask=flags([1, 1, 1, 1], [0, 0, 0, 0]), kind=1)
        heads(dtype, mask=torch.rand(2, 2, 4, 4) > 0.6, kind=2)
        heads(dtype, inputs=[make(dtype, 2, 4, 6) for _ in range(3)])
        heads(dtype, inputs=[make(dtype, 4, 2, 6).transpose(0, 1)] * 3)
    heads(F, mask=padding)
    heads(F, mask=padding, kind=3)
    heads(F, mask=padding[:, :3], kind=1)
    heads(F, count=4)
    heads(F, inputs=[make(F, 4, 6), make(F, 2, 4, 6), make(F, 2, 4, 6)])
    heads(F, inputs=[make(F, 2, 4, 5)] * 3)
    heads(F, inputs=[make(F, 2, 4, 6), make(F, 2, 3, 6), make(F, 2, 3, 6)])
    heads(F, inputs=[make(D, 2, 4, 6)] * 3)


def layer(dtype, gelu, first, mask=None, kind=None, batch=2, length=4, width=6, count=2, inner=9, x=None):
    def r(*shape):
        return make(dtype, *shape)

    case("_transformer_encoder_layer_fwd", r(batch, length, width) if x is None else x, width, count, r(3 * width, width),
         r(3 * width), r(width, width), r(width), gelu, first, 1e-5, r(width), r(width), r(width), r(width),
         r(inner, width), r(inner), r(width, inner), r(width), mask, kind)


def layers():
    for dtype in (F, D):
        for gelu in (False, True):
            for first in (False, True):
                layer(dtype, gelu, first)
        layer(dtype, True, False, flags([0, 0, 0, 1], [0, 0, 1, 1]), 1)
        layer(dtype, False, True, batch=1, length=1)
    layer(F, False, False, batch=0)
    layer(F, False, False, count=4)
    layer(F, False, False, x=make(F, 4, 6))
    layer(F, False, False, x=make(D, 2, 4, 6))
    layer(F, False, False, flags([0, 1]), 1)


def scaled():
    name = "_scaled_dot_product_attention"
    for dtype in (F, D):
        q, k, v = make(dtype, 2, 3, 4), make(dtype, 2, 5, 4), make(dtype, 2, 5, 6)
        for causal in (False, True):
            case(name, q, k, v, None, 0.0, True, causal)
        case(name, q, k, v, torch.rand(3, 5) > 0.4, 0.0, True)
        case(name, q, k, v, make(dtype, 2, 1, 5), 0.0, True)
        case(name, q, k, v, torch.zeros(3, 5).to(B), 0.0, True)
        case(name, q, k, v, None, 1.0, True)
        case(name, make(dtype, 2, 3, 4, 2).transpose(1, 2), make(dtype, 2, 5, 4, 2).transpose(1, 2),
             make(dtype, 2, 5, 4, 2).transpose(1, 2), None, 0.0, True)
    case(name, q, k, v, torch.ones(3, 5).to(B), 0.0, True, True)
    case(name, q, k, v, None, 1.5, True)
    case(name, q.to(F), k, v, None, 0.0, True)
    case(name, q, make(D, 2, 5, 3), v, None, 0.0, True)
    case(name, q, k, v, torch.ones(4, 5).to(B), 0.0, True)


def defined(q, k, v, mask, causal, scale, grouped):
    """Follows the documentation of scaled_dot_product_attention; gives zeros where no key is visible."""
    wide = [t.to(D) for t in (q, k, v)]
    if grouped:
        wide[1:] = [t.repeat_interleave(q.shape[-3] // t.shape[-3], -3) for t in wide[1:]]
    scores = wide[0] @ wide[1].transpose(-1, -2) * (scale or 1 / math.sqrt(q.shape[-1]))
    if causal:
        mask = torch.ones(scores.shape[-2:]).tril().to(B)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == B else scores + mask
    weights = scores.softmax(-1)
    weights = weights.masked_fill((scores == -math.inf).all(-1, True), 0)
    return (weights @ wide[2]).to(q.dtype)


def newer(q, k, v, mask=None, causal=False, scale=None, grouped=False):
    out = ["case scaled_dot_product_attention"]
    out += ["arg " + line for value in (q, k, v, mask, 0.0, causal, scale, grouped) for line in lines(value)]
    out += ["result " + lines(defined(q, k, v, mask, causal, scale, grouped), [])[0], "end"]
    print("\n".join(out))


def scaled_since():
    for dtype in (F, D):
        q, k, v = make(dtype, 2, 4, 3, 4), make(dtype, 2, 4, 5, 4), make(dtype, 2, 4, 5, 6)
        newer(q, k, v)
        newer(q, k, v, causal=True)
        newer(k, q, q, causal=True)
        newer(q, k, v, scale=0.25)
        newer(q, k, v, torch.rand(2, 1, 3, 5) > 0.4)
        newer(q, k, v, torch.zeros(5).to(B))
        newer(q, k, v, make(dtype, 4, 3, 5))
        newer(q, k[:, :2], v[:, :2], grouped=True)
        newer(q, k[:, :1], v[:, :1], torch.rand(4, 3, 5) > 0.4, scale=2.0, grouped=True)
        newer(q[0, 0], k[0, 0], v[0, 0])
        newer(q, k[:1], v[:1])


def nested():
    t = make(F, 2, 5, 3)
    for mask in (flags([1, 1, 1, 0, 0], [1, 1, 1, 1, 1]), flags([1, 1, 0, 0, 0], [0, 1, 1, 1, 1]),
                 flags([0, 0, 0, 0, 0], [1, 1, 1, 1, 0]), flags([1, 1, 1, 1], [1, 1, 1, 1])):
        case("_nested_tensor_from_mask_left_aligned", t, mask)
    case("_nested_tensor_from_mask_left_aligned", t, torch.ones(2, 5))


for group in (multi_head, layers, scaled, scaled_since, nested):
    group()
