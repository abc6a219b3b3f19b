package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A small sum reads without a turn; it never sees half of a concurrent write (E5). */
class OvertakenReadTest {
  private static final int ELEMENTS = 256;

  /** Runs once, in the middle of the next sum, after it has read its operands. */
  private final AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context =
      Context.open(memory, StandardOperations.catalog().with(new Interrupted()));

  @AfterEach
  void nothingLeaks() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  /** The plain kernels, whose sums are interrupted. */
  private final class Interrupted extends LayeredKernelSet {
    Interrupted() {
      super("interrupted", StandardOperations.plainKernels());
    }

    @Override
    public @Nullable RowFormula rowFormula(DType dtype, String name, double... constants) {
      return dtype == DType.FLOAT32 && name.equals("add") ? new Sum() : null;
    }
  }

  private final class Sum implements RowFormula {
    @Override
    public void run(
        MemorySegment a,
        long fromA,
        MemorySegment b,
        long fromB,
        MemorySegment out,
        long to,
        int count) {
      for (int i = 0; i < count; i++) {
        float sum = element(a, fromA + i) + element(b, fromB + i);
        out.setAtIndex(ValueLayout.JAVA_FLOAT, to + i, sum);
      }
      Runnable other = meanwhile.getAndSet(null);
      if (other != null) {
        other.run();
      }
    }

    @Override
    public void run(MemorySegment a, long fromA, double b, MemorySegment out, long to, int count) {
      for (int i = 0; i < count; i++) {
        out.setAtIndex(ValueLayout.JAVA_FLOAT, to + i, element(a, fromA + i) + (float) b);
      }
    }

    private static float element(MemorySegment row, long i) {
      return row.getAtIndex(ValueLayout.JAVA_FLOAT, i);
    }
  }

  private Tensor filled(float value) {
    return context.full((double) value, ELEMENTS);
  }

  private static float[] all(float value) {
    float[] all = new float[ELEMENTS];
    Arrays.fill(all, value);
    return all;
  }

  @Test
  void aSumWhoseOperandIsWrittenMeanwhileIsComputedAnew() {
    Tensor x = filled(1);
    Tensor y = filled(2);
    meanwhile.set(() -> x.add_(10.0));
    assertArrayEquals(all(13), x.add(y).floats());
    meanwhile.set(() -> y.add_(100.0));
    assertArrayEquals(all(113), x.add(y).floats());
  }

  @Test
  void aSumIsComputedOnceIfNobodyWrites() {
    Tensor x = filled(1);
    Tensor y = filled(2);
    List<float[]> read = new ArrayList<>();
    meanwhile.set(() -> read.add(x.floats()));
    assertArrayEquals(all(3), x.add(y).floats());
    assertArrayEquals(all(1), read.getFirst());
    assertEquals(2 + 1, memory.metrics().creations());
  }

  @Test
  void aWriteThatFailedMeanwhileIsTheFaultOfTheSum() {
    Tensor x = filled(1);
    Tensor wrong = context.full(1.0, 3);
    meanwhile.set(() -> x.add_(wrong));
    Tensor sum = x.add(filled(2));
    assertEquals(x.fault().message(), sum.fault().message());
  }

  @Test
  void whatIsWrittenByAnotherThreadIsSeenWholeOrNotAtAll() throws InterruptedException {
    Tensor x = filled(0);
    Tensor zero = filled(0);
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < 3000; i++) {
                x.add_(1.0);
              }
            });
    float last = 0;
    while (last < 3000) {
      try (Tensor sum = x.add(zero)) {
        float[] seen = sum.floats();
        assertArrayEquals(all(seen[0]), seen);
        assertEquals(seen[0], Math.max(last, seen[0]), "an older value after a newer one");
        last = seen[0];
      }
    }
    writer.join();
  }
}
