package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.loop.ComplexLoop;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Inference;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;

/** Arithmetic of complex numbers, defined by their real and imaginary parts. */
final class ComplexArithmetic {
  private ComplexArithmetic() {}

  /** A number or a tensor as its two parts, each a tensor or a Double. */
  record Parts(Object re, Object im) {}

  /** Computes the parts of the result. */
  interface OfPairs {
    Parts of(Steps steps, Parts a, Parts b);
  }

  static Steps.Body pairs(OfPairs body) {
    return (steps, call) -> {
      DType part = Promotion.of(call.value(0), call.value(1)).result().parts();
      return joined(
          steps, body.of(steps, of(steps, call.value(0), part), of(steps, call.value(1), part)));
    };
  }

  /** Two complex tensors are multiplied in one loop, anything else part by part. */
  static Object product(Steps steps, Call call) {
    boolean loop =
        Steps.isTensor(call.value(1)) && isComplex(call.dtype(0)) && isComplex(call.dtype(1));
    return loop
        ? steps.apply(
            Inference.OF_VALUES,
            it ->
                ComplexLoop.product(
                    it,
                    Promotion.of(it.value(0), it.value(1)).result(),
                    it.tensor(0),
                    it.tensor(1)),
            call.value(0),
            call.value(1))
        : pairs(ComplexArithmetic::product).run(steps, call);
  }

  static Object conjugate(Steps steps, Call call) {
    return steps.apply(
        Inference.OF_VALUES, it -> ComplexLoop.conjugate(it, it.tensor(0)), call.value(0));
  }

  static Parts of(Steps steps, Object value) {
    return switch (value) {
      case DenseTensor tensor when tensor.dtype().kind() == DType.Kind.COMPLEX ->
          new Parts(steps.run("real", tensor), steps.run("imag", tensor));
      case ComplexNumber number -> new Parts(number.re(), number.im());
      case Number number -> new Parts(number.doubleValue(), 0.0);
      case Boolean flag -> new Parts(flag ? 1.0 : 0.0, 0.0);
      default -> new Parts(value, 0.0);
    };
  }

  /** As {@link #of}, with tensors of dtype {@code part}. */
  static Parts of(Steps steps, Object value, DType part) {
    Parts parts = of(steps, value);
    return new Parts(cast(steps, parts.re(), part), cast(steps, parts.im(), part));
  }

  /** An operand in {@code dtype}, which is complex, or in the dtype of its parts if it is real. */
  private static Object within(Steps steps, Object operand, DType dtype) {
    boolean complex = isComplex(Steps.form(operand).dtype());
    return steps.cast(operand, complex ? dtype : dtype.parts());
  }

  static Object cast(Steps steps, Object part, DType dtype) {
    return part instanceof Double ? part : steps.cast(part, dtype);
  }

  /** The complex numbers with these parts, at least one of which is a tensor. */
  static Object joined(Steps steps, Parts parts) {
    return steps.apply(
        Inference.OF_VALUES,
        call -> ComplexLoop.join(call, call.value(0), call.value(1)),
        parts.re(),
        parts.im());
  }

  static boolean isComplex(DType dtype) {
    return dtype.kind() == DType.Kind.COMPLEX;
  }

  private static Object filled(Steps steps, DenseTensor like, Object value) {
    return steps.run("full_like", like, value);
  }

  static boolean isNone(Object part) {
    return part instanceof Double number && number == 0;
  }

  private static Object times(Steps steps, Object a, Object b) {
    if (a instanceof Double x && b instanceof Double y) {
      return x * y;
    }
    if (a instanceof Double) {
      return times(steps, b, a);
    }
    return b instanceof Double ? steps.scaled(a, b) : steps.product(a, b);
  }

  /** {@code a + sign * b}. */
  static Object plus(Steps steps, Object a, Object b, int sign) {
    if (isNone(b)) {
      return a;
    }
    if (a instanceof Double x && b instanceof Double y) {
      return x + sign * y;
    }
    if (isNone(a)) {
      return sign > 0 ? b : steps.run("neg", b);
    }
    if (a instanceof Double) {
      Object turned = sign > 0 ? b : steps.run("neg", b);
      return steps.run("add.Scalar", turned, a);
    }
    if (b instanceof Double y) {
      return steps.run("add.Scalar", a, sign * y);
    }
    return sign > 0 ? steps.sum(a, b) : steps.difference(a, b);
  }

