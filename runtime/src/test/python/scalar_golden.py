"""Writes scalar-golden.txt: what libtorch's scalar, container and text operations return.

Usage: scalar_golden.py SCHEMAS OUTPUT, where SCHEMAS is a file with one libtorch 1.13 schema per line.

Each line: qualified name, arguments, result; tab-separated. A result that starts with '!' is an
error message; '!crash' stands for a call that ends the process or does not return.
For an operation that returns nothing, the result is its first argument after the call.
"""

import itertools
import json
import math
import os
import random
import re
import signal
import sys

import torch

CASES = 14
INTS = [0, 1, -1, 2, -2, 3, 7, -7, 10, 63, 65, 2**40, 2**62, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 1.5, 3.7, -7.3, 0.1, 1e10, 1e300, 1e-300,
          171.5, math.inf, -math.inf, math.nan]
STRINGS = ["", "a", "Hello World", " \tpad x\n", "1,22,,3", "abcabc", "ABC def", "x\ny\r\nz\n", "42",
           "aXbX", "\t1\t", "it's", "_id9"]
COMPLEX = [0j, 1 + 0j, 1j, -1 + 2j, 0.5 - 0.25j, 3 + 4j, -2 - 0.5j]
BOOLS = [True, False]
VALUES = {
    "int": INTS, "float": FLOATS, "bool": BOOLS, "str": STRINGS, "complex": COMPLEX,
    "Scalar": [0, 1, -3, 7, 0.5, -2.5, 3.0, -0.0, math.inf, math.nan],
    "int?": [None, 0, 1, 2, -1, -2, 5, -9], "str?": [None, "a", ",", "b", "X", "bc", " "],
    "int[]": [[], [1], [3, 1, 2], [1, 2, 3, 4, 5], [2, 2, 0], [-4, 2**40]],
    "float[]": [[], [1.0], [3.5, -1.0, 2.0], [0.0, math.inf], [2.5, 2.5], [math.nan, 1.0]],
    "bool[]": [[], [True], [False], [True, False, True], [False, False]],
    "str[]": [[], ["a"], ["b", "a", "c"], ["a", "a"], ["x", "", "it's"]],
    "complex[]": [[], [1 + 2j], [1j, -1 + 0j]],
    "Device": [torch.device("cpu")],
}
INDEX = [0, 1, -1, 2, -3, 5, -7]
SKIP = re.compile(
    r"aten::(_cufft|_get_tracing|_infer_size|_nnpack|_size_if|_use_cudnn|can_cast|confirmed|dequantize"
    r"|device|has_torch|hash|is_owner|is_vulkan|local_value|manual_seed|owner|promote_types|result_type"
    r"|save|set_grad|to_here|wait|warn|_unwrap|is_|format|percentFormat|isinstance)|prim::(?!abs|max|min"
    r"|rangelist|StringIndex|unchecked_cast|unchecked_unwrap)|prim::Uninit|enum|\.device\(|aten::Complex\."
    r"Scalar|RRef|aten::(numpy_T|sort|sorted)\.(any|Tensor)|__is__|__isnot__|copy_|aten::len.any")

def schemas(path):
    for line in open(path):
        line = line.strip()
        name = line.split("(")[0]
        if re.match(r"(aten|prim)::", line) and "Tensor" not in line and not SKIP.search(name + "("):
            try:
                yield torch._C.parse_schema(line)
            except RuntimeError:
                pass


def literal(v):
    if isinstance(v, bool) or v is None:
        return str(v)
    if isinstance(v, torch.Tensor):
        flat = [literal(x) for x in v.reshape(-1).tolist()]
        return "tensor(%s,%s,[%s])" % (str(v.dtype)[6:], list(v.shape), ", ".join(flat))
    if isinstance(v, complex):
        return "c(%r, %r)" % (v.real, v.imag)
    if isinstance(v, str):
        return json.dumps(v)
    if isinstance(v, list):
        return "[" + ", ".join(map(literal, v)) + "]"
    if isinstance(v, tuple):
        return "(" + ", ".join(map(literal, v)) + ")"
    if isinstance(v, dict):
        return "{" + ", ".join(literal(k) + ": " + literal(x) for k, x in v.items()) + "}"
    if isinstance(v, torch.device):
        return json.dumps(str(v))
    return repr(v)


