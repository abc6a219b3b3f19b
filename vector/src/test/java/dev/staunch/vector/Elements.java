package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.Supplier;

/** The elements of float32 and float64 tensors as doubles, by their position in the storage. */
final class Elements {
  private Elements() {}

  static double get(DenseTensor tensor, long place) {
    return tensor.dtype() == DType.FLOAT32
        ? tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, place)
        : tensor.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, place);
  }

  /** The difference allowed between elements of a dtype where floats may differ by so much. */
  static double allowed(DType dtype, double ofFloats) {
    return dtype == DType.FLOAT64 ? ofFloats * 1e-8 : ofFloats;
  }

  /** Fails if elements at the same place differ by more than {@code allowed}. */
  static void assertNear(
      DenseTensor expected, DenseTensor found, double allowed, Supplier<String> what) {
    if (allowed == 0) {
      assertArrayEquals(all(expected), all(found), what);
    } else {
      assertArrayEquals(all(expected), all(found), allowed, what);
    }
  }

  static double[] all(DenseTensor tensor) {
    double[] all = new double[(int) tensor.elements()];
    for (int i = 0; i < all.length; i++) {
      all[i] = get(tensor, i);
    }
    return all;
  }

  static void set(DenseTensor tensor, long place, double value) {
    if (tensor.dtype() == DType.FLOAT32) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, place, (float) value);
    } else {
      tensor.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, place, value);
    }
  }

  /** A tensor of numbers between -0.5 and 0.5. */
  static DenseTensor random(ResourceScope scope, DType dtype, long elements, Random random) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(elements));
    for (long i = 0; i < elements; i++) {
      set(tensor, i, random.nextFloat() - 0.5);
    }
    return tensor;
  }
}
