"""Writes the table of operator schemas that overload resolution reads.

    python3 record_operators.py list > SCHEMAS
    python3 record_operators.py merge NEWER OLDER > operators.txt

The first prints the schemas of the PyTorch that runs it, sorted by name, those of one name in the
order in which libtorch tries them; of a libtorch without Python, toString of each schema of
getAllOperatorsFor, name by name, is the same. The second merges two such lists: NEWER as it is (that
of operators.txt is libtorch 2.10's), then what OLDER alone knows (libtorch 1.13.1's), marked with -.
"""

import re
import sys

HEADER = """\
# Operator schemas of libtorch 2.10, a fact sheet; see record_operators.py. Schemas of one name are in
# the order in which libtorch tries them. Lines that start with - are those that 2.10 no longer has
# but 1.13 had, as archives of its time name them; they are tried after all others of the name.
# aten::view.dtype is left out: libtorch passes it over, for a dtype is an int, as a size is."""

LEFT_OUT = {"aten::view.dtype"}


def printed():
    import torch

    for name in sorted({schema.name for schema in torch._C._jit_get_all_schemas()}):
        for schema in torch._C._jit_get_schemas_for_operator(name):
            print(schema)


def by_name(path):
    """The lines of a list, in order, under each operator's name."""
    found = {}
    with open(path) as lines:
        for line in lines:
            line = line.rstrip("\n")
            found.setdefault(re.match(r"\w+::\w+", line).group(0), []).append(line)
    return found


def merge(newer, older):
    newer, older = by_name(newer), by_name(older)
    print(HEADER)
    for name in sorted(newer.keys() | older.keys()):
        current = [line for line in newer.get(name, []) if line.split("(")[0] not in LEFT_OUT]
        known = {line.split("(")[0] for line in current} | LEFT_OUT
        print(*current, sep="\n", end="\n" if current else "")
        for line in older.get(name, []):
            if line.split("(")[0] not in known:
                print("-" + line)


if __name__ == "__main__":
    merge(*sys.argv[2:]) if sys.argv[1] == "merge" else printed()
