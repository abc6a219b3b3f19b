package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.ref.Reference;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Bands of planes, read from pictures that end where their memory ends. */
class BandTest {
  private static final int ROWS = 5;

  @Test
  void everySecondElementOfRowsOfAnyLengthIsWhereTheKernelMeetsIt() {
    for (int columns = 1; columns <= 80; columns++) {
      for (int padding = 0; padding <= 3; padding++) {
        for (int kernel = 1; kernel <= Math.min(7, columns + 2 * padding); kernel++) {
          compare(columns, new Window(kernel, 2, padding, padding, 1));
        }
      }
    }
  }

  private static void compare(int columns, Window across) {
    Window down = new Window(2, 2, 1, 1, 1);
    int width = across.outputs(columns, false);
    int height = down.outputs(ROWS, false);
    Layout image = Layout.contiguous(Shape.of(1, 1, ROWS, columns));
    Layout weight = Layout.contiguous(Shape.of(1, 1, 2, across.kernel()));
    Layout result = Layout.contiguous(Shape.of(1, 1, height, width));
    Planes planes =
        Planes.of(
            new Convolution.Request(
                DType.FLOAT32, image, weight, null, result, down, across, 1, null));
    OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 20));
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor picture = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, image);
      for (int i = 0; i < picture.elements(); i++) {
        Elements.set(picture, i, i + 1);
      }
      float[] band = new float[(int) planes.channelSize() + 2];
      Arrays.fill(band, -1);
      Matrix rows = new Matrix(picture.segment(), 0, columns, 1);
      FloatBand.fill(planes, down, across, rows, ROWS, columns, 0, band, 1);
      Reference.reachabilityFence(picture);
      assertEquals(-1, band[0]);
      assertEquals(-1, band[band.length - 1]);
      for (int tap = 0; tap < planes.offsets().length; tap++) {
        for (int y = 0; y < height; y++) {
          for (int x = 0; x < width; x++) {
            int row = down.at(y, tap / across.kernel());
            int column = across.at(x, tap % across.kernel());
            boolean inside = row >= 0 && row < ROWS && column >= 0 && column < columns;
            float found = band[1 + planes.offsets()[tap] + y * planes.width() + x];
            assertEquals(inside ? row * columns + column + 1 : 0, found);
          }
        }
      }
    }
    memory.close();
  }
}