  static Parts product(Steps steps, Parts a, Parts b) {
    Object squares = isNone(a.im()) ? 0.0 : byImaginary(steps, a.im(), b.im());
    return new Parts(
        plus(steps, times(steps, a.re(), b.re()), squares, -1),
        plus(steps, byImaginary(steps, a.re(), b.im()), byImaginary(steps, b.re(), a.im()), 1));
  }

  /** Nothing if there is no imaginary part. */
  private static Object byImaginary(Steps steps, Object factor, Object im) {
    return isNone(im) ? 0.0 : times(steps, factor, im);
  }

  /**
   * First divides by the greater part of the divisor, as NumPy does, so that nothing overflows.
   * After a division by 0 or by an infinite number both parts are NaN, as in libtorch's loops over
   * vectors, which divide by the square of the divisor.
   */
  static Parts quotient(Steps steps, Parts a, Parts b) {
    if (isNone(b.im())) {
      Object divisor = regular(steps, b.re(), b.re());
      return new Parts(over(steps, a.re(), divisor), over(steps, a.im(), divisor));
    }
    DenseTensor known = (DenseTensor) first(a.re(), a.im(), b.re(), b.im());
    Object c = tensor(steps, known, b.re());
    Object d = tensor(steps, known, b.im());
    Object inOrder = steps.run("ge.Tensor", steps.run("abs", c), steps.run("abs", d));
    Object greater = either(steps, inOrder, c, d);
    Object lesser = either(steps, inOrder, d, c);
    Object ratio = steps.run("div.Tensor", lesser, greater);
    Object divisor = regular(steps, steps.sum(greater, steps.product(lesser, ratio)), greater);
    Object re = tensor(steps, known, a.re());
    Object im = tensor(steps, known, a.im());
    Object x = either(steps, inOrder, re, im);
    Object y = either(steps, inOrder, im, re);
    Object crossed = steps.difference(y, steps.product(x, ratio));
    return new Parts(
        over(steps, steps.sum(x, steps.product(y, ratio)), divisor),
        over(steps, either(steps, inOrder, crossed, steps.run("neg", crossed)), divisor));
  }

  /** The divisor, or NaN where its greater part is 0 or infinite. */
  private static Object regular(Steps steps, Object divisor, Object greater) {
    return times(steps, divisor, over(steps, greater, greater));
  }

  private static Object first(Object... parts) {
    return Arrays.stream(parts).filter(DenseTensor.class::isInstance).findFirst().orElseThrow();
  }

  static Object tensor(Steps steps, DenseTensor like, Object part) {
    return part instanceof Double ? filled(steps, like, part) : part;
  }

  static Object either(Steps steps, Object condition, Object a, Object b) {
    return steps.run("where.self", condition, a, b);
  }

  static Object over(Steps steps, Object a, Object b) {
    if (a instanceof Double x) {
      return b instanceof Double y ? (Object) (x / y) : times(steps, a, steps.run("reciprocal", b));
    }
    return b instanceof Double ? steps.run("div.Scalar", a, b) : steps.run("div.Tensor", a, b);
  }

  static Object sum(Steps steps, Call call, int sign) {
    DType dtype = Promotion.of(call.value(0), call.value(1)).result();
    if (!isComplex(dtype)) {
      return ofReals(call.value(2), dtype);
    }
    if (call.value(2) instanceof Number
        && isPairs(call.value(0), dtype)
        && isPairs(call.value(1), dtype)) {
      return ofPairs(steps, sign > 0 ? "add.Tensor" : "sub.Tensor", call);
    }
    DType part = dtype.parts();
    Parts a = of(steps, call.value(0), part);
    Parts factor = of(steps, call.value(2));
    Parts b = product(steps, of(steps, call.value(1), part), factor);
    return joined(
        steps, new Parts(plus(steps, a.re(), b.re(), sign), plus(steps, a.im(), b.im(), sign)));
  }