def values(kind, parameter, name):
    if name in ("aten::chr", "aten::factorial") or parameter in ("width", "tabsize", "n"):
        return [0, 1, 5, 12, 65, -1] if name != "aten::factorial" else [0, 1, 5, 20, -1]
    if parameter in ("start", "end", "max") and kind == "int":
        return [0, 1, -1, 2, 5, -3]
    if parameter in ("idx", "index", "ind") and kind == "int":
        return INDEX
    if parameter == "step":
        return [1, 2, -1, 3, 0] if "range" in name else [1, 2, 3]
    if parameter in ("lo", "hi"):
        return [0, 5, -3, 10]
    if name == "aten::__derive_index":
        return [0, 1, 4, -3]
    if name == "aten::ldexp" and kind == "int":
        return [0, 1, -1, 10, 2000]
    if name in ("aten::__lshift__", "aten::__rshift__") and parameter == "b":
        return [0, 1, 5, 63, 64, 70, -1]
    if parameter == "fillchar":
        return [" ", "*"]
    if parameter in ("substr", "old", "separator", "chars", "el", "item", "new") and kind == "str":
        return ["a", "b", "X", ",", "bc", "", " ", "l", "z"]
    if name == "aten::Int" and kind == "str":
        return ["42", "-7", " 8", "x", "9223372036854775807", "9223372036854775808", "1.5", ""]
    if name == "aten::Float" and kind == "str":
        return ["4.25", "-7", " 8", "x", "1e5", "inf", "nan", "", "1e400", "1.5x"]
    m = re.match(r"Dict\((\w+), (\w+)\)", kind)
    if m:
        keys = VALUES[m.group(1)][:3]
        return [{}, {keys[0]: 10}, {k: i for i, k in enumerate(keys)}]
    m = re.match(r"\((\w+), (\w+)\)\[\]", kind)
    if m:
        keys = VALUES[m.group(1)][:3]
        return [[], [(k, i) for i, k in enumerate(keys)]]
    return VALUES[kind]


def concrete(kind, free):
    kind = kind.replace("number", "Scalar").replace("Optional[int]", "int?")
    kind = re.sub(r"List\[(\w+)\]", r"\1[]", kind)
    kind = re.sub(r"List\[Tuple\[(\w+), (\w+)\]\]", r"(\1, \2)[]", kind)
    kind = re.sub(r"Dict\[(\w+), (\w+)\]", r"Dict(\1, \2)", kind)
    kind = re.sub(r"Tuple\[(.*)\]", r"(\1)", kind)
    kind = re.sub(r"Optional\[(\w+)\]", r"\1?", kind)
    return re.sub(r"\b(t|tVal)\b", free, kind)


def function(schema, free):
    name = schema.name
    kinds = [concrete(str(a.type), free) for a in schema.arguments]
    rets = [concrete(str(r.type), free) for r in schema.returns]
    inputs = ", ".join("%%%d : %s" % (i, k) for i, k in enumerate(kinds))
    uses = ", ".join("%%%d" % i for i in range(len(kinds)))
    outs = ", ".join("%%r%d : %s" % (i, k) for i, k in enumerate(rets))
    back = ", ".join("%%r%d" % i for i in range(len(rets)))
    head = "%s = " % outs if rets else ""
    if len(rets) > 1:
        body = "  %s%s(%s)\n  %%t : (%s) = prim::TupleConstruct(%s)\n  return (%%t)" % (
            head, name, uses, ", ".join(rets), back)
    else:
        body = "  %s%s(%s)\n  return (%s)" % (head, name, uses, back or "%0")
    graph = torch._C.parse_ir("graph(%s):\n%s" % (inputs, body))
    node = next(n for n in graph.nodes())
    want = name + ("." + schema.overload_name if schema.overload_name else "") + "("
    if node.schema().startswith(want):
        compiled = torch._C._create_function_from_graph("f", graph)
        return kinds, compiled
    call = torch._C._get_operation_overload(name, schema.overload_name)[0]
    return kinds, lambda *args: call(*args)


def outcome(run, args):
    try:
        return literal(run(*args))
    except Exception as e:
        lines = [l for l in str(e).split("Exception raised from")[0].strip().split("\n") if l.strip()]
        message = re.sub(r"^(RuntimeError|IndexError|ValueError|KeyError): ", "", lines[-1])
        return "!" + message.replace("\t", " ")


