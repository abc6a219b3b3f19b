"""The demo's model: ranks items for a user. Embeddings, batch norm under no_grad, sigmoid."""

import torch
from torch import Tensor, nn


class StreamingNorm(nn.Module):
    """Batch norm whose statistics are kept outside the graph, as in online training."""

    def __init__(self, width: int):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(width))
        self.beta = nn.Parameter(torch.zeros(width))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("var", torch.ones(width))
        self.eps = 1e-5

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            scale = torch.rsqrt(self.var + self.eps)
            shift = -self.mean * scale
        return (x * scale + shift) * self.gamma + self.beta


class Ranker(nn.Module):
    def __init__(self, users: int = 1000, items: int = 2000, width: int = 16, features: int = 8):
        super().__init__()
        self.users = nn.Embedding(users, width)
        self.items = nn.Embedding(items, width)
        self.norm = StreamingNorm(2 * width + features)
        self.hidden = nn.Linear(2 * width + features, 32)
        self.score = nn.Linear(32, 1)

    def forward(self, user: Tensor, item: Tensor, features: Tensor) -> Tensor:
        x = torch.cat([self.users(user), self.items(item), features], dim=1)
        x = torch.relu(self.hidden(self.norm(x)))
        return torch.sigmoid(self.score(x)).squeeze(1)
