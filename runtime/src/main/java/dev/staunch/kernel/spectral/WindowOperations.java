package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** The window functions of short-time transforms. */
final class WindowOperations {
  private static final String TAIL =
      "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None)"
          + " -> Tensor";

  /** The most elements, as they are computed in an array. */
  private static final long MOST = Integer.MAX_VALUE - 8;

  private WindowOperations() {}

  /** A window's value at {@code i} of {@code last} steps. */
  private interface Form {
    double at(double i, double last);
  }

  /** Chooses the window by the arguments of a call. */
  private interface Choice {
    Form of(Operands operands);
  }

  static void addTo(Catalog.Builder catalog) {
    add(catalog, "hann_window", (i, last) -> cosines(i, last, 0.5, 0.5, 0));
    add(catalog, "hamming_window", (i, last) -> cosines(i, last, 0.54, 0.46, 0));
    add(catalog, "blackman_window", (i, last) -> cosines(i, last, 0.42, 0.5, 0.08));
    add(catalog, "bartlett_window", (i, last) -> 1 - Math.abs(2 * i / last - 1));
    add(catalog, "kaiser_window", (i, last) -> kaiser(i, last, 12));
    String head = "(int window_length, bool periodic, ";
    add(
        catalog,
        "hamming_window.periodic_alpha" + head + "float alpha, ",
        3,
        operands -> (i, last) -> cosines(i, last, operands.real(2), 0.46, 0));
    add(
        catalog,
        "hamming_window.periodic_alpha_beta" + head + "float alpha, float beta, ",
        4,
        operands -> (i, last) -> cosines(i, last, operands.real(2), operands.real(3), 0));
    add(
        catalog,
        "kaiser_window.beta" + head + "float beta, ",
        3,
        operands -> (i, last) -> kaiser(i, last, operands.real(2)));
  }

  private static void add(Catalog.Builder catalog, String name, Form form) {
    add(catalog, name + "(int window_length, ", 1, operands -> form);
    add(catalog, name + ".periodic(int window_length, bool periodic, ", 2, operands -> form);
  }

  /**
   * @param dtypeAt the index of the dtype argument; layout and device follow it
   */
  private static void add(Catalog.Builder catalog, String head, int dtypeAt, Choice choice) {
    Filled.add(
        catalog,
        "aten::" + head + TAIL,
        operands -> form(operands, dtypeAt),
        (target, call) -> filled(target, call, dtypeAt == 1 || call.bool(1), choice.of(call)));
  }

  private static double cosines(double i, double last, double a, double b, double c) {
    double angle = 2 * Math.PI * i / last;
    return a - b * Math.cos(angle) + c * Math.cos(2 * angle);
  }

  private static double kaiser(double i, double last, double beta) {
    double x = 2 * i / last - 1;
    return bessel(beta * Math.sqrt(Math.max(0, 1 - x * x))) / bessel(beta);
  }

  /** The modified Bessel function of order 0. */
  private static double bessel(double x) {
    double term = 1;
    double sum = 1;
    for (int k = 1; k < 500 && term > 1e-18 * sum; k++) {
      term *= x * x / (4.0 * k * k);
      sum += term;
    }
    return sum;
  }

  private static Object form(Operands operands, int dtypeAt) {
    long length = operands.integer(0);
    DType asked = operands.optionalDType(dtypeAt);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    if (length < 0 || length > MOST) {
      String text = "`window_length` must be from 0 to %d, but it is %d";
      return Fault.value(Message.of(text, MOST, length));
    }
    Fault elsewhere = Placement.fault(operands, dtypeAt + 1);
    if (elsewhere != null) {
      return elsewhere;
    }
    return dtype.isFloating()
        ? TensorForm.contiguous(dtype, Shape.of(length))
        : Fault.dtype("a window has a floating point dtype, not " + dtype)
            .withExpected(ExpectedDType.FLOATING_POINT, dtype);
  }

  private static @Nullable Fault filled(
      DenseTensor target, Call call, boolean periodic, Form form) {
    double[] values = new double[(int) target.elements()];
    CancellationPoll poll = new CancellationPoll(call);
    int last = periodic ? values.length : values.length - 1;
    for (int i = 0; i < values.length && poll.mayContinue(8); i++) {
      values[i] = values.length == 1 ? 1 : form.at(i, last);
    }
    Doubles.store(target, values);
    return poll.fault();
  }
}
