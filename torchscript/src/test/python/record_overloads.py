"""Asks libtorch which overload it chooses for calls with random argument types.

    python3 record_overloads.py OPS SEED COUNT > overloads.tsv

OPS is a list of schemas with counts, of which the names are taken. Needs PyTorch (Debian's
python3-torch 1.13.1); a development tool, no part of the build. Columns: operator, types of positional
arguments (; between them), keyword arguments (name=type), the overload chosen or - for none, the
implicit conversions inserted, the types of the results. Left out: `2 * tensor` and the like, which
libtorch inlines with swapped operands.
"""

import random
import re
import sys

import torch

ops = torch.ops  # what the scripts below call

TYPES = """Tensor int float bool complex str number Any Device Optional[Tensor] Optional[int]
Optional[float] Optional[List[int]] List[int] List[float] List[bool] List[Tensor] List[str]
List[Optional[Tensor]] List[List[int]] Tuple[int,int] Tuple[Tensor,Tensor] Tuple[int,float]
Dict[str,int] Dict[int,Tensor] None [] {}""".split()
# What a parameter's type is tried with, besides anything at all.
NEAR = {
    "Tensor": ["Tensor"] * 8 + ["Optional[Tensor]", "int", "float", "None"],
    "int": ["int"] * 6 + ["Tensor", "float", "bool", "number", "Optional[int]"],
    "float": ["float"] * 5 + ["int", "Tensor", "number", "bool"],
    "bool": ["bool"] * 5 + ["int", "Tensor"],
    "Scalar": ["int", "float", "int", "float", "complex", "bool", "Tensor", "number"],
    "str": ["str"] * 4 + ["int"],
    "Device": ["Device", "str"],
    "int[]": ["List[int]", "List[int]", "Tuple[int,int]", "int", "[]", "Optional[List[int]]"],
    "float[]": ["List[float]", "Tuple[int,float]", "float", "[]", "int"],
    "Tensor[]": ["List[Tensor]", "List[Tensor]", "Tuple[Tensor,Tensor]", "Tensor", "[]"],
    "Tensor?[]": ["List[Optional[Tensor]]", "List[Tensor]", "List[Optional[Tensor]]"],
    "t[]": ["List[int]", "List[float]", "List[Tensor]", "List[str]", "[]", "List[List[int]]"],
    "t": ["int", "Tensor", "str", "float"],
    "list": ["List[int]", "List[str]"],
    "int[][]": ["List[List[int]]"],
}


# Operators whose chosen overload libtorch does not show: it looks up the node again by its inputs.
UNCLEAR = {"len", "rand", "randn", "upsample_linear1d", "upsample_nearest1d"}


def near(text, rng):
    if rng.random() < 0.03:
        return rng.choice(TYPES)
    optional = text.endswith("?")
    base = re.sub(r"\[\d+\]", "[]", text.rstrip("?"))
    if optional and rng.random() < 0.25:
        return "None"
    if base.startswith("Optional["):
        base = base[9:-1]
    if base.startswith("Dict("):
        return rng.choice(["Dict[str,int]", "Dict[int,Tensor]", "{}"])
    return rng.choice(NEAR.get(base, TYPES))


def parameters(schema):
    """The parameters' types, names, keyword-only marks and defaults, from the schema's text."""
    inside = re.sub(r"\([a-z|]!?( -> [a-z*|]+)?\)", "", str(schema).replace("::", ":", 1))
    inside = re.split(r" -> (?=\(?[A-Za-z.(]*)", inside)[0]
    inside = inside[inside.index("(") + 1 : inside.rindex(")")]
    found, keyword, depth, start = [], False, 0, 0
    parts = []
    for i, c in enumerate(inside + ","):
        depth += c in "[(" and 1 or c in "])" and -1 or 0
        if c == "," and depth == 0:
            parts.append(inside[start:i].strip())
            start = i + 1
    for part in parts:
        if part == "*":
            keyword = True
        elif part and part != "...":
            left, _, default = part.partition("=")
            kind, _, name = left.strip().rpartition(" ")
            found.append((kind, name, keyword, default != ""))
    return found


def call(schema, rng):
    positional, keywords = [], {}
    for kind, name, keyword_only, has_default in parameters(schema):
        omitted = has_default and (keywords or rng.random() < 0.55)
        if omitted and rng.random() < 0.9:
            if not keyword_only:
                keywords["_"] = ""
            continue
        if keyword_only or keywords or rng.random() < 0.03:
            keywords[name] = near(kind, rng)
        else:
            positional.append(near(kind, rng))
    keywords.pop("_", None)
    if rng.random() < 0.04:
        positional.append(rng.choice(TYPES))
    if rng.random() < 0.03 and positional:
        positional.pop()
    return positional, keywords


def ask(name, positional, keywords):
    declared, passed = [], []
    for i, (key, kind) in enumerate([(None, t) for t in positional] + list(keywords.items())):
        if kind in ("None", "[]", "{}"):
            value = kind
        else:
            value = f"a{i}"
            declared.append(f"a{i}: {kind}")
        passed.append(value if key is None else f"{key}={value}")
    text = f"def f({', '.join(declared)}):\n  return ops.aten.{name}({', '.join(passed)})\n"
    try:
        unit = torch.jit.CompilationUnit(text)
    except RuntimeError:
        return None
    graph = unit.f.graph
    chosen, conversions, results = None, [], ""
    for node in graph.nodes():
        if node.kind() == "aten::" + name:
            chosen = node.schema().split("(")[0]
            results = ";".join(o.type().annotation_str for o in node.outputs())
        elif node.kind().endswith("Implicit"):
            conversions.append(node.kind())
    swapped = chosen and chosen.endswith(".Scalar") and positional[:1] in (["int"], ["float"], ["complex"])
    return (chosen, conversions, results) if chosen and not swapped else "skip"


def main(ops, seed, count):
    rng = random.Random(int(seed))
    names = sorted({m.group(1) for m in re.finditer(r"aten::(\w+)", open(ops).read())})
    names = [n for n in names if not n.startswith("_") or n in ("__getitem__", "__contains__", "_set_item", "__is__")]
    print(f"# Overloads chosen by libtorch {torch.__version__}: record_overloads.py, seed {seed}.")
    seen = set()
    while len(seen) < int(count):
        name = rng.choice(names)
        schemas = torch._C._jit_get_schemas_for_operator("aten::" + name)
        if not schemas or name in UNCLEAR:
            continue
        positional, keywords = call(rng.choice(schemas), rng)
        given = (name, ";".join(positional), ";".join(f"{k}={v}" for k, v in keywords.items()))
        if given in seen:
            continue
        answer = ask(name, positional, keywords)
        if answer == "skip" or answer is None and rng.random() > 0.15:
            continue
        seen.add(given)
        chosen, conversions, results = answer or ("-", [], "")
        print("aten::" + given[0], given[1], given[2], chosen, ",".join(conversions), results, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
