package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.ComplexOperand;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.spectral.ComplexArithmetic.Parts;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Sums, products, norms and variances of complex numbers. */
final class ComplexReductions {
  private ComplexReductions() {}

  /**
   * A sum, running sum or mean; if a real dtype is requested, of the cast elements.
   *
   * @param along the operation for the sum along some dimensions; null for a running sum
   */
  static Object sum(Steps steps, Call call, String name, @Nullable String along, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    Object[] arguments = call.arguments();
    if (asked != null && asked.kind() != DType.Kind.COMPLEX) {
      return ComplexArithmetic.with(
          steps, name, arguments, steps.run("to.dtype", call.tensor(0), (long) asked.code()));
    }
    if (asked != null) {
      arguments[dtypeAt] = (long) asked.parts().code();
    }
    Object over = along == null ? null : dimensions(call, dtypeAt);
    if (along != null && over != null) {
      Object sums =
          steps.run(
              along,
              steps.run("view_as_real", call.tensor(0)),
              over,
              dtypeAt == 3 && call.bool(2),
              arguments[dtypeAt]);
      return steps.run("view_as_complex", sums);
    }
    Parts z = ComplexArithmetic.of(steps, call.tensor(0));
    Object re = ComplexArithmetic.with(steps, name, arguments, z.re());
    Object im = ComplexArithmetic.with(steps, name, arguments, z.im());
    return ComplexArithmetic.joined(steps, new Parts(re, im));
  }

  /** The dimensions of a sum, counted from the first; null if there are none, or they are wrong. */
  private static @Nullable Object dimensions(Call call, int dtypeAt) {
    long[] dims = dtypeAt < 3 || call.isNone(1) ? new long[0] : call.integers(1);
    int rank = call.tensor(0).rank();
    return rank > 0 && Dimensions.mask(dims, rank) instanceof boolean[] mask
        ? Steps.ints(IntStream.range(0, rank).filter(d -> mask[d]).asLongStream().toArray())
        : null;
  }

  static Object product(Steps steps, Call call) {
    Object self = cast(steps, call, 1);
    return ComplexSelections.isComplex(self)
        ? steps.run("prod.dim_int", steps.view(self, -1), 0L)
        : steps.run("prod", self, call.value(1));
  }

  /** The last of the running products. */
  static Object productAlong(Steps steps, Call call) {
    Object self = cast(steps, call, 3);
    if (!ComplexSelections.isComplex(self)) {
      return steps.run("prod.dim_int", self, call.value(1), call.value(2), call.value(3));
    }
    TensorForm form = Steps.form(self);
    Object dim = Dimensions.wrap(call.integer(1), form.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (form.rank() == 0) {
      return steps.run("clone", self);
    }
    boolean empty = form.shape().size(at) == 0;
    Object last =
        empty
            ? steps.run("ones_like", steps.run("sum.dim_IntList", self, Steps.ints(at)))
            : steps.run("select.int", steps.run("cumprod", self, (long) at), (long) at, -1L);
    Object kept = call.bool(2) ? steps.run("unsqueeze", last, (long) at) : last;
    return steps.run("clone", kept, 0L);
  }

  private static Object cast(Steps steps, Call call, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    return asked == null
        ? call.tensor(0)
        : steps.run("to.dtype", call.tensor(0), (long) asked.code());
  }

  static Object runningProduct(Steps steps, Call call) {
    Object self = cast(steps, call, 2);
    if (!ComplexSelections.isComplex(self)) {
      return steps.run("cumprod", self, call.value(1), call.value(2));
    }
    Object dim = Dimensions.wrap(call.integer(1), Steps.form(self).rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (Steps.form(self).rank() == 0) {
      return steps.run("clone", self);
    }
    Object lines = steps.run("movedim.int", self, (long) at, -1L);
    Object done = multiplied(call, steps.run("clone", lines, 0L));
    return steps.run("contiguous", steps.run("movedim.int", done, -1L, (long) at));
  }

  /** Replaces each line of a new tensor by its running products. */
  private static Object multiplied(Call call, Object made) {
    if (!(made instanceof DenseTensor lines) || lines.elements() == 0) {
      return made;
    }
    Fault stop = multiply(new CancellationPoll(call), lines);
    return stop == null ? lines : stop;
  }

  private static @Nullable Fault multiply(CancellationPoll poll, DenseTensor lines) {
    ComplexOperand operand = ComplexOperand.of(lines);
    long width = lines.shape().size(lines.rank() - 1);
    int size = (int) Math.min(width, 1024);
    double[] re = new double[size];
    double[] im = new double[size];
    for (long line = 0; line < lines.elements() && poll.fault() == null; line += width) {
      double[] so = {1, 0};
      long first = line;
      poll.inPieces(
          width,
          size,
          (done, count) -> {
            operand.load(re, im, first + done, 1, count, lines.dtype().parts());
            multiply(so, re, im, count);
            operand.store(re, im, first + done, 1, count);
          });
    }
    return poll.fault();
  }

  private static void multiply(double[] so, double[] re, double[] im, int count) {
    for (int i = 0; i < count; i++) {
      double real = so[0] * re[i] - so[1] * im[i];
      so[1] = so[0] * im[i] + so[1] * re[i];
      so[0] = real;
      re[i] = so[0];
      im[i] = so[1];
    }
  }

  /** A norm that depends only on the sizes of the numbers. */
  static Object ofSizes(Steps steps, Call call, String name, int dtypeAt) {
    Object[] arguments = call.arguments();
    DType asked = dtypeAt < 0 ? null : call.optionalDType(dtypeAt);
    if (asked != null) {
      arguments[dtypeAt] = (long) asked.parts().code();
    }
    Object self = asked == null ? call.tensor(0) : wide(steps, call, asked);
    return ComplexArithmetic.with(steps, name, arguments, steps.run("abs", self));
  }

  /** As {@link #ofSizes}, of the dtype that is requested. */
  static Object castOfSizes(Steps steps, Call call, String name, int dtypeAt) {
    Object norm = ofSizes(steps, call, name, dtypeAt);
    DType asked = call.optionalDType(dtypeAt);
    return asked == null ? norm : steps.cast(norm, asked);
  }

  private static Object wide(Steps steps, Call call, DType asked) {
    boolean wide = asked.parts() == DType.FLOAT64;
    return wide ? steps.cast(call.tensor(0), DType.COMPLEX128) : call.tensor(0);
  }

  /** The root of the variance that {@code variance} finds. */
  static Steps.Body deviation(String variance) {
    return (steps, call) -> steps.run("sqrt", variance(steps, call, variance));
  }

  /** The sum of the variances of both parts. */
  static Object variance(Steps steps, Call call, String name) {
    Object[] arguments = call.arguments();
    Parts z = ComplexArithmetic.of(steps, call.tensor(0));
    Object re = ComplexArithmetic.with(steps, name, arguments, z.re());
    return steps.sum(re, ComplexArithmetic.with(steps, name, arguments, z.im()));
  }
}
