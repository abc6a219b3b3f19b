package dev.staunch.kernel.scalar;

import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Scalars;

/** Operations on complex numbers beyond the arithmetic that all numbers share. */
final class ComplexOperations {
  private ComplexOperations() {}

  static void addTo(Catalog.Builder catalog) {
    quotients(catalog);
    logarithms(catalog);
    parts(catalog);
    signs(catalog);
    makers(catalog);
  }

  private static Kernel.One two(Overloads.OfComplex rule) {
    return call -> rule.apply(Scalars.complex(call.value(0)), Scalars.complex(call.value(1)));
  }

  private static void quotients(Catalog.Builder catalog) {
    catalog.one("aten::div.complex(complex a, complex b) -> complex", two(ComplexMath::divide));
    catalog.one("aten::pow.complex(complex a, complex b) -> complex", two(ComplexMath::power));
    catalog.one(
        "aten::pow.complex_float(complex a, float b) -> complex",
        call -> ComplexMath.power(Scalars.complex(call.value(0)), call.real(1)));
    catalog.one(
        "aten::pow.float_complex(float a, complex b) -> complex",
        call -> ComplexMath.power(call.real(0), Scalars.complex(call.value(1))));
  }

  private static void logarithms(Catalog.Builder catalog) {
    catalog.one(
        "aten::log.complex_complex(complex a, complex b) -> complex",
        two((a, b) -> ComplexMath.divide(ComplexMath.log(a), ComplexMath.log(b))));
    Kernel.One realBase =
        call ->
            ComplexMath.divide(
                ComplexMath.log(Scalars.complex(call.value(0))), Math.log(call.real(1)));
    catalog.one("aten::log.complex_float(complex a, float b) -> complex", realBase);
    catalog.one("aten::log.complex_int(complex a, int b) -> complex", realBase);
    Kernel.One realArgument =
        call ->
            ComplexMath.divide(
                new ComplexNumber(Math.log(call.real(0)), 0),
                ComplexMath.log(Scalars.complex(call.value(1))));
    catalog.one("aten::log.float_complex(float a, complex b) -> complex", realArgument);
    catalog.one("aten::log.int_complex(int a, complex b) -> complex", realArgument);
  }

  private static void parts(Catalog.Builder catalog) {
    catalog.one("aten::angle.int(int a) -> float", call -> angle(call.value(0)));
    catalog.one("aten::angle.float(float a) -> float", call -> angle(call.value(0)));
    catalog.one("aten::angle.complex(complex a) -> float", call -> angle(call.value(0)));
    catalog.one(
        "aten::angle.Scalar(Scalar a) -> Scalar", call -> (double) (float) angle(call.value(0)));
    catalog.one(
        "aten::isnan.complex(complex a) -> bool",
        call -> {
          ComplexNumber a = Scalars.complex(call.value(0));
          return Double.isNaN(a.re()) || Double.isNaN(a.im());
        });
    catalog.one(
        "aten::isinf.complex(complex a) -> bool",
        call -> {
          ComplexNumber a = Scalars.complex(call.value(0));
          return Double.isInfinite(a.re()) || Double.isInfinite(a.im());
        });
    catalog.one(
        "aten::isfinite.complex(complex a) -> bool",
        call -> {
          ComplexNumber a = Scalars.complex(call.value(0));
          return Double.isFinite(a.re()) && Double.isFinite(a.im());
        });
  }

  private static double angle(Object value) {
    if (value instanceof ComplexNumber complex) {
      return ComplexMath.angle(complex);
    }
    return Math.copySign(1, Scalars.real(value)) < 0 ? Math.PI : 0;
  }

  private static void signs(Catalog.Builder catalog) {
    catalog.one("aten::neg.complex(complex a) -> complex", call -> negated(call.value(0)));
    catalog.one("aten::neg.Scalar(Scalar a) -> Scalar", call -> negated(call.value(0)));
    catalog.one("prim::abs.complex(complex a) -> float", call -> absolute(call.value(0)));
    catalog.one("prim::abs.Scalar(Scalar a) -> Scalar", call -> absolute(call.value(0)));
  }

  private static Object negated(Object value) {
    return switch (value) {
      case ComplexNumber complex -> ComplexMath.negate(complex);
      case Double real -> -real;
      default -> -Scalars.integer(value);
    };
  }

  private static Object absolute(Object value) {
    return switch (value) {
      case ComplexNumber complex -> ComplexMath.abs(complex);
      case Double real -> Math.abs(real);
      default -> Math.abs(Scalars.integer(value));
    };
  }

  private static void makers(Catalog.Builder catalog) {
    Kernel.One polar =
        call -> ComplexMath.polar(Scalars.real(call.value(0)), Scalars.real(call.value(1)));
    catalog.one("aten::polar.int(int a, int b) -> complex", polar);
    catalog.one("aten::polar.float(float a, float b) -> complex", polar);
    catalog.one("aten::polar.int_float(int a, float b) -> complex", polar);
    catalog.one("aten::polar.float_int(float a, int b) -> complex", polar);
    catalog.one("aten::polar.Scalar_Scalar(Scalar a, Scalar b) -> Scalar", polar);
    catalog.one(
        "aten::Complex.Scalar(Scalar a) -> complex", call -> Scalars.complex(call.value(0)));
    String[] types = {"bool", "int", "float"};
    for (String x : types) {
      for (String y : types) {
        catalog.one(
            Message.of("aten::Complex.%s_%s(%s x, %s y) -> complex", x, y, x, y),
            call -> new ComplexNumber(Scalars.real(call.value(0)), Scalars.real(call.value(1))));
      }
    }
  }
}
