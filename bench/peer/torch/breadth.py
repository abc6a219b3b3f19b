"""Times the operations of a list on one thread; prints the best run of each, in microseconds.

breadth.py LIST QUICK SECONDS
"""
import re
import sys
import time

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.set_grad_enabled(False)
x = torch.rand(1024, 1024) * 4 - 2
n = torch.randint(-100, 100, (1024, 1024))
w = torch.rand(8, 32, 64, 64) * 4 - 2
operands = dict(
    torch=torch,
    F=F,
    x=x,
    y=torch.rand(1024, 1024) * 4 - 2,
    p=torch.rand(1024, 1024) * 3.9 + 0.1,
    q=torch.rand(1024, 1024),
    d=x.double(),
    h=x.to(torch.bfloat16),
    n=n,
    j=n.int(),
    b=n.to(torch.int8),
    a=n.to(torch.uint8),
    c=torch.complex(x, torch.rand(1024, 1024)),
    s=torch.rand(16, 65536),
    m=torch.rand(1024, 1024) > 0.5,
    i=torch.randint(0, 1024, (1024, 1024)),
    r=torch.randint(0, 1024, (1024,)),
    v=torch.rand(1024),
    w=w,
    l=w.contiguous(memory_format=torch.channels_last),
    o=torch.rand(1, 16, 16, 64, 64) * 4 - 2,
    k=torch.rand(16, 16, 3, 3, 3) * 4 - 2,
    g=torch.rand(8, 64, 64, 2) * 2 - 1,
    u=x.view(-1),
    e=x.view(-1, 16),
    t=x.t(),
)
quick = sys.argv[2] == "true"
for line in open(sys.argv[1]):
    parts = re.fullmatch(r"(\* )?([^|]+) \| [^|]+ \| (.*)\n", line)
    if parts and (parts[1] or not quick):
        run = eval("lambda: " + parts[3], operands)
        best = float("inf")
        end = time.perf_counter() + float(sys.argv[3])
        runs = 0
        while runs < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            run()
            best = min(best, time.perf_counter() - start)
            runs += 1
        print(f"{parts[2]}={best * 1e6}", flush=True)
