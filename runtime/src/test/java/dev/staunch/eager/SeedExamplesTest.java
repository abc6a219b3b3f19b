package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The two programs that ended MXNet's process, as their users would write them here: each gets a
 * typed fault that names its line, and continues.
 */
class SeedExamplesTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory);

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aNormalDistributionWithANegativeDeviationIsAValueFaultAtWaitAll() {
    context.normal(0, -1, 2, 3);
    Tensor good = context.normal(0, 1, 2, 3);
    StaunchException.ValueException thrown =
        assertThrows(StaunchException.ValueException.class, context::waitAll);
    assertEquals("`std` of normal must not be negative, but it is -1", thrown.getMessage());
    assertEquals("SeedExamplesTest.java", place(thrown.fault()));
    assertEquals(List.of(2L, 3L), List.of(good.shape().size(0), good.shape().size(1)));
    context.waitAll();
  }

  @Test
  void rowsThatDoNotFillTheShapeAreAShapeFaultEachAndTheOthersAreRead(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("manual_2.csv");
    Files.writeString(file, "1,2,3,4\n2,3,4,5\n1,2,3,4,5,6,7,8\n");
    List<Tensor> batches = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      batches.add(context.of(Shape.of(2, 4), floats(line)));
    }
    for (Tensor bad : batches.subList(0, 2)) {
      StaunchException.ShapeException thrown =
          assertThrows(StaunchException.ShapeException.class, bad::floats);
      assertEquals("shape [2, 4] needs 8 values, got 4", thrown.getMessage());
      assertEquals("8 values", thrown.fault().expected());
      assertEquals("SeedExamplesTest.java", place(thrown.fault()));
    }
    assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, batches.get(2).floats());
  }

  /** The file and the shape of the original example: none of its rows fills the shape. */
  @Test
  void whereNoRowFillsTheShapeEachIsAFaultAndTheProgramGoesOn() {
    List<String> rows =
        List.of(
            "1,2,3,4",
            "2,3,4,5",
            "3,4,5,6",
            "4,5,6,7",
            "5,6,7,8",
            "6,7,8,9",
            "9,10,11,12",
            "10,11,12,13");
    for (String row : rows) {
      Tensor bad = context.of(Shape.of(4, 10), floats(row)).add(1);
      StaunchException.ShapeException thrown =
          assertThrows(StaunchException.ShapeException.class, bad::floats);
      assertEquals("shape [4, 10] needs 40 values, got 4", thrown.getMessage());
    }
    assertEquals(8, context.faults());
    assertArrayEquals(
        new float[] {1, 2, 3, 4}, context.of(Shape.of(4), floats(rows.getFirst())).floats());
  }

  private static float[] floats(String line) {
    String[] cells = line.split(",", -1);
    float[] values = new float[cells.length];
    for (int i = 0; i < cells.length; i++) {
      values[i] = Float.parseFloat(cells[i]);
    }
    return values;
  }

  private static String place(Fault fault) {
    assertNotNull(fault.source());
    return fault.source().file();
  }
}
