package dev.staunch.kernel;

import static dev.staunch.operation.None.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operations composed of others promise about memory, cancellation and gradient flags. */
class ComposedOperationsTest {
  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  /** Fills missing arguments with the defaults. */
  private static Object run(KernelBench environment, String name, Object... given) {
    CatalogEntry definition =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::" + name), name);
    List<Schema.Parameter> parameters = definition.schema().parameters();
    Object[] arguments = Arrays.copyOf(given, parameters.size());
    for (int i = given.length; i < arguments.length; i++) {
      arguments[i] = Objects.requireNonNull(parameters.get(i).defaultValue(), name);
    }
    return Objects.requireNonNull(environment.run("aten::" + name, arguments));
  }

  private Object run(String name, Object... given) {
    return run(new RecordingEnvironment(scope), name, given);
  }

  private DenseTensor blank(DType dtype, long... sizes) {
    DenseTensor tensor =
        assertInstanceOf(DenseTensor.class, DenseTensor.allocate(scope, dtype, Shape.of(sizes)));
    tensor.segment().fill((byte) 0);
    return tensor;
  }

  private static List<Object> list(Object... values) {
    return new ArrayList<>(Arrays.asList(values));
  }

  @Test
  void aNumberIsNotSoughtInLinesOfAMatrix() {
    Fault fault =
        assertInstanceOf(Fault.class, run("searchsorted.Scalar", blank(DType.FLOAT32, 2, 3), 1.0));
    assertEquals(FaultType.SHAPE, fault.type());
    assertEquals(
        "`sorted_sequence` [2, 3] must be a vector, or have all sizes but the last of the values"
            + " []",
        fault.message());
  }

  @Test
  void aComplexScalarIsRefusedWhereOneMustBeReal() {
    ComplexNumber complex = new ComplexNumber(1, 2);
    DenseTensor tensor = blank(DType.FLOAT32, 2, 2);
    for (String name :
        List.of("leaky_relu", "elu", "celu", "softplus", "softshrink", "hardshrink", "hardtanh")) {
      assertThrows(StaunchException.ValueException.class, () -> run(name, tensor, complex), name);
    }
    assertThrows(
        StaunchException.ValueException.class, () -> run("threshold", tensor, 0L, complex));
    assertThrows(
        StaunchException.ValueException.class, () -> run("histc", tensor, 4L, 0L, complex));
    assertThrows(StaunchException.ValueException.class, () -> run("dist", tensor, tensor, complex));
    for (String name : List.of("linspace", "logspace")) {
      Fault fault = assertInstanceOf(Fault.class, run(name, complex, 2L, 3L), name);
      assertEquals(FaultType.UNSUPPORTED, fault.type());
    }
    Fault fault = assertInstanceOf(Fault.class, run("arange", complex));
    assertEquals(FaultType.UNSUPPORTED, fault.type());
  }

  @Test
  void noTensorIsMadeOfTexts() {
    Fault fault = assertInstanceOf(Fault.class, run("tensor", list("a", "b")));
    assertEquals(FaultType.DTYPE, fault.type());
  }

  @Test
  void aBoolCountsAsANumberWhereAScalarMustBeReal() {
    String name = "special_chebyshev_polynomial_t.n_scalar";
    DenseTensor made =
        assertInstanceOf(DenseTensor.class, run(name, blank(DType.FLOAT32, 1), true));
    assertEquals(0, HostTensors.toDoubles(made)[0]);
    made = assertInstanceOf(DenseTensor.class, run(name, blank(DType.FLOAT32, 1), false));
    assertEquals(1, HostTensors.toDoubles(made)[0]);
  }

  @Test
  void nothingIsChosenInOneWay() {
    DenseTensor none =
        assertInstanceOf(
            DenseTensor.class, run("combinations", blank(DType.FLOAT32, 3), 0L, false));
    assertEquals(Shape.of(0), none.shape());
  }

