"""Small archives of the model families that people export, with the answers of PyTorch 1.13.

    TSGEN_OUT=out python3 families.py        (Debian's python3-torch and python3-torchvision)

A case is a line of `CASES`: name, parameters, body of forward, parts of the module, calls. The
classes are written to a file, because torch.jit.script needs their source.
"""
import importlib.util
import math
import os
import sys
import tempfile
import zipfile

import torch
import torch.nn as nn
import torchvision
from torch.utils import mkldnn
from torch.utils.mobile_optimizer import optimize_for_mobile
from torchvision import ops as vision  # noqa: F401 (registers torchvision::*)

import tsgen

torch.manual_seed(7)
torch.set_num_threads(1)
R = torch.randn
CASES = []


def case(name, parameters, body, parts=None, calls=(), head="", how="script", result="", grad=False):
    CASES.append(dict(name=name, parameters=parameters, body=body, parts=parts or {}, calls=calls,
                      head=head, how=how, result=result, grad=grad))


def ints(*shape, low=0, high=10):
    return torch.randint(low, high, shape)


def positive(n):
    a = R(n, n)
    return a @ a.t() + n * torch.eye(n)


def cpx(*shape):
    return torch.complex(R(*shape), R(*shape))


def small(module):
    for p in module.parameters():
        p.data = p.data * 0.5
    return module


# --- three dimensions
case("volume_net", "x", "return self.head(self.pool(torch.relu(self.norm(self.conv(x)))).flatten(1))",
     dict(conv=nn.Conv3d(2, 4, 3, stride=(1, 2, 2), padding=1), norm=nn.BatchNorm3d(4), pool=nn.AdaptiveAvgPool3d(2),
          head=nn.Linear(32, 3)), [[R(2, 2, 5, 9, 8)], [R(1, 2, 4, 6, 6)], [R(1, 3, 4, 6, 6)]])
case("volume_dilated", "x", "return self.b(self.a(x))",
     dict(a=nn.Conv3d(4, 6, (2, 3, 1), dilation=(2, 1, 1), groups=2, bias=False),
          b=nn.Conv3d(6, 4, 3, padding="same")), [[R(1, 4, 6, 5, 5)], [R(4, 6, 5, 5)]])
case("volume_transposed", "x", "return self.a(x)",
     dict(a=nn.ConvTranspose3d(3, 4, 3, stride=2, padding=1, output_padding=1)), [[R(1, 3, 3, 4, 5)]])
case("volume_pool", "x", "return self.a(x), self.b(x), self.c(x), F.avg_pool3d(x, 2, divisor_override=3)",
     dict(a=nn.MaxPool3d(3, 2, 1), b=nn.AvgPool3d((2, 3, 2), 2, (1, 1, 0), count_include_pad=False),
          c=nn.MaxPool3d(2, ceil_mode=True)), [[R(1, 2, 7, 7, 6)]])
case("volume_resize", "x", """a = F.interpolate(x, scale_factor=2.0, mode='nearest')
b = F.interpolate(x, size=[5, 4, 7], mode='trilinear', align_corners=False)
c = F.interpolate(x, size=[5, 4, 7], mode='trilinear', align_corners=True)
return a, b, c""", {}, [[R(1, 2, 3, 4, 5)]])
case("volume_traced", "x", "return self.t(F.max_pool3d(F.relu(self.a(x)), 2))",
     dict(a=nn.Conv3d(1, 3, 3, padding=1), t=nn.ConvTranspose3d(3, 2, 2, stride=2)), [[R(1, 1, 6, 6, 6)]], how="trace")
case("volume_unet", "x", "d = torch.relu(self.d(x))\nreturn self.o(torch.cat([self.u(d), x], 1))",
     dict(d=nn.Conv3d(2, 4, 2, stride=2), u=nn.ConvTranspose3d(4, 2, 2, stride=2), o=nn.Conv3d(4, 1, 1)),
     [[R(1, 2, 4, 6, 6)]])

# --- complex numbers and spectra
case("fft_lines", "x", "return torch.view_as_real(torch.fft.rfft(x)), torch.fft.irfft(torch.fft.rfft(x)), "
     "torch.view_as_real(torch.fft.fft(x, n=10, norm='ortho')), torch.fft.irfft(torch.fft.rfft(x, n=9), n=9)",
     {}, [[R(2, 12)], [R(3, 7)], [R(2, 12).double()]])
case("fft_planes", "x", "return torch.view_as_real(torch.fft.fft2(x)), torch.fft.irfft2(torch.fft.rfft2(x, norm='ortho'), norm='ortho'), "
     "torch.view_as_real(torch.fft.fftn(x)), torch.view_as_real(torch.fft.ifft2(torch.fft.fft2(x)))", {}, [[R(2, 4, 6)]])
case("fft_freq", "x", "return torch.fft.fftshift(x), torch.fft.ifftshift(x, [1]), torch.fft.fftfreq(9, 0.5), torch.fft.rfftfreq(8)",
     {}, [[R(3, 5)]])
case("fft_mixer", "x", "return self.l(torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2).real)", dict(l=nn.Linear(6, 6)), [[R(2, 5, 6)]])
case("stft_power", "x", "s = torch.stft(x, 16, 4, window=self.w, return_complex=True)\nreturn s.abs().pow(2.0), torch.view_as_real(s)",
     dict(w=torch.hann_window(16)), [[R(2, 80)], [R(64)]])
case("stft_pairs", "x", "return torch.stft(x, n_fft=12, hop_length=3, win_length=8, window=self.w, center=False, normalized=True, onesided=True, return_complex=False)",
     dict(w=torch.hamming_window(8)), [[R(3, 40)]])
case("istft_round", "x", "s = torch.stft(x, 16, 4, window=self.w, return_complex=True)\nreturn torch.istft(s, 16, 4, window=self.w, length=x.size(-1))",
     dict(w=torch.hann_window(16)), [[R(2, 64)], [R(1, 61)]])
case("mel_front", "x", "s = torch.stft(x, 32, 8, window=self.w, return_complex=True)\n"
     "p = s.real * s.real + s.imag * s.imag\nreturn torch.log(torch.clamp(torch.matmul(self.mel, p), min=1e-5))",
     dict(w=torch.hann_window(32), mel=torch.rand(8, 17)), [[R(1, 256)]])
case("rope_complex", "x, n: int", "f = torch.polar(torch.ones_like(self.angle[:n]), self.angle[:n])\n"
     "z = torch.view_as_complex(x.reshape(x.size(0), n, -1, 2).contiguous())\nreturn torch.view_as_real(z * f).flatten(2)",
     dict(angle=torch.outer(torch.arange(16).float(), 1.0 / (100.0 ** (torch.arange(4).float() / 4)))), [[R(2, 5, 8), 5]])
case("complex_math", "x, y", "z = torch.complex(x, y)\nw = torch.polar(torch.abs(x) + 1.0, y)\n"
     "return torch.view_as_real(z * w), torch.view_as_real(z + w), torch.view_as_real(z - w), torch.view_as_real(z / w), z.abs(), torch.angle(z), "
     "torch.view_as_real(torch.conj(z).resolve_conj()), z.real, z.imag, torch.view_as_real(z * 2.0)", {}, [[R(3, 4), R(3, 4)]])
case("complex_more", "x, y", "z = torch.complex(x, y)\nreturn torch.view_as_real(torch.exp(z)), torch.view_as_real(torch.matmul(z, z.transpose(0, 1))), "
     "torch.view_as_real(z.sum(0)), torch.view_as_real(z.mean()), torch.view_as_real(torch.sqrt(z)), z == z, torch.view_as_real(z ** 2), torch.view_as_real(-z)", {}, [[R(3, 4), R(3, 4)]])
case("complex_traced", "x, n, z", "return x * 1j, x.sum() * 1j, torch.exp(-1j * torch.arange(3)), n + (1 - 2j), n.sum() - 1j, x / (2 + 1j), (1 - 2j) - x, z * 1j, z.sum() / (1 + 1j)",
     {}, [[R(3), torch.tensor([1, 2]), torch.complex(R(3), R(3))]], how="trace")
case("spectral_conv", "x", "f = torch.fft.rfft(x)\no = torch.einsum('bix,iox->box', f[:, :, :4], torch.view_as_complex(self.w))\n"
     "p = torch.zeros([x.size(0), 3, f.size(-1)], dtype=torch.cfloat)\np[:, :, :4] = o\nreturn torch.fft.irfft(p, n=x.size(-1))",
     dict(w=R(2, 3, 4, 2)), [[R(2, 2, 16)]])

