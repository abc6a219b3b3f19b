"""Torchaudio's transforms, filters and small models, with the answers of PyTorch 1.13.

    TSGEN_OUT=out python3 audio.py           (Debian's python3-torch and python3-torchaudio)
"""
import torch
import torch.nn as nn
import torchaudio.functional as F
import torchaudio.models as models
import torchaudio.transforms as T

import tsgen

torch.manual_seed(12)
torch.set_num_threads(1)
RATE = 16000


class Filters(nn.Module):
    """A chain of filters, as recordings are prepared with."""
    rate: torch.jit.Final[int] = RATE

    def __init__(self):
        super().__init__()
        self.register_buffer("a", torch.tensor([1.0, -0.6, 0.25]))
        self.register_buffer("b", torch.tensor([0.4, 0.2, 0.1]))
        self.register_buffer("many", torch.tensor([[2.0, 0.3], [1.0, -0.9]]))

    def forward(self, x: torch.Tensor):
        clean = F.highpass_biquad(x, self.rate, 80.0)
        return (F.lowpass_biquad(clean, self.rate, 3000.0), F.equalizer_biquad(clean, self.rate, 700.0, 4.0), F.bass_biquad(clean, self.rate, 6.0),
                F.treble_biquad(clean, self.rate, -3.0), F.allpass_biquad(clean, self.rate, 500.0), F.bandreject_biquad(clean, self.rate, 50.0),
                F.lfilter(x, self.a, self.b), F.filtfilt(x, self.a, self.b), F.lfilter(x, self.many, self.many.flip(1), clamp=False))


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.slow = T.Resample(RATE, 8000)
        self.mel = T.MelSpectrogram(8000, n_fft=128, hop_length=64, n_mels=12)
        self.decibels = T.AmplitudeToDB(top_db=60.0)
        self.mfcc = T.MFCC(RATE, n_mfcc=7, melkwargs={"n_fft": 128, "n_mels": 12})
        self.deltas = T.ComputeDeltas()
        self.level = T.SlidingWindowCmn(cmn_window=6, norm_vars=True)

    def forward(self, x: torch.Tensor):
        mel = self.decibels(self.mel(self.slow(x)))
        return mel, self.deltas(mel), self.level(mel.transpose(1, 2)), self.mfcc(x)


class Voices(nn.Module):
    """Spectra changed and turned back into signals."""

    def __init__(self):
        super().__init__()
        self.spectrum = T.Spectrogram(n_fft=64, power=None)
        self.stretch = T.TimeStretch(hop_length=32, n_freq=33, fixed_rate=1.25)
        self.back = T.InverseSpectrogram(n_fft=64)
        self.centroid = T.SpectralCentroid(RATE, n_fft=64)

    def forward(self, x: torch.Tensor):
        spectrum = self.spectrum(x)
        return torch.view_as_real(spectrum), self.back(spectrum, x.size(1)), self.back(self.stretch(spectrum)), self.centroid(x)


def speech():
    """wav2vec 2.0."""
    return models.wav2vec2_model(
        extractor_mode="group_norm", extractor_conv_layer_config=[(8, 10, 5), (8, 3, 2)], extractor_conv_bias=False, encoder_embed_dim=16,
        encoder_projection_dropout=0.0, encoder_pos_conv_kernel=8, encoder_pos_conv_groups=2, encoder_num_layers=1, encoder_num_heads=2,
        encoder_attention_dropout=0.0, encoder_ff_interm_features=16, encoder_ff_interm_dropout=0.0, encoder_dropout=0.0,
        encoder_layer_norm_first=False, encoder_layer_drop=0.0, aux_num_out=5)


def transducer():
    parts = models.rnnt
    encoder = parts._EmformerEncoder(
        input_dim=4, output_dim=8, segment_length=8, right_context_length=4, time_reduction_input_dim=4, time_reduction_stride=2,
        transformer_num_heads=2, transformer_ffn_dim=16, transformer_num_layers=1, transformer_activation="gelu",
        transformer_left_context_length=4, transformer_tanh_on_mem=True)
    predictor = parts._Predictor(6, 8, symbol_embedding_dim=8, num_lstm_layers=1, lstm_hidden_dim=8, lstm_layer_norm=True)
    return models.RNNT(encoder, predictor, parts._Joiner(8, 6))


def save(name, module, *calls):
    tsgen.save("audio_" + name, torch.jit.script(module.eval()), [("forward", list(call)) for call in calls], tags=("family",))


def sound(*shape):
    return 0.3 * torch.randn(*shape)


if __name__ == "__main__":
    save("filters", Filters(), [sound(2, 60)], [sound(2, 0)], [sound(3, 60)])
    save("features", Features(), [sound(2, 800)])
    save("voices", Voices(), [sound(2, 400)])
    save("conformer", models.Conformer(8, 2, 16, 1, 5), [torch.rand(2, 9, 8), torch.tensor([9, 6])])
    save("emformer", models.Emformer(8, 2, 16, 1, 4, right_context_length=1), [torch.rand(1, 9, 8), torch.tensor([8])])
    save("separation", models.ConvTasNet(2, 8, 16, 3, 8, 16, 2, 1), [sound(1, 1, 160)])
    save("speech", speech(), [sound(1, 200), None], [sound(2, 200), torch.tensor([200, 150])])
    save("transducer", transducer(),
         [torch.rand(1, 12, 4), torch.tensor([8]), torch.randint(0, 5, (1, 3), dtype=torch.int32), torch.tensor([3], dtype=torch.int32), None])
    tsgen.finish()
