package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Scalars;

/** Functions of one float, and a few of two. */
final class FloatOperations {
  private FloatOperations() {}

  static void addTo(Catalog.Builder catalog) {
    elementary(catalog);
    special(catalog);
    logarithms(catalog);
    rounding(catalog);
    parts(catalog);
  }

  private static void elementary(Catalog.Builder catalog) {
    Overloads.unary(catalog, "aten::sqrt", Math::sqrt, ComplexMath::sqrt);
    Overloads.unary(catalog, "aten::exp", Math::exp, ComplexMath::exp);
    Overloads.unary(catalog, "aten::log", Math::log, ComplexMath::log);
    Overloads.unary(catalog, "aten::log10", Math::log10, ComplexMath::log10);
    Overloads.unary(catalog, "aten::sin", Math::sin, ComplexMath::sin);
    Overloads.unary(catalog, "aten::cos", Math::cos, ComplexMath::cos);
    Overloads.unary(catalog, "aten::tan", Math::tan, ComplexMath::tan);
    Overloads.unary(catalog, "aten::asin", Math::asin, ComplexMath::asin);
    Overloads.unary(catalog, "aten::acos", Math::acos, ComplexMath::acos);
    Overloads.unary(catalog, "aten::atan", Math::atan, ComplexMath::atan);
    Overloads.unary(catalog, "aten::sinh", Math::sinh, ComplexMath::sinh);
    Overloads.unary(catalog, "aten::cosh", Math::cosh, ComplexMath::cosh);
    Overloads.unary(catalog, "aten::tanh", Math::tanh, ComplexMath::tanh);
    Overloads.unary(catalog, "aten::asinh", InverseHyperbolic::asinh, ComplexMath::asinh);
    Overloads.unary(catalog, "aten::acosh", InverseHyperbolic::acosh, ComplexMath::acosh);
    Overloads.unary(catalog, "aten::atanh", InverseHyperbolic::atanh, ComplexMath::atanh);
  }

  private static void special(Catalog.Builder catalog) {
    Overloads.unary(catalog, "aten::log1p", Math::log1p);
    Overloads.unary(catalog, "aten::expm1", Math::expm1);
    Overloads.unary(catalog, "aten::erf", ErrorFunction::erf);
    Overloads.unary(catalog, "aten::erfc", ErrorFunction::erfc);
    Overloads.unary(catalog, "aten::gamma", GammaFunction::gamma);
    Overloads.unary(catalog, "aten::lgamma", GammaFunction::logGamma);
    Overloads.unary(catalog, "aten::degrees", a -> a * (180 / Math.PI));
    Overloads.unary(catalog, "aten::radians", a -> a * (Math.PI / 180));
    Overloads.unary(catalog, "aten::fabs", Math::abs);
    Overloads.unary(catalog, "aten::round", Math::rint);
  }

  private static void logarithms(Catalog.Builder catalog) {
    Kernel.One kernel = Overloads.floats((a, b) -> Math.log(a) / Math.log(b));
    catalog.one("aten::log.int_int(int a, int b) -> float", kernel);
    catalog.one("aten::log.float_float(float a, float b) -> float", kernel);
    catalog.one("aten::log.float_int(float a, int b) -> float", kernel);
    catalog.one("aten::log.int_float(int a, float b) -> float", kernel);
    catalog.one("aten::log.Scalar_Scalar(Scalar a, Scalar b) -> float", kernel);
  }

  private static void rounding(Catalog.Builder catalog) {
    catalog.one("aten::neg.float(float a) -> float", call -> -call.real(0));
    catalog.one("prim::abs.float(float a) -> float", call -> Math.abs(call.real(0)));
    catalog.one(
        "aten::floor.float(float a) -> int", call -> toIntOrFault(Math.floor(call.real(0))));
    catalog.one("aten::ceil.float(float a) -> int", call -> toIntOrFault(Math.ceil(call.real(0))));
    catalog.one(
        "aten::floor.Scalar(Scalar a) -> Scalar",
        call -> rounded(call.value(0), Math.floor(Scalars.real(call.value(0)))));
    catalog.one(
        "aten::ceil.Scalar(Scalar a) -> Scalar",
        call -> rounded(call.value(0), Math.ceil(Scalars.real(call.value(0)))));
    catalog.one("aten::isnan.float(float a) -> bool", call -> Double.isNaN(call.real(0)));
    catalog.one("aten::isinf.float(float a) -> bool", call -> Double.isInfinite(call.real(0)));
    catalog.one("aten::isfinite.float(float a) -> bool", call -> Double.isFinite(call.real(0)));
  }

  private static Object rounded(Object value, double rounded) {
    return value instanceof Double ? toIntOrFault(rounded) : value;
  }

  private static Object toIntOrFault(double value) {
    return value >= -0x1p63 && value < 0x1p63
        ? (Object) (long) value
        : Fault.value(NumberText.general(value, 17) + " does not fit an int of 64 bits");
  }

  /**
   * As the machine's conversion instruction does it: a value that does not fit becomes the smallest
   * int.
   */
  static long toInt(double value) {
    boolean fits = value >= -0x1p63 && value < 0x1p63;
    return fits ? (long) value : Long.MIN_VALUE;
  }

  private static void parts(Catalog.Builder catalog) {
    catalog.many(
        "aten::modf(float a) -> (float, float)",
        call -> {
          double a = call.real(0);
          double whole = a < 0 ? Math.ceil(a) : Math.floor(a);
          double rest = Double.isInfinite(a) ? 0 : a - whole;
          return new Object[] {Math.copySign(rest, a), Math.copySign(whole, a)};
        });
    catalog.many("aten::frexp(float a) -> (float, int)", call -> frexp(call.real(0)));
    catalog.one(
        "aten::ldexp(float x, int i) -> float", call -> ldexp(call.real(0), call.integer(1)));
  }

  private static Object frexp(double a) {
    if (a == 0 || !Double.isFinite(a)) {
      return new Object[] {a, 0L};
    }
    boolean subnormal = Math.abs(a) < Double.MIN_NORMAL;
    double normal = subnormal ? a * 0x1p54 : a;
    int exponent = Math.getExponent(normal) + 1;
    return new Object[] {Math.scalb(normal, -exponent), exponent - (subnormal ? 54L : 0L)};
  }

  private static double ldexp(double x, long exponent) {
    return Math.scalb(x, Math.clamp(exponent, -5000, 5000));
  }
}