# --- linear algebra
case("linalg_solve", "a, b", "return torch.linalg.solve(a, b), torch.linalg.inv(a), torch.inverse(a), torch.linalg.det(a), torch.det(a)",
     {}, [[positive(4), R(4, 2)], [torch.stack([positive(3), positive(3)]), R(2, 3, 2)], [torch.zeros(3, 3), R(3, 1)]])
case("linalg_slogdet", "a", "s, l = torch.slogdet(a)\nt, m = torch.linalg.slogdet(a)\nreturn s, l, t, m, torch.logdet(a)", {}, [[positive(4)], [-positive(3)]])
case("linalg_cholesky", "a, b", "l = torch.linalg.cholesky(a)\nreturn l, torch.cholesky(a), torch.cholesky_solve(b, l), torch.cholesky_inverse(l), "
     "torch.linalg.solve_triangular(l, b, upper=False)", {}, [[positive(4), R(4, 2)], [-positive(3), R(3, 1)]])
case("linalg_triangular", "a, b", "x, _ = torch.triangular_solve(b, a, upper=True)\nreturn x, torch.linalg.solve_triangular(a.triu(), b, upper=True)",
     {}, [[positive(4), R(4, 3)]])
case("linalg_qr", "a", "q, r = torch.linalg.qr(a)\nreturn torch.matmul(q, r), torch.matmul(q.transpose(-1, -2), q), r.abs()", {}, [[R(5, 3)], [R(2, 3, 3)], [R(3, 5)]])
case("linalg_svd", "a", "u, s, v = torch.linalg.svd(a, full_matrices=False)\nx, t, y = torch.svd(a)\n"
     "return s, t, torch.matmul(u * s.unsqueeze(-2), v), torch.matmul(x * t.unsqueeze(-2), y.transpose(-1, -2)), torch.linalg.svdvals(a)", {}, [[R(5, 3)], [R(3, 4)], [R(2, 4, 4)]])
case("linalg_eigh", "a", "l, q = torch.linalg.eigh(a)\nreturn l, torch.matmul(q * l.unsqueeze(-2), q.transpose(-1, -2)), torch.linalg.eigvalsh(a)",
     {}, [[positive(4)], [torch.stack([positive(3), positive(3)])]])
case("linalg_lstsq", "a, b", "return torch.linalg.lstsq(a, b)[0], torch.linalg.pinv(a), torch.pinverse(a)", {}, [[R(6, 3), R(6, 2)]])
case("linalg_power", "a", "return torch.linalg.matrix_power(a, 3), torch.matrix_power(a, -2), torch.matrix_power(a, 0), torch.linalg.matrix_exp(a * 0.1), torch.matrix_exp(a * 0.1)",
     {}, [[positive(3) * 0.2]])
case("linalg_norms", "a", "return torch.linalg.norm(a), torch.linalg.norm(a, 'fro'), torch.linalg.norm(a, 2), torch.linalg.norm(a, 'nuc'), "
     "torch.linalg.norm(a, float('inf')), torch.linalg.norm(a, 1), torch.linalg.vector_norm(a, 3.0, [0]), torch.linalg.matrix_norm(a), torch.linalg.cond(a), torch.linalg.matrix_rank(a)",
     {}, [[R(4, 4)]])
case("linalg_multi", "a, b, c", "return torch.linalg.multi_dot([a, b, c]), torch.chain_matmul([a, b, c]), torch.trace(a @ b @ c), torch.linalg.cross(c[:, :3], c[:, :3].roll(1, 1))",
     {}, [[R(3, 4), R(4, 5), R(5, 3)]])
case("kalman", "x, p, z", "s = self.h @ p @ self.h.t() + self.r\nk = p @ self.h.t() @ torch.inverse(s)\n"
     "y = z - self.h @ x\nreturn x + k @ y, (torch.eye(4) - k @ self.h) @ p", dict(h=R(2, 4), r=torch.eye(2)), [[R(4, 1), positive(4), R(2, 1)]])
case("gauss_process", "x, y, t", "k = torch.exp(-torch.cdist(x, x).pow(2)) + 0.1 * torch.eye(x.size(0))\nl = torch.linalg.cholesky(k)\n"
     "a = torch.cholesky_solve(y.unsqueeze(1), l)\nreturn (torch.exp(-torch.cdist(t, x).pow(2)) @ a).squeeze(1)", {}, [[R(6, 2), R(6), R(3, 2)]])

# --- views and in-place operations
case("strided_views", "x", "a = torch.as_strided(x, [3, 2], [1, 2], 1)\na.mul_(2.0)\nreturn x, a, x.as_strided([2, 2], [2, 1])", {}, [[R(10)]])
case("inplace_shapes", "x", "x = x.clone()\nx.transpose_(0, 1)\nx.unsqueeze_(0)\ny = x.squeeze_(0)\ny.t_()\nz = y.swapaxes_(0, 1)\nreturn x, y, z", {}, [[R(3, 4)]])
case("fill_diagonal", "x", "y = x.clone()\ny.fill_diagonal_(5.0)\nz = x.clone().fill_diagonal_(1.0, wrap=True)\nreturn y, z", {}, [[R(3, 4)], [R(7, 3)]])
case("scatter_views", "x, s", "return torch.select_scatter(x, s, 0, 1), torch.slice_scatter(x, s.unsqueeze(0), 0, 0, 1), torch.diagonal_scatter(x, s[:3], 0), "
     "torch.as_strided_scatter(x, s, [4], [1], 0)", {}, [[R(3, 4), R(4)]])
case("block_diagonal", "a, b", "return torch.block_diag([a, b, a[0]]), torch.cartesian_prod([a[0], b[0]]), torch.combinations(a[0]), torch.vander(a[0])", {}, [[R(2, 3), R(1, 2)]])
case("mode_rows", "x", "v, i = torch.mode(x, 1)\nw, j = torch.mode(x, 0, True)\nreturn v, w", {}, [[ints(3, 5, high=3)], [ints(4, 6, high=2).float()]])
case("renormed", "x", "return torch.renorm(x, 2.0, 0, 1.0), torch.renorm(x, 1.0, 1, 0.5)", {}, [[R(3, 4)]])
case("index_family", "x, i", "y = x.clone()\ny.index_fill_(0, i, 2.0)\nz = x.clone()\nz.index_copy_(0, i, x[:2])\nw = torch.index_add(x, 0, i, x[:2], alpha=2)\n"
     "return y, z, w, torch.take_along_dim(x, i.unsqueeze(1), 0), torch.put(x, i, x[0, :2]), torch.index_reduce(x, 0, i, x[:2], 'mean')", {}, [[R(4, 3), torch.tensor([2, 0])]])
case("padded_sequences", "x: List[Tensor]", "return nn.utils.rnn.pad_sequence(x, batch_first=True), torch._C._nn.pad_sequence(x, False, -1.0)", {}, [[[R(3, 2), R(5, 2), R(1, 2)]]])
case("window_functions", "n: int", "return torch.hann_window(n), torch.hamming_window(n, False), torch.blackman_window(n), torch.bartlett_window(n), torch.kaiser_window(n)", {}, [[8], [1]])
case("histograms", "x", "return torch.histc(x, 4, -1.0, 1.0), torch.bincount(torch.tensor([1, 2, 2, 5])), torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0]))", {}, [[R(20)]])
case("sizes_traced", "x, i", "size = torch._shape_as_tensor(x)\nreturn size, size[-2:].flip(0).float() / 2, torch.isin(3, i), "
     "torch.isin(2.5, i), torch.isin(3, i, invert=True)", {},
     [[R(2, 3, 4), torch.tensor([[3, 1]])], [R(5), torch.tensor([2])], [R(1, 0), torch.arange(20).float() / 2]], how="trace")
case("inplace_traced", "x, i", "y = x.clone()\ny[i] = 0.5\ny[:, 1] += 1\ny[i, i] = x[i, i] * 2\nreturn y", {}, [[R(4, 4), torch.tensor([1, 3])]], how="trace")
case("masked_moves", "x", "m = x > 0\ny = x.clone()\ny[m] = -1.0\ny.masked_fill_(~m, 3.0)\nreturn y, x[m], torch.masked_select(x, m), torch.where(m)[0], torch.argwhere(m)", {}, [[R(3, 4)]])

