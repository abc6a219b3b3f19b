package dev.staunch.kernel.plain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Copies between layouts of all kinds put each element where it belongs, and touch no other
 * position.
 */
class PlainCopyTest implements ExecutionContext {
  private static final byte UNTOUCHED = 0x55;

  private final Random random = new Random(3);
  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private @Nullable Fault cancelled;

  @AfterEach
  void close() {
    scope.close();
  }

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public @Nullable Fault cancelled() {
    return cancelled;
  }

  /** A layout of {@code shape} with its dimensions in any order in the storage, and with gaps. */
  private Layout layout(Shape shape, int mostGap) {
    long[] strides = new long[shape.rank()];
    long step = 1;
    for (int d : random.ints(0, shape.rank()).distinct().limit(shape.rank()).toArray()) {
      strides[d] = step;
      step *= shape.size(d) + random.nextInt(mostGap);
    }
    return new Layout(shape, strides, random.nextInt(5));
  }

  private static long extent(Layout layout) {
    long last = layout.offset();
    for (int d = 0; d < layout.shape().rank(); d++) {
      last += (layout.shape().size(d) - 1) * layout.stride(d);
    }
    return last + 1;
  }

  private DenseTensor storage(DType dtype, Layout layout) {
    DenseTensor made =
        (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(extent(layout) + 3));
    made.segment().fill(UNTOUCHED);
    return made;
  }

  private void check(DType from, Layout sources, DType to, Layout targets) {
    DenseTensor source = storage(from, sources);
    DenseTensor target = storage(to, targets);
    DenseTensor expected = storage(to, targets);
    long[] at = Elements.positions(sources);
    long[] into = Elements.positions(targets);
    for (int i = 0; i < at.length; i++) {
      Elements.putLong(source.segment(), from, at[i], i % 100);
    }
    for (int i = 0; i < at.length; i++) {
      long number = Elements.asLong(source.segment(), from, at[i]);
      Elements.putLong(expected.segment(), to, into[i], number);
    }
    assertNull(
        new PlainCopy(new Copy.Request(from, sources, to, targets)).run(this, source, target));
    assertArrayEquals(
        expected.segment().toArray(ValueLayout.JAVA_BYTE),
        target.segment().toArray(ValueLayout.JAVA_BYTE),
        () -> from + " " + sources + " to " + to + " " + targets);
    source.close();
    target.close();
    expected.close();
  }

  @Test
  void betweenDimensionsInAnyOrder() {
    DType[] dtypes = {DType.FLOAT32, DType.INT64, DType.BOOL, DType.INT16};
    for (int round = 0; round < 120; round++) {
      long[] sizes = random.longs(1 + random.nextInt(4), 1, 7).toArray();
      if (round % 4 == 0) {
        sizes[0] = 60L + random.nextInt(80);
        sizes[sizes.length - 1] = 60L + random.nextInt(80);
      }
      DType dtype = dtypes[round % dtypes.length];
      Shape shape = Shape.of(sizes);
      check(dtype, layout(shape, 3), dtype, layout(shape, 1 + round % 2));
    }
  }

