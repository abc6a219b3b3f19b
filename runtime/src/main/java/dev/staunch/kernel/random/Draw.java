package dev.staunch.kernel.random;

import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.util.function.DoubleUnaryOperator;

/**
 * Draws elements from a distribution: writes {@code count} of them, at most {@link #TILE}, from
 * element {@code first} of a stream, to evenly spaced positions. Made for one call.
 */
@FunctionalInterface
interface Draw {
  /** The most elements drawn at once. */
  int TILE = 1024;

  void store(RandomStream stream, long first, Operand into, long at, long step, int count);

  /** {@code quantile} applied to a uniform number in [0, 1). */
  static Draw of(DoubleUnaryOperator quantile) {
    double[] values = new double[TILE];
    RandomStream.Scratch scratch = RandomStream.scratch(TILE);
    return (stream, first, into, at, step, count) -> {
      stream.uniforms(first, values, count, scratch);
      for (int i = 0; i < count; i++) {
        values[i] = quantile.applyAsDouble(values[i]);
      }
      into.store(values, at, step, count);
    };
  }

  /** A normal number, then {@code map}. */
  static Draw normal(double mean, double std, DoubleUnaryOperator map) {
    double[] values = new double[TILE];
    RandomStream.Scratch scratch = RandomStream.scratch(TILE);
    return (stream, first, into, at, step, count) -> {
      stream.normals(first, values, count, scratch);
      for (int i = 0; i < count; i++) {
        values[i] = map.applyAsDouble(mean + std * values[i]);
      }
      into.store(values, at, step, count);
    };
  }

  /** 1 with probability {@code p}, else 0. */
  static Draw bernoulli(double p) {
    double[] values = new double[TILE];
    RandomStream.Scratch scratch = RandomStream.scratch(TILE);
    return (stream, first, into, at, step, count) -> {
      stream.uniforms(first, values, count, scratch);
      for (int i = 0; i < count; i++) {
        values[i] = Double.doubleToRawLongBits(values[i] - p) >>> (Long.SIZE - 1); // no branch
      }
      into.store(values, at, step, count);
    };
  }

  /**
   * Uniform in [from, to), with as many bits as the dtype holds, and never rounded up to {@code
   * to}.
   */
  static Draw uniform(DType dtype, double from, double to) {
    double steps = 1L << digits(dtype);
    boolean reaches = !(rounded(dtype, from + (steps - 1) / steps * (to - from)) < to);
    double[] values = new double[TILE];
    RandomStream.Scratch scratch = RandomStream.scratch(TILE);
    return (stream, first, into, at, step, count) -> {
      stream.uniforms(first, values, count, scratch);
      for (int i = 0; i < count; i++) {
        values[i] = from + Math.floor(values[i] * steps) / steps * (to - from);
      }
      for (int i = 0; reaches && i < count; i++) {
        values[i] = rounded(dtype, values[i]) < to ? values[i] : from;
      }
      into.store(values, at, step, count);
    };
  }

  /** Integers from {@code low} on: {@code range} of them, unsigned; 0 means all 2^64. */
  static Draw integers(long low, long range) {
    long[] values = new long[TILE];
    RandomStream.Scratch scratch = RandomStream.scratch(TILE);
    return (stream, first, into, at, step, count) -> {
      stream.bits(first, values, count, scratch);
      for (int i = 0; i < count; i++) {
        values[i] = low + (range == 0 ? values[i] : Math.unsignedMultiplyHigh(values[i], range));
      }
      into.store(values, at, step, count);
    };
  }

  /** Bits of the significand; for integers, those of a double. */
  static int digits(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> 24;
      case FLOAT16 -> 11;
      case BFLOAT16 -> 8;
      default -> 53;
    };
  }

  private static double rounded(DType dtype, double value) {
    return dtype.isFloating() ? Elements.rounded(dtype, value) : value;
  }
}
