"""Writes the table of operator schemas that overload resolution reads.

    python3 record_operators.py NEWER > operators.txt

The schemas, with overload names and defaults, come from the torch that runs this (Debian's
python3-torch 1.13.1), those of one name in the order in which libtorch tries them. NEWER is a list
of the schemas of libtorch 2.10 without overload names, defaults and alias marks; of it, names that
the first table lacks are added, with numbered overloads.
"""

import re
import sys

import torch


def main(newer: str) -> None:
    print("# Operator schemas of libtorch, a fact sheet; see record_operators.py. Schemas of one name are in")
    print("# the order in which libtorch tries them. Lines that start with + are known from libtorch 2.10 only:")
    print("# their overload names are numbers given here, and all their parameters count as required.")
    names = sorted({schema.name for schema in torch._C._jit_get_all_schemas()})
    for name in names:
        for schema in torch._C._jit_get_schemas_for_operator(name):
            print(schema)
    known = set(names)
    count = {}
    with open(newer) as lines:
        for line in lines:
            match = re.match(r"([\w]+::[\w]+)(\(.*)", line.strip())
            if not match or match.group(1) in known:
                continue
            name, rest = match.groups()
            count[name] = count.get(name, 0) + 1
            rest = rest if not rest.endswith("-> ") and not rest.endswith("->") else rest.rstrip() + " ()"
            overload = "" if count[name] == 1 else f".overload{count[name]}"
            print(f"+{name}{overload}{rest}")


if __name__ == "__main__":
    main(sys.argv[1])
