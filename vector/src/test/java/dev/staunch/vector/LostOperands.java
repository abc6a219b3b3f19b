package dev.staunch.vector;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A separate process: it gets the kernels compiled, then runs each call with each operand in a
 * mapped file that was truncated. Reading a missing page has to be an error.
 */
final class LostOperands {
  private static final Catalog VECTORS =
      StandardOperations.catalog().with(new VectorKernels(StandardOperations.plainKernels()));

  private static final int ENOUGH = 8;

  private LostOperands() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    List<String> silent = new ArrayList<>();
    try (OffHeap memory = OffHeap.withBudget(1L << 28);
        ResourceScope scope = ResourceScope.open(memory, "calls")) {
      int number = 0;
      for (SetCall call : MappedCalls.all(scope)) {
        for (DenseTensor operand : MappedCalls.operands(call)) {
          Path file = folder.resolve("operand" + number++);
          SetCall far = MappedCalls.mapped(call, operand, file, scope);
          System.out.println(far);
          for (int i = 0; i < ENOUGH; i++) {
            run(memory, call);
            run(memory, far);
          }
          FileChannel.open(file, StandardOpenOption.WRITE).truncate(0).close();
          try {
            run(memory, far);
            silent.add(far.toString());
          } catch (InternalError e) { // as expected
            System.out.println(e);
          }
        }
      }
    }
    System.out.println("computed from what is not there: " + silent);
    System.exit(silent.isEmpty() ? 0 : 1);
  }

  private static void run(OffHeap memory, SetCall call) {
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      new KernelBench(scope, VECTORS, false)
          .run(
              call.name(),
              call.arguments(),
              KernelBench.preparation(scope, call.constants()),
              call.order());
    }
  }
}
