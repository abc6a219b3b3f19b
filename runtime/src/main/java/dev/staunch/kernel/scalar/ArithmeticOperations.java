package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;

/** Arithmetic of two numbers. Ints wrap around at 64 bits; division by int zero is a fault. */
final class ArithmeticOperations {
  private ArithmeticOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Overloads.arithmetic(catalog, "aten::add", (a, b) -> a + b, (a, b) -> a + b, ComplexMath::add);
    Overloads.arithmetic(
        catalog, "aten::sub", (a, b) -> a - b, (a, b) -> a - b, ComplexMath::subtract);
    Overloads.arithmetic(
        catalog, "aten::mul", (a, b) -> a * b, (a, b) -> a * b, ComplexMath::multiply);
    Overloads.arithmetic(
        catalog, "aten::floordiv", ArithmeticOperations::floorDivide, (a, b) -> Math.floor(a / b));
    Overloads.arithmetic(
        catalog, "aten::remainder", ArithmeticOperations::modulo, ArithmeticOperations::modulo);
    Overloads.arithmetic(
        catalog, "prim::min", (a, b) -> Math.min(a, b), ArithmeticOperations::smaller);
    Overloads.arithmetic(
        catalog, "prim::max", (a, b) -> Math.max(a, b), ArithmeticOperations::larger);
    Overloads.toFloat(catalog, "aten::fmod", "aten::fmod", (a, b) -> a % b);
    Overloads.toFloat(catalog, "aten::mathremainder", "aten::mathremainder", Math::IEEEremainder);
    Overloads.toFloat(catalog, "aten::atan2", "aten::atan2.Scalar_Scalar", Math::atan2);
    Overloads.toFloat(catalog, "aten::copysign", "aten::copysign", Math::copySign);
    divisions(catalog);
    powers(catalog);
    divmods(catalog);
  }

  private static void divisions(Catalog.Builder catalog) {
    Kernel.One divide = Overloads.floats((a, b) -> a / b);
    catalog.one("aten::div.int(int a, int b) -> float", divide);
    catalog.one("aten::div.float(float a, float b) -> float", divide);
    catalog.one("aten::div(Scalar a, Scalar b) -> float", divide);
    catalog.one(
        "aten::__round_to_zero_floordiv.int(int a, int b) -> int",
        call ->
            call.integer(1) == 0
                ? byZero("integer division")
                : (Object) (call.integer(0) / call.integer(1)));
  }

  private static void powers(Catalog.Builder catalog) {
    Overloads.toFloat(catalog, "aten::pow", "aten::pow.Scalar_Scalar", ArithmeticOperations::power);
    Kernel.One checked =
        call -> {
          double base = call.real(0);
          double exponent = call.real(1);
          return base == 0 && exponent < 0
              ? Fault.value("0 has no power of " + NumberText.brief(exponent))
              : (Object) power(base, exponent);
        };
    catalog.one("aten::pow.int(int a, int b) -> float", checked);
    catalog.one("aten::pow.float(float a, float b) -> float", checked);
    catalog.one("aten::pow.int_float(int a, float b) -> float", checked);
    catalog.one("aten::pow.float_int(float a, int b) -> float", checked);
    catalog.one(
        "aten::pow.int_to_int(int a, int b) -> int",
        call -> {
          Object power = checked.run(call);
          return power instanceof Double known ? (Object) known.longValue() : power;
        });
  }

  private static void divmods(Catalog.Builder catalog) {
    catalog.many(
        "aten::divmod.int(int x, int y) -> (int, int)",
        call -> {
          long x = call.integer(0);
          long y = call.integer(1);
          return y == 0
              ? byZero("integer division")
              : new Object[] {Math.floorDiv(x, y), Math.floorMod(x, y)};
        });
    catalog.many(
        "aten::divmod.float(float x, float y) -> (float, float)",
        call -> divmod(call.real(0), call.real(1)));
    Kernel.Many mixed = call -> mixedDivmod((float) call.real(0), (float) call.real(1));
    catalog.many("aten::divmod.int_float(int x, float y) -> (float, float)", mixed);
    catalog.many("aten::divmod.float_int(float x, int y) -> (float, float)", mixed);
  }

  private static Object divmod(double x, double y) {
    if (y == 0) {
      return byZero("divmod of floats");
    }
    double rest = x % y;
    double mod = rest != 0 && (y < 0) != (rest < 0) ? rest + y : rest;
    return new Object[] {(x - mod) / y, mod};
  }

  /** Divides in single precision, as libtorch does for an int with a float. */
  private static Object mixedDivmod(float x, float y) {
    if (y == 0) {
      return byZero("divmod of floats");
    }
    float quotient = (float) Math.floor(x / y);
    return new Object[] {(double) quotient, x - (double) y * quotient};
  }

  private static Fault byZero(String what) {
    return Fault.value(what + " by 0");
  }

  private static Object floorDivide(long a, long b) {
    return b == 0 ? byZero("integer division") : (Object) Math.floorDiv(a, b);
  }

  /** libtorch ends the process for an int modulo 0; here that too is a fault. */
  private static Object modulo(long a, long b) {
    return b == 0 ? byZero("integer remainder") : (Object) Math.floorMod(a, b);
  }

  /** As libtorch computes it, including its rounding of small negative remainders. */
  static double modulo(double a, double b) {
    return (b + a % b) % b;
  }

  /** C's pow, which gives 1 for a base of 1 or -1 where Java's gives NaN. */
  static double power(double base, double exponent) {
    boolean one = base == 1 || (base == -1 && Double.isInfinite(exponent));
    return one ? 1 : Math.pow(base, exponent);
  }

  private static double smaller(double a, double b) {
    return a < b ? a : b;
  }

  private static double larger(double a, double b) {
    return a > b ? a : b;
  }
}
