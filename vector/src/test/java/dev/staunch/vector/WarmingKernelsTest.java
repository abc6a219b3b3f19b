package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which of two sets of kernels serves, and from when on. */
class WarmingKernelsTest {
  private static final Layout SQUARE = Layout.contiguous(Shape.of(2, 2));
  private static final MatrixProduct.Request REQUEST =
      new MatrixProduct.Request(DType.FLOAT32, SQUARE, SQUARE, null, SQUARE, 1, null);

  private static final Layout IMAGE = Layout.contiguous(Shape.of(1, 1, 1, 1));
  private static final Window POINT = new Window(1, 1, 0, 0, 1);
  private static final Convolution.Request CONVOLUTION =
      new Convolution.Request(DType.FLOAT32, IMAGE, IMAGE, null, IMAGE, POINT, POINT, 1, null);

  private static final Pooling.Request POOLING =
      new Pooling.Request(DType.FLOAT32, IMAGE, IMAGE, 2, new Pooling.Rule.Maximum(POINT, POINT));

  private final List<String> ran = new ArrayList<>();
  private final List<Runnable> background = new ArrayList<>();
  private final List<Set<KernelGroup>> warmed = new ArrayList<>();
  private final KernelSet second = named("second");
  private boolean succeeds = true;

  /** A set whose products record its name and compute nothing. */
  private KernelSet named(String name) {
    return new LayeredKernelSet(name, StandardOperations.plainKernels()) {
      @Override
      public MatrixProduct matrixProduct(MatrixProduct.Request request) {
        return (context, a, b, addend, c, epilogue) -> {
          ran.add(name);
          return null;
        };
      }

      @Override
      public boolean prefersChannelsLast(Convolution.Request request) {
        return name.equals("second");
      }
    };
  }

  @Test
  void whatIsPreferredIsKnownBeforeItServes() {
    KernelSet warming = warming(Long.MAX_VALUE);
    assertTrue(warming.prefersChannelsLast(CONVOLUTION));
    assertFalse(StandardOperations.plainKernels().prefersChannelsLast(CONVOLUTION));
  }

  private WarmingKernels warming(long patienceNanos) {
    return warming(named("first"), second, patienceNanos);
  }

  private WarmingKernels warming(KernelSet early, KernelSet late, long patienceNanos) {
    return new WarmingKernels(
        early,
        late,
        groups -> {
          warmed.add(groups);
          return succeeds ? groups : Set.of();
        },
        background::add,
        patienceNanos);
  }