# --- activations, losses, special functions
case("special_values", "x", "return torch.lgamma(x.abs() + 0.5), torch.digamma(x.abs() + 0.5), torch.erfinv(torch.tanh(x)), torch.special.erfcx(x), torch.special.i0(x), "
     "torch.special.i0e(x), torch.special.i1(x), torch.special.i1e(x), torch.sinc(x), torch.special.entr(x.abs()), torch.special.ndtr(x), torch.special.ndtri(torch.sigmoid(x)), "
     "torch.special.log_ndtr(x), torch.logit(torch.sigmoid(x)), torch.special.expit(x), torch.polygamma(1, x.abs() + 1.0), torch.mvlgamma(x.abs() + 3.0, 2), torch.special.xlog1py(x, x.abs()), "
     "torch.special.zeta(x.abs() + 2.0, x.abs() + 1.0), torch.special.logsumexp(x, 0), torch.special.gammaln(x.abs() + 1.0), torch.special.gammainc(x.abs() + 0.5, x.abs()), torch.special.gammaincc(x.abs() + 0.5, x.abs())",
     {}, [[R(3, 5)], [R(8).double() * 3]])
case("integer_math", "a, b", "return torch.gcd(a, b), torch.lcm(a, b), torch.bitwise_left_shift(a, 2), torch.fmod(a, b + 1), torch.remainder(a, b + 1), torch.div(a, b + 1, rounding_mode='floor')", {}, [[ints(6, low=1), ints(6, low=1)]])
case("float_bits", "x", "m, e = torch.frexp(x)\nreturn m, e, torch.ldexp(x, torch.tensor([2])), torch.nextafter(x, x + 1), torch.copysign(x, -x), torch.signbit(x), torch.trunc(x), torch.frac(x), torch.hypot(x, x), torch.logaddexp2(x, x)", {}, [[R(6)]])
case("leaky_random", "x", "return self.a(x), F.rrelu(x, 0.1, 0.3, False), F.celu(x), F.glu(x, -1), F.logsigmoid(x), F.mish(x), F.hardswish(x), F.tanhshrink(x), F.softsign(x)", dict(a=nn.RReLU(0.1, 0.4)), [[R(3, 4)]])
case("weight_normed", "x", "return self.a(x)", dict(a=torch.nn.utils.weight_norm(nn.Linear(4, 3))), [[R(2, 4)]], how="trace")
case("weight_normed_conv", "x", "return self.a(x)", dict(a=torch.nn.utils.weight_norm(nn.Conv1d(2, 3, 3))), [[R(1, 2, 7)]], how="trace")
case("spectral_normed", "x", "return self.a(x)", dict(a=torch.nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3))), [[R(2, 4)]], how="trace")
case("ctc", "p, t, n, m", "return F.ctc_loss(p, t, n, m), F.ctc_loss(p, t, n, m, reduction='none'), F.ctc_loss(p, t, n, m, blank=1, reduction='sum', zero_infinity=True)", {},
     [[torch.log_softmax(R(8, 2, 5), 2), ints(2, 3, low=2, high=5), torch.tensor([8, 6]), torch.tensor([3, 2])]])
case("margin_losses", "x, y", "return F.multi_margin_loss(x, y), F.multi_margin_loss(x, y, 2, 0.5, reduction='none'), F.cross_entropy(x, y, label_smoothing=0.1), F.nll_loss(torch.log_softmax(x, 1), y), "
     "F.multilabel_margin_loss(x, y.unsqueeze(1).expand(-1, x.size(1)).contiguous()), F.gaussian_nll_loss(x, x * 0.5, x.abs() + 0.1), F.poisson_nll_loss(x, x.abs()), F.huber_loss(x, x * 2)", {}, [[R(4, 5), ints(4, high=5)]])
case("metric_losses", "a, p, n", "return F.triplet_margin_loss(a, p, n), F.cosine_embedding_loss(a, p, torch.ones([a.size(0)])), F.margin_ranking_loss(a[:, 0], p[:, 0], torch.ones([a.size(0)])), "
     "F.hinge_embedding_loss(a, torch.ones_like(a)), F.soft_margin_loss(a, torch.ones_like(a)), F.kl_div(torch.log_softmax(a, 1), torch.softmax(p, 1), reduction='batchmean'), F.pairwise_distance(a, p)", {}, [[R(4, 5), R(4, 5), R(4, 5)]])
case("bce_losses", "x, y", "return F.binary_cross_entropy(torch.sigmoid(x), y), F.binary_cross_entropy_with_logits(x, y, pos_weight=y + 0.5), F.smooth_l1_loss(x, y, beta=0.5), F.l1_loss(x, y, reduction='sum')", {}, [[R(3, 4), torch.rand(3, 4)]])

# --- pictures
case("unfold_fold", "x", "u = F.unfold(x, 3, padding=1, stride=2)\nreturn u, F.fold(u, [6, 6], 3, padding=1, stride=2)", {}, [[R(2, 3, 6, 6)]])
case("unpooled", "x", "y, i = F.max_pool2d_with_indices(x, [2, 2])\nreturn F.max_unpool2d(y, i, [2, 2]), i", {}, [[R(1, 2, 4, 6)]])
case("unpooled_line", "x", "y, i = F.max_pool1d_with_indices(x, [2])\nreturn F.max_unpool1d(y, i, [2])", {}, [[R(1, 2, 6)]])
case("resized_smooth", "x", "return F.interpolate(x, size=[3, 4], mode='bilinear', antialias=True), F.interpolate(x, size=[4, 3], mode='bicubic', antialias=True), "
     "F.interpolate(x, size=[9, 11], mode='bicubic', align_corners=True), F.interpolate(x, scale_factor=[1.5, 0.5], mode='area')", {}, [[R(1, 2, 8, 9)]])
case("grid_all", "x, g", "return F.grid_sample(x, g, 'bilinear', 'zeros', False), F.grid_sample(x, g, 'nearest', 'border', True), F.grid_sample(x, g, 'bicubic', 'reflection', False), "
     "F.grid_sample(x, g, 'bicubic', 'zeros', True), F.grid_sample(x, g, 'bilinear', 'reflection', True)", {}, [[R(2, 3, 5, 6), R(2, 4, 4, 2)]])
case("grid_volume", "x, g", "return F.grid_sample(x, g, 'bilinear', 'zeros', False), F.grid_sample(x, g, 'nearest', 'border', True)", {}, [[R(1, 2, 3, 4, 5), R(1, 2, 2, 3, 3)]])
case("spatial_transformer", "x", "t = self.loc(x.flatten(1)).view(-1, 2, 3)\nreturn F.grid_sample(x, F.affine_grid(t, x.size(), align_corners=False), align_corners=False)", dict(loc=nn.Linear(48, 6)), [[R(2, 3, 4, 4)]])
case("shuffled", "x", "return F.pixel_shuffle(x, 2), F.pixel_unshuffle(F.pixel_shuffle(x, 2), 2), F.channel_shuffle(x, 2), F.local_response_norm(x, 2), F.lp_pool2d(x, 2.0, 2), F.fractional_max_pool2d(x, [2, 2], [2, 2], _random_samples=self.r)",
     dict(r=torch.full((1, 4, 2), 0.5)), [[R(1, 4, 4, 4)]])
case("normalizers", "x", "return self.g(x), self.i(x), self.l(x), F.normalize(x, dim=1), torch.var_mean(x, [2, 3])[0], torch.std_mean(x, [1])[0]", dict(g=nn.GroupNorm(2, 4), i=nn.InstanceNorm2d(4, affine=True), l=nn.LayerNorm([5, 5])), [[R(2, 4, 5, 5)]])

