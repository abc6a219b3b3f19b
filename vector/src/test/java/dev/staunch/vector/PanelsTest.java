package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two ways to pack a matrix in panels. */
class PanelsTest {
  @ParameterizedTest
  @CsvSource({"1, 1", "3, 5", "7, 64", "255, 33", "256, 32", "257, 31", "600, 70"})
  void aMatrixThatIsPackedOnceLiesAsAnyOther(int depth, int columns) {
    long[][] strides = {{columns + 3, 1}, {1, depth + 2}, {2, 2L * depth + 1}};
    for (long[] each : strides) {
      long size = 9 + depth * each[0] + columns * each[1];
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment floats = arena.allocate(JAVA_FLOAT, size);
        MemorySegment doubles = arena.allocate(JAVA_DOUBLE, size);
        for (int i = 0; i < size; i++) {
          floats.setAtIndex(JAVA_FLOAT, i, i + 1);
          doubles.setAtIndex(JAVA_DOUBLE, i, i + 1);
        }
        int row = Math.min(2, depth - 1);
        int column = Math.min(3, columns - 1);
        Matrix a = new Matrix(floats, 5, each[0], each[1]);
        MemorySegment one = filled(arena, FloatPanels.bytes(depth - row, columns - column));
        MemorySegment other = filled(arena, one.byteSize());
        FloatPanels.pack(a, row, depth - row, column, columns - column, one, 0);
        FloatPanels.packOnce(a, row, depth - row, column, columns - column, other, 0);
        assertEquals(-1, one.mismatch(other));

        Matrix b = new Matrix(doubles, 5, each[0], each[1]);
        one = filled(arena, DoublePanels.bytes(depth - row, columns - column));
        other = filled(arena, one.byteSize());
        DoublePanels.pack(b, row, depth - row, column, columns - column, one, 0);
        DoublePanels.packOnce(b, row, depth - row, column, columns - column, other, 0);
        assertEquals(-1, one.mismatch(other));
      }
    }
  }

  private static MemorySegment filled(Arena arena, long bytes) {
    return arena.allocate(bytes, 64).fill((byte) 7);
  }
}