  @Test
  void moreChoicesThanMemoryHoldsAreRefused() {
    Fault fault =
        assertInstanceOf(Fault.class, run("combinations", blank(DType.FLOAT32, 300), 4L, false));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    fault =
        assertInstanceOf(Fault.class, run("combinations", blank(DType.FLOAT32, 800), 64L, true));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
  }

  @Test
  void numbersHaveNoCrossProduct() {
    DenseTensor number = blank(DType.FLOAT32);
    Fault fault = assertInstanceOf(Fault.class, run("linalg_cross", number, number, 0L));
    assertEquals(FaultType.SHAPE, fault.type());
    assertEquals("cross needs a dimension of size 3, but the shape is []", fault.message());
  }

  @Test
  void aCancelledRequestStopsLongOperationsAndTheirMemoryGoesBack() {
    DenseTensor line = blank(DType.FLOAT32, 1 << 18);
    DenseTensor lines = blank(DType.FLOAT32, 1 << 11, 1 << 7);
    DenseTensor numbers = blank(DType.INT64, 1 << 18);
    DenseTensor picture = blank(DType.FLOAT32, 1, 1, 512, 512);
    DenseTensor spots = blank(DType.FLOAT32, 1, 256, 256, 2);
    long held = memory.account().bytes();
    KernelBench stopped = new KernelBench(scope);
    stopped.cancel("the request was cancelled");
    List<Object> results = new ArrayList<>();
    results.add(run(stopped, "mse_loss", line, line));
    results.add(run(stopped, "cross_entropy_loss", lines, blankIds()));
    results.add(run(stopped, "cdist", lines, lines));
    results.add(run(stopped, "searchsorted.Tensor", line, line));
    results.add(run(stopped, "bincount", numbers));
    results.add(run(stopped, "index_add", lines, 0L, ids(1), row()));
    results.add(run(stopped, "cummax", lines, 0L));
    results.add(run(stopped, "quantile.scalar", lines, 0.5, 0L));
    results.add(run(stopped, "kthvalue", lines, 1L));
    results.add(run(stopped, "scatter_reduce.two", line, 0L, numbers, line, "sum"));
    results.add(run(stopped, "upsample_bilinear2d", picture, list(600L, 600L), false));
    results.add(run(stopped, "grid_sampler", picture, spots, 0L, 0L, false));
    results.add(run(stopped, "adaptive_max_pool2d", picture, list(4L, 4L)));
    for (Object result : results) {
      assertEquals(FaultType.CANCELLED, assertInstanceOf(Fault.class, result).type());
    }
    long own = 8L * (1 << 11) + 8 + 4 * (1 << 7);
    assertTrue(memory.account().bytes() - held <= own + 3 * 64, "scratch memory of the calls");
  }

  private DenseTensor blankIds() {
    return blank(DType.INT64, 1 << 11);
  }

  private DenseTensor row() {
    return blank(DType.FLOAT32, 1, 1 << 7);
  }

  private DenseTensor ids(long... values) {
    return (DenseTensor) HostTensors.longs(scope, Shape.of(values.length), values);
  }

  @Test
  void aBudgetThatTheStepsExceedIsAFaultAndGivesAllBack() {
    try (ResourceScope narrow = scope.child("narrow", 64 << 10)) {
      DenseTensor side =
          (DenseTensor) DenseTensor.allocate(narrow, DType.FLOAT32, Shape.of(96, 96));
      side.segment().fill((byte) 0);
      long held = narrow.account().bytes();
      KernelBench environment = new RecordingEnvironment(narrow);
      for (Object result :
          List.of(
              run(environment, "kron", side, side),
              run(environment, "einsum", "ij,kl->ijkl", list(side, side)),
              run(environment, "cross_entropy_loss", side, side),
              run(environment, "hstack", list(side, side)))) {
        assertEquals(FaultType.OUT_OF_MEMORY, assertInstanceOf(Fault.class, result).type());
        assertEquals(held, narrow.account().bytes());
      }
    }
  }