# --- torchvision's operations
boxes = torch.tensor([[0., 0., 10., 10.], [1., 1., 11., 11.], [20., 20., 30., 30.], [0., 0., 9., 9.5], [21., 20., 30., 31.]])
case("nms_boxes", "b, s", "return torch.ops.torchvision.nms(b, s, 0.5)", {}, [[boxes, torch.tensor([0.9, 0.8, 0.7, 0.95, 0.6])], [torch.zeros(0, 4), torch.zeros(0)]])
case("nms_batched", "b, s, i", "o = i.to(b.dtype) * (b.max() + 1.0)\nk = torch.ops.torchvision.nms(b + o[:, None], s, 0.5)\nreturn b[k], s[k], i[k]", {}, [[boxes, torch.tensor([0.9, 0.8, 0.7, 0.95, 0.6]), torch.tensor([0, 0, 1, 1, 1])]])
roi = torch.tensor([[0., 1., 1., 7., 6.], [1., 0., 0., 4., 8.], [0., 2.5, 3.5, 2.5, 3.5]])
case("roi_aligned", "x, r", "return torch.ops.torchvision.roi_align(x, r, 0.5, 3, 3, 2, False), torch.ops.torchvision.roi_align(x, r, 1.0, 2, 2, -1, True)", {}, [[R(2, 3, 9, 10), roi]])
case("roi_pooled", "x, r", "a, i = torch.ops.torchvision.roi_pool(x, r, 1.0, 2, 3)\nb, j = torch.ops.torchvision.ps_roi_pool(x, r, 1.0, 2, 2)\nc, k = torch.ops.torchvision.ps_roi_align(x, r, 1.0, 2, 2, 2)\nreturn a, b, c", {}, [[R(2, 8, 9, 10), roi]])
case("deformed", "x, o, m", "return torch.ops.torchvision.deform_conv2d(x, self.w, o, m, self.b, 1, 1, 1, 1, 1, 1, 1, 1, True), "
     "torch.ops.torchvision.deform_conv2d(x, self.w, o, m, self.b, 1, 1, 1, 1, 1, 1, 1, 1, False)", dict(w=R(4, 2, 3, 3), b=R(4)), [[R(1, 2, 6, 6), R(1, 18, 6, 6), torch.rand(1, 9, 6, 6)]])

# --- speech, text, recommenders, graphs
case("tacotron_like", "x", "h, _ = self.r(self.e(x).transpose(0, 1))\nreturn self.o(torch.tanh(h)).transpose(0, 1)", dict(e=nn.Embedding(10, 4), r=nn.LSTM(4, 3, bidirectional=True), o=nn.Linear(6, 2)), [[ints(2, 5)]])
case("causal_dilated", "x", "for c in self.c:\n    x = x + torch.tanh(c(F.pad(x, [c.dilation[0] * 2, 0])))\nreturn x", dict(c=nn.ModuleList([nn.Conv1d(3, 3, 3, dilation=d) for d in (1, 2, 4)])), [[R(1, 3, 12)]])
case("beam_step", "p, b, k: int", "s = (b.unsqueeze(1) + torch.log_softmax(p, 1)).flatten()\nv, i = torch.topk(s, k)\nreturn v, torch.div(i, p.size(1), rounding_mode='floor'), i % p.size(1)", {}, [[R(2, 6), R(2), 3]])
case("greedy_decode", "x, n: int", "out: List[int] = []\nfor i in range(n):\n    y = self.l(x)\n    t = int(y.argmax())\n    out.append(t)\n    if t == 2:\n        break\n    x = x + self.e(torch.tensor(t))\nreturn out",
     dict(l=nn.Linear(4, 5), e=nn.Embedding(5, 4)), [[R(4), 6]], result="List[int]")
case("tolist_lists", "x, y, z", "a: List[List[float]] = x.tolist()\nb: List[int] = y.tolist()\nc: float = z.tolist()\nd: List[bool] = (y > 2).tolist()\nreturn a, b, c, d", {}, [[R(2, 3), ints(4), torch.tensor(1.5)], [R(2), ints(4), torch.tensor(1.5)], [R(2, 3), R(4), torch.tensor(1.5)]])
case("iterated_tensor", "x", "s = torch.zeros([x.size(1)])\nn = 0\nfor r in x:\n    s = s + r * n\n    n += 1\nreturn s, len(x), n", {}, [[R(3, 2)], [torch.tensor(1.0)]])
case("zipped", "x: List[Tensor], y: Dict[str, int]", "o: Dict[str, Tensor] = {}\nfor (i, t), k in zip(enumerate(x), ['a', 'b']):\n    o[k] = t * y[k] + i\nreturn o, [k for k in y.keys()], sorted([v for v in y.values()])", {}, [[[R(2), R(3)], {"a": 2, "b": 5}]])
case("graph_conv", "x, e", "m = torch.zeros_like(x)\nm = m.index_add(0, e[1], x[e[0]])\nd = torch.zeros([x.size(0)]).scatter_add(0, e[1], torch.ones([e.size(1)]))\nreturn self.l(m / d.clamp(min=1.0).unsqueeze(1)) + self.s(x)",
     dict(l=nn.Linear(3, 4), s=nn.Linear(3, 4)), [[R(5, 3), ints(2, 8, high=5)]])
case("graph_sparse", "x, i, v", "a = torch.sparse_coo_tensor(i, v, [x.size(0), x.size(0)])\nreturn torch.sparse.mm(a, x), a.to_dense(), torch.mm(a, x)", {}, [[R(4, 3), ints(2, 6, high=4), R(6)]])
case("sparse_parts", "i, v", "a = torch.sparse_coo_tensor(i, v, [4, 5]).coalesce()\nreturn a.indices(), a.values(), a.to_dense(), a.is_sparse, a._nnz()", {}, [[ints(2, 6, high=4), R(6)]])
case("graph_adjacency", "x", "return torch.relu(torch.sparse.mm(self.adj, self.l(x))), torch.sparse.mm(self.adj.t(), x), (self.adj * 2.0).to_dense(), self.adj.size(0), self.adj.is_sparse, self.adj.is_coalesced()",
     dict(l=nn.Linear(3, 4), adj=torch.sparse_coo_tensor(ints(2, 7, high=5), R(7), (5, 5))), [[R(5, 3)], [R(4, 3)]])
case("sparse_sums", "i, v, w", "a = torch.sparse_coo_tensor(i, v, [4, 3])\nb = torch.sparse_coo_tensor(i.flip(1), w, [4, 3])\nc = (a + b).coalesce()\nreturn c.indices(), c.values(), torch.sparse.sum(c), a.to_dense().to_sparse().values(), (a.transpose(0, 1)).to_dense(), c.sparse_dim(), c.dense_dim()",
     {}, [[ints(2, 5, high=3), R(5), R(5)], [ints(2, 5, high=3), R(4), R(5)]])
case("sparse_rows", "i, v", "a = torch.sparse_coo_tensor(i, v)\nreturn a.coalesce().values(), a.to_dense(), a.size(), a.dim()", {}, [[ints(1, 4, high=6), R(4, 3)], [ints(1, 4, high=6) - 7, R(4, 3)]])
case("graph_attention", "x, e", "h = self.l(x)\na = F.leaky_relu((h[e[0]] * self.a).sum(-1) + (h[e[1]] * self.b).sum(-1), 0.2)\nw = torch.exp(a - a.max())\n"
     "z = torch.zeros([x.size(0)]).scatter_add_(0, e[1], w)\nreturn torch.zeros_like(h).index_add_(0, e[1], h[e[0]] * (w / z[e[1]]).unsqueeze(1))", dict(l=nn.Linear(3, 4), a=R(4), b=R(4)), [[R(5, 3), ints(2, 9, high=5)]])
case("cross_network", "x", "y = x\nfor l in self.c:\n    y = x * l(y) + y\nreturn torch.sigmoid(self.o(y))", dict(c=nn.ModuleList([nn.Linear(4, 4) for _ in range(2)]), o=nn.Linear(4, 1)), [[R(3, 4)]])
case("factorization", "x", "v = self.v(x)\nreturn self.w(x).sum(1) + 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(1, keepdim=True)", dict(v=nn.Embedding(20, 4), w=nn.Embedding(20, 1)), [[ints(3, 5, high=20)]])
case("bags_weighted", "i, o, w", "return self.a(i, o), self.b(i, o, w), self.c(i, o)", dict(a=nn.EmbeddingBag(10, 3, mode="mean"), b=nn.EmbeddingBag(10, 3, mode="sum", include_last_offset=False), c=nn.EmbeddingBag(10, 3, mode="max", padding_idx=0)), [[ints(6), torch.tensor([0, 2, 2]), R(6)]])
case("two_towers", "u, i", "a = F.normalize(self.u(u), dim=-1)\nb = F.normalize(self.i(i), dim=-1)\nreturn a @ b.t(), F.cosine_similarity(a, b[:a.size(0)])", dict(u=nn.Linear(4, 3), i=nn.Linear(5, 3)), [[R(2, 4), R(3, 5)]])

