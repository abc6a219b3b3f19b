package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations on complex numbers, defined by their real and imaginary parts. */
public final class ComplexArithmetic {
  /** The greatest exponent computed by multiplication. */
  private static final long MOST_PRODUCTS = 16;

  private ComplexArithmetic() {}

  /** A number or a tensor as its two parts, each a tensor or a Double. */
  private record Parts(Object re, Object im) {}

  /** Computes the parts of the result. */
  private interface OfPairs {
    Parts of(Steps steps, Parts a, Parts b);
  }

  /** How {@code aten::name} is computed if an operand is complex; null if it takes none. */
  public static Steps.@Nullable Body form(String name) {
    return switch (name) {
      case "mul.Tensor", "mul.Scalar" -> pairs(ComplexArithmetic::product);
      case "div.Tensor", "div.Scalar" -> pairs(ComplexArithmetic::quotient);
      case "add.Tensor", "add.Scalar" -> (steps, call) -> sum(steps, call, 1);
      case "sub.Tensor", "sub.Scalar" -> (steps, call) -> sum(steps, call, -1);
      case "mul_.Tensor", "mul_.Scalar", "div_.Tensor", "div_.Scalar" -> written(name);
      case "add_.Tensor", "add_.Scalar", "sub_.Tensor", "sub_.Scalar" -> written(name);
      case "abs" -> (steps, call) -> absolute(steps, of(steps, call.tensor(0)));
      case "conj", "_conj", "conj_physical" -> ComplexArithmetic::conjugate;
      case "adjoint", "mH" -> (steps, call) -> steps.run("conj", steps.run("mT", call.tensor(0)));
      case "resolve_conj", "resolve_neg", "positive" ->
          (steps, call) -> steps.run("alias", call.tensor(0));
      case "neg" -> (steps, call) -> apart(steps, call, name);
      case "sum", "mean" -> (steps, call) -> reduced(steps, call, name, 1);
      case "sum.dim_IntList", "mean.dim" -> (steps, call) -> reduced(steps, call, name, 3);
      case "copy_" -> ComplexArithmetic::copied;
      case "exp" -> ComplexArithmetic::exponential;
      case "sqrt" -> ComplexArithmetic::root;
      case "pow.Tensor_Scalar" -> ComplexArithmetic::power;
      case "eq.Tensor" -> ComplexArithmetic::equal;
      case "ne.Tensor" -> (steps, call) -> steps.run("logical_not", equal(steps, call));
      case "matmul", "mm", "bmm", "mv", "dot" ->
          (steps, call) ->
              bilinear(
                  steps,
                  of(steps, call.tensor(0)),
                  of(steps, call.tensor(1)),
                  (a, b) -> steps.run(name, a, b));
      case "einsum" -> ComplexArithmetic::contraction;
      default -> null;
    };
  }

  private static Steps.Body pairs(OfPairs body) {
    return (steps, call) -> {
      DType part = part(Promotion.of(call.value(0), call.value(1)).result());
      return joined(
          steps, body.of(steps, of(steps, call.value(0), part), of(steps, call.value(1), part)));
    };
  }

  /** {@code add_.Tensor} writes the result of {@code add.Tensor}. */
  private static Steps.Body written(String name) {
    String plain = name.replace("_.", ".");
    return (steps, call) -> {
      Object made = steps.run(plain, call.arguments());
      Object written = steps.run("copy_", call.tensor(0), made);
      return written instanceof Fault ? written : call.tensor(0);
    };
  }

  private static Object conjugate(Steps steps, Call call) {
    Parts z = of(steps, call.tensor(0));
    return joined(steps, new Parts(z.re(), steps.run("neg", z.im())));
  }

  private static Parts of(Steps steps, Object value) {
    return switch (value) {
      case DenseTensor tensor when tensor.dtype().kind() == DType.Kind.COMPLEX ->
          new Parts(steps.run("real", tensor), steps.run("imag", tensor));
      case ComplexNumber number -> new Parts(number.re(), number.im());
      case Number number -> new Parts(number.doubleValue(), 0.0);
      default -> new Parts(value, 0.0);
    };
  }

  /** As {@link #of}, with tensors of dtype {@code part}. */
  private static Parts of(Steps steps, Object value, DType part) {
    Parts parts = of(steps, value);
    return new Parts(cast(steps, parts.re(), part), cast(steps, parts.im(), part));
  }

  private static Object cast(Steps steps, Object part, DType dtype) {
    return part instanceof Double ? part : steps.cast(part, dtype);
  }

  private static Object joined(Steps steps, Parts parts) {
    if (parts.re() instanceof Fault || parts.im() instanceof Fault) {
      return parts.re() instanceof Fault ? parts.re() : parts.im();
    }
    DenseTensor known = (DenseTensor) (parts.re() instanceof DenseTensor ? parts.re() : parts.im());
    Object re = tensor(steps, known, parts.re());
    Object im = tensor(steps, known, parts.im());
    Object both = steps.run("broadcast_tensors", Steps.list(re, im));
    Object pairs = both instanceof Fault ? both : steps.run("stack", both, -1L);
    return steps.run("view_as_complex", pairs);
  }

