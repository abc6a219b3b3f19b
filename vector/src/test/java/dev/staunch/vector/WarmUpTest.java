package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
