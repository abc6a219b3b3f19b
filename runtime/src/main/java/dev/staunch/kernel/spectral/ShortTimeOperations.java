package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Short-time Fourier transforms: spectra of overlapping pieces of a signal, and the inverse. */
final class ShortTimeOperations {
  /** The code of a memory format. */
  private static final long ROW_MAJOR = 0;

  private static final String HEAD =
      "(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, ";

  /** The least sum of windows from which a signal can be recovered. */
  private static final double LEAST = 1e-11;

  private ShortTimeOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder taking =
        catalog.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64, DType.COMPLEX64, DType.COMPLEX128));
    String tail =
        "bool normalized=False, bool? onesided=None, bool? return_complex=None, bool?"
            + " align_to_window=None) -> Tensor";
    Composite.add(
        taking,
        "aten::stft" + HEAD + tail,
        (steps, call) -> spectra(steps, call, call.value(0), 5));
    Composite.add(
        taking,
        "aten::stft.center" + HEAD + "bool center=True, str pad_mode=\"reflect\", " + tail,
        ShortTimeOperations::centred);
    Composite.add(
        taking.with(Trait.FAILS_ON_VALUES),
        "aten::istft"
            + HEAD
            + "bool center=True, bool normalized=False, bool? onesided=None, int? length=None,"
            + " bool return_complex=False) -> Tensor",
        ShortTimeOperations::signal);
  }

  private static Object centred(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    if (!call.bool(5) || self.rank() < 1 || self.rank() > 2) {
      return spectra(steps, call, call.value(0), 7);
    }
    long pad = call.integer(1) / 2;
    long size = self.shape().size(self.rank() - 1);
    Object wide = steps.view(call.value(0), 1, self.rank() == 2 ? self.shape().size(0) : 1, size);
    Object padded = steps.run("pad", wide, Steps.ints(pad, pad), call.value(6));
    Object whole =
        self.rank() == 2
            ? steps.view(padded, self.shape().size(0), size + 2 * pad)
            : steps.view(padded, size + 2 * pad);
    return Steps.isTensor(whole) ? spectra(steps, call, whole, 7) : whole;
  }

  /**
   * @param at the index of the argument {@code normalized}
   */
  private static Object spectra(Steps steps, Operands call, Object signal, int at) {
    TensorForm self = Steps.form(signal);
    long size = call.integer(1);
    long hop = call.integerOr(2, size / 4);
    long width = call.integerOr(3, size);
    Fault fault = misfit(call, self, size, hop, width, at);
    if (fault != null) {
      return fault;
    }
    boolean complex = self.dtype().kind() == DType.Kind.COMPLEX;
    boolean half = call.isNone(at + 1) ? !complex : call.bool(at + 1);
    if (half && complex) {
      return Fault.value(
          "the spectrum of complex numbers is not onesided; set `onesided` to False");
    }
    Object batch = self.rank() == 1 ? steps.run("unsqueeze", signal, 0L) : signal;
    Object frames = steps.run("unfold", batch, 1L, size, hop);
    Object window = window(steps, call, size, width);
    Object windowed = steps.product(frames, window);
    if (call.isNone(4) && width == size) {
      windowed = frames;
    }
    String norm = call.bool(at) ? "ortho" : "backward";
    Object lines = steps.run(half ? "fft_rfft" : "fft_fft", windowed, size, -1L, norm);
    Object turned = steps.run("transpose.int", lines, 1L, 2L);
    Object result = self.rank() == 1 ? steps.run("squeeze.dim", turned, 0L) : turned;
    boolean numbers = call.isNone(at + 2) ? complex : call.bool(at + 2);
    return numbers ? result : steps.run("view_as_real", result);
  }

  private static @Nullable Fault misfit(
      Operands call, TensorForm self, long size, long hop, long width, int at) {
    DType dtype = self.dtype();
    if (!dtype.isFloating() && dtype.kind() != DType.Kind.COMPLEX) {
      return Fault.dtype("stft takes floating point or complex numbers, but the tensor is " + dtype)
          .withExpected(ExpectedDType.FLOATING_POINT, dtype);
    }
    if (self.rank() < 1 || self.rank() > 2) {
      return OperandChecks.shape(
          "stft takes a signal, or a batch of them, but the shape is " + self.shape(),
          "1 or 2 dimensions",
          self.shape());
    }
    long length = self.shape().size(self.rank() - 1);
    if (size <= 0 || size > length) {
      String text = "`n_fft` must be between 1 and the signal's %d elements, but it is %d";
      return Fault.value(Message.of(text, length, size));
    }
    if (hop <= 0) {
      return Fault.value("`hop_length` must be positive, but it is " + hop);
    }
    if (!call.isNone(at + 3) && call.bool(at + 3)) {
      return Fault.unsupported("stft with `align_to_window` is not supported; leave it out");
    }
    return windowMisfit(call, size, width);
  }

  private static @Nullable Fault windowMisfit(Operands call, long size, long width) {
    if (width <= 0 || width > size) {
      String text = "`win_length` must be between 1 and `n_fft` %d, but it is %d";
      return Fault.value(Message.of(text, size, width));
    }
    TensorForm window = call.optionalForm(4);
    if (window != null && (window.rank() != 1 || window.elements() != width)) {
      return OperandChecks.shape(
          Message.of("`window` must have %d elements, but its shape is %s", width, window.shape()),
          "[" + width + "]",
          window.shape());
    }
    return null;
  }

  /** The window in the middle of {@code size} elements; ones if there is none. */
  private static Object window(Steps steps, Operands call, long size, long width) {
    DType real = FourierLines.realOf(call.form(0).dtype());
    Object window =
        call.isNone(4) ? steps.run("ones", Steps.ints(width), (long) real.code()) : call.value(4);
    long left = (size - width) / 2;
    return width == size
        ? window
        : steps.run("constant_pad_nd", window, Steps.ints(left, size - width - left));
  }

  /** Real numbers are pairs, as {@code stft} gives them without {@code return_complex}. */
  private static Object signal(Steps steps, Operands call) {
    if (call.dtype(0).kind() == DType.Kind.COMPLEX) {
      return signal(steps, call, call.value(0));
    }
    Object spectra = steps.run("view_as_complex", steps.run("clone", call.value(0), ROW_MAJOR));
    return Steps.isTensor(spectra) ? signal(steps, call, spectra) : spectra;
  }

  private static Object signal(Steps steps, Operands call, Object spectra) {
    TensorForm self = Steps.form(spectra);
    long size = call.integer(1);
    long hop = call.integerOr(2, size / 4);
    long width = call.integerOr(3, size);
    Fault fault = inverseMisfit(call, self, size, hop, width);
    if (fault != null) {
      return fault;
    }
    boolean single = self.rank() == 2;
    boolean half = call.isNone(7) ? self.shape().size(self.rank() - 2) != size : call.bool(7);
    Object batch = single ? steps.run("unsqueeze", spectra, 0L) : spectra;
    Object lines = steps.run("transpose.int", batch, 1L, 2L);
    if (!half && !call.bool(9)) {
      lines = steps.run("narrow", lines, -1L, 0L, size / 2 + 1);
    }
    String norm = call.bool(6) ? "ortho" : "backward";
    Object pieces = steps.run(call.bool(9) ? "fft_ifft" : "fft_irfft", lines, size, -1L, norm);
    Object window = window(steps, call, size, width);
    Object windowed = steps.product(pieces, window);
    if (!Steps.isTensor(windowed)) {
      return windowed;
    }
    Object whole = overlapped(steps, call, windowed, window, size, hop);
    return single ? steps.run("squeeze.dim", whole, 0L) : whole;
  }

  private static @Nullable Fault inverseMisfit(
      Operands call, TensorForm self, long size, long hop, long width) {
    if (self.dtype().kind() != DType.Kind.COMPLEX) {
      return Fault.dtype(
              "istft takes complex numbers, but the tensor is "
                  + self.dtype()
                  + "; `view_as_complex` makes them of pairs")
          .withExpected(ExpectedDType.of(DType.COMPLEX64, DType.COMPLEX128), self.dtype());
    }
    if (self.rank() < 2 || self.rank() > 3 || self.elements() == 0) {
      return OperandChecks.shape(
          "istft takes spectra [frequencies, pieces], or a batch, but the shape is " + self.shape(),
          "2 or 3 dimensions",
          self.shape());
    }
    long frequencies = self.shape().size(self.rank() - 2);
    boolean half = call.isNone(7) ? frequencies != size : call.bool(7);
    long wanted = half ? size / 2 + 1 : size;
    if (size <= 0 || frequencies != wanted) {
      String text = "istft takes %d frequencies for `n_fft` %d, but the shape is %s";
      return OperandChecks.shape(
          Message.of(text, wanted, size, self.shape()), wanted + " frequencies", self.shape());
    }
    if (hop <= 0 || hop > width) {
      return Fault.value(
          Message.of("`hop_length` must be between 1 and `win_length` %d, but is %d", width, hop));
    }
    if (half && call.bool(9)) {
      return Fault.value(
          "the spectrum of a complex signal is not onesided; set `return_complex` to False");
    }
    TensorForm window = call.optionalForm(4);
    if (window != null && window.dtype().kind() == DType.Kind.COMPLEX && !call.bool(9)) {
      return Fault.value("a complex `window` gives a complex signal; set `return_complex` to True");
    }
    return windowMisfit(call, size, width);
  }

  /** The pieces overlapped and added, divided by the squared windows treated likewise. */
  private static Object overlapped(
      Steps steps, Operands call, Object frames, Object window, long size, long hop) {
    long pieces = Steps.form(frames).shape().size(1);
    long length = size + hop * (pieces - 1);
    long batch = Steps.form(frames).shape().size(0);
    Object signal = steps.run("new_zeros", frames, Steps.ints(batch, length));
    Object weights = steps.run("new_zeros", window, Steps.ints(length));
    Object square = steps.product(window, window);
    for (long i = 0; i < pieces; i++) {
      Object place = steps.run("slice.Tensor", signal, 1L, i * hop, i * hop + size, 1L);
      Object added = steps.run("add_.Tensor", place, steps.run("select.int", frames, 1L, i));
      Object spot = steps.run("slice.Tensor", weights, 0L, i * hop, i * hop + size, 1L);
      Object weighed = Steps.isTensor(added) ? steps.run("add_.Tensor", spot, square) : added;
      if (!Steps.isTensor(weighed)) {
        return weighed;
      }
    }
    long start = call.bool(5) ? size / 2 : 0;
    long end =
        call.isNone(8) ? (call.bool(5) ? length - size / 2 : length) : start + call.integer(8);
    long known = Math.min(end, length);
    Object cut = steps.run("slice.Tensor", signal, 1L, start, known, 1L);
    Object divisor = steps.run("slice.Tensor", weights, 0L, start, known, 1L);
    Object covered =
        steps.apply(
            operands -> operands.form(0), ShortTimeOperations::covering, steps.run("abs", divisor));
    Object result = Steps.isTensor(covered) ? steps.run("div.Tensor", cut, divisor) : covered;
    return end > length
        ? steps.run("constant_pad_nd", result, Steps.ints(0, end - length))
        : result;
  }

  /** The sums of windows, or the fault if one of them vanishes. */
  private static Object covering(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    double[] sums = Doubles.of(poll, call.tensor(0));
    Fault stop = poll.fault();
    if (stop == null && Arrays.stream(sums).anyMatch(sum -> sum <= LEAST)) {
      stop = Fault.value("the windows leave a part of the signal out; take a smaller hop_length");
    }
    return stop == null ? call.tensor(0) : stop;
  }
}