  private static Object filled(Steps steps, DenseTensor like, Object value) {
    return steps.run("full_like", like, value);
  }

  private static boolean isNone(Object part) {
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
  private static Object plus(Steps steps, Object a, Object b, int sign) {
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

  private static Parts product(Steps steps, Parts a, Parts b) {
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
   * After a division by 0, each part is infinite or NaN.
   */
  private static Parts quotient(Steps steps, Parts a, Parts b) {
    if (isNone(b.im())) {
      Object divisor = positiveZero(steps, b.re());
      return new Parts(over(steps, a.re(), divisor), over(steps, a.im(), divisor));
    }
    DenseTensor known = (DenseTensor) first(a.re(), a.im(), b.re(), b.im());
    Object c = tensor(steps, known, b.re());
    Object d = tensor(steps, known, b.im());
    Object inOrder = steps.run("ge.Tensor", steps.run("abs", c), steps.run("abs", d));
    Object greater = positiveZero(steps, either(steps, inOrder, c, d));
    Object ratio = steps.run("div.Tensor", either(steps, inOrder, d, c), greater);
    ratio = steps.run("masked_fill.Scalar", ratio, steps.run("eq.Scalar", greater, 0.0), 0.0);
    Object divisor = steps.sum(greater, steps.product(either(steps, inOrder, d, c), ratio));
    Object re = tensor(steps, known, a.re());
    Object im = tensor(steps, known, a.im());
    Object x = either(steps, inOrder, re, im);
    Object y = either(steps, inOrder, im, re);
    Object crossed = steps.difference(y, steps.product(x, ratio));
    return new Parts(
        over(steps, steps.sum(x, steps.product(y, ratio)), divisor),
        over(steps, either(steps, inOrder, crossed, steps.run("neg", crossed)), divisor));
  }

  /** The part with -0 replaced by 0. */
  private static Object positiveZero(Steps steps, Object part) {
    return part instanceof Double x ? (Object) (x + 0.0) : steps.run("add.Scalar", part, 0.0);
  }

  private static Object first(Object... parts) {
    return Arrays.stream(parts).filter(DenseTensor.class::isInstance).findFirst().orElseThrow();
  }

  private static Object tensor(Steps steps, DenseTensor like, Object part) {
    return part instanceof Double ? filled(steps, like, part) : part;
  }

  private static Object either(Steps steps, Object condition, Object a, Object b) {
    return steps.run("where.self", condition, a, b);
  }

  private static Object over(Steps steps, Object a, Object b) {
    if (a instanceof Double x) {
      return b instanceof Double y ? (Object) (x / y) : times(steps, a, steps.run("reciprocal", b));
    }
    return b instanceof Double ? steps.run("div.Scalar", a, b) : steps.run("div.Tensor", a, b);
  }

  private static Object sum(Steps steps, Call call, int sign) {
    DType part = part(Promotion.of(call.value(0), call.value(1)).result());
    Parts a = of(steps, call.value(0), part);
    Parts factor = of(steps, call.value(2));
    Parts b = product(steps, of(steps, call.value(1), part), factor);
    return joined(
        steps, new Parts(plus(steps, a.re(), b.re(), sign), plus(steps, a.im(), b.im(), sign)));
  }

  private static Object absolute(Steps steps, Parts z) {
    return steps.run("hypot", z.re(), z.im());
  }

  /** An operation that treats both parts alike. */
  private static Object apart(Steps steps, Call call, String name) {
    Object[] arguments = call.arguments();
    Parts z = of(steps, call.tensor(0));
    return joined(
        steps,
        new Parts(with(steps, name, arguments, z.re()), with(steps, name, arguments, z.im())));
  }

  private static Object with(Steps steps, String name, Object[] arguments, Object self) {
    arguments[0] = self;
    return steps.run(name, arguments);
  }

  /** A sum or mean; if a real dtype is requested, the imaginary parts are dropped. */
  private static Object reduced(Steps steps, Call call, String name, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    Object[] arguments = call.arguments();
    Parts z = of(steps, call.tensor(0));
    if (asked != null && asked.kind() == DType.Kind.COMPLEX) {
      arguments[dtypeAt] = (long) part(asked).code();
    }
    Object re = with(steps, name, arguments, z.re());
    if (asked == null || asked.kind() == DType.Kind.COMPLEX) {
      return joined(steps, new Parts(re, with(steps, name, arguments, z.im())));
    }
    return asked == DType.BOOL
        ? steps.run("logical_or", re, with(steps, name, arguments, z.im()))
        : re;
  }

  private static DType part(DType complex) {
    return complex == DType.COMPLEX64 ? DType.FLOAT32 : DType.FLOAT64;
  }

  private static Object copied(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    if (self.dtype().kind() != DType.Kind.COMPLEX) {
      return Fault.unsupported(
          "complex numbers are not copied into a tensor of reals; take `real` or `imag`");
    }
    Parts source = of(steps, call.tensor(1));
    Object re = steps.run("copy_", steps.run("real", self), source.re());
    Object imaginary = steps.run("imag", self);
    Object im =
        isNone(source.im())
            ? steps.run("zero_", imaginary)
            : steps.run("copy_", imaginary, source.im());
    return re instanceof Fault ? re : im instanceof Fault ? im : self;
  }

  private static Object exponential(Steps steps, Call call) {
    Parts z = of(steps, call.tensor(0));
    return polar(steps, steps.run("exp", z.re()), z.im());
  }

  /** A number without an imaginary part keeps none, even if its magnitude is infinite. */
  private static Object polar(Steps steps, Object size, Object angle) {
    Object sine = steps.run("sin", angle);
    Object none = steps.run("eq.Scalar", sine, 0.0);
    Object im = either(steps, none, sine, times(steps, size, sine));
    return joined(steps, new Parts(times(steps, size, steps.run("cos", angle)), im));
  }

  /**
   * The greater part is the root of a sum, and the other one is derived from it; as the root of a
   * difference it would lose digits.
   */
  private static Object root(Steps steps, Call call) {
    Parts z = of(steps, call.tensor(0));
    Object height = steps.run("abs", z.im());
    Object half = steps.scaled(steps.run("abs", z.re()), 0.5);
    Object square = steps.sum(steps.scaled(absolute(steps, z), 0.5), half);
    Object greater = steps.run("sqrt", square);
    Object lesser = steps.run("div.Tensor", height, steps.scaled(greater, 2.0));
    lesser = either(steps, steps.run("eq.Scalar", greater, 0.0), height, lesser);
    Object infinite = steps.run("eq.Scalar", height, Double.POSITIVE_INFINITY);
    lesser = either(steps, infinite, height, lesser);
    Object inOrder = steps.run("ge.Scalar", z.re(), 0.0);
    Object im = either(steps, inOrder, lesser, greater);
    return joined(
        steps,
        new Parts(
            either(steps, inOrder, greater, lesser), steps.run("copysign.Tensor", im, z.im())));
  }

  private static Object power(Steps steps, Call call) {
    Parts z = of(steps, call.tensor(0));
    if (call.value(1) instanceof Number number
        && number.doubleValue() == Math.rint(number.doubleValue())
        && Math.abs(number.doubleValue()) <= MOST_PRODUCTS) {
      long exponent = number.longValue();
      Parts result = new Parts(1.0, 0.0);
      for (long i = 0; i < Math.abs(exponent); i++) {
        result = i == 0 ? z : product(steps, result, z);
      }
      if (exponent == 0) {
        return steps.run("ones_like", call.tensor(0));
      }
      return joined(steps, exponent < 0 ? quotient(steps, new Parts(1.0, 0.0), result) : result);
    }
    if (!(call.value(1) instanceof Number number)) {
      return Fault.unsupported("a complex exponent is not supported");
    }
    Object size = steps.run("pow.Tensor_Scalar", absolute(steps, z), number);
    Object angle = steps.scaled(steps.run("atan2", z.im(), z.re()), number);
    return polar(steps, size, angle);
  }

  private static Object equal(Steps steps, Call call) {
    Parts a = of(steps, call.value(0));
    Parts b = of(steps, call.value(1));
    Object re = same(steps, a.re(), b.re());
    return steps.run("logical_and", re, same(steps, a.im(), b.im()));
  }

  private static Object same(Steps steps, Object a, Object b) {
    if (a instanceof Double) {
      return same(steps, b, a);
    }
    return b instanceof Double ? steps.run("eq.Scalar", a, b) : steps.run("eq.Tensor", a, b);
  }

  /** A product of two parts. */
  private interface Product {
    Object of(Object a, Object b);
  }

  /** A product that is linear in both operands. */
  private static Object bilinear(Steps steps, Parts a, Parts b, Product product) {
    Object re = product.of(a.re(), b.re());
    Object im = isNone(b.im()) ? 0.0 : product.of(a.re(), b.im());
    if (!isNone(a.im())) {
      im = plus(steps, im, product.of(a.im(), b.re()), 1);
      re = isNone(b.im()) ? re : plus(steps, re, product.of(a.im(), b.im()), -1);
    }
    return joined(steps, new Parts(re, im));
  }

  private static Object contraction(Steps steps, Call call) {
    List<Object> operands = call.list(1);
    if (operands.size() == 1) {
      Parts z = of(steps, operands.get(0));
      Object re = steps.run("einsum", call.value(0), Steps.list(z.re()));
      Object im = steps.run("einsum", call.value(0), Steps.list(z.im()));
      return joined(steps, new Parts(re, im));
    }
    if (operands.size() != 2) {
      return Fault.unsupported("an einsum of complex numbers takes one or two operands");
    }
    return bilinear(
        steps,
        of(steps, operands.get(0)),
        of(steps, operands.get(1)),
        (a, b) -> steps.run("einsum", call.value(0), new ArrayList<>(List.of(a, b))));
  }
}