  /** Whether an operand's numbers are pairs of reals that lie in order. */
  private static boolean isPairs(Object operand, DType dtype) {
    return operand instanceof DenseTensor tensor
        && tensor.dtype() == dtype
        && tensor.isContiguous();
  }

  /** What an operation makes of two tensors as pairs of reals. */
  private static Object ofPairs(Steps steps, String name, Call call) {
    Object a = steps.run("view_as_real", call.value(0));
    Object b = steps.run("view_as_real", call.value(1));
    return steps.run("view_as_complex", steps.run(name, a, b, call.value(2)));
  }

  /** The fault for a complex factor of reals. */
  private static Fault ofReals(Object factor, DType dtype) {
    return Fault.value("the factor " + factor + " of elements of " + dtype + " must be real")
        .withExpected("a real number", factor.toString());
  }

  static Object absolute(Steps steps, Call call) {
    Parts z = of(steps, call.tensor(0));
    return steps.run(
        "hypot", steps.run("contiguous", z.re(), 0L), steps.run("contiguous", z.im(), 0L));
  }

  static Object inverse(Steps steps, Call call) {
    return joined(steps, quotient(steps, new Parts(1.0, 0.0), of(steps, call.tensor(0))));
  }

  /** A quotient that is not rounded. */
  static Object exactQuotient(Steps steps, Call call) {
    return call.value(2) == None.NONE
        ? steps.run(
            Steps.isTensor(call.value(1)) ? "div.Tensor" : "div.Scalar",
            call.value(0),
            call.value(1))
        : Fault.value("a quotient of complex numbers is not rounded; give `rounding_mode` None");
  }

  /** {@code other - alpha * self}. */
  static Object difference(Steps steps, Call call) {
    DType dtype = Promotion.of(call.value(0), call.value(1)).result();
    if (!isComplex(dtype)) {
      return ofReals(call.value(2), dtype);
    }
    Object self = steps.run("mul.Scalar", within(steps, call.value(0), dtype), call.value(2));
    Object other = call.value(1);
    return Steps.isTensor(other)
        ? steps.difference(other, self)
        : steps.run("add.Scalar", steps.run("neg", self), other);
  }

  /** {@code self} plus a factor times what {@code pair} makes of two tensors. */
  static Object more(Steps steps, Call call, String pair) {
    DType dtype = Promotion.of(call.value(0), call.value(1), call.value(2)).result();
    if (!isComplex(dtype)) {
      return ofReals(call.value(3), dtype);
    }
    Object made =
        steps.run(pair, within(steps, call.value(1), dtype), within(steps, call.value(2), dtype));
    return steps.sum(call.value(0), steps.scaled(made, call.value(3)));
  }

  static Object between(Steps steps, Call call) {
    Fault fault = OperandChecks.sameDType("lerp", call.dtype(0), "end", call.dtype(1));
    if (fault != null || !isComplex(call.dtype(0))) {
      return fault == null ? ofReals(call.value(2), call.dtype(0)) : fault;
    }
    Object way = steps.difference(call.value(1), call.value(0));
    Object weight = call.value(2);
    Object part = Steps.isTensor(weight) ? steps.product(way, weight) : steps.scaled(way, weight);
    return steps.sum(call.value(0), part);
  }

  /** An operation that treats both parts alike. */
  static Object apart(Steps steps, Call call, String name) {
    Object[] arguments = call.arguments();
    Parts z = of(steps, call.tensor(0));
    return joined(
        steps,
        new Parts(with(steps, name, arguments, z.re()), with(steps, name, arguments, z.im())));
  }

  static Object with(Steps steps, String name, Object[] arguments, Object self) {
    arguments[0] = self;
    for (int i = 1; i < arguments.length; i++) {
      boolean number = arguments[i] instanceof ComplexNumber;
      if (number || (Steps.isTensor(arguments[i]) && isComplex(Steps.form(arguments[i]).dtype()))) {
        return Fault.unsupported(name + " takes complex numbers as its first argument only");
      }
    }
    return steps.run(name, arguments);
  }
}
