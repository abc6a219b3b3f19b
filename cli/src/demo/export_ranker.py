"""Makes the demo's archive, its requests and the answers PyTorch gives to them.

    python3 export_ranker.py FOLDER      (run here; needs torch; recorded with Debian's python3-torch 1.13.1)
"""

import importlib.machinery
import importlib.util
import json
import sys

import torch

REQUESTS = 50
CANDIDATES = 4


def ranker_module():
    """The module ranker, loaded so that its file name, which the archive records, has no folder."""
    loader = importlib.machinery.SourceFileLoader("ranker", "ranker.py")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ranker", loader))
    sys.modules["ranker"] = module
    loader.exec_module(module)
    return module


def main(folder: str) -> None:
    torch.manual_seed(7)
    model = ranker_module().Ranker()
    with torch.no_grad():
        model.norm.mean.uniform_(-0.5, 0.5)
        model.norm.var.uniform_(0.5, 2.0)
        model.norm.gamma.uniform_(0.5, 1.5)
        model.norm.beta.uniform_(-0.5, 0.5)
    model.eval()
    torch.jit.script(model).save(f"{folder}/ranker.pt")
    with open(f"{folder}/requests.jsonl", "w") as requests, open(f"{folder}/answers.jsonl", "w") as answers:
        for number in range(1, REQUESTS + 1):
            user = torch.randint(0, 1000, (1,)).repeat(CANDIDATES)
            item = torch.randint(0, 2000, (CANDIDATES,))
            features = torch.randn(CANDIDATES, 8)
            with torch.no_grad():
                scores = model(user, item, features)
            inputs = [tensor("user", user, "INT64"), tensor("item", item, "INT64"), tensor("features", features, "FP32")]
            print(json.dumps({"id": str(number), "inputs": inputs}), file=requests)
            print(json.dumps({"id": str(number), "scores": scores.tolist()}), file=answers)


def tensor(name: str, value: torch.Tensor, datatype: str) -> dict:
    return {"name": name, "shape": list(value.shape), "datatype": datatype, "data": value.flatten().tolist()}


if __name__ == "__main__":
    main(sys.argv[1])
