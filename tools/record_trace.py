#!/usr/bin/env python3
"""Runs the first call of a recording with PyTorch and writes the result of each operation.

Usage: record_trace.py MODEL RECORDING OUT

RECORDING comes from `staunch debug MODEL --args REQUEST --trace RECORDING.json`; OUT is for `staunch diff MODEL OUT`.
Operations in branches and loops are not recorded; operations around them are. Needs torch 1.13 or newer.
"""
import json
import math
import re
import sys

import torch

MOST = 4096  # elements kept of a tensor; of a larger tensor, every n-th


def number(x):
    if isinstance(x, float) and not math.isfinite(x):
        return "NaN" if math.isnan(x) else "Infinity" if x > 0 else "-Infinity"
    return x


def written(value, most):
    if isinstance(value, torch.Tensor):
        node = {"t": "Tensor", "dtype": str(value.dtype)[6:], "shape": list(value.shape)}
        if not value.is_complex() and not value.is_quantized:
            every = max(1, -(-value.numel() // most))
            flat = value.detach().contiguous().flatten()[::every]
            node.update({"every": every} if every > 1 else {})
            node["data"] = [number(x) for x in (flat.double() if flat.is_floating_point() else flat).tolist()]
        return node
    if value is None:
        return {"t": "None"}
    for kind, name in ((bool, "bool"), (int, "int"), (float, "float"), (str, "str")):
        if isinstance(value, kind):
            return {"t": name, "v": number(value)}
    if isinstance(value, (list, tuple)):
        return {"t": "List" if isinstance(value, list) else "Tuple", "items": [written(x, most) for x in value]}
    if isinstance(value, dict):
        return {"t": "Dict", "items": [[written(k, most), written(v, most)] for k, v in value.items()]}
    return {"t": "Other", "v": type(value).__name__}


def read(node):
    kind = node["t"]
    if kind == "Tensor":
        data = [float(x) if isinstance(x, str) else x for x in node["data"]]
        return torch.tensor(data, dtype=getattr(torch, node["dtype"])).reshape(node["shape"])
    if kind in ("List", "Tuple"):
        items = [read(x) for x in node["items"]]
        return items if kind == "List" else tuple(items)
    if kind == "Dict":
        return {read(k): read(v) for k, v in node["items"]}
    return float(node["v"]) if kind == "float" else node.get("v")


def traced(module, method, args):
    """The operations of the method, its calls inlined, with their results."""
    graph = getattr(module, method).graph.copy()
    torch._C._jit_pass_inline(graph)
    steps = []
    for node in list(graph.nodes()):
        outputs = [o for o in node.outputs() if o.type().kind() in ("TensorType", "IntType", "FloatType", "BoolType")]
        if not node.kind().startswith(("aten::", "torchvision::")) or len(outputs) != node.outputsSize():
            continue
        place = re.search(r'File "([^"]+)", line (\d+)', node.sourceRange())
        kept = []
        for output in outputs:
            if output.type().kind() == "TensorType":  # later operations may write to it
                none = graph.create("prim::Constant", 1)
                none.output().setType(torch._C.NoneType.get())
                clone = graph.create("aten::clone", [output, none.output()], 1)
                none.insertAfter(node)
                clone.insertAfter(none)
                output = clone.output()
            kept.append(graph.registerOutput(output))
        step = {"op": node.kind(), "results": len(kept)}
        if place:
            step.update(file=place.group(1), line=int(place.group(2)))
        steps.append(step)
    graph.makeMultiOutputIntoTuple()
    result, *values = torch._C._create_function_from_graph("traced", graph)(module._c, *args)
    for step in steps:
        step["results"] = [written(values.pop(0), MOST) for _ in range(step["results"])]
    return result, steps


def main():
    model, recording, out = sys.argv[1:]
    with open(recording) as file:
        call = json.load(file)["calls"][0]
    module = torch.jit.load(model)
    method = call["method"]
    with torch.no_grad():
        args = [read(x) for x in call["args"]]
        names = len(getattr(module, method).schema.arguments) - 1
        result, steps = traced(module, method, args[:names])
    done = {"method": method, "args": call["args"], "grad_mode": False, "expect": written(result, 1 << 62), "trace": steps}
    with open(out, "w") as file:
        json.dump({"model": model, "calls": [done]}, file)
    print(f"{len(steps)} operations recorded")


if __name__ == "__main__":
    main()