  @Test
  void aResultRequiresAGradientIfAnOperandDoes() {
    DenseTensor flagged = blank(DType.FLOAT32, 2, 3).requiringGrad(scope, true);
    DenseTensor plain = blank(DType.FLOAT32, 2, 3);
    assertTrue(((DenseTensor) run("movedim.int", flagged, 0L, 1L)).requiresGrad());
    assertTrue(((DenseTensor) run("mse_loss", plain, flagged)).requiresGrad());
    assertTrue(((DenseTensor) run("einsum", "ij,ij->i", list(plain, flagged))).requiresGrad());
    List<?> views = (List<?>) run("broadcast_tensors", list(plain, flagged));
    assertFalse(((DenseTensor) views.get(0)).requiresGrad());
    assertTrue(((DenseTensor) views.get(1)).requiresGrad());
  }

  @Test
  void withoutGradientModeNothingRequiresAGradient() {
    DenseTensor flagged = blank(DType.FLOAT32, 2, 3).requiringGrad(scope, true);
    RecordingEnvironment environment = new RecordingEnvironment(scope);
    environment.setGradEnabled(false);
    assertFalse(((DenseTensor) run(environment, "movedim.int", flagged, 0L, 1L)).requiresGrad());
    assertFalse(((DenseTensor) run(environment, "mse_loss", flagged, flagged)).requiresGrad());
  }

  @Test
  void anOperationInPlaceHandsItsOwnTensorOn() {
    DenseTensor self = blank(DType.FLOAT32, 2, 3);
    assertSame(self, run("index_fill_.int_Scalar", self, 0L, ids(1), 2.0));
    assertFalse(self.isClosed());
    assertEquals(List.of(0f, 0f, 0f, 2f, 2f, 2f), floats(self));
  }

  @Test
  void aWriteOverElementsThatShareMemoryIsRefusedAndChangesNothing() {
    DenseTensor row = blank(DType.FLOAT32, 1, 3);
    DenseTensor wide = (DenseTensor) run("expand", row, list(2L, 3L), false);
    assertInstanceOf(Fault.class, run("index_fill_.int_Scalar", wide, 0L, ids(1), 2.0));
    assertEquals(List.of(0f, 0f, 0f), floats(row));
  }

  @Test
  void complexNumbersAreViewedAsPairsAndBack() {
    DenseTensor pairs = (DenseTensor) HostTensors.floats(scope, Shape.of(2, 2), 1, 2, 3, 4);
    DenseTensor numbers = (DenseTensor) run("view_as_complex", pairs);
    assertEquals(DType.COMPLEX64, numbers.dtype());
    assertEquals(List.of(1f, 2f, 3f, 4f), floats((DenseTensor) run("view_as_real", numbers)));
    assertEquals(List.of(1f, 3f), floats((DenseTensor) run("real", numbers)));
    assertEquals(List.of(2f, 4f), floats((DenseTensor) run("imag", numbers)));
  }

  @Test
  void pairsOfAnotherSizeAreNoComplexNumbers() {
    assertInstanceOf(Fault.class, run("view_as_complex", blank(DType.FLOAT32, 2, 3)));
    assertInstanceOf(Fault.class, run("view_as_complex", blank(DType.INT64, 2, 2)));
    assertInstanceOf(Fault.class, run("view_as_real", blank(DType.FLOAT32, 2)));
    assertInstanceOf(Fault.class, run("imag", blank(DType.FLOAT32, 2)));
  }

  @Test
  void theImaginaryPartsOfNoNumbersAreNone() {
    DenseTensor none = blank(DType.COMPLEX64, 0, 6);
    assertEquals(Shape.of(0, 6), ((DenseTensor) run("imag", none)).shape());
  }

