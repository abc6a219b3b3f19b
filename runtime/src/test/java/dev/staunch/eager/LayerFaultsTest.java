package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults of a layer's operands name the operand and the layer, and whose mistake it is. */
class LayerFaultsTest {
  private static final List<Long> ONES = List.of(1L, 1L, 1L);
  private static final List<Long> ZEROS = List.of(0L, 0L, 0L);

  private final EagerTrial trial = new EagerTrial(EngineOptions.serial());

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  private Fault fault(String operation, Object... arguments) {
    Fault fault = trial.context.apply("aten::" + operation, arguments).fault();
    assertNotNull(fault, operation);
    return fault;
  }

  private void assertFault(FaultType type, String start, Fault fault) {
    assertEquals(type, fault.type(), fault::message);
    assertTrue(fault.message().startsWith(start), fault::message);
  }

  @Test
  void meansOfWindowsOfInt64AreNobodysMistakeAndThoseOfOtherIntegersAre() {
    for (DType dtype : List.of(DType.INT64, DType.INT32, DType.UINT8, DType.BOOL)) {
      FaultType type = dtype == DType.INT64 ? FaultType.UNSUPPORTED : FaultType.DTYPE;
      String text = "d is not implemented for " + dtype + "; cast `self` with `to(float32)` before";
      Tensor lines = trial.context.ones(dtype, 1, 1, 4);
      Tensor planes = trial.context.ones(dtype, 1, 1, 4, 4);
      Tensor volumes = trial.context.ones(dtype, 1, 1, 4, 4, 4);
      List<Object> none = List.of();
      Object of = None.NONE;
      List<Long> one = List.of(0L);
      assertFault(
          type,
          "avg_pool1" + text,
          fault("avg_pool1d", lines, List.of(2L), none, one, false, true));
      assertFault(
          type,
          "avg_pool2" + text,
          fault("avg_pool2d", planes, List.of(2L, 2L), none, one, false, true, of));
      assertFault(
          type,
          "avg_pool3" + text,
          fault("avg_pool3d", volumes, ONES, none, ZEROS, false, true, of));
    }
  }

  @Test
  void greatestIntegersOfPlanesAreNobodysMistake() {
    Tensor planes = trial.context.ones(DType.INT32, 1, 1, 4, 4);
    List<Long> two = List.of(2L, 2L);
    assertFault(
        FaultType.UNSUPPORTED,
        "max_pool2d is not implemented for int32",
        fault("max_pool2d", planes, two, List.of(), List.of(0L), List.of(1L), false));
    Tensor bools = trial.context.ones(DType.BOOL, 1, 1, 4, 4);
    assertFault(
        FaultType.DTYPE,
        "max_pool2d is not implemented for bool",
        fault("max_pool2d", bools, two, List.of(), List.of(0L), List.of(1L), false));
  }

  @Test
  void rectifiedRecurrenceOfIntegersIsNobodysMistakeAndGatesOfThemAre() {
    for (DType dtype : List.of(DType.INT64, DType.UINT8)) {
      String text = " is not implemented for " + dtype;
      assertFault(FaultType.UNSUPPORTED, "rnn_relu_cell" + text, cell("rnn_relu", 1, dtype, dtype));
      assertFault(FaultType.UNSUPPORTED, "rnn_tanh_cell" + text, cell("rnn_tanh", 1, dtype, dtype));
      assertFault(FaultType.DTYPE, "gru_cell" + text, cell("gru", 3, dtype, dtype));
      assertFault(FaultType.DTYPE, "lstm_cell" + text, cell("lstm", 4, dtype, dtype));
      assertFault(FaultType.UNSUPPORTED, "rnn_relu" + text, layer("rnn_relu", 1, dtype, dtype));
      assertFault(FaultType.DTYPE, "rnn_tanh" + text, layer("rnn_tanh", 1, dtype, dtype));
      assertFault(FaultType.DTYPE, "gru" + text, layer("gru", 3, dtype, dtype));
    }
  }

