package dev.staunch.kernel.spectral;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.loop.ComplexLoop;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.scalar.ComplexMath;
import dev.staunch.type.DType;
import java.util.function.UnaryOperator;

/** Functions of single complex numbers, and powers. */
final class ComplexFunctions {
  private static final ComplexNumber ONE = new ComplexNumber(1, 0);
  private static final ComplexNumber PI = new ComplexNumber(Math.PI, 0);

  /** The greatest exponent computed by multiplication. */
  private static final long MOST_PRODUCTS = 3;

  private ComplexFunctions() {}

  static Steps.Body each(UnaryOperator<ComplexNumber> function) {
    return (steps, call) -> ComplexLoop.map(call, function, call.tensor(0));
  }

  static ComplexNumber inverseRoot(ComplexNumber z) {
    return ComplexMath.divide(ONE, ComplexMath.sqrt(z));
  }

  static ComplexNumber silu(ComplexNumber z) {
    return ComplexMath.multiply(z, sigmoid(z));
  }

  static ComplexNumber direction(ComplexNumber z) {
    double size = ComplexMath.abs(z);
    return size == 0 ? new ComplexNumber(0, 0) : new ComplexNumber(z.re() / size, z.im() / size);
  }

  static ComplexNumber sigmoid(ComplexNumber z) {
    ComplexNumber decay = ComplexMath.exp(ComplexMath.negate(z));
    return ComplexMath.divide(ONE, ComplexMath.add(ONE, decay));
  }

  static ComplexNumber sinc(ComplexNumber z) {
    if (z.re() == 0 && z.im() == 0) {
      return ONE;
    }
    ComplexNumber angle = ComplexMath.multiply(PI, z);
    return ComplexMath.divide(ComplexMath.sin(angle), angle);
  }

  /** Small natural exponents and roots in the way that keeps most digits. */
  static Object power(Steps steps, Call call) {
    Object z = call.tensor(0);
    ComplexNumber given = Scalars.complex(call.value(1));
    if (given.im() != 0 || call.dtype(0).kind() != DType.Kind.COMPLEX) {
      return anyPower(steps, call);
    }
    double exponent = given.re();
    if (exponent == 0.5) {
      return steps.run("sqrt", z);
    }
    if (exponent == -0.5) {
      return steps.run("rsqrt", z);
    }
    if (exponent == -1) {
      return steps.run("reciprocal", z);
    }
    if (exponent == -2) {
      return steps.run("reciprocal", steps.run("square", z));
    }
    if (exponent < 0 || exponent > MOST_PRODUCTS || exponent != Math.rint(exponent)) {
      return anyPower(steps, call);
    }
    if (exponent == 0) {
      DType dtype = Promotion.of(call.value(0), call.value(1)).result();
      return steps.run("ones_like", z, (long) dtype.code());
    }
    if (exponent == 1) {
      return steps.scaled(z, call.value(1));
    }
    Object square = steps.run("square", z);
    return exponent == 2 ? square : steps.product(square, z);
  }

  /** A power whose base or exponent may be real. */
  static Object anyPower(Steps steps, Call call) {
    DType dtype = Promotion.of(call.value(0), call.value(1)).result();
    return ComplexLoop.combine(call, dtype, ComplexMath::power, call.value(0), call.value(1));
  }

  /** A power computed in complex128. */
  static Object widePower(Steps steps, Call call) {
    String name = Steps.isTensor(call.value(1)) ? "pow.Tensor_Tensor" : "pow.Tensor_Scalar";
    return steps.run(
        Steps.isTensor(call.value(0)) ? name : "pow.Scalar",
        wide(steps, call.value(0)),
        wide(steps, call.value(1)));
  }

  private static Object wide(Steps steps, Object operand) {
    return Steps.isTensor(operand)
        ? steps.cast(operand, DType.COMPLEX128)
        : Scalars.complex(operand);
  }
}