def outcomes(cases):
    """The outcome of each case, computed in a child process, because some operations end it or never return."""
    done = []
    while len(done) < len(cases):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            with os.fdopen(write, "w") as out:
                for _, run, args in cases[len(done):]:
                    signal.alarm(2)
                    out.write(json.dumps(outcome(run, args)) + "\n")
                    out.flush()
            os._exit(0)
        os.close(write)
        done += [json.loads(line) for line in os.fdopen(read)]
        os.waitpid(child, 0)
        if len(done) < len(cases):
            done.append("!crash")
    return done


def text_cases():
    tensors = [
        torch.tensor(1.5), torch.tensor(3), torch.tensor(True), torch.tensor([1.0, 2.0, 3.0]),
        torch.tensor([1.5, -2.25, 1e-5]), torch.tensor([1e10, 1.0]), torch.tensor([0.1, 12345.678]),
        torch.arange(6).reshape(2, 3), torch.arange(6.0).reshape(2, 3) / 7, torch.tensor([]),
        torch.tensor([math.nan, math.inf, 1.0]), torch.tensor([True, False]), torch.zeros(2, 0),
        torch.arange(24).reshape(2, 3, 4), torch.arange(1200), torch.arange(1200.0) / 3,
        torch.tensor([1, -200, 30000]), torch.arange(40.0), torch.tensor([1.5], dtype=torch.float64),
        torch.tensor([7], dtype=torch.int32), torch.arange(1800).reshape(30, 60),
        torch.zeros(2, 2, 2, 2), torch.tensor([[1e-8, 1.0]]), torch.tensor(1e-7), torch.tensor(-0.0),
        torch.tensor(0.1, dtype=torch.float64), torch.tensor([100000.0]), torch.tensor([1e8]),
    ]
    plain = [(v, "int") for v in [0, -7, 2**63 - 1]] + [(v, "float") for v in FLOATS + [
        100.0, 1e15, 1e16, 1e17, 123456789.0, 1234567.5, 0.0001, 0.00001, 1e100, 3.14159265358979]]
    plain += [(True, "bool"), ("x y", "str"), ("it's", "str"), (1 + 2j, "complex"), (None, "int?")]
    plain += [([1, 2], "int[]"), ([1.5, 2.0], "float[]"), (["a", "b'c"], "str[]"), ([], "int[]"),
              ([True], "bool[]"), ((1, "a"), "(int, str)"), ({"k": 1, "j": 2}, "Dict(str, int)"),
              ({1: 0.5}, "Dict(int, float)"), ([[1], []], "int[][]"), ((1, 2.5, [3]), "(int, float, int[])"),
              ([(1, "x")], "(int, str)[]"), (torch.device("cpu"), "Device"), ([None, 3], "int?[]")]
    plain += [(t, "Tensor") for t in tensors]
    plain += [([torch.tensor([1.0]), torch.tensor(2)], "Tensor[]")]
    for v, kind in plain:
        yield "aten::str", [v], [kind]
        yield "aten::format", ["<{}>", v], ["str", kind]
    for f, args in [("no", []), ("{} {}", [(1, "int"), ("a", "str")]), ("{}", []), ("{{}}", [(1, "int")]),
                    ("{}{", [(1, "int")]), ("a", [(1, "int")]), ("{0}", [(1, "int")]), ("{}{}", [(1, "int")])]:
        yield "aten::format", [f] + [a for a, _ in args], ["str"] + [k for _, k in args]
    for f, args in [("%d", [(7, "int")]), ("%s %s", [("a", "str"), (1.5, "float")]), ("%f", [(1.5, "float")]),
                    ("%x", [(255, "int")]), ("%c", [(65, "int")]), ("%%", []), ("%d", []), ("%i", [(3, "int")]),
                    ("%d", [(2.5, "float")]), ("%s", [([1, 2], "int[]")]), ("%e", [(1.5, "float")]),
                    ("%5d", [(7, "int")]), ("%g", [(0.5, "float")]), ("%f", [(3, "int")]), ("%X", [(255, "int")]),
                    ("%s", []), ("a", [(1, "int")]), ("%o", [(8, "int")]), ("%E", [(1.5, "float")]),
                    ("%G", [(1e20, "float")]), ("%c", [("a", "str")]), ("%d", [("a", "str")])]:
        yield "aten::percentFormat", [f] + [a for a, _ in args], ["str"] + [k for _, k in args]
    for a, b in [(None, None), (1, None), (None, 1), (2, 2), (2, 3)]:
        yield "aten::__is__", [a, b], ["int?", "int?"]
        yield "aten::__isnot__", [a, b], ["int?", "int?"]
    casts = {"Int": "int", "Float": "float", "Bool": "bool"}
    for t in tensors[:3] + [torch.tensor([2.7]), torch.tensor([]), torch.tensor([1, 2, 3]), torch.tensor([0]),
                            torch.tensor([math.nan])]:
        for cast in casts:
            yield "aten::%s.Tensor" % cast, [t], ["Tensor"]
        for implicit in ["IntImplicit", "FloatImplicit", "ScalarImplicit", "item"]:
            yield "aten::" + implicit, [t], ["Tensor"]
    for args in [("a b c", None, 1), (" a  b\tc ", None, 0), ("a b", None, -1)]:
        yield "aten::split.str", list(args), ["str", "NoneType", "int"]
    for name in ["find", "rfind", "index.str", "rindex", "startswith", "endswith"]:
        for args in [("a", "l", 2, 3), ("a", "", 2, 3), ("a", "", 1, 3), ("abc", "c", 5, -1), ("abc", "", 4, -1),
                     ("abc", "", 5, 1), ("abc", "b", 4, 4), ("abc", "", 2, 1), ("abc", "c", 1, 9), ("abc", "", 3, 3)]:
            yield "aten::" + name, list(args), ["str", "str", "int", "int"]
    for t in [torch.tensor([123456.5]), torch.tensor([[1234567.5, 1e3]]), torch.tensor([[[1e5 + 0.5]], [[-2e-6]]])]:
        yield "aten::str", [t], ["Tensor"]