  @Test
  void integersForWeightsOfRealsAreTheInputsMistakeAndNotTheStates() {
    String cell = "the input and `w_ih` of %s_cell must have one dtype, but are int64 and float32";
    String layer = "the input and `params` of %s must have one dtype, but are int64 and float32";
    String cast = "; cast `input` with `to(float32)` before";
    for (String name : List.of("lstm", "gru", "rnn_relu", "rnn_tanh")) {
      int gates = name.equals("lstm") ? 4 : name.equals("gru") ? 3 : 1;
      assertFault(
          FaultType.DTYPE,
          cell.formatted(name) + cast,
          cell(name, gates, DType.INT64, DType.FLOAT32));
      assertFault(
          FaultType.DTYPE,
          layer.formatted(name) + cast,
          layer(name, gates, DType.INT64, DType.FLOAT32));
    }
  }

  private Fault cell(String name, int gates, DType data, DType weights) {
    Tensor state = trial.context.ones(data, 2, 2);
    Tensor bias = trial.context.ones(weights, 2L * gates);
    return trial.context
        .applyMany(
            "aten::" + name + "_cell",
            gates == 4 ? 2 : 1,
            trial.context.ones(data, 2, 3),
            gates == 4 ? List.of(state, state) : state,
            trial.context.ones(weights, 2L * gates, 3),
            trial.context.ones(weights, 2L * gates, 2),
            bias,
            bias)[0]
        .fault();
  }

  private Fault layer(String name, int gates, DType data, DType weights) {
    Tensor state = trial.context.ones(data, 1, 2, 2);
    List<Tensor> parameters =
        List.of(
            trial.context.ones(weights, 2L * gates, 3), trial.context.ones(weights, 2L * gates, 2));
    return trial.context
        .applyMany(
            "aten::" + name + ".input",
            gates == 4 ? 3 : 2,
            trial.context.ones(data, 4, 2, 3),
            gates == 4 ? List.of(state, state) : state,
            parameters,
            false,
            1L,
            0.0,
            false,
            false,
            false)[0]
        .fault();
  }

  @Test
  void aConvolutionOfVolumesSpeaksOfVolumes() {
    Tensor integers = trial.context.ones(DType.INT64, 1, 2, 3, 3, 3);
    Tensor weight = trial.context.ones(1, 2, 2, 2, 2);
    assertConvolution(
        FaultType.UNSUPPORTED,
        "conv3d is not implemented for int64",
        integers,
        weight.to(DType.INT64));
    assertConvolution(
        FaultType.DTYPE,
        "the input and `weight` of conv3d must have one dtype, but are int64 and float32; cast"
            + " `input`",
        integers,
        weight);
    Tensor volumes = trial.context.ones(1, 2, 3, 3, 3);
    assertConvolution(
        FaultType.SHAPE,
        "the weight [1, 1, 2, 2, 2] with 1 group takes 1 channel, but the input [1, 2, 3, 3, 3]"
            + " has 2",
        volumes,
        trial.context.ones(1, 1, 2, 2, 2));
    assertConvolution(
        FaultType.SHAPE,
        "the kernel covers 5 elements of dimension 4, but the padded input has 3; pad more",
        volumes,
        trial.context.ones(1, 2, 2, 2, 5));
    assertFault(
        FaultType.UNSUPPORTED,
        "conv_transpose3d is not implemented for int64",
        transposed(integers, trial.context.ones(DType.INT64, 2, 1, 2, 2, 2)));
    assertFault(
        FaultType.SHAPE,
        "the weight [1, 1, 2, 2, 2] takes 1 channel in 1 group, but the input is"
            + " [1, 2, 3, 3, 3]",
        transposed(volumes, trial.context.ones(1, 1, 2, 2, 2)));
  }

  private void assertConvolution(FaultType type, String start, Tensor input, Tensor weight) {
    assertFault(type, start, fault("conv3d", input, weight, None.NONE, ONES, ZEROS, ONES, 1L));
  }

  private Fault transposed(Tensor input, Tensor weight) {
    return fault("conv_transpose3d.input", input, weight, None.NONE, ONES, ZEROS, ZEROS, 1L, ONES);
  }

