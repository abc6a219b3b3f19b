package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Products of matrices beside sums in the order of the textbook, in double. */
class BlocksTest {
  private final Random random = new Random(7);

  @Test
  void floatsOfAnySizeAndStridesAreMultiplied() {
    for (int round = 0; round < 300; round++) {
      check(round % 2 == 0 ? size(3) : size(40), size(80), size(round % 10 == 0 ? 1200 : 60));
    }
    check(500, 70, 30);
  }

  private int size(int most) {
    return 1 + random.nextInt(most);
  }

  private void check(int rows, int columns, int depth) {
    try (Arena arena = Arena.ofConfined()) {
      Matrix a = matrix(arena, rows, depth, random.nextBoolean());
      Matrix b = matrix(arena, depth, columns, random.nextBoolean());
      Matrix c = matrix(arena, rows, columns, false);
      Matrix addend =
          switch (random.nextInt(3)) {
            case 0 -> null;
            case 1 -> c;
            default -> new Matrix(matrix(arena, 1, columns, false).segment(), 0, 0, 1);
          };
      float alpha = random.nextBoolean() ? 1 : 0.5f;
      double[][] expected = product(a, b, addend, alpha, rows, columns, depth);
      FloatBlocks blocks = new FloatBlocks(rows, columns, depth);
      if (rows <= 3 && FloatRowProduct.takes(a, b) && random.nextBoolean()) {
        assertNull(new FloatRowProduct(rows, columns, depth).run(a, b, addend, c, alpha, () -> null));
        compare(c, expected, depth);
        return;
      }
      MemorySegment packed = null;
      if (random.nextBoolean()) {
        packed = arena.allocate(blocks.packedBytes(), 64);
        blocks.pack(b, packed);
      }
      MemorySegment scratch = arena.allocate(blocks.scratchBytes(packed != null), 64);
      Fault fault = blocks.run(a, b, packed, addend, c, alpha, scratch, () -> null);
      assertNull(fault);
      compare(c, expected, depth);
    }
  }

  private static void compare(Matrix c, double[][] expected, int depth) {
    for (int i = 0; i < expected.length; i++) {
      for (int j = 0; j < expected[i].length; j++) {
        double found = get(c, i, j);
        assertTrue(
            Math.abs(found - expected[i][j]) <= 1e-5 * Math.sqrt(depth),
            i + ", " + j + ": " + found + " for " + expected[i][j]);
      }
    }
  }

  private static double[][] product(
      Matrix a, Matrix b, Matrix addend, float alpha, int rows, int columns, int depth) {
    double[][] sums = new double[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double sum = 0;
        for (int k = 0; k < depth; k++) {
          sum += (double) get(a, i, k) * get(b, k, j);
        }
        sums[i][j] = alpha * sum + (addend == null ? 0 : get(addend, i, j));
      }
    }
    return sums;
  }

  private static float get(Matrix matrix, int row, int column) {
    return matrix.segment().getAtIndex(ValueLayout.JAVA_FLOAT, matrix.at(row, column));
  }

  private Matrix matrix(Arena arena, int rows, int columns, boolean transposed) {
    int gap = random.nextInt(3);
    int offset = random.nextInt(5);
    long lines = transposed ? columns : rows;
    long length = (long) (transposed ? rows : columns) + gap;
    MemorySegment segment = arena.allocate((offset + lines * length) * 4, 64);
    for (long i = 0; i < segment.byteSize() / 4; i++) {
      segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextFloat() - 0.5f);
    }
    return transposed
        ? new Matrix(segment, offset, 1, length)
        : new Matrix(segment, offset, length, 1);
  }
}
