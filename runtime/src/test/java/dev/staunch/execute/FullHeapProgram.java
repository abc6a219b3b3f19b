package dev.staunch.execute;

import dev.staunch.engine.Processors;
import dev.staunch.fault.Fault;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Value;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request whose kernel fills the heap until there is no room for a fault; then prints what is
 * left.
 */
final class FullHeapProgram {
  private static volatile Object @Nullable [] all;
  private static volatile boolean fills;

  private FullHeapProgram() {}

  /** Products that first share work and then take the whole heap. */
  private static final class Filling extends LayeredKernelSet {
    Filling() {
      super("filling", StandardOperations.plainKernels());
    }

    @Override
    public MatrixProduct matrixProduct(MatrixProduct.Request request) {
      return (context, a, b, addend, c, epilogue) -> {
        Fault fault = context.parallel(2, 1, (first, end) -> null);
        return fault == null && fills ? filled() : fault;
      };
    }
  }

  private static @Nullable Fault filled() {
    int size = 1 << 20;
    while (true) {
      try {
        while (true) {
          Object[] more = new Object[size];
          more[0] = all;
          all = more;
        }
      } catch (OutOfMemoryError e) {
        if (size == 1) {
          throw e;
        }
        size /= 2;
      }
    }
  }

  public static void main(String[] arguments) {
    Value x = new Value("x", Type.Plain.TENSOR);
    Value result = new Value("y", Type.Plain.TENSOR);
    Operation product = new Operation(Entries.named("aten::mm"), List.of(x, x), List.of(result));
    Block body = new Block(List.of(x), List.of(product), List.of(result));
    Function run =
        new Function("run", body, List.of(x.type()), Function.Discipline.SEQUENTIAL, null);
    Plan plan =
        Plan.prepare(new Program(List.of(run)), StandardOperations.catalog().with(new Filling()));
    OffHeap memory = OffHeap.withBudget(1 << 20);
    String before = outcome(plan, memory); // what is linked now needs no room later
    fills = true;
    String end = before + ", then " + outcome(plan, memory);
    boolean reaps =
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().equals("staunch-reaper"));
    long bytes = memory.account().bytes();
    System.out.printf("%s, %d bytes, helped %b, reaps %b%n", end, bytes, isHelped(), reaps);
  }

  private static String outcome(Plan plan, OffHeap memory) {
    try (ResourceScope model = ResourceScope.open(memory, "model");
        ResourceScope request = ResourceScope.open(memory, "request")) {
      Object given = DenseTensor.allocate(model, DType.FLOAT32, Shape.of(8, 8));
      return outcome(plan, List.of(given), request);
    }
  }

  private static String outcome(Plan plan, List<Object> given, ResourceScope scope) {
    try {
      Object outcome = plan.run("run", given, RunOptions.in(scope)).getFirst();
      all = null;
      return outcome instanceof Fault ? "failed" : "went well";
    } catch (OutOfMemoryError e) {
      all = null;
      return "failed";
    }
  }

  /** Whether two threads can still share the work of one operation. */
  private static boolean isHelped() {
    CountDownLatch both = new CountDownLatch(2);
    Fault fault =
        Processors.ofProcess()
            .run(
                2,
                1,
                (first, end) -> {
                  both.countDown();
                  try {
                    return both.await(10, TimeUnit.SECONDS) ? null : Fault.value("alone");
                  } catch (InterruptedException e) {
                    return Fault.value("interrupted");
                  }
                });
    return fault == null;
  }
}