  @Test
  void theGeneralConvolutionsTakeNoInputWithoutABatch() {
    for (int dims = 1; dims <= 3; dims++) {
      long[] sizes = new long[dims + 2];
      Arrays.fill(sizes, 4);
      Tensor weight = trial.context.ones(sizes);
      Tensor single = trial.context.ones(Arrays.copyOf(sizes, dims + 1));
      List<Long> ones = Collections.nCopies(dims, 1L);
      List<Long> zeros = Collections.nCopies(dims, 0L);
      String text =
          "a convolution whose weight has %1$d dimensions takes an input of %1$d, but its shape is"
              + " %2$s; give it a first dimension of size 1";
      String told = Message.of(text, dims + 2, Shape.of(Arrays.copyOf(sizes, dims + 1)));
      Object none = None.NONE;
      for (boolean turned : new boolean[] {false, true}) {
        Object[] call = {single, weight, none, ones, zeros, ones, turned, zeros, 1L};
        assertFault(FaultType.SHAPE, told, fault("convolution", call));
        Object[] traced = Arrays.copyOf(call, call.length + 4);
        Arrays.fill(traced, call.length, traced.length, false);
        assertFault(FaultType.SHAPE, told, fault("_convolution", traced));
      }
      assertFault(
          FaultType.SHAPE,
          told,
          fault("_convolution_mode", single, weight, none, ones, "same", ones, 1L));
      assertNull(
          trial
              .context
              .apply("conv" + dims + "d", single, weight, null, ones, zeros, ones, 1)
              .fault());
    }
  }

  @Test
  void aPoolOfVolumesSpeaksOfVolumes() {
    List<Long> two = List.of(2L, 2L, 2L);
    Object none = None.NONE;
    Tensor volumes = trial.context.ones(2, 3, 4, 5, 6);
    for (Tensor empty : List.of(trial.context.ones(2, 0, 4, 5, 6), volumes.narrow(2, 0, 0))) {
      String text = "_pool3d takes 4 or 5 dimensions with something in each, but the shape is ";
      text += empty.shape();
      assertFault(FaultType.SHAPE, "adaptive_max" + text, manyFault(empty, two));
      assertFault(FaultType.SHAPE, "adaptive_avg" + text, fault("adaptive_avg_pool3d", empty, two));
      assertFault(
          FaultType.SHAPE,
          "max" + text,
          fault("max_pool3d", empty, two, List.of(), ZEROS, ONES, false));
      assertFault(
          FaultType.SHAPE,
          "avg" + text,
          fault("avg_pool3d", empty, two, List.of(), ZEROS, false, true, none));
    }
    assertFault(
        FaultType.SHAPE,
        "the window covers 2 x 9 x 2 elements, but the input [2, 3, 4, 5, 6] has fewer; pad it",
        fault("max_pool3d", volumes, List.of(2L, 9L, 2L), List.of(), ZEROS, ONES, false));
    assertFault(
        FaultType.VALUE,
        "avg_pool3d takes a positive kernel size, stride and dilation, but got 0, 0 and 1",
        fault("avg_pool3d", volumes, List.of(2L, 0L, 2L), List.of(), ZEROS, false, true, none));
    assertFault(
        FaultType.VALUE,
        "`padding` 2 must be from 0 to half of the kernel's size, 2",
        fault("max_pool3d", volumes, two, List.of(), List.of(2L, 0L, 0L), ONES, false));
  }

  private Fault manyFault(Tensor volumes, List<Long> sizes) {
    Fault fault =
        trial.context.applyMany("aten::adaptive_max_pool3d", 2, volumes, sizes)[0].fault();
    assertNotNull(fault);
    return fault;
  }

  @Test
  void aTransposedConvolutionTakesNoMorePaddingInDepthThanElsewhere() {
    Tensor volumes = trial.context.ones(1, 2, 3, 3, 3);
    Tensor weight = trial.context.ones(2, 1, 2, 2, 2);
    for (int dim = 0; dim < 3; dim++) {
      Long[] numbers = {0L, 0L, 0L};
      numbers[dim] = 3L;
      List<Long> three = List.of(numbers);
      Object none = None.NONE;
      assertFault(
          FaultType.VALUE,
          "`output_padding` 3 must be below the stride 1 or the dilation 1",
          fault("conv_transpose3d.input", volumes, weight, none, ONES, ZEROS, three, 1L, ONES));
      assertFault(
          FaultType.SHAPE,
          "the padding takes away all that the weight [2, 1, 2, 2, 2] makes of the input"
              + " [1, 2, 3, 3, 3]; pad less",
          fault("conv_transpose3d.input", volumes, weight, none, ONES, three, ZEROS, 1L, ONES));
    }
  }