  private static void run(MatrixProduct product) {
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor x = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, SQUARE.shape());
      assertNull(product.run(new Run(scope), x, x, null, x));
    }
  }

  @Test
  void whatWasPreparedBeforeRunsOnTheSecondSetOnceThatIsWarm() {
    WarmingKernels kernels = warming(Long.MAX_VALUE);
    MatrixProduct product = kernels.matrixProduct(REQUEST);
    run(product);
    kernels.warmUp();
    run(product);
    assertFalse(kernels.isWarm());
    background.getFirst().run();
    assertTrue(kernels.isWarm());
    run(product);
    run(kernels.matrixProduct(REQUEST));
    assertEquals(List.of("first", "first", "second", "second"), ran);
  }

  @Test
  void aSecondSetThatDoesNotBecomeFastNeverServes() {
    succeeds = false;
    WarmingKernels kernels = warming(Long.MAX_VALUE);
    MatrixProduct product = kernels.matrixProduct(REQUEST);
    kernels.warmUp();
    background.removeFirst().run();
    run(product);
    kernels.pooling(POOLING);
    assertFalse(kernels.isWarm());
    assertEquals(List.of("first"), ran);
    assertEquals(List.of(), background);
    assertEquals(WarmingKernels.MOST_ATTEMPTS, warmed.size());
  }

  @Test
  void aGroupThatStaysSlowKeepsNoOtherFromServing() {
    WarmingKernels kernels =
        new WarmingKernels(
            named("first"),
            second,
            groups -> {
              warmed.add(groups);
              return groups.stream()
                  .filter(group -> !group.equals(KernelGroup.POOLING))
                  .collect(Collectors.toSet());
            },
            background::add,
            Long.MAX_VALUE);
    kernels.pooling(POOLING);
    kernels.matrixProduct(REQUEST);
    kernels.warmUp();
    background.removeFirst().run();
    run(kernels.matrixProduct(REQUEST));
    assertEquals(List.of("second"), ran);
    assertEquals(WarmingKernels.MOST_ATTEMPTS, warmed.size());
    assertEquals(Set.of(KernelGroup.POOLING), warmed.getLast());
    assertTrue(kernels.isWarm());

    kernels.convolution(CONVOLUTION);
    background.removeFirst().run();
    assertEquals(Set.of(KernelGroup.POINTWISE), warmed.getLast());
    assertTrue(kernels.isWarm());
  }

  @Test
  void whatComesIntoUseDuringAnAttemptJoinsTheNextOne() {
    AtomicReference<WarmingKernels> itself = new AtomicReference<>();
    WarmingKernels kernels =
        new WarmingKernels(
            named("first"),
            second,
            groups -> {
              warmed.add(groups);
              itself.get().convolution(CONVOLUTION);
              return warmed.size() == 1 ? Set.of() : groups;
            },
            background::add,
            Long.MAX_VALUE);
    itself.set(kernels);
    kernels.pooling(POOLING);
    kernels.warmUp();
    background.removeFirst().run();
    assertEquals(
        List.of(Set.of(KernelGroup.POOLING), Set.of(KernelGroup.POOLING, KernelGroup.POINTWISE)),
        warmed);
    assertTrue(kernels.isWarm());
  }

  @Test
  void aSecondSetWhoseClassesAreGoneNeverServesAndEndsNoThread() {
    WarmingKernels kernels =
        new WarmingKernels(
            named("first"),
            second,
            groups -> {
              throw new NoClassDefFoundError("its class loader was closed");
            },
            background::add,
            Long.MAX_VALUE);
    MatrixProduct product = kernels.matrixProduct(REQUEST);
    kernels.warmUp();
    background.getFirst().run();
    run(product);
    run(kernels.matrixProduct(REQUEST));
    assertFalse(kernels.isWarm());
    assertEquals(List.of("first", "first"), ran);
  }

  @Test
  void littleWorkIsNotWorthAWarmUp() {
    run(warming(Long.MAX_VALUE).matrixProduct(REQUEST));
    assertEquals(List.of(), background);
  }

  @Test
  void moreWorkBeginsItOnce() {
    MatrixProduct product = warming(WarmingKernels.CALL_NANOS * 3).matrixProduct(REQUEST);
    for (int i = 0; i < 5; i++) {
      run(product);
    }
    assertEquals(1, background.size());
  }

  @Test
  void onlyWhatIsUsedBecomesWarmAndTheRestWhenItIsUsed() {
    WarmingKernels kernels = warming(Long.MAX_VALUE);
    kernels.warmUp();
    assertEquals(List.of(), background);
    kernels.matrixProduct(REQUEST);
    kernels.pooling(POOLING);
    background.removeFirst().run();
    assertEquals(List.of(Set.of(KernelGroup.PRODUCT, KernelGroup.POOLING)), warmed);
    assertTrue(kernels.isWarm());
    int version = kernels.version();

    kernels.convolution(CONVOLUTION);
    assertFalse(kernels.isWarm());
    run(kernels.matrixProduct(REQUEST));
    background.removeFirst().run();
    assertEquals(Set.of(KernelGroup.POINTWISE), warmed.getLast());
    assertTrue(kernels.isWarm());
    assertNotEquals(version, kernels.version());
    assertEquals(List.of("second"), ran);
  }

  @Test
  void productsOfOneRowDoNotWaitForTheOthers() {
    WarmingKernels kernels = warming(Long.MAX_VALUE);
    kernels.warmUp();
    Layout row = Layout.contiguous(Shape.of(1, 2));
    kernels.matrixProduct(
        new MatrixProduct.Request(DType.FLOAT32, row, SQUARE, null, row, 1, null));
    background.removeFirst().run();
    assertEquals(List.of(Set.of(KernelGroup.ROW_COMBINATION)), warmed);
    kernels.matrixProduct(REQUEST);
    assertFalse(kernels.isWarm());
  }

  @Test
  void kernelsOfDoublesDoNotServeBeforeTheyAreWarmThemselves() {
    KernelSet vectors = new VectorKernels(StandardOperations.plainKernels());
    WarmingKernels kernels = warming(StandardOperations.plainKernels(), vectors, Long.MAX_VALUE);
    kernels.warmUp();
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
      Softmax.Request request = new Softmax.Request(dtype, SQUARE, dtype, SQUARE, 1, false);
      assertNotEquals(vectors.softmax(request), kernels.softmax(request));
      assertNull(kernels.rowReduction(dtype, RowReduction.Kind.SUM));
      background.removeFirst().run();
      assertEquals(vectors.softmax(request), kernels.softmax(request));
      assertNotNull(kernels.rowReduction(dtype, RowReduction.Kind.SUM));
    }
    assertNull(kernels.rowReduction(DType.FLOAT64, RowReduction.Kind.PRODUCT));
    assertNull(kernels.rowReduction(DType.INT64, RowReduction.Kind.SUM));
    assertEquals(
        List.of(
            Set.of(KernelGroup.SOFTMAX, KernelGroup.REDUCTION),
            Set.of(KernelGroup.SOFTMAX.of(DType.FLOAT64), KernelGroup.REDUCTION.of(DType.FLOAT64))),
        warmed);
  }

  @Test
  void whatIsFirstUsedDuringAWarmUpFollowsOnTheSameThread() {
    List<Set<KernelGroup>> seen = new ArrayList<>();
    AtomicReference<WarmingKernels> itself = new AtomicReference<>();
    WarmingKernels kernels =
        new WarmingKernels(
            named("first"),
            second,
            groups -> {
              seen.add(groups);
              itself.get().convolution(CONVOLUTION);
              return groups;
            },
            background::add,
            Long.MAX_VALUE);
    itself.set(kernels);
    kernels.matrixProduct(REQUEST);
    kernels.warmUp();
    background.removeFirst().run();
    assertEquals(List.of(Set.of(KernelGroup.PRODUCT), Set.of(KernelGroup.POINTWISE)), seen);
    assertEquals(List.of(), background);
    assertTrue(kernels.isWarm());
  }

  @Test
  void eachFormulaBecomesWarmByItself() {
    KernelSet vectors = new VectorKernels(StandardOperations.plainKernels());
    WarmingKernels kernels = warming(StandardOperations.plainKernels(), vectors, Long.MAX_VALUE);
    assertNull(kernels.rowFormula(DType.FLOAT32, "no such formula"));
    assertNull(kernels.rowFormula(DType.FLOAT32, "exp"));
    kernels.warmUp();
    background.removeFirst().run();
    assertSame(vectors.rowFormula(DType.FLOAT32, "exp"), kernels.rowFormula(DType.FLOAT32, "exp"));
    assertNull(kernels.rowFormula(DType.FLOAT32, "log"));
    background.removeFirst().run();
    assertSame(vectors.rowFormula(DType.FLOAT32, "log"), kernels.rowFormula(DType.FLOAT32, "log"));
    assertEquals(
        List.of(
            Set.of(KernelGroup.formula(DType.FLOAT32, "exp")),
            Set.of(KernelGroup.formula(DType.FLOAT32, "log"))),
        warmed);
  }

  @Test
  void whoWantsTheSameBitsFromTheFirstCallOnTakesTheSecondSet() {
    assertSame(second, warming(Long.MAX_VALUE).warm());
  }
}
