"""PyTorch's own samples of its operators and modules, traced one by one, with its answers.

    TSGEN_OUT=out python3 operators.py [operator or module ...]      (Debian's python3-torch)
    ./staunch verify out

Without names, some 15,000 archives: the samples of torch.testing's operator database in eight dtypes, in place as well
where there is such a form, and the modules of its module tests. They are made when needed and not kept. What draws random
numbers and what is only determined up to a sign or an order is left out.
"""
import contextlib
import copy
import io
import sys
import types
import unittest

import torch
import torch.nn as nn

sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase, ACCEPT=False))
from torch.testing._internal import common_nn  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

import tsgen  # noqa: E402

torch.set_num_threads(1)
DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)
SAMPLES, MOST = {torch.float32: 12}, 200_000
FREE = {"svd", "linalg.svd", "linalg.eig", "linalg.eigvals", "linalg.eigh", "symeig", "svd_lowrank", "pca_lowrank", "unique", "empty",
        "empty_like", "new_empty", "new_empty_strided", "sort", "argsort", "topk", "msort"}


def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [each for part in value for each in tensors(part)] if isinstance(value, (list, tuple)) else []


def rebuilt(value, given):
    """`value`, with its tensors taken from the iterator `given`."""
    if isinstance(value, torch.Tensor):
        return next(given)
    return type(value)(rebuilt(each, given) for each in value) if type(value) in (list, tuple) else value


class Traced(nn.Module):
    """`function` of the tensors in `arguments`; everything else is a constant."""

    def __init__(self, function, arguments):
        super().__init__()
        self.inner = function if isinstance(function, nn.Module) else None
        self.function, self.arguments = (function,), arguments

    def forward(self, *given):
        args, kwargs = rebuilt(self.arguments, iter(given))
        return tuple(tensors([(self.inner or self.function[0])(*args, **dict(kwargs))]))


def same(a, b):
    return all(torch.equal(x, y) or (x.is_floating_point() and torch.allclose(x, y, equal_nan=True)) for x, y in zip(a, b))


def record(name, function, args, kwargs):
    arguments = (list(args), list(kwargs.items()))
    given = tensors(arguments)
    if sum(each.numel() for each in given) > MOST or any(each.layout != torch.strided or each.is_conj() for each in given):
        return
    module = Traced(function, arguments)
    runs = []
    for seed in range(2):
        torch.manual_seed(seed)
        runs.append(copy.deepcopy(module)(*tsgen.clone(given)))
    if not runs[0] or not same(*runs):
        return
    traced = torch.jit.trace(module, tuple(tsgen.clone(given)), check_trace=False, strict=False)
    tsgen.save(name, traced, [("forward", given)], tags=("operator",), producer="trace")


def attempt(*call):
    """Records what PyTorch itself can run and trace."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), torch.no_grad():
            record(*call)
    except Exception as e:  # a sample that PyTorch refuses
        print(call[0], str(e).split("\n")[0][:120])


def in_place(function):
    return lambda first, *args, **kwargs: function(first.clone(), *args, **kwargs)


def operators(wanted):
    for op in op_db:
        if op.name in FREE or op.name.startswith("jiterator") or (wanted and op.name not in wanted):
            continue
        for dtype in (d for d in DTYPES if d in op.supported_dtypes("cpu")):
            torch.manual_seed(1)
            samples = list(op.sample_inputs("cpu", dtype, requires_grad=False))
            kept = SAMPLES.get(dtype, 4)
            for at in sorted({i * len(samples) // kept for i in range(kept)} & set(range(len(samples)))):
                sample = samples[at]
                name = "_".join(filter(None, (op.name, op.variant_test_name, str(dtype)[6:], str(at)))).replace(".", "_")
                args = [sample.input, *sample.args]
                attempt(name, op.op, args, sample.kwargs)
                if op.inplace_variant and isinstance(sample.input, torch.Tensor):
                    attempt(name + "_in_place", in_place(op.inplace_variant), args, sample.kwargs)


def modules(wanted):
    for at, test in enumerate(common_nn.module_tests + common_nn.new_module_tests + common_nn.criterion_tests):
        kind = test.get("fullname") or test.get("module_name", "module")
        if wanted and test.get("module_name") not in wanted:
            continue
        torch.manual_seed(1)
        build = test.get("constructor") or getattr(nn, test["module_name"])
        made = test["constructor_args_fn"]() if "constructor_args_fn" in test else test.get("constructor_args", ())
        given = test["input_fn"]() if "input_fn" in test else torch.randn(test["input_size"])
        given = list(given) if isinstance(given, tuple) else [given]
        if "target_fn" in test or "target_size" in test:
            target = test["target_fn"]() if "target_fn" in test else torch.randn(test["target_size"])
            given += target if isinstance(target, tuple) else (target,)
        attempt(f"{kind}_{at}".replace(".", "_"), build(*made).eval(), given, {})


if __name__ == "__main__":
    names = set(sys.argv[1:])
    operators(names)
    modules(names)
    tsgen.finish()