# --- the language
case("autocast_cpu", "x", "with torch.autocast('cpu', dtype=torch.bfloat16):\n    y = self.l(x)\n    z = torch.softmax(y, 1)\n    w = y + 1\n    v = torch.relu(y)\nreturn y, z, w, v, y.dtype == torch.bfloat16", dict(l=nn.Linear(4, 3)), [[R(2, 4)]])
case("autocast_nested", "x", "with torch.autocast('cpu', dtype=torch.bfloat16):\n    y = self.l(x)\n    with torch.autocast('cpu', enabled=False, dtype=torch.bfloat16):\n        z = self.l(x)\n    w = torch.mm(z, z.t())\nreturn y, z, w, self.l(x)", dict(l=nn.Linear(4, 3)), [[R(2, 4)]])
case("autocast_cuda", "x", "with torch.cuda.amp.autocast():\n    y = self.l(x)\nreturn y", dict(l=nn.Linear(4, 3)), [[R(2, 4)]])
case("named_results", "x", "return Pair(x + 1, x.sum())", {}, [[R(3)]], head="class Pair(NamedTuple):\n    first: Tensor\n    second: Tensor\n")
case("rnn_state", "x, s: Optional[Tuple[Tensor, Tensor]]", "o, n = self.r(x, s)\nreturn o, n", dict(r=nn.LSTM(3, 4)), [[R(5, 2, 3), None], [R(5, 2, 3), (R(1, 2, 4), R(1, 2, 4))]])
case("unions", "x: Union[int, Tensor]", "if isinstance(x, int):\n    return torch.full([2], float(x))\nelse:\n    return x * 2", {}, [[3], [R(2)]])
case("any_values", "x: Any", "if isinstance(x, str):\n    return 'text ' + x\nelif isinstance(x, List[int]):\n    return 'ints ' + str(len(x))\nreturn 'other'", {}, [["a"], [[1, 2]], [3.5]], result="str")
case("strings", "s: str", "return s.upper().strip().split(' '), s.replace('a', 'b'), '{} {:.2f}'.format(s, 1.5) if False else '{} {}'.format(s, 2), s.find('b'), s[1:], s.startswith('a'), s.encode if False else len(s)", {}, [["abc de "]])
case("exceptions", "x, k: int", "if k == 0:\n    raise ValueError('no ' + str(k))\nassert k < 5, 'too large'\ntry_ = x / k\nreturn try_", {}, [[R(2), 0], [R(2), 7], [R(2), 2]])
case("interfaces", "x", "o = x\nfor i in range(2):\n    o = self.m.forward(o)\nreturn o", dict(m=nn.Linear(3, 3)), [[R(2, 3)]], head="@torch.jit.interface\nclass Layer(nn.Module):\n    def forward(self, input: Tensor) -> Tensor:\n        pass\n")
case("training_dropout", "x", "return F.dropout(x, 0.0, True), F.alpha_dropout(x, 0.0, True), F.feature_alpha_dropout(x, 0.0, False), self.d(x)", dict(d=nn.Dropout2d()), [[R(2, 3)]])
case("sorting", "x", "v, i = torch.sort(x, 1, True)\nw, j = torch.sort(x, dim=0, stable=True)\nreturn v, i, w, torch.argsort(x), torch.kthvalue(x, 2)[0], torch.msort(x), torch.unique(x), torch.unique_consecutive(x[0]), x.median(), x.nanmedian(), torch.quantile(x, 0.3)", {}, [[R(3, 4)]])
case("half_inputs", "x", "y = x.half()\nreturn y.float() * 2, (y + y).float(), x.to(torch.bfloat16) * 1.5, y.dtype == torch.float16", {}, [[R(3, 4)]])
case("meshes", "a, b", "x, y = torch.meshgrid(a, b, indexing='ij')\nreturn torch.stack([x, y], -1), torch.tril_indices(3, 4), torch.triu_indices(3, 3, 1), torch.cdist(x, y, 1.0), torch.rot90(x), torch.flip(x, [0]), torch.cov(x), torch.corrcoef(x), torch.cumulative_trapezoid(x), torch.tensordot(x, y, dims=([1], [1]))", {}, [[R(3), R(4)]])
case("transformer_decoder", "t, m", "return self.d(t, m)", dict(d=nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0)), [[R(3, 2, 8), R(4, 2, 8)]])
case("conv_lstm", "x, h, c", "g = self.g(torch.cat([x, h], 1))\ni, f, o, a = torch.chunk(g, 4, 1)\nc = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(a)\nreturn torch.sigmoid(o) * torch.tanh(c), c", dict(g=nn.Conv2d(4, 8, 3, padding=1)), [[R(1, 2, 4, 4), R(1, 2, 4, 4), R(1, 2, 4, 4)]])
case("squeeze_excite", "x", "s = F.adaptive_avg_pool2d(x, 1)\nreturn x * F.hardsigmoid(self.b(F.silu(self.a(s))))", dict(a=nn.Conv2d(4, 2, 1), b=nn.Conv2d(2, 4, 1)), [[R(2, 4, 5, 5)]])
case("vae", "x", "m, v = self.e(x).chunk(2, 1)\nz = m + torch.exp(0.5 * v) * 0.3\nreturn self.d(z), (-0.5 * torch.sum(1 + v - m.pow(2) - v.exp()))", dict(e=nn.Linear(4, 6), d=nn.Linear(3, 4)), [[R(2, 4)]])
case("attention_masked", "q, k, v", "s = torch.baddbmm(torch.zeros([1, 1, 1]), q, k.transpose(1, 2), alpha=0.5)\nm = torch.ones([q.size(1), k.size(1)], dtype=torch.bool).tril()\nreturn torch.softmax(s.masked_fill(~m, float('-inf')), -1) @ v", {}, [[R(2, 3, 4), R(2, 3, 4), R(2, 3, 4)]])
case("gru_cells", "x, h", "for i in range(x.size(0)):\n    h = self.c(x[i], h)\nreturn h, self.d(x[0], h)", dict(c=nn.GRUCell(3, 4), d=nn.RNNCell(3, 4)), [[R(3, 2, 3), R(2, 4)]])

HEAD = """import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union
from torch import Tensor
"""

# --- operations that no other case has
case("fft_others", "x", "z = torch.fft.fft(x)\nw = torch.fft.fftn(x)\nv = torch.fft.rfftn(x)\nreturn torch.view_as_real(torch.fft.ifft(z)), "
     "torch.fft.hfft(torch.fft.ihfft(x), x.size(-1)), torch.real(torch.fft.ihfft(x)), torch.imag(torch.fft.ihfft(x)), torch.view_as_real(torch.fft.ifftn(w)), "
     "torch.view_as_real(v), torch.fft.irfftn(v), torch.is_complex(z), torch.is_complex(x)", calls=[[R(3, 8)], [R(2, 4, 6)]])
case("special_others", "x", "y = x.abs() + 0.5\nreturn torch.special.digamma(y), torch.special.erfinv(torch.tanh(x)), torch.special.gammainc(y, x.abs()), "
     "torch.special.gammaincc(y, x.abs()), torch.special.i0(x), torch.special.logit(torch.sigmoid(x)), torch.special.logsumexp(x, 0), "
     "torch.special.multigammaln(y + 3.0, 2), torch.special.polygamma(1, y), torch.special.xlogy(x, y), torch.matrix_power(x[:3], 3)", calls=[[R(4, 3)]])
case("sampled_others", "x, v, g, h", "return torch.grid_sampler_2d(x, g, 0, 1, True), torch.grid_sampler_3d(v, h, 1, 0, False), "
     "F.max_unpool3d(self.pool(v)[0], self.pool(v)[1], [2, 2, 2])", dict(pool=nn.MaxPool3d(2, return_indices=True)),
     [[R(1, 2, 4, 5), R(1, 2, 4, 4, 4), torch.tanh(R(1, 3, 3, 2)), torch.tanh(R(1, 2, 2, 2, 3))]])

# --- for phones
case("mobile", "x", "a = F.relu6(self.norm(self.conv(x)))\nb = F.hardtanh(self.deep(a), -1.5, 2.0)\nc = F.relu(a + b)\n"
     "d = self.up(F.hardswish(c))\nreturn torch.clamp(self.head(F.relu(d).mean([2, 3])), max=0.25), self.plain(d[0, 0])",
     dict(conv=nn.Conv2d(3, 8, 3, stride=2, padding=1), norm=nn.BatchNorm2d(8), deep=nn.Conv2d(8, 8, (3, 5), padding=(2, 4), dilation=2, groups=8, bias=False),
          up=nn.ConvTranspose2d(8, 6, 3, stride=2, padding=1, output_padding=1, groups=2), head=nn.Linear(6, 4),
          plain=nn.Linear(10, 2, bias=False)), [[R(2, 3, 10, 10)], [R(1, 3, 10, 10) * 9]], how="mobile")
