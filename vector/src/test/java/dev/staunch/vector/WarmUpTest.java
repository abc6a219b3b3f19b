package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The runs that get kernels compiled. */
class WarmUpTest {
  /** Written so that no compiler leaves an array out. */
  @SuppressWarnings("unused")
  private static volatile byte[] left = {};

  private static final Set<KernelGroup> ALL = Set.copyOf(KernelGroup.all());

  @Test
  void kernelsAreTriedAndNothingIsHandedOn() {
    Set<String> handedOn = ConcurrentHashMap.newKeySet();
    KernelSet others =
        new LayeredKernelSet("spy", StandardOperations.plainKernels()) {
          @Override
          public MatrixProduct matrixProduct(MatrixProduct.Request request) {
            handedOn.add("product");
            return super.matrixProduct(request);
          }

          @Override
          public Convolution convolution(Convolution.Request request) {
            handedOn.add("convolution");
            return super.convolution(request);
          }
        };
    new WarmUp(StandardOperations.plainKernels(), new VectorKernels(others), 1, 0).apply(ALL);
    assertEquals(Set.of(), handedOn);
  }

  /** HotSpot discards a loop whose last, incomplete vector it has never seen, or always. */
  @Test
  void formulasRunOnWholeNumbersOfVectorsAndOnOthers() {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.BOOL)) {
      int lanes = FloatVector.SPECIES_PREFERRED.vectorByteSize() / dtype.bytes();
      for (String name : List.of("add", "clamp")) {
        Set<Boolean> whole = new HashSet<>();
        KernelSet spy =
            new LayeredKernelSet("spy", StandardOperations.plainKernels()) {
              @Override
              public RowFormula rowFormula(DType asked, String formula, double... constants) {
                return counted(count -> whole.add(count % lanes == 0));
              }
            };
        try (OffHeap memory = OffHeap.withBudget(1 << 20);
            ResourceScope scope = ResourceScope.open(memory, "operands")) {
          new WarmUpOperands(spy, scope)
              .runs(KernelGroup.formula(dtype, name))
              .forEach(Runnable::run);
        }
        assertEquals(Set.of(true, false), whole, dtype + " " + name);
      }
    }
  }

  private static RowFormula counted(IntConsumer counts) {
    return new RowFormula() {
      @Override
      public void run(
          MemorySegment a,
          long fromA,
          MemorySegment b,
          long fromB,
          MemorySegment out,
          long to,
          int count) {
        counts.accept(count);
      }

      @Override
      public void run(
          MemorySegment a, long fromA, double b, MemorySegment out, long to, int count) {
        counts.accept(count);
      }

      @Override
      public void run(
          MemorySegment a,
          long fromA,
          MemorySegment b,
          long fromB,
          MemorySegment c,
          long fromC,
          MemorySegment out,
          long to,
          int count) {
        counts.accept(count);
      }
    };
  }

  @Test
  void aSetIsWarmThatIsNoSlowerThanTheOneBefore() {
    KernelSet plain = StandardOperations.plainKernels();
    WarmUp warmUp = new WarmUp(plain, plain, 2, 0);
    Set<KernelGroup> left = new HashSet<>(ALL);
    for (int attempts = 0; attempts < WarmingKernels.MOST_ATTEMPTS && !left.isEmpty(); attempts++) {
      left.removeAll(warmUp.apply(left));
    }
    assertEquals(Set.of(), left);
  }

  /**
   * A function of doubles is not held to the speed of a sum: all serve, unless HotSpot cannot keep
   * their vectors in registers. It has no masks for two lanes on x86.
   */
  @Test
  void functionsOfDoublesServeIfTheirVectorsStayInRegisters() {
    KernelSet plain = StandardOperations.plainKernels();
    KernelSet kernels = new VectorKernels(plain);
    WarmUp warmUp = new WarmUp(plain, kernels, 20, 2_000_000_000);
    Set<KernelGroup> functions = new HashSet<>();
    for (String name : List.of("exp", "log", "tanh", "sigmoid", "silu")) {
      functions.add(KernelGroup.formula(DType.FLOAT64, name));
    }
    Set<KernelGroup> left = new HashSet<>(functions);
    for (int attempts = 0; attempts < 10 && !left.isEmpty(); attempts++) {
      left.removeAll(warmUp.apply(left));
    }
    functions.removeIf(group -> leavesLessThan(DType.FLOAT64.bytes() * 100, kernels, group));
    assertEquals(functions, left);
    if (DoubleVector.SPECIES_PREFERRED.length() > 2) {
      assertEquals(Set.of(), left, "all serve on four lanes and more");
    }
  }

  /**
   * Most need masks, which HotSpot lacks for two lanes on x86. On a busy machine HotSpot may
   * compile a kernel as a part of what calls it, and badly, so that it never serves.
   */
  @Test
  @EnabledIfSystemProperty(named = "tests.whole", matches = "true")
  void kernelsOfDoublesServe() {
    KernelSet plain = StandardOperations.plainKernels();
    WarmUp warmUp = new WarmUp(plain, new VectorKernels(plain), 20, 2_000_000_000);
    Set<KernelGroup> left = new HashSet<>();
    left.add(KernelGroup.ROW_NORMALIZATION.of(DType.FLOAT64));
    left.add(KernelGroup.CHANNEL_NORMALIZATION.of(DType.FLOAT64));
    left.add(KernelGroup.REDUCTION.of(DType.FLOAT64));
    if (DoubleVector.SPECIES_PREFERRED.length() > 2) {
      left.add(KernelGroup.PRODUCT.of(DType.FLOAT64));
      left.add(KernelGroup.SOFTMAX.of(DType.FLOAT64));
      left.add(KernelGroup.POOLING.of(DType.FLOAT64));
      left.add(KernelGroup.RECURRENCE.of(DType.FLOAT64));
    }
    for (int attempts = 0; attempts < 40 && !left.isEmpty(); attempts++) {
      left.removeAll(warmUp.apply(left));
    }
    assertEquals(Set.of(), left);
  }

  /** Whether a run of a group's kernels leaves less on the heap, perhaps after some seconds. */
  private static boolean leavesLessThan(long bytes, KernelSet kernels, KernelGroup group) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "operands")) {
      WarmUpOperands operands = new WarmUpOperands(kernels, scope);
      List<Runnable> runs = operands.runs(group);
      long end = System.nanoTime() + 5_000_000_000L;
      while (least >= bytes && System.nanoTime() - end < 0) {
        for (Runnable run : runs) {
          long before = threads.getCurrentThreadAllocatedBytes();
          run.run();
          least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
      }
      Reference.reachabilityFence(operands);
    }
    return least < bytes;
  }

  @Test
  void whatStaysSlowIsNotAndHoldsNothingElseUp() {
    KernelSet plain = StandardOperations.plainKernels();
    KernelSet slow =
        new LayeredKernelSet("slow", plain) {
          @Override
          public MatrixProduct matrixProduct(MatrixProduct.Request request) {
            MatrixProduct product = super.matrixProduct(request);
            return (context, a, b, addend, c, epilogue) ->
                tenTimes(() -> product.run(context, a, b, addend, c, epilogue));
          }
        };
    Set<KernelGroup> fast =
        new WarmUp(plain, slow, 50, 0).apply(Set.of(KernelGroup.PRODUCT, KernelGroup.SOFTMAX));
    assertEquals(Set.of(KernelGroup.SOFTMAX), fast);
  }

  @Test
  void whatLeavesMuchOnTheHeapIsNotCompiledYet() {
    KernelSet plain = StandardOperations.plainKernels();
    AtomicInteger runs = new AtomicInteger();
    int early = 20_000;
    KernelSet leaving =
        new LayeredKernelSet("leaving", plain) {
          @Override
          public MatrixProduct matrixProduct(MatrixProduct.Request request) {
            MatrixProduct product = super.matrixProduct(request);
            return (context, a, b, addend, c, epilogue) -> {
              int bytes = runs.incrementAndGet() <= early ? 1 << 12 : 0;
              left = new byte[bytes];
              return product.run(context, a, b, addend, c, epilogue);
            };
          }
        };
    Set<KernelGroup> rows = Set.of(KernelGroup.ROW_PRODUCT);
    assertEquals(rows, new WarmUp(plain, leaving, 1, Long.MAX_VALUE).apply(rows));
    assertTrue(runs.get() > early, runs + " runs");
  }

  private static @Nullable Fault tenTimes(Supplier<@Nullable Fault> kernel) {
    Fault fault = null;
    for (int i = 0; i < 10; i++) {
      fault = kernel.get();
    }
    return fault;
  }
}