  @Test
  void ofRowsOfAllLengthsThatLieApart() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.INT64, DType.BOOL, DType.INT16}) {
      for (long width : new long[] {2, 3, 5, 8, 31, 64, 300, 9_000}) {
        Shape shape = Shape.of(2, width < 10 ? 9_000 : 11, width);
        Layout plain = Layout.contiguous(shape);
        long row = width + 1 + random.nextInt(3);
        long plane = row * shape.size(1) + random.nextInt(2);
        Layout apart = new Layout(shape, new long[] {plane, row, 1}, random.nextInt(4));
        check(dtype, plain, dtype, apart);
        check(dtype, apart, dtype, plain);
        check(dtype, new Layout(shape, new long[] {0, 2, 1}, 1), dtype, apart);
      }
    }
  }

  @Test
  void endAtACancellation() {
    Shape shape = Shape.of(100_000, 2);
    Layout apart = new Layout(shape, new long[] {3, 1}, 0);
    DenseTensor source = storage(DType.FLOAT32, apart);
    DenseTensor target = storage(DType.FLOAT32, Layout.contiguous(shape));
    cancelled = Fault.of(FaultType.CANCELLED, "enough");
    Copy copy =
        new PlainCopy(
            new Copy.Request(DType.FLOAT32, apart, DType.FLOAT32, Layout.contiguous(shape)));
    assertSame(cancelled, copy.run(this, source, target));
  }

  @Test
  void withACast() {
    DType[] dtypes = {
      DType.FLOAT32,
      DType.INT64,
      DType.INT32,
      DType.FLOAT16,
      DType.BFLOAT16,
      DType.UINT8,
      DType.INT16,
      DType.FLOAT64,
      DType.INT8
    };
    for (DType from : dtypes) {
      for (DType to : dtypes) {
        if (from != to) {
          Shape shape = Shape.of(3, 5, 70 + random.nextInt(130));
          check(from, Layout.contiguous(shape), to, Layout.contiguous(shape));
          check(from, layout(shape, 2), to, layout(shape, 2));
          checkCast(from, to);
        }
      }
    }
  }

  /** Numbers of all sizes are converted the same in runs as one by one. */
  private void checkCast(DType from, DType to) {
    double[] strange = {Double.NaN, -1.0 / 0, 1.0 / 0, 1e10, -1e19, -3.7, 300.5, 70000, -0.0, 1e-8};
    Layout layout = Layout.contiguous(Shape.of(1500));
    DenseTensor source = storage(from, layout);
    DenseTensor target = storage(to, layout);
    for (int i = 0; i < 1500; i++) {
      double number = i % 3 == 0 ? strange[random.nextInt(strange.length)] : random.nextInt(256);
      Elements.putDouble(source.segment(), from, i, number);
    }
    Copy copy = new PlainCopy(new Copy.Request(from, layout, to, layout));
    assertNull(copy.run(this, source, target));
    DenseTensor expected = storage(to, layout);
    for (int i = 0; i < 1500; i++) {
      if (from.isFloating()) {
        double number = Elements.asDouble(source.segment(), from, i);
        Elements.putDouble(expected.segment(), to, i, number);
      } else {
        long number = Elements.asLong(source.segment(), from, i);
        Elements.putLong(expected.segment(), to, i, number);
      }
    }
    assertArrayEquals(
        expected.segment().toArray(ValueLayout.JAVA_BYTE),
        target.segment().toArray(ValueLayout.JAVA_BYTE),
        () -> from + " to " + to);
  }

  @Test
  void ofElementsThatRepeatAndOfRowsThatAreApart() {
    Shape shape = Shape.of(3, 7, 90);
    Layout rows = Layout.contiguous(shape);
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64, DType.UINT8}) {
      check(dtype, new Layout(shape, new long[] {7, 1, 0}, 2), dtype, rows);
      check(dtype, new Layout(shape, new long[] {0, 90, 1}, 0), dtype, rows);
      check(dtype, new Layout(shape, new long[] {7 * 270, 270, 3}, 1), dtype, rows);
      check(dtype, new Layout(shape, new long[] {7, 1, 21}, 1), dtype, rows);
    }
  }

  /** Ties, subnormals, infinities and NaN of every pattern of the upper half. */
  @Test
  void fromFloatsToHalvesAndBackAsOneByOne() {
    for (DType half : new DType[] {DType.BFLOAT16, DType.FLOAT16}) {
      Layout layout = Layout.contiguous(Shape.of(1 << 18));
      DenseTensor floats = storage(DType.FLOAT32, layout);
      DenseTensor halves = storage(half, layout);
      for (int i = 0; i < 1 << 18; i++) {
        int low = new int[] {0, 0x7fff, 0x8000, 0x8001}[i & 3];
        floats.segment().setAtIndex(ValueLayout.JAVA_INT, i, (i >>> 2 << 16) | low);
      }
      new PlainCopy(new Copy.Request(DType.FLOAT32, layout, half, layout))
          .run(this, floats, halves);
      for (int i = 0; i < 1 << 18; i++) {
        float each = floats.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
        short expected =
            half == DType.FLOAT16 ? Float.floatToFloat16(each) : Elements.toBfloat16(each);
        short found = halves.segment().getAtIndex(ValueLayout.JAVA_SHORT, i);
        if (expected != found) {
          assertEquals(expected, found, half + " of " + each);
        }
      }
      DenseTensor back = storage(DType.FLOAT32, layout);
      new PlainCopy(new Copy.Request(half, layout, DType.FLOAT32, layout)).run(this, halves, back);
      for (int i = 0; i < 1 << 18; i++) {
        float expected = (float) Elements.asDouble(halves.segment(), half, i);
        float found = back.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
        if (Float.compare(expected, found) != 0) {
          assertEquals(expected, found, half + " " + i);
        }
      }
    }
  }
}