case("mobile_lite", "x", "y = F.relu(self.norm(self.conv(x)))\nreturn self.head(y.mean([2, 3]))", dict(conv=nn.Conv2d(2, 3, 3), norm=nn.BatchNorm2d(3), head=nn.Linear(3, 2)),
     [[R(1, 2, 5, 5)], [R(0, 2, 5, 5)], [R(1, 3, 5, 5)]], how="lite")
case("mobile_packing", "x, y", "c = torch.ops.prepacked.conv2d_clamp_prepack(self.w, None, [1, 1], [1, 1], [1, 1], 1, -0.5, None)\n"
     "t = torch.ops.prepacked.conv2d_transpose_clamp_prepack(self.w, self.b, [2, 2], [0, 0], [1, 1], [1, 1], 1)\n"
     "m = torch.ops.prepacked.linear_clamp_prepack(self.l, self.b, 0, 1)\n"
     "o = torch.ops.prepacked.conv2d_clamp_run(x, c), torch.ops.prepacked.conv2d_transpose_clamp_run(x, t), torch.ops.prepacked.linear_clamp_run(y, m)\n"
     "return o, torch._add_relu(y, y, alpha=-2), torch._add_relu(y, 0.5)",
     dict(w=R(3, 3, 3, 3), l=R(3, 4), b=R(3)), [[R(1, 3, 6, 5), R(2, 4)]])

# --- operators that PyTorch calls itself, as they are in a traced graph of its dispatcher
A = "torch.ops.aten."
case("dispatched", "x, i: Tensor, m", f"a = {A}_unsafe_view(x, [3, 4, 2]), {A}_reshape_alias(x, [6, 4], [1, 6])\n"
     f"b = {A}_to_copy(x, dtype=7), {A}_to_copy(i), {A}_cast_Int(x * 9), {A}_cast_Half(x), {A}_cast_Double(x)\n"
     f"c = {A}_aminmax(x), {A}_aminmax(x, 1, True), {A}_adaptive_avg_pool2d(x[None], [2, 3]), {A}_adaptive_avg_pool3d(x[None, None], [1, 2, 2])\n"
     f"d = {A}_local_scalar_dense(x.sum()), {A}_stack([x, x + 1], -1), {A}_conj_physical(torch.complex(x, x)), {A}_list_to_tensor([3, 4])\n"
     f"e = {A}_embedding_bag(m, i, torch.tensor([0, 2]), False, 1), {A}_embedding_bag(m, i, torch.tensor([0, 2]), False, 0, False, None, False, 1)\n"
     f"f = {A}_addmm_activation(m[0], m.t(), m, beta=0.5), {A}_addmm_activation(m[0], m.t(), m, alpha=2, use_gelu=True), {A}_dim_arange(x, 1)\n"
     f"g = {A}lift_fresh(x), {A}log_sigmoid_forward(x)[0], {A}native_channel_shuffle(torch.cat([x, x])[None], 2), {A}is_nonzero(i[0])\n"
     f"h = {A}special_xlogy(x, 2.5), {A}special_xlogy(0.5, x.abs()), {A}data(x)\n"
     f"return a, b, c, d, e, f, g, h, {A}_index_put_impl_(x.clone(), [i], torch.ones(2), True)",
     {}, [[R(4, 3, 2), torch.tensor([1, 0, 3, 1]), R(4, 2)]])
case("dispatched_transforms", "x, z", f"a = {A}_fft_r2c(x, [0, 1], 0, True), {A}_fft_r2c(x, [1], 1, False), {A}_fft_r2c(x, [1, 0], 2, True)\n"
     f"b = {A}_fft_c2c(z, [0, 1], 0, True), {A}_fft_c2c(z, [1], 1, False), {A}_fft_c2c(z, [0], 2, False), {A}_fft_c2c(z, [0], 2, True), {A}_fft_c2c(z, [1], 0, False)\n"
     f"c = {A}_fft_c2r(z, [1], 0, 6), {A}_fft_c2r(z, [0, 1], 1, 7), {A}_fft_c2r(z, [1, 0], 2, 6)\n"
     f"s = {A}_linalg_svd(x, True, False)[1], {A}_linalg_eigh(x.t() @ x, 'U', False)[0], {A}_linalg_svd(x)[1]\n"
     f"return a, b, c, s, {A}norm_except_dim(x, 2, 1), {A}norm_except_dim(x, 1, -1), {A}norm_except_dim(x[None], 2, 0)",
     {}, [[R(4, 5), cpx(4, 4)]])
case("dispatched_layers", "x, v, p, q", f"a = {A}thnn_conv2d(x, self.w, [3, 3], self.b, [2, 1], [1, 0])\n"
     f"b = {A}slow_conv_dilated2d(x, self.w, [3, 3], None, [1, 1], [1, 1], [2, 2]), {A}slow_conv_transpose2d(x, self.w, [3, 3], self.b, [2, 2], [1, 1], [1, 0], [1, 1])\n"
     f"c = {A}slow_conv3d(v, self.k, [2, 2, 2], self.b, [1, 2, 1], [0, 1, 1]), {A}slow_conv_dilated3d(v, self.k, [2, 2, 2], self.b, 1, 0, [1, 2, 1])\n"
     f"d = {A}slow_conv_transpose3d(v, self.k, [2, 2, 2], None, [2, 1, 1])\n"
     f"e = {A}_trilinear(p, self.t, q, [1, 3], [0], [1, 2], [2, 3]), {A}native_batch_norm(x, self.b, self.b, self.b, self.b.abs(), False, 0.1, 1e-3)[0]\n"
     "return a, b, c, d, e", dict(w=R(3, 3, 3, 3), b=R(3), k=R(3, 3, 2, 2, 2), t=R(2, 3, 4)),
     [[R(2, 3, 7, 6), R(1, 3, 4, 4, 4), R(5, 3), R(5, 4)]])

case("special_scalars", "x, i: Tensor", "return torch.special.xlog1py(x, 1.5), torch.special.xlog1py(0.1, x), torch.special.xlog1py(i, 2.5), torch.special.xlog1py(3, i), "
     "torch.special.zeta(x, 2.0), torch.special.zeta(2, x), torch.special.zeta(i + 2, 0.3), torch.special.xlogy(x, 0.1), torch.special.xlogy(2, i)",
     {}, [[R(4).abs().double() + 1, torch.tensor([0, 1, 5])], [R(3).abs() + 1.5, torch.tensor([2])]])

# --- archives of format version 3, as PyTorch 1.5 and 1.6 wrote them, with the meanings of that time
case("version3", "x, i: Tensor", "a = torch.div(x, 2.5), torch.div(x, x + 3), torch.div(i, 2), torch.div(i, i - 5), torch.div(i, 2.5), i[:3] / x[0], x[0] / i[:3]\n"
     "y = x.clone()\ny.div_(2)\ny.div_(y.abs() + 1)\nj = i.clone()\nj.div_(2)\nj.div_(i - 4)\n"
     "b = torch.empty(3)\ntorch.div(x[0], x[1], out=b)\nc = torch.empty(4, dtype=torch.int64)\ntorch.div(i, i - 5, out=c)\n"
     "d = torch.full([2], 3.0), torch.full([2], 7, dtype=torch.int64), torch.full([2], 2.5, dtype=torch.float64)\n"
     "return a, y, j, b, c, d, torch.linspace(0, 1, 4), torch.logspace(0.0, 2.0, 3), self.n(x)",
     dict(n=nn.GroupNorm(1, 3)), [[R(2, 3), torch.tensor([-7, 7, 8, 3])]], how="version3")