  @Test
  void aWindowBeyondWhatIsCountedIsAFaultOfTheResult() {
    List<Long> huge = List.of(1L << 40, 1L, 1L);
    Tensor volumes = trial.context.ones(1, 2, 3, 3, 3);
    assertFault(
        FaultType.SHAPE,
        "a size of 1099511627776 is beyond the 2147483647 that this operation can count",
        fault("max_pool3d", volumes, huge, ONES, ZEROS, ONES, false));
  }

  @Test
  void narrowOperandsAreNamedByTheirOwnDType() {
    Tensor weight = trial.context.ones(DType.BFLOAT16, 4, 3);
    assertFault(
        FaultType.DTYPE,
        "the operands of a product must have one dtype, but are int8 and bfloat16; cast `input`"
            + " with `to(bfloat16)` before",
        fault("linear", trial.context.ones(DType.INT8, 2, 3), weight, None.NONE));
    assertFault(
        FaultType.DTYPE,
        "the input and `weight` of conv2d must have one dtype, but are int8 and bfloat16; cast"
            + " `input` with `to(bfloat16)` before",
        fault(
            "conv2d",
            trial.context.ones(DType.INT8, 1, 1, 2, 2),
            trial.context.ones(DType.BFLOAT16, 1, 1, 2, 2),
            None.NONE,
            List.of(1L, 1L),
            List.of(0L, 0L),
            List.of(1L, 1L),
            1L));
  }

  @Test
  void paddingSaysWhatDoesNotFit() {
    for (String mode : List.of("reflection", "replication")) {
      String name = mode + "_pad1d";
      List<Long> one = List.of(1L, 1L);
      assertFault(
          FaultType.SHAPE,
          "padding by 2 sizes takes an input of 2 dimensions, or 3 with a batch, but its shape is"
              + " [4]",
          fault(name, trial.context.ones(4), one));
      Tensor lines = trial.context.ones(2, 3, 4);
      assertFault(
          FaultType.SHAPE,
          "padding by -5 and 0 leaves nothing of dimension 2 of the input [2, 3, 4]",
          fault(name, lines, List.of(-5L, 0L)));
      assertFault(
          FaultType.SHAPE,
          "dimension 2 of the input [2, 3, 0] holds nothing to pad with",
          fault(name, lines.narrow(2, 0, 0), one));
      assertFault(
          FaultType.SHAPE,
          "the input [2, 0, 4] has no channels to pad",
          fault(name, lines.narrow(1, 0, 0), one));
    }
  }

  @Test
  void whatHasNoDimensionToGiveIsNotAdvisedToGiveOne() {
    Tensor nothing = trial.context.ones(0, 3);
    String text = "max finds no element in a tensor of shape [0, 3]";
    assertEquals(text, fault("max", nothing).message());
    assertEquals("a" + text + "; give `dim`", fault("amax", nothing, List.of(), false).message());
  }

  @Test
  void batchNormTakesNoStatisticsWhereThereAreNoElements() {
    Object none = None.NONE;
    for (long[] sizes : new long[][] {{0, 0, 3, 3}, {2, 0, 3, 3}, {0, 2, 3, 3}, {2, 3, 0, 0}}) {
      Tensor image = trial.context.zeros(sizes);
      for (boolean training : new boolean[] {false, true}) {
        Tensor result = normalized(image, none, none, training);
        assertEquals(image.shape(), result.shape());
        Tensor ones = trial.context.ones(sizes[1]);
        Tensor scaled = normalized(image, ones, none, training);
        if (sizes[1] == 0) {
          assertFault(FaultType.INDEX, "batch_norm of " + image.shape(), fault(scaled));
        } else {
          assertEquals(image.shape(), scaled.shape());
        }
      }
    }
  }

  private static Fault fault(Tensor tensor) {
    Fault fault = tensor.fault();
    assertNotNull(fault);
    return fault;
  }

  private Tensor normalized(Tensor image, Object weight, Object bias, boolean training) {
    Object none = None.NONE;
    return trial.context.apply(
        "aten::batch_norm", image, weight, bias, none, none, training, 0.1, 1e-5, false);
  }
}
