"""Asks libtorch which operators each function of an archive calls, and how often.

    python3 record_lowering.py FOLDER... > lowered.tsv

Each FOLDER is one of the conformance set, such as archives. Counts are those of the graphs that
libtorch builds at loading, before any optimisation but the removal of what nothing uses. Needs
PyTorch (Debian's python3-torch 1.13.1); a development tool, no part of the build. Columns: archive,
function, operators with their counts.
"""

import collections
import glob
import os
import sys

import torch


def count(block, counts):
    for node in block.nodes():
        if node.schema() != "(no schema)" and not node.kind().startswith("prim::"):
            counts[node.schema().split("(")[0]] += 1
        for inner in node.blocks():
            count(inner, counts)


def main(folders):
    print(f"# Operators of each function, as loaded by libtorch {torch.__version__}: record_lowering.py")
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "*.pt"))):
            archive = os.path.basename(folder.rstrip("/")) + "/" + os.path.basename(path)
            unit = torch._C.CompilationUnit()
            try:
                torch._C.import_ir_module(unit, path, torch.device("cpu"), {})
            except RuntimeError:
                continue
            for function in sorted(unit.get_functions(), key=lambda f: f.qualified_name):
                counts = collections.Counter()
                count(function.graph, counts)
                listed = " ".join(f"{name}={number}" for name, number in sorted(counts.items()))
                print(archive, function.qualified_name, listed, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