def text_function(name, kinds):
    inputs = ", ".join("%%%d : %s" % (i, k) for i, k in enumerate(kinds))
    uses = ", ".join("%%%d" % i for i in range(len(kinds)))
    result = {"__is__": "bool", "__isnot__": "bool", "Int": "int", "Float": "float", "Bool": "bool",
              "IntImplicit": "int", "FloatImplicit": "float", "ScalarImplicit": "Scalar",
              "item": "Scalar", "split": "str[]", "find": "int", "rfind": "int", "index": "int", "rindex": "int",
              "startswith": "bool", "endswith": "bool"}.get(name.split("::")[1].split(".")[0], "str")
    graph = torch._C.parse_ir("graph(%s):\n  %%r : %s = %s(%s)\n  return (%%r)" % (
        inputs, result, name.split(".")[0], uses))
    return torch._C._create_function_from_graph("f", graph)


def main():
    random.seed(7)
    todo = []
    for schema in schemas(sys.argv[1]):
        full = schema.name + ("." + schema.overload_name if schema.overload_name else "")
        try:
            kinds, run = function(schema, "int")
            domains = [values(k, a.name, schema.name) for k, a in zip(kinds, schema.arguments)]
        except (RuntimeError, KeyError) as e:
            print("skipped", full, str(e)[:200].replace("\n", " "), file=sys.stderr)
            continue
        every = list(itertools.product(*domains))
        limit = 20 if len(domains) == 1 else CASES
        cases = every if len(every) <= limit else random.sample(every, limit)
        todo += [(full, run, json_copy(case)) for case in cases]
    for name, args, kinds in text_cases():
        try:
            todo.append((name, text_function(name, kinds), args))
        except RuntimeError as e:
            print("skipped", name, kinds, str(e)[:150], file=sys.stderr)
    texts = [literal(list(args)) for _, _, args in todo]
    with open(sys.argv[2], "w") as out:
        for (name, _, _), text, result in zip(todo, texts, outcomes(todo)):
            out.write("%s\t%s\t%s\n" % (name, text, result))
    print(len(todo), "cases", file=sys.stderr)


def json_copy(case):
    return [v.copy() if isinstance(v, (list, dict)) else v for v in case]


if __name__ == "__main__":
    main()