  @Test
  void aListOfSeveralTypesMakesNoTensor() {
    Object result = run("tensor", list(1.0, 2L), NONE, NONE, false);
    assertEquals(
        "a tensor takes numbers of one type, but got a list of float and int; give every element"
            + " the same type, as `float(n)` does",
        assertInstanceOf(Fault.class, result).message());
  }

  @Test
  void attentionWeighsValuesByTheSoftmaxOfScaledProducts() {
    DenseTensor query = (DenseTensor) HostTensors.floats(scope, Shape.of(2, 1), 1, 2);
    DenseTensor value = (DenseTensor) HostTensors.floats(scope, Shape.of(2, 1), 0, 1);
    double[] all = HostTensors.toDoubles(attention(query, value, NONE, false));
    assertEquals(1 / (1 + Math.exp(-1)), all[0], 1e-6);
    assertEquals(1 / (1 + Math.exp(-2)), all[1], 1e-6);
    double[] causal = HostTensors.toDoubles(attention(query, value, NONE, true));
    assertEquals(0, causal[0]);
    assertEquals(all[1], causal[1], 1e-6);
    DenseTensor first = blank(DType.BOOL, 2, 2);
    run("fill_.Scalar", run("select.int", first, 1L, 0L), 1L);
    assertEquals(List.of(0f, 0f), floats(attention(query, value, first, false)));
  }

  @Test
  void causalAttentionWithAMaskIsRefused() {
    DenseTensor query = blank(DType.FLOAT32, 2, 1);
    Object result =
        run(
            "scaled_dot_product_attention",
            query,
            query,
            query,
            blank(DType.BOOL, 2, 2),
            0.0,
            true);
    assertInstanceOf(Fault.class, result);
  }

  private DenseTensor attention(DenseTensor query, DenseTensor value, Object mask, boolean causal) {
    Object result =
        run("scaled_dot_product_attention", query, query, value, mask, 0.0, causal, 1.0, false);
    return assertInstanceOf(DenseTensor.class, result);
  }

  @Test
  void aRootMeanSquareIsOneAfterItsNormalisation() {
    DenseTensor row = (DenseTensor) HostTensors.floats(scope, Shape.of(1, 2), 3, 4);
    Object result = run("rms_norm", row, list(2L), NONE, 0.0);
    double[] values = HostTensors.toDoubles(assertInstanceOf(DenseTensor.class, result));
    assertEquals(3 / Math.sqrt(12.5), values[0], 1e-6);
    assertEquals(4 / Math.sqrt(12.5), values[1], 1e-6);
    assertInstanceOf(Fault.class, run("rms_norm", row, list(3L), NONE, 0.0));
  }

  @Test
  void aTracedConvolutionWithAWordForItsPaddingIsTheScriptedOne() {
    DenseTensor line = (DenseTensor) HostTensors.floats(scope, Shape.of(1, 1, 4), 1, 2, 3, 4);
    DenseTensor weight = (DenseTensor) HostTensors.floats(scope, Shape.of(1, 1, 3), 1, 10, 100);
    for (String padding : List.of("same", "valid")) {
      Object traced = run("_convolution_mode", line, weight, NONE, list(1L), padding, list(1L), 1L);
      assertEquals(
          padding.equals("same") ? List.of(210f, 321f, 432f, 43f) : List.of(321f, 432f),
          floats(assertInstanceOf(DenseTensor.class, traced)));
    }
    DenseTensor more = (DenseTensor) HostTensors.floats(scope, Shape.of(1, 1, 1, 1, 1, 1), 1);
    Object fault = run("_convolution_mode", more, more, NONE, list(1L), "same", list(1L), 1L);
    assertEquals(FaultType.UNSUPPORTED, assertInstanceOf(Fault.class, fault).type());
  }

  private static List<Float> floats(DenseTensor tensor) {
    List<Float> list = new ArrayList<>();
    for (float value : HostTensors.toFloats(tensor)) {
      list.add(value);
    }
    return list;
  }
}
