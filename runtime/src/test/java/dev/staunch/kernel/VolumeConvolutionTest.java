package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code conv3d} beside sums that are written out, and with a weight that is a constant. */
class VolumeConvolutionTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final ResourceScope model = ResourceScope.open(memory, "model");
  private final KernelBench bench = new KernelBench(scope);
  private final Random random = new Random(20261129);

  /**
   * A case; sizes and kernel differ in each dimension.
   *
   * @param deep the size of the kernel along the depth
   * @param step the stride along the depth
   * @param pad the padding of the depth
   * @param apart the dilation along the depth
   */
  private record Form(
      long count,
      long inputs,
      long outputs,
      long deep,
      long step,
      long pad,
      long apart,
      long groups) {}

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    model.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor numbers(long... sizes) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT64, Shape.of(sizes));
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.putDouble(tensor.segment(), DType.FLOAT64, i, random.nextGaussian());
    }
    return tensor;
  }

  private static double at(DenseTensor tensor, long... index) {
    long[] strides = tensor.layout().strides();
    long position = tensor.layout().offset();
    for (int d = 0; d < index.length; d++) {
      position += index[d] * strides[d];
    }
    return Elements.asDouble(tensor.segment(), DType.FLOAT64, position);
  }

  private DenseTensor run(String operation, @Nullable Preparation kept, Object... arguments) {
    CatalogEntry entry = Objects.requireNonNull(bench.catalog().find("aten::" + operation));
    Call call =
        kept == null
            ? new Call(bench, arguments)
            : Call.of(bench, arguments, new Preparation[] {kept});
    return assertInstanceOf(DenseTensor.class, entry.run(call));
  }

  private static double[] elements(DenseTensor tensor) {
    double[] values = new double[(int) tensor.elements()];
    Arrays.setAll(values, i -> Elements.asDouble(tensor.segment(), DType.FLOAT64, i));
    return values;
  }

  /** The sums for an input [N, C, D, H, W] that is padded with {@code before} zeros. */
  private static double[] expected(
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      long[] stride,
      long[] before,
      long[] dilation,
      long groups,
      Shape result) {
    double[] sums = new double[(int) result.elements()];
    long[] kernel = weight.shape().toArray();
    long[] sizes = input.shape().toArray();
    long[] to = new long[5];
    for (int i = 0; i < sums.length; i++) {
      long rest = i;
      for (int d = 4; d >= 0; d--) {
        to[d] = rest % result.size(d);
        rest /= result.size(d);
      }
      long first = to[1] / (kernel[0] / groups) * kernel[1];
      double sum = bias == null ? 0 : at(bias, to[1]);
      for (long c = 0; c < kernel[1]; c++) {
        for (long z = 0; z < kernel[2]; z++) {
          for (long y = 0; y < kernel[3]; y++) {
            for (long x = 0; x < kernel[4]; x++) {
              long[] from = {
                to[2] * stride[0] - before[0] + z * dilation[0],
                to[3] * stride[1] - before[1] + y * dilation[1],
                to[4] * stride[2] - before[2] + x * dilation[2]
              };
              if (isInside(from, sizes)) {
                sum +=
                    at(input, to[0], first + c, from[0], from[1], from[2])
                        * at(weight, to[1], c, z, y, x);
              }
            }
          }
        }
      }
      sums[i] = sum;
    }
    return sums;
  }

  private static boolean isInside(long[] from, long[] sizes) {
    for (int d = 0; d < 3; d++) {
      if (from[d] < 0 || from[d] >= sizes[d + 2]) {
        return false;
      }
    }
    return true;
  }

  static List<Form> forms() {
    return List.of(
        new Form(1, 3, 4, 3, 1, 1, 1, 1),
        new Form(2, 3, 4, 3, 2, 1, 1, 1),
        new Form(3, 1, 2, 2, 1, 0, 1, 1),
        new Form(1, 2, 3, 1, 1, 0, 1, 1),
        new Form(2, 2, 3, 1, 2, 2, 3, 1),
        new Form(2, 4, 6, 3, 1, 2, 1, 2),
        new Form(1, 2, 3, 3, 1, 2, 2, 1),
        new Form(2, 3, 2, 5, 3, 0, 1, 1));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void itIsTheSumOverTheKernel(Form form) {
    DenseTensor input = numbers(form.count, form.inputs, 7, 6, 5);
    DenseTensor weight = numbers(form.outputs, form.inputs / form.groups, form.deep, 3, 2);
    DenseTensor bias = numbers(form.outputs);
    long[] stride = {form.step, 1, 2};
    long[] padding = {form.pad, 1, 0};
    long[] dilation = {form.apart, 1, 2};
    for (boolean turned : new boolean[] {false, true}) {
      DenseTensor given =
          turned
              ? run("contiguous", null, input, 3L) // channels last
              : input;
      Object[] arguments = {
        given, weight, bias, list(stride), list(padding), list(dilation), form.groups
      };
      DenseTensor result = run("conv3d", null, arguments);
      double[] expected =
          expected(input, weight, bias, stride, padding, dilation, form.groups, result.shape());
      assertArrayEquals(expected, elements(result), 1e-12);

      FixedConstant fixed = new FixedConstant(weight, model);
      Preparation kept = fixed.kept();
      for (int round = 0; round < 2; round++) {
        assertArrayEquals(expected, elements(run("conv3d", kept, arguments)), 1e-12);
      }
    }
  }

  /** What each element of the input adds to the result, in which it is {@code padding} shorter. */
  private static double[] expectedTransposed(
      DenseTensor input,
      DenseTensor weight,
      DenseTensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      long groups,
      Shape result) {
    long[] sizes = input.shape().toArray();
    long[] kernel = weight.shape().toArray();
    double[] sums = new double[(int) result.elements()];
    long area = result.size(2) * result.size(3) * result.size(4);
    for (int i = 0; i < sums.length; i++) {
      sums[i] = at(bias, i / area % result.size(1));
    }
    for (long from = 0; from < input.elements() * kernel[1]; from++) {
      long rest = from / kernel[1];
      long[] at = new long[5];
      for (int d = 4; d >= 0; d--) {
        at[d] = rest % sizes[d];
        rest /= sizes[d];
      }
      long output = at[1] / (sizes[1] / groups) * kernel[1] + from % kernel[1];
      for (long k = 0; k < kernel[2] * kernel[3] * kernel[4]; k++) {
        long[] tap = {k / kernel[4] / kernel[3], k / kernel[4] % kernel[3], k % kernel[4]};
        long place = at[0] * result.size(1) + output;
        boolean inside = true;
        for (int d = 0; d < 3; d++) {
          long to = at[d + 2] * stride[d] + tap[d] * dilation[d] - padding[d];
          inside &= to >= 0 && to < result.size(d + 2);
          place = place * result.size(d + 2) + to;
        }
        if (inside) {
          sums[(int) place] +=
              at(input, at) * at(weight, at[1], from % kernel[1], tap[0], tap[1], tap[2]);
        }
      }
    }
    return sums;
  }

  static List<Form> transposedForms() {
    return List.of(
        new Form(1, 3, 4, 2, 2, 0, 1, 1),
        new Form(2, 3, 2, 3, 2, 1, 1, 1),
        new Form(3, 2, 3, 1, 1, 0, 1, 1),
        new Form(2, 4, 6, 3, 1, 1, 2, 2),
        new Form(1, 2, 3, 3, 3, 2, 2, 1));
  }

  @ParameterizedTest
  @MethodSource("transposedForms")
  void transposedItIsTheSumOverTheInput(Form form) {
    DenseTensor input = numbers(form.count, form.inputs, 4, 3, 5);
    DenseTensor weight = numbers(form.inputs, form.outputs / form.groups, form.deep, 3, 2);
    DenseTensor bias = numbers(form.outputs);
    long[] stride = {form.step, 2, 1};
    long[] padding = {form.pad, 1, 0};
    long[] dilation = {form.apart, 1, 2};
    long[] more = {form.step - 1, 1, 0};
    Object[] arguments = {
      input, weight, bias, list(stride), list(padding), list(more), form.groups, list(dilation)
    };
    DenseTensor result = run("conv_transpose3d.input", null, arguments);
    double[] expected =
        expectedTransposed(
            input, weight, bias, stride, padding, dilation, form.groups, result.shape());
    assertArrayEquals(expected, elements(result), 1e-12);

    Preparation kept = new FixedConstant(weight, model).kept();
    for (int round = 0; round < 2; round++) {
      assertArrayEquals(expected, elements(run("conv_transpose3d.input", kept, arguments)), 1e-12);
    }
  }

  @Test
  void anEvenKernelIsPaddedMoreBehind() {
    DenseTensor input = numbers(2, 3, 5, 4, 6);
    DenseTensor weight = numbers(2, 3, 4, 2, 3);
    long[] ones = {1, 1, 1};
    DenseTensor result =
        run("conv3d.padding", null, input, weight, None.NONE, list(ones), "same", list(ones), 1L);
    assertEquals(Shape.of(2, 2, 5, 4, 6), result.shape());
    double[] expected =
        expected(input, weight, null, ones, new long[] {1, 0, 1}, ones, 1, result.shape());
    assertArrayEquals(expected, elements(result), 1e-12);
  }

  @Test
  void aVolumeWithoutABatchGivesOne() {
    DenseTensor input = numbers(1, 3, 5, 4, 6);
    DenseTensor weight = numbers(2, 3, 3, 3, 3);
    long[] ones = {1, 1, 1};
    Object[] arguments = {input, weight, None.NONE, list(ones), list(ones), list(ones), 1L};
    double[] expected = elements(run("conv3d", null, arguments));
    arguments[0] = run("squeeze.dim", null, input, 0L);
    DenseTensor single = run("conv3d", null, arguments);
    assertEquals(Shape.of(2, 5, 4, 6), single.shape());
    assertArrayEquals(expected, elements(single));
  }

  @ParameterizedTest
  @ValueSource(strings = {"conv3d", "convolution"})
  void aConstantWeightIsRearrangedOnceUntilItIsWritten(String operation) {
    DenseTensor weight = numbers(2, 3, 3, 3, 3);
    DenseTensor input = numbers(1, 3, 5, 4, 6);
    List<Long> ones = List.of(1L, 1L, 1L);
    Object[] plain = {input, weight, None.NONE, ones, ones, ones, 1L};
    Object[] general = {input, weight, None.NONE, ones, ones, ones, false, List.of(0L, 0L, 0L), 1L};
    Object[] arguments = operation.equals("conv3d") ? plain : general;
    FixedConstant fixed = new FixedConstant(weight, model);
    Preparation kept = fixed.kept();
    double[] expected = elements(run(operation, kept, arguments));
    Map<Object, DenseTensor> forms = Map.copyOf(fixed.forms);
    assertEquals(
        1, forms.values().stream().filter(it -> it.shape().equals(Shape.of(2, 9, 3, 3))).count());
    assertArrayEquals(expected, elements(run(operation, kept, arguments)));
    assertEquals(forms, fixed.forms, "nothing is made twice");

    fixed.current = false;
    weight.segment().fill((byte) 0);
    DenseTensor zero = run(operation, kept, arguments);
    assertArrayEquals(new double[(int) zero.elements()], elements(zero));
  }

  @Test
  void anEmptyBatchStaysEmpty() {
    long[] ones = {1, 1, 1};
    DenseTensor result =
        run(
            "conv3d",
            null,
            numbers(0, 3, 5, 4, 6),
            numbers(2, 3, 3, 3, 3),
            None.NONE,
            list(ones),
            list(ones),
            list(ones),
            1L);
    assertEquals(Shape.of(0, 2, 5, 4, 6), result.shape());
  }

  private static List<Long> list(long[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }
}
