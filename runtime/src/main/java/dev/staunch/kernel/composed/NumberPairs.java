package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.util.List;

/** Functions of pairs of integers, and of the parts of floating point numbers. */
final class NumberPairs {
  private NumberPairs() {}

  /** Of two integers. */
  private interface Pair {
    long of(long a, long b);
  }

  static void addTo(Catalog.Builder catalog) {
    integers(catalog, "gcd", NumberPairs::gcd);
    integers(catalog, "lcm", (a, b) -> a == 0 || b == 0 ? 0 : Math.abs(a / gcd(a, b) * b));
    Steps.add(catalog, "aten::nextafter(Tensor self, Tensor other) -> Tensor", NumberPairs::next);
    Steps.add(
        catalog,
        "aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
        (steps, call) ->
            steps.product(call.tensor(0), steps.run("pow.Scalar", 2.0, call.tensor(1))));
    catalog.many(
        "aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
        Steps.many(NumberPairs::parts));
  }

  private static long gcd(long a, long b) {
    return b == 0 ? Math.abs(a) : gcd(b, a % b);
  }

  private static void integers(Catalog.Builder catalog, String name, Pair pair) {
    Steps.add(
        catalog,
        "aten::" + name + "(Tensor self, Tensor other) -> Tensor",
        (steps, call) -> {
          DType dtype = Promotion.of(call.tensor(0), call.tensor(1)).result();
          if (dtype.kind() != DType.Kind.INTEGRAL) {
            return Fault.dtype(name + " takes integers, but they are " + dtype)
                .withExpected("an integer dtype", dtype.toString());
          }
          List<Object> both = Steps.list(call.tensor(0), call.tensor(1));
          Object wide = steps.run("broadcast_tensors", both);
          return wide instanceof List<?> list
              ? paired(call, dtype, (DenseTensor) list.get(0), (DenseTensor) list.get(1), pair)
              : wide;
        });
  }

  private static Object paired(
      Call call, DType dtype, DenseTensor left, DenseTensor right, Pair pair) {
    Object made = call.allocate(dtype, left.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Lookout lookout = new Lookout(call);
    Places a = Places.of(left.layout());
    Places b = Places.of(right.layout());
    for (long i = 0; i < target.elements() && lookout.goesOn(16); i++) {
      long x = Elements.asLong(left.segment(), left.dtype(), a.at(i));
      long y = Elements.asLong(right.segment(), right.dtype(), b.at(i));
      Elements.putLong(target.segment(), dtype, target.layout().offset() + i, pair.of(x, y));
    }
    return Lookout.finished(target, lookout.fault());
  }

  private static Object next(Steps steps, Call call) {
    DType dtype = Promotion.of(call.tensor(0), call.tensor(1)).result();
    if (dtype != DType.FLOAT32 && dtype != DType.FLOAT64) {
      return Fault.dtype("nextafter takes float32 or float64, but they are " + dtype)
          .withExpected("float32 or float64", dtype.toString());
    }
    List<Object> both = Steps.list(call.tensor(0), call.tensor(1));
    if (!(steps.run("broadcast_tensors", both) instanceof List<?> wide)) {
      return steps.run("broadcast_tensors", both);
    }
    Lookout lookout = new Lookout(call);
    DenseTensor left = (DenseTensor) wide.get(0);
    double[] a = Doubles.of(lookout, left);
    double[] b = Doubles.of(lookout, (DenseTensor) wide.get(1));
    for (int i = 0; i < a.length && lookout.goesOn(1); i++) {
      a[i] =
          dtype == DType.FLOAT32 ? Math.nextAfter((float) a[i], b[i]) : Math.nextAfter(a[i], b[i]);
    }
    return lookout.fault() == null
        ? Doubles.tensor(call, dtype, left.shape(), a)
        : lookout.orFault(a);
  }

  private static Object parts(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    if (!self.dtype().isFloating()) {
      return Fault.dtype("frexp takes floating point numbers, but they are " + self.dtype())
          .withExpected("a floating point dtype", self.dtype().toString());
    }
    Lookout lookout = new Lookout(call);
    double[] mantissas = Doubles.of(lookout, self);
    double[] exponents = new double[mantissas.length];
    for (int i = 0; i < mantissas.length && lookout.goesOn(1); i++) {
      double value = mantissas[i];
      if (value != 0 && Double.isFinite(value)) {
        int exponent = Math.getExponent(value) + 1;
        mantissas[i] = Math.scalb(value, -exponent);
        exponents[i] = exponent;
      }
    }
    if (lookout.fault() != null) {
      return lookout.orFault(mantissas);
    }
    Object mantissa = Doubles.tensor(call, self.dtype(), self.shape(), mantissas);
    Object exponent = Doubles.tensor(call, DType.INT32, self.shape(), exponents);
    return exponent instanceof Fault ? exponent : new Object[] {mantissa, exponent};
  }
}
