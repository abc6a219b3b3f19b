package dev.staunch.kernel.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Casts of contiguous elements return what {@link Elements} makes of each. */
class CastTileTest {
  private static final long SEED = 99;

  /** Numbers that fit no integer, or only just, and numbers close to them. */
  private static final double[] ODD = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    0x1p31,
    -0x1p31,
    -0x1p31 - 1,
    0x1p31 - 1,
    0x1p31 - 0.5,
    0x1p63,
    -0x1p63,
    0x1p64,
    3e9,
    -3e9,
    1e30,
    -1e30,
    -0.0,
    -0.9,
    Double.MIN_VALUE,
    Float.MIN_VALUE,
    255.9,
    256,
    -129,
    65536
  };

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void eachPairOfDtypesCastsElementByElement() {
    for (DType from : reals()) {
      for (DType to : reals()) {
        for (int count : new int[] {64, 100, 1024, 1025, 2500}) {
          check(from, to, count, false);
          check(from, to, count, true);
        }
      }
    }
  }

  private static List<DType> reals() {
    List<DType> reals = new ArrayList<>();
    for (DType dtype : DType.values()) {
      if (dtype != DType.COMPLEX64 && dtype != DType.COMPLEX128) {
        reals.add(dtype);
      }
    }
    return reals;
  }

  private void check(DType from, DType to, int count, boolean odd) {
    DenseTensor source = tensor(from, count + 3);
    DenseTensor found = tensor(to, count + 5);
    fill(source, odd);
    Shape shape = Shape.of(count);
    Layout read = new Layout(shape, new long[] {1}, 3);
    Layout written = new Layout(shape, new long[] {1}, 5);
    PlainCopy copy = new PlainCopy(new Copy.Request(from, read, to, written));
    assertNull(copy.run(new KernelBench(scope), source, found));
    DenseTensor expected = tensor(to, count + 5);
    for (int i = 0; i < count; i++) {
      if (from.isFloating()) {
        double value = Elements.asDouble(source.segment(), from, i + 3);
        Elements.putDouble(expected.segment(), to, i + 5, value);
      } else {
        long value = Elements.asLong(source.segment(), from, i + 3);
        Elements.putLong(expected.segment(), to, i + 5, value);
      }
    }
    for (int i = 5; i < count + 5; i++) {
      long place = i;
      assertEquals(
          Elements.asDouble(expected.segment(), to, i),
          Elements.asDouble(found.segment(), to, i),
          () -> "%s to %s at %d, seed %d".formatted(from, to, place, SEED));
      assertEquals(
          Elements.asLong(expected.segment(), to, i), Elements.asLong(found.segment(), to, i));
    }
  }

  /** Bools can be any bytes. */
  private void fill(DenseTensor tensor, boolean odd) {
    DType dtype = tensor.dtype();
    for (long i = 0; i < tensor.elements(); i++) {
      if (dtype.isFloating()) {
        boolean rare = odd && random.nextInt(30) == 0;
        double value = rare ? ODD[random.nextInt(ODD.length)] : random.nextGaussian() * 1000;
        Elements.putDouble(tensor.segment(), dtype, i, value);
      } else if (dtype == DType.BOOL) {
        int value = random.nextBoolean() ? 0 : random.nextInt(256);
        tensor.segment().set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) value);
      } else {
        Elements.putLong(tensor.segment(), dtype, i, odd ? random.nextLong() : i - 40);
      }
    }
  }

  private DenseTensor tensor(DType dtype, long elements) {
    return (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(elements));
  }
}
