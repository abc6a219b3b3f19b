package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Storing;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Functions of pairs of integers, and of the parts of floating-point numbers. */
final class NumberPairs {
  private NumberPairs() {}

  /** A function of the absolute values of two integers of one dtype. */
  private interface Pair {
    long of(long a, long b, DType dtype);
  }

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder copied = catalog.with(Trait.COPIED_IN_PLACE);
    integers(copied, "gcd", (a, b, dtype) -> gcd(a, b));
    integers(copied, "lcm", NumberPairs::lcm);
    Filled.add(
        copied,
        "aten::nextafter(Tensor self, Tensor other) -> Tensor",
        NumberPairs::nextForm,
        NumberPairs::next);
    Composite.add(
        catalog,
        "aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
        (steps, call) -> {
          DType other = call.dtype(1);
          TensorForm factor = TensorForm.contiguous(Promotion.floating(other), call.shape(1));
          DType dtype = Promotion.of(call.value(0), factor).result();
          boolean narrow =
              other.isFloating() ? other.bytes() < dtype.bytes() : dtype == DType.FLOAT64;
          Object exponent = narrow ? steps.cast(call.value(1), DType.FLOAT64) : call.value(1);
          Object power = steps.run("pow.Scalar", 2.0, exponent);
          return steps.cast(steps.product(call.value(0), power), dtype);
        });
    Composite.add(
        catalog,
        "aten::ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)",
        (steps, call) ->
            Storing.into(
                steps, call.value(0), steps.run("ldexp.Tensor", call.value(0), call.value(1))));
    catalog
        .withInference(NumberPairs::partForms)
        .many(
            "aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
            NumberPairs::parts);
  }

  private static long gcd(long a, long b) {
    return a == 0 ? b : gcd(b % a, a);
  }

  /** Numbers of fewer bits are multiplied as int32, as C does. */
  private static long lcm(long a, long b, DType dtype) {
    boolean isLong = dtype == DType.INT64;
    return a == 0 || b == 0 ? 0 : size(a / gcd(a, b) * b, isLong ? dtype : DType.INT32);
  }

  /**
   * The absolute value of the low bits that fit {@code dtype}; its least number, which has none in
   * it, stays as it is.
   */
  private static long size(long number, DType dtype) {
    int unused = Long.SIZE - Byte.SIZE * dtype.bytes();
    if (dtype == DType.UINT8) {
      return number << unused >>> unused;
    }
    long fitting = number << unused >> unused;
    return fitting == Long.MIN_VALUE >> unused ? fitting : Math.abs(fitting);
  }

  private static void integers(Catalog.Builder catalog, String name, Pair pair) {
    Filled.add(
        catalog,
        "aten::" + name + "(Tensor self, Tensor other) -> Tensor",
        operands -> {
          DType dtype = Promotion.of(operands.value(0), operands.value(1)).result();
          return dtype.kind() == DType.Kind.INTEGRAL
              ? broadcast(operands, dtype)
              : Fault.dtype(name + " takes integers, but they are " + dtype)
                  .withExpected(ExpectedDType.INTEGER, dtype);
        },
        (target, call) -> paired(target, call, pair));
  }

  private static Object broadcast(Operands operands, DType dtype) {
    Object shape = Broadcast.shape(operands.shape(0), operands.shape(1));
    return shape instanceof Shape common ? TensorForm.contiguous(dtype, common) : shape;
  }

  private static @Nullable Fault paired(DenseTensor target, Call call, Pair pair) {
    DenseTensor left = call.tensor(0);
    DenseTensor right = call.tensor(1);
    CancellationPoll poll = new CancellationPoll(call);
    Places a = Places.of(Broadcast.stretch(left.layout(), target.shape()));
    Places b = Places.of(Broadcast.stretch(right.layout(), target.shape()));
    for (long i = 0; i < target.elements() && poll.mayContinue(16); i++) {
      long x = size(Elements.asLong(left.segment(), left.dtype(), a.at(i)), target.dtype());
      long y = size(Elements.asLong(right.segment(), right.dtype(), b.at(i)), target.dtype());
      long at = target.layout().offset() + i;
      Elements.putLong(target.segment(), target.dtype(), at, pair.of(x, y, target.dtype()));
    }
    return poll.fault();
  }

  private static Object nextForm(Operands operands) {
    DType dtype = Promotion.of(operands.value(0), operands.value(1)).result();
    return dtype == DType.FLOAT32 || dtype == DType.FLOAT64 || dtype == DType.BFLOAT16
        ? broadcast(operands, dtype)
        : Fault.dtype("nextafter takes float32, float64 or bfloat16, but they are " + dtype)
            .withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64, DType.BFLOAT16), dtype);
  }

  private static @Nullable Fault next(DenseTensor target, Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    double[] a = stretched(poll, call, 0, target.shape());
    double[] b = stretched(poll, call, 1, target.shape());
    DoubleBinaryOperator after =
        switch (target.dtype()) {
          case FLOAT32 -> (from, to) -> Math.nextAfter((float) from, to);
          case BFLOAT16 -> NumberPairs::nextOfHighHalf;
          default -> Math::nextAfter;
        };
    for (int i = 0; i < a.length && poll.mayContinue(1); i++) {
      a[i] = after.applyAsDouble(a[i], b[i]);
    }
    Doubles.store(target, a);
    return poll.fault();
  }

  /** The next bfloat16, whose bits are the high half of a float32's. */
  private static double nextOfHighHalf(double from, double to) {
    float next = Math.nextAfter((float) from, to);
    if (Double.isNaN(next) || from == to) {
      return next;
    }
    int bits = Float.floatToRawIntBits(next);
    boolean grows = Math.abs(next) > Math.abs(from);
    return Float.intBitsToFloat((grows ? bits + 0xffff : bits) & 0xffff0000);
  }

  private static double[] stretched(CancellationPoll poll, Call call, int i, Shape shape) {
    return Doubles.of(poll, call.tensor(i), Broadcast.stretch(call.layout(i), shape));
  }

  private static Object partForms(Operands operands) {
    DType dtype = operands.dtype(0);
    return dtype.isFloating()
        ? new Object[] {
          TensorForm.contiguous(dtype, operands.shape(0)),
          TensorForm.contiguous(DType.INT32, operands.shape(0))
        }
        : Fault.dtype("frexp takes floating point numbers, but they are " + dtype)
            .withExpected(ExpectedDType.FLOATING_POINT, dtype);
  }

  private static Object parts(Call call) {
    if (partForms(call) instanceof Fault fault) {
      return fault;
    }
    DenseTensor self = call.tensor(0);
    CancellationPoll poll = new CancellationPoll(call);
    double[] mantissas = Doubles.of(poll, self);
    double[] exponents = new double[mantissas.length];
    for (int i = 0; i < mantissas.length && poll.mayContinue(1); i++) {
      double value = mantissas[i];
      if (value != 0 && Double.isFinite(value)) {
        int lost = Math.abs(value) < Double.MIN_NORMAL ? 54 : 0;
        double normal = Math.scalb(value, lost);
        int exponent = Math.getExponent(normal) + 1;
        mantissas[i] = Math.scalb(normal, -exponent);
        exponents[i] = exponent - lost;
      }
    }
    if (poll.fault() != null) {
      return poll.orFault(mantissas);
    }
    Object mantissa = Doubles.tensor(call, self.dtype(), self.shape(), mantissas);
    return mantissa instanceof Fault
        ? mantissa
        : Temporaries.both(mantissa, Doubles.tensor(call, DType.INT32, self.shape(), exponents));
  }
}
