package dev.staunch.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sum of bools is the number of bytes that are not 0, whatever the layout. */
class TruthCountsTest {
  private static final long SEED = 3;

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor made(String name, Object... arguments) {
    return assertInstanceOf(
        DenseTensor.class,
        Objects.requireNonNull(new RecordingEnvironment(scope).run(name, arguments)));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 7", "0, 5", "5, 0", "40, 8", "5, 5000", "5000, 5", "300, 130"})
  void countsEveryByteThatIsNotZero(int rows, int columns) {
    DenseTensor whole =
        (DenseTensor) DenseTensor.allocate(scope, DType.BOOL, Shape.of(rows + 1L, 2L * columns));
    for (long i = 0; i < whole.elements(); i++) {
      int value = random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(2);
      whole.segment().set(JAVA_BYTE, i, (byte) value);
    }
    DenseTensor rest = made("aten::slice.Tensor", whole, 0L, 1L, rows + 1L, 1L);
    DenseTensor left = made("aten::slice.Tensor", rest, 1L, 0L, (long) columns, 1L);
    DenseTensor spread = made("aten::slice.Tensor", rest, 1L, 1L, 2L * columns, 2L);
    for (DenseTensor self :
        new DenseTensor[] {rest, left, spread, made("aten::t", left), made("aten::t", spread)}) {
      check(self, 0);
      check(self, 1);
      DenseTensor all = made("aten::sum", self, None.NONE);
      long sum = 0;
      for (long i = 0; i < self.shape().size(0); i++) {
        sum += count(self, 0, i);
      }
      assertEquals(sum, Elements.asLong(all.segment(), DType.INT64, 0));
    }
  }

  private void check(DenseTensor self, int dim) {
    long kept = self.shape().size(1 - dim);
    DenseTensor wide =
        made("aten::sum.dim_IntList", self, List.of((long) dim - 2), false, None.NONE);
    DenseTensor narrow = made("aten::sum.dim_IntList", self, List.of((long) dim), false, 1L);
    assertEquals(kept, wide.elements());
    for (long i = 0; i < kept; i++) {
      long count = count(self, 1 - dim, i);
      assertEquals(count, Elements.asLong(wide.segment(), DType.INT64, i));
      assertEquals((byte) count, Elements.asLong(narrow.segment(), DType.INT8, i));
    }
  }

  /** The true elements at index {@code at} of dimension {@code dim}. */
  private static long count(DenseTensor self, int dim, long at) {
    long count = 0;
    for (long i = 0; i < self.shape().size(1 - dim); i++) {
      long place =
          self.layout().offset()
              + at * self.layout().stride(dim)
              + i * self.layout().stride(1 - dim);
      count += Elements.asLong(self.segment(), DType.BOOL, place) == 0 ? 0 : 1;
    }
    return count;
  }
}