# --- linear algebra of complex numbers
case("linalg_complex", "a, b", "h = a @ a.mH + torch.eye(a.size(-1))\nv, q = torch.linalg.eigh(h)\nw, u = torch.linalg.eigh(h, 'U')\n"
     "l = torch.linalg.cholesky(h)\ns, d = torch.linalg.slogdet(a)\nx, r, n, t = torch.linalg.lstsq(a, b, driver='gelsd')\n"
     "e = v, w, (q * v.unsqueeze(-2)) @ q.mH, u.mH @ h @ u, q[..., 0, :].imag, u[..., -1, :].imag, torch.linalg.eigvalsh(h)\n"
     "f = l, torch.linalg.cholesky(h, upper=True), torch.linalg.cholesky_ex(h), torch.cholesky_solve(b, l), torch.cholesky_inverse(l)\n"
     "g = torch.linalg.inv(a), torch.linalg.inv_ex(a), torch.linalg.solve(a, b), torch.linalg.solve_triangular(a, b, upper=True)\n"
     "i = torch.linalg.det(a), s, d, torch.logdet(a), torch.linalg.pinv(b), torch.linalg.matrix_rank(b), torch.linalg.matrix_rank(h, hermitian=True)\n"
     "j = torch.linalg.svdvals(b), torch.linalg.matrix_norm(a), torch.linalg.matrix_norm(a, 'nuc'), torch.linalg.matrix_norm(a, 2), torch.linalg.cond(a)\n"
     "return e, f, g, i, j, x, r, n, t, torch.linalg.matrix_exp(a * 0.1), torch.matrix_power(a, -2)",
     {}, [[cpx(4, 4), cpx(4, 2)], [cpx(2, 3, 3), cpx(2, 3, 5)], [cpx(5, 5).to(torch.complex128), cpx(5, 1).to(torch.complex128)], [cpx(1, 1), cpx(1, 1)]])
case("linalg_complex_singular", "a", "return torch.det(a), torch.slogdet(a), torch.linalg.matrix_rank(a), torch.linalg.pinv(a), torch.linalg.eigvalsh(a), torch.linalg.inv_ex(a)[1], torch.linalg.inv(a)",
     {}, [[torch.zeros(3, 3, dtype=torch.cfloat)], [torch.tensor([[1j, 1], [2j, 2]])], [torch.tensor([[0, 1 + 2j], [1 - 2j, 0]])]])
case("complex_put", "x, y", "i = torch.tensor([2, 0])\na = x.index_put([i], y[i]), x.index_put([i], y[0], accumulate=True), x.clone().index_put_([x.real > 0], y[0, 0])\n"
     "b = x.put(i, y[0, :2]), x.put(i, y[0, :2], accumulate=True)\nreturn a, b, torch.corrcoef(x)",
     {}, [[cpx(3, 3), cpx(3, 3)], [cpx(3, 4).to(torch.complex128), cpx(3, 4).to(torch.complex128)]])

# --- pictures as transforms make them: bytes from resized reals, halves between two pixels
case("resized_bytes", "x, h: int, w: int", "y = F.interpolate(x.float(), [h, w], mode='bilinear', align_corners=False)\nz = F.interpolate(x.float(), [h, w], mode='bilinear', align_corners=True)\n"
     "s = F.interpolate(x.float(), [h, w], mode='bilinear', align_corners=False, antialias=True)\nreturn torch.round(y).to(torch.uint8), torch.round(z).to(torch.uint8), torch.round(s).to(torch.uint8)",
     {}, [[ints(1, 3, a, b, high=256).to(torch.uint8), c, d] for a, b, c, d in ((10, 12, 7, 9), (11, 13, 8, 9), (8, 8, 16, 17), (9, 7, 20, 5), (40, 30, 12, 17))])
case("grid_halves", "x, a: float", "h = x.size(2)\nw = x.size(3)\ny = (torch.arange(-2, 2 * h + 2) / 2 * 2 + 1) / h - 1\nz = (torch.arange(-2, 2 * w + 2) / 2 * 2 + 1) / w - 1\n"
     "g = torch.stack([z.expand(y.size(0), -1), y[:, None].expand(-1, z.size(0))], -1)[None]\n"
     "b = F.grid_sample(x, g, 'nearest', 'zeros', False), F.grid_sample(x, g, 'nearest', 'border', False), F.grid_sample(x, g * (w / (w - 1)), 'nearest', 'reflection', True)\n"
     "return b, vision_rotate(x, a, expand=True), vision_rotate(x, -a)", {}, [[R(1, 2, 11, 13), 30.0], [R(1, 1, 10, 12), 45.0], [R(1, 3, 9, 16), 60.0]],
     head="from torchvision.transforms.functional import rotate as vision_rotate\n\n\n")

case("affine_volumes", "t, s: List[int]", "a = F.affine_grid(t, s, True)\nb = F.affine_grid(t, s, False)\nreturn a, b, F.grid_sample(self.x, a, align_corners=True)", dict(x=R(2, 1, 3, 4, 5)),
     [[R(2, 3, 4), [2, 1, 2, 3, 4]], [R(2, 3, 4), [2, 1, 1, 2, 1]], [R(2, 3, 4), [2, 1, 0, 2, 3]], [R(2, 2, 3), [2, 1, 2, 3, 4]]])
case("roi_empty", "x, r", "return torch.ops.torchvision.ps_roi_align(x, r, 1.0, 2, 2, -1)[0]", {},
     [[R(1, 4, 6, 5), torch.tensor([[0., 1., 1., 4., 5.], [0., 2., 3., 2., 4.], [0., 3., 1., 1., 4.], [0., 4., 4., 1., 1.]])]])
case("roi_endless", "x, r", "return torch.ops.torchvision.roi_align(x, r, 1.0, 2, 2, -1, False), torch.ops.torchvision.ps_roi_align(x, r, 1.0, 2, 2, -1)[0]", {},
     [[R(1, 4, 6, 5), torch.tensor([[0., 1., 1., 4., math.inf], [0., 2., 3., math.inf, 4.], [0., math.nan, 1., 2., 4.], [0., 1., 1., 3., 3.]])]])
case("linalg_empty", "a, b", "return torch.linalg.cholesky(a), torch.linalg.cholesky_ex(a), torch.cholesky_solve(b, a), torch.cholesky_inverse(a), torch.linalg.inv(a), torch.linalg.solve(a, b), "
     "torch.linalg.solve_triangular(a, b, upper=True), torch.linalg.det(a), torch.slogdet(a), torch.linalg.eigh(a), torch.linalg.svd(a), torch.linalg.qr(a), torch.linalg.pinv(a), torch.linalg.matrix_exp(a), torch.lu(a)",
     {}, [[torch.zeros(0, 0), torch.zeros(0, 2)], [torch.zeros(2, 0, 0), torch.zeros(2, 0, 0)], [torch.zeros(0, 2, 2), torch.zeros(0, 2, 1)]])

# --- F.interpolate and other functions as scripts called them before PyTorch 1.5
I = "torch.ops.aten.__interpolate"
case("interpolated_before", "x, v, l, n: int, f: float", f"a = {I}(x, [n, n + 1], None, 'bilinear', False), {I}(x, n, None, 'nearest'), {I}(x, None, f), {I}(x, None, [f, 2.0], 'bicubic', True)\n"
     f"b = {I}(x, None, f, 'bilinear', True, False), {I}(x, None, f, 'bilinear', None, True), {I}(x, [n, n], None, 'area'), {I}(x, [n, n], f)\n"
     f"c = {I}(v, None, 2.0, 'trilinear', False), {I}(v, [n, n, n], None, 'nearest'), {I}(v, n, None, 'area'), {I}(l, None, f, 'linear'), {I}(l, n, None, 'nearest'), {I}(l, [n], None, 'area')\n"
     "d = torch.ops.aten.__upsample(x, None, 2, 'bilinear', True), torch.ops.aten.__upsample(x, [n, 4], None)\n"
     "return a, b, c, d", {},
     [[R(1, 2, 5, 4), R(1, 1, 2, 3, 4), R(2, 2, 6), 7, 1.7], [R(2, 1, 6, 6), R(1, 1, 4, 4, 4), R(1, 2, 9), 3, 0.6]], how="version3")
case("embedded_before", "i, x, n", "w = torch.ops.aten._no_grad_embedding_renorm_(self.w, i, 1.0, 2.0)\np = torch._pack_padded_sequence(x, n, False)\n"
     "return F.embedding(i, w), self.w, torch.ops.aten._pack_sequence(p[0] * 2, p[1], n, None)", dict(w=R(6, 3)),
     [[torch.tensor([[1, 4], [1, 0]]), R(4, 2, 3), torch.tensor([4, 2])], [torch.tensor([[5]]), R(2, 2, 1), torch.tensor([2, 2])], [torch.tensor([[6]]), R(2, 2, 1), torch.tensor([2, 2])]], how="version3")

