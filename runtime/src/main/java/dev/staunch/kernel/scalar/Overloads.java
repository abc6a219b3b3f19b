package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Scalars;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * Registers the overload families that libtorch gives its scalar operations: one overload for ints,
 * one for floats, two for mixtures, one for Scalars.
 */
final class Overloads {
  private Overloads() {}

  /** A rule for two ints; returns a {@code Long}, {@code Double} or {@link Fault}. */
  @FunctionalInterface
  interface OfInts {
    Object apply(long a, long b);
  }

  /** A rule for two floats. */
  @FunctionalInterface
  interface OfFloats {
    double apply(double a, double b);
  }

  /** A test of two ints. */
  @FunctionalInterface
  interface TestOfInts {
    boolean test(long a, long b);
  }

  /** A test of two floats. */
  @FunctionalInterface
  interface TestOfFloats {
    boolean test(double a, double b);
  }

  /** A rule for two complex numbers. */
  @FunctionalInterface
  interface OfComplex {
    ComplexNumber apply(ComplexNumber a, ComplexNumber b);
  }

  /**
   * Adds {@code .int -> int}, the float overloads {@code -> float}, and Scalar, which follows the
   * types of its values.
   */
  static void arithmetic(Catalog.Builder to, String name, OfInts ints, OfFloats floats) {
    to.one(name + ".int(int a, int b) -> int", ints(ints));
    mixed(to, name, floats);
    to.one(name + "(Scalar a, Scalar b) -> Scalar", call -> either(call, ints, floats));
  }

  /** As {@link #arithmetic}, with complex numbers among the Scalars. */
  static void arithmetic(
      Catalog.Builder to, String name, OfInts ints, OfFloats floats, OfComplex complexes) {
    arithmetic(to, name, ints, floats);
    to.one(
        name + "(Scalar a, Scalar b) -> Scalar",
        call ->
            Scalars.isComplex(call.value(0)) || Scalars.isComplex(call.value(1))
                ? complexes.apply(Scalars.complex(call.value(0)), Scalars.complex(call.value(1)))
                : either(call, ints, floats));
    Kernel.One kernel =
        call -> complexes.apply(Scalars.complex(call.value(0)), Scalars.complex(call.value(1)));
    to.one(name + ".complex(complex a, complex b) -> complex", kernel);
    to.one(name + ".complex_float(complex a, float b) -> complex", kernel);
    to.one(name + ".complex_int(complex a, int b) -> complex", kernel);
    to.one(name + ".float_complex(float a, complex b) -> complex", kernel);
    to.one(name + ".int_complex(int a, complex b) -> complex", kernel);
  }

  /** Adds overloads that all return a float; {@code scalars} is the name of the one for Scalars. */
  static void toFloat(Catalog.Builder to, String name, String scalars, OfFloats floats) {
    Kernel.One kernel = floats(floats);
    to.one(name + ".int(int a, int b) -> float", kernel);
    mixed(to, name, floats);
    to.one(scalars + "(Scalar a, Scalar b) -> float", kernel);
  }

  static void mixed(Catalog.Builder to, String name, OfFloats floats) {
    Kernel.One kernel = floats(floats);
    to.one(name + ".float(float a, float b) -> float", kernel);
    to.one(name + ".int_float(int a, float b) -> float", kernel);
    to.one(name + ".float_int(float a, int b) -> float", kernel);
  }

  static void comparison(Catalog.Builder to, String name, TestOfInts ints, TestOfFloats floats) {
    Kernel.One kernel = call -> floats.test(call.real(0), call.real(1));
    to.one(
        name + ".int(int a, int b) -> bool", call -> ints.test(call.integer(0), call.integer(1)));
    to.one(name + ".float(float a, float b) -> bool", kernel);
    to.one(name + ".int_float(int a, float b) -> bool", kernel);
    to.one(name + ".float_int(float a, int b) -> bool", kernel);
    to.one(
        name + "(Scalar a, Scalar b) -> bool",
        call ->
            areIntegral(call.value(0), call.value(1))
                ? ints.test(Scalars.integer(call.value(0)), Scalars.integer(call.value(1)))
                : floats.test(Scalars.real(call.value(0)), Scalars.real(call.value(1))));
  }

  /**
   * Adds {@code .int}, {@code .float} and {@code .Scalar} of one argument, each returning a float.
   */
  static void unary(Catalog.Builder to, String name, DoubleUnaryOperator rule) {
    to.one(name + ".int(int a) -> float", call -> rule.applyAsDouble(call.real(0)));
    to.one(name + ".float(float a) -> float", call -> rule.applyAsDouble(call.real(0)));
    to.one(name + ".Scalar(Scalar a) -> Scalar", call -> single(rule, call.value(0)));
  }

  /** As {@link #unary}, also for complex numbers. */
  static void unary(
      Catalog.Builder to,
      String name,
      DoubleUnaryOperator rule,
      UnaryOperator<ComplexNumber> complexes) {
    unary(to, name, rule);
    to.one(
        name + ".complex(complex a) -> complex",
        call -> complexes.apply(Scalars.complex(call.value(0))));
    to.one(
        name + ".Scalar(Scalar a) -> Scalar",
        call ->
            Scalars.isComplex(call.value(0))
                ? complexes.apply(Scalars.complex(call.value(0)))
                : (Object) single(rule, call.value(0)));
  }

  /** libtorch rounds a function of a Scalar to single precision. */
  private static double single(DoubleUnaryOperator rule, Object value) {
    return (float) rule.applyAsDouble(Scalars.real(value));
  }

  static Kernel.One ints(OfInts rule) {
    return call -> rule.apply(call.integer(0), call.integer(1));
  }

  static Kernel.One floats(OfFloats rule) {
    return call -> rule.apply(Scalars.real(call.value(0)), Scalars.real(call.value(1)));
  }

  private static boolean areIntegral(Object a, Object b) {
    return Scalars.isIntegral(a) && Scalars.isIntegral(b);
  }

  private static Object either(Call call, OfInts ints, OfFloats floats) {
    Object a = call.value(0);
    Object b = call.value(1);
    return areIntegral(a, b)
        ? ints.apply(Scalars.integer(a), Scalars.integer(b))
        : floats.apply(Scalars.real(a), Scalars.real(b));
  }
}
