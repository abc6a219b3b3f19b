package dev.staunch.vector;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A separate process: it gets the packing of panels compiled, then packs a mapped file that was
 * truncated. Reading a missing page has to be an error, whatever the layout of the elements.
 */
final class LostPages {
  private static final int SIZE = 2 * FloatPanels.WIDTH;
  private static final int ENOUGH = 2_000;

  private LostPages() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Files.write(file, new byte[SIZE * SIZE * Float.BYTES]);
    List<String> silent = new ArrayList<>();
    try (OffHeap memory = OffHeap.withBudget(1 << 22);
        ResourceScope scope = ResourceScope.open(memory, "packing")) {
      MemorySegment near = tensor(scope, (long) SIZE * SIZE);
      MemorySegment panels = tensor(scope, FloatPanels.bytes(SIZE, SIZE) / Float.BYTES);
      MemorySegment far = ((Storage) scope.map(file, 0, Files.size(file))).segment();
      for (int i = 0; i < ENOUGH; i++) {
        everyWay(near).forEach(matrix -> pack(matrix, panels));
        everyWay(far).forEach(matrix -> pack(matrix, panels));
      }
      FileChannel.open(file, StandardOpenOption.WRITE).truncate(0).close();
      for (Matrix matrix : everyWay(far)) {
        try {
          pack(matrix, panels);
          silent.add(matrix.toString());
        } catch (InternalError e) { // as expected
          System.out.println(e);
        }
      }
    }
    System.out.println("packed what is not there: " + silent);
    System.exit(silent.isEmpty() ? 0 : 1);
  }

  private static MemorySegment tensor(ResourceScope scope, long elements) {
    Object made = DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(elements));
    return ((DenseTensor) made).segment();
  }

  /** The segment as a matrix along its rows and along its columns. */
  private static List<Matrix> everyWay(MemorySegment segment) {
    return List.of(new Matrix(segment, 0, SIZE, 1), new Matrix(segment, 0, 1, SIZE));
  }

  /** Packs half a panel, then a whole one. */
  private static void pack(Matrix matrix, MemorySegment panels) {
    FloatPanels.pack(matrix, 0, FloatPanels.WIDTH, 0, FloatPanels.WIDTH / 2, panels, 0);
    FloatPanels.pack(matrix, 0, FloatPanels.WIDTH, 0, FloatPanels.WIDTH, panels, 0);
    FloatPanels.packOnce(matrix, 0, FloatPanels.WIDTH, 0, FloatPanels.WIDTH, panels, 0);
  }
}