# --- with weights in the format of oneDNN
case("onednn_layers", "x, v, y", "z = x.to_mkldnn()\nw = z + z\nw.relu_()\nreturn self.m(z).to_dense(), self.m(w).to_dense(), self.v(v.to_mkldnn()).to_dense(), self.l(y), self.c(x), x, z.to_dense()",
     dict(m=mkldnn.to_mkldnn(nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.ReLU(), nn.BatchNorm2d(8), nn.PReLU(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3)).eval()),
          v=mkldnn.to_mkldnn(nn.Sequential(nn.Conv3d(2, 3, 2, padding=1), nn.BatchNorm3d(3)).eval()), l=mkldnn.to_mkldnn(nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 2)).eval()),
          c=mkldnn.to_mkldnn(nn.Sequential(nn.Conv2d(3, 4, 3, groups=1, dilation=2, bias=False)).eval())),
     [[R(2, 3, 9, 9), R(1, 2, 4, 3, 4), R(2, 4)], [R(1, 3, 12, 10), R(2, 2, 2, 2, 2), R(7, 4)]])
case("linalg_complex_factors", "x", "q, r = torch.linalg.qr(x)\ns, t = torch.linalg.qr(x, 'complete')\nu, d, v = torch.linalg.svd(x, full_matrices=False)\n"
     "w, e, y = torch.linalg.svd(x)\nh = x.mH @ x\nl, z = torch.linalg.eig(h @ h + 1j * h)\na, f, b = torch.svd(x)\n"
     "return q, r, s @ t, s.mH @ s, d, (u * d.unsqueeze(-2)) @ v, w.mH @ w, y @ y.mH, e, (a * f.unsqueeze(-2)) @ b.mH, (z * l.unsqueeze(-2)) @ torch.linalg.inv(z), l.sum(-1), torch.linalg.eigvals(h).real.sum(-1)",
     {}, [[cpx(3, 3)], [cpx(5, 2)], [cpx(2, 4, 3).to(torch.complex128)], [cpx(1, 1)], [cpx(3)]])
case("linalg_complex_wide", "x", "q, r = torch.linalg.qr(x)\nu, d, v = torch.linalg.svd(x)\nw, e, y = torch.linalg.svd(x, full_matrices=False)\n"
     "return q @ r, d, u.mH @ u, v @ v.mH, (w * e.unsqueeze(-2)) @ y", {}, [[cpx(2, 5)], [torch.zeros(2, 3, dtype=torch.cfloat)], [torch.tensor([[1j, 1, 2], [1, -1j, -2j]])]])

# --- products that are added to what has another dtype or shape
case("added_products", "s, a, b", "r = torch.addmm(s, a, b)\nreturn r.float(), r.dtype == s.dtype, r.dtype == a.dtype", {}, [[R(4).double(), R(2, 3), R(3, 4)], [ints(2, 4), R(2, 3), R(3, 4)], [R(3, 1, 4), R(2, 3), R(3, 4)],
     [R(4), ints(2, 3), ints(3, 4)], [R(4).half(), R(2, 3), R(3, 4)], [R(5), R(2, 3), R(3, 4)], [R(4), R(2, 3).double(), R(3, 4)]])
case("added_products_cast", "s, a, b, v", "return torch.baddbmm(s, a[None], b[None], beta=2, alpha=3), torch.addmv(s, a, v)",
     {}, [[R(2).double(), R(2, 3), R(3, 2), R(3)], [ints(2), R(2, 3), R(3, 2), R(3)], [torch.tensor(2.5), ints(2, 3), ints(3, 2), ints(3)], [R(2).double(), R(2, 3), R(3, 2).double(), R(3)]])
case("added_products_factors", "s, a, b", "return torch.addmm(s, a, b, alpha=2)", {}, [[R(4), R(2, 3), R(3, 4)], [R(4).double(), R(2, 3), R(3, 4)], [R(4), ints(2, 3), ints(3, 4)]])

# --- losses of unusual operands, and special functions at their limits
case("margin_limits", "x, y, z", "return F.multi_margin_loss(x, y, reduction='none'), F.multilabel_margin_loss(x, z, reduction='none'), F.multi_margin_loss(x, y, 2, weight=self.w, reduction='none')", dict(w=torch.ones(3)),
     [[R(0, 3), ints(0), ints(0, 3)], [torch.tensor([[math.inf, 0.0, 1.0], [math.nan, 1.0, 2.0]]), torch.tensor([0, 1]), torch.tensor([[0, -1, 0], [1, 2, -1]])],
      [R(1, 3), torch.tensor([0]), torch.tensor([[0, -2, 1]])], [R(1, 3).double(), torch.tensor([0]), torch.tensor([[0, -1, 1]])], [R(2, 0), ints(2), ints(2, 0)]])
case("loss_targets", "x, y", "return F.binary_cross_entropy_with_logits(x, y, reduction='none'), F.binary_cross_entropy_with_logits(x, y)", {}, [[R(2, 3).double(), torch.rand(2, 3)], [R(2, 3), ints(2, 3, high=2)]])
case("loss_divergence", "x, y", "return F.kl_div(x, y, reduction='sum')", {}, [[R(2, 3), ints(2, 3)], [R(2, 3), torch.rand(2, 3)]])
case("loss_of_one", "x, y", "return F.nll_loss(x, y), F.cross_entropy(x, y)", {}, [[R(3), torch.tensor(1)], [R(3), torch.tensor([1])]])
case("special_limits", "x", "i = torch.full_like(x, math.inf)\nn = torch.full_like(x, math.nan)\nreturn torch.polygamma(1, i), torch.polygamma(1, -i), torch.special.gammainc(i, n), torch.special.gammaincc(n, i), "
     "torch.special.gammainc(n, x), torch.special.i0(x), torch.special.i1(-x), torch.special.i0e(x), torch.special.ndtri(1 / x), torch.special.modified_bessel_i0(x)", {}, [[torch.tensor([1e300, 750.0], dtype=torch.float64)], [torch.tensor([3e38, 2.0])]])



def typed(parameters):
    return ", ".join(p if ":" in p else p for p in parameters.split(", "))


def written(c):
    body = c["body"].replace("\n", "\n        ")
    attributes = "    m: Layer\n" if "interface" in c["head"] else ""
    result = " -> " + c["result"] if c["result"] else ""
    return (c["head"] + f"class {c['name']}(nn.Module):\n{attributes}"
            "    def __init__(self, parts: Any):\n        super().__init__()\n        for name, part in parts.items():\n"
            "            if isinstance(part, Tensor):\n                self.register_buffer(name, part)\n"
            "            else:\n                setattr(self, name, part)\n"
            f"    def forward(self, {typed(c['parameters'])}){result}:\n        {body}\n\n\n")


def old(name, saved, folder):
    """Writes `saved` as an archive of format version 3, with its code as it is; returns the path."""
    new, path = os.path.join(folder, name + ".pt"), os.path.join(tsgen.OUT, name + ".pt")
    os.makedirs(os.path.join(tsgen.OUT, "npy"), exist_ok=True)
    torch.jit.save(saved, new)
    with zipfile.ZipFile(new) as source, zipfile.ZipFile(path, "w") as target:
        for record in source.namelist():
            target.writestr(record, b"3\n" if record.endswith("/version") else source.read(record))
    return path


def module_of(c, folder):
    path = os.path.join(folder, "case_" + c["name"] + ".py")
    with open(path, "w") as f:
        f.write(HEAD + "\n\n" + written(c))
    spec = importlib.util.spec_from_file_location("case_" + c["name"], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, c["name"])(c["parts"]).eval()


def main(only):
    with tempfile.TemporaryDirectory() as folder:
        for c in CASES:
            if only and c["name"] not in only:
                continue

            def make(c=c):
                module = module_of(c, folder)
                if c["how"] == "trace":
                    saved = torch.jit.trace(module, tuple(c["calls"][0]), check_trace=False)
                else:
                    saved = torch.jit.script(module)
                if c["how"] == "mobile":
                    saved = optimize_for_mobile(saved)
                calls = [dict(method="forward", args=list(a), grad=c["grad"]) for a in c["calls"]]
                if c["how"] == "lite":
                    path = os.path.join(tsgen.OUT, c["name"] + ".pt")
                    saved._save_for_lite_interpreter(path, _extra_files={"notes/labels.txt": "a\nb\n"})
                    tsgen.check(c["name"], path, calls, ("family",), producer=c["how"])
                elif c["how"] == "version3":
                    tsgen.check(c["name"], old(c["name"], saved, folder), calls, ("family",), producer=c["how"])
                else:
                    tsgen.save(c["name"], saved, calls, tags=("family",), producer=c["how"])

            make.__name__ = c["name"]
            tsgen.guard(make)
    tsgen.finish()


main(set(sys.argv[1:]))
