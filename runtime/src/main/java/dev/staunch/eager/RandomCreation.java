package dev.staunch.eager;

import static dev.staunch.eager.operators.Arguments.code;
import static dev.staunch.eager.operators.Arguments.longs;
import static dev.staunch.operation.None.NONE;

import dev.staunch.kernel.Generator;
import dev.staunch.type.DType;

/**
 * Creates tensors of random numbers, float32 unless the method says otherwise. The element at
 * row-major position {@code i} depends on the generator's seed, on how many random operations were
 * called since it was seeded, and on {@code i}; never on threads. A call that fails does not
 * advance the generator.
 */
public sealed interface RandomCreation permits Context {

  /** As {@link Context#apply}. */
  Tensor apply(String operation, Object... arguments);

  /**
   * The source of all random numbers of the context, in its state after all earlier calls; waits
   * for them.
   */
  Generator generator();

  /** Seeds the random numbers of later calls: the same seed gives the same numbers. */
  void manualSeed(long seed);

  /** Uniform in [0, 1). */
  default Tensor rand(long... shape) {
    return apply("aten::rand", longs("shape", shape), NONE, NONE, NONE, NONE);
  }

  /** Uniform in [0, 1), of a floating dtype; any other is a dtype fault. */
  default Tensor rand(DType dtype, long... shape) {
    return apply("aten::rand", longs("shape", shape), code(dtype), NONE, NONE, NONE);
  }

  /** Uniform in [0, 1), with the shape and dtype of {@code other}. */
  default Tensor randLike(Tensor other) {
    return apply("aten::rand_like", other, NONE, NONE, NONE, NONE, NONE);
  }

  /** Standard normal. */
  default Tensor randn(long... shape) {
    return apply("aten::randn", longs("shape", shape), NONE, NONE, NONE, NONE);
  }

  /** Standard normal, of a floating dtype; any other is a dtype fault. */
  default Tensor randn(DType dtype, long... shape) {
    return apply("aten::randn", longs("shape", shape), code(dtype), NONE, NONE, NONE);
  }

  /** Standard normal, with the shape and dtype of {@code other}. */
  default Tensor randnLike(Tensor other) {
    return apply("aten::randn_like", other, NONE, NONE, NONE, NONE, NONE);
  }

  /** Normal; a negative deviation is a value fault. */
  default Tensor normal(double mean, double std, long... shape) {
    return apply(
        "aten::normal.float_float", mean, std, longs("shape", shape), NONE, NONE, NONE, NONE, NONE);
  }

  /** Normal, with a mean and a deviation for each element; the two broadcast. */
  default Tensor normal(Tensor mean, Tensor std) {
    return apply("aten::normal.Tensor_Tensor", mean, std, NONE);
  }

  /** Uniform in [from, to); a value fault if {@code from > to}. */
  default Tensor uniform(double from, double to, long... shape) {
    Tensor made =
        apply("aten::empty.memory_format", longs("shape", shape), NONE, NONE, NONE, NONE, NONE);
    Tensor filled = made.uniform_(from, to);
    if (filled != made) {
      made.close();
    }
    return filled;
  }

  /** int64, uniform from {@code low} up to but excluding {@code high}. */
  default Tensor randint(long low, long high, long... shape) {
    return randint(DType.INT64, low, high, shape);
  }

  /** Whole numbers, uniform from {@code low} up to but excluding {@code high}. */
  default Tensor randint(DType dtype, long low, long high, long... shape) {
    return apply(
        "aten::randint.low", low, high, longs("shape", shape), code(dtype), NONE, NONE, NONE);
  }

  /** The numbers 0 to {@code n - 1} in random order, int64. */
  default Tensor randperm(long n) {
    return apply("aten::randperm", n, code(DType.INT64), NONE, NONE, NONE);
  }

  /** For each element of {@code p}, 1 with that probability and 0 otherwise; keeps the dtype. */
  default Tensor bernoulli(Tensor p) {
    return apply("aten::bernoulli", p, NONE);
  }

  /**
   * Indices of the last dimension of {@code weights} (one or two dimensions, floating), drawn in
   * proportion to the weights; int64. Without replacement, drawing more than there are weights is a
   * value fault.
   */
  default Tensor multinomial(Tensor weights, long samples, boolean replacement) {
    return apply("aten::multinomial", weights, samples, replacement, NONE);
  }
}
