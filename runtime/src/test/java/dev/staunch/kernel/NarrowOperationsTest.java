package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.RecordedCalls.Recorded;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Heavy operations on float16 and bfloat16, called as in the golden cases, return what the same
 * numbers give in double precision, rounded once.
 */
class NarrowOperationsTest {
  private static final Set<String> HEAVY =
      Set.of(
          """
          linear matmul mm bmm addmm addmv addbmm baddbmm mv dot vdot outer inner einsum bilinear
          tensordot chain_matmul addr kron cdist conv1d conv1d.padding conv2d
          conv2d.padding conv3d conv3d.padding convolution _convolution           conv_transpose1d conv_transpose2d.input conv_transpose3d.input batch_norm layer_norm
          group_norm instance_norm max_pool1d max_pool2d max_pool3d
          max_pool2d_with_indices avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d
          adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
          upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d
          upsample_bilinear2d upsample_bicubic2d upsample_trilinear3d _upsample_bilinear2d_aa
          _upsample_bicubic2d_aa softmax.int log_softmax.int scaled_dot_product_attention
          _scaled_dot_product_attention _native_multi_head_attention
          _transformer_encoder_layer_fwd lstm.input lstm.data gru.input gru.data rnn_tanh.input
          rnn_relu.input lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell grid_sampler prelu
          cosine_similarity embedding_bag embedding im2col col2im\
          """
              .split("\\s+"));

  private final OffHeap memory = OffHeap.withBudget(256L << 20);

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void everyHeavyOperationRoundsOnce(DType narrow) throws IOException {
    Set<String> wrong = new TreeSet<>();
    Set<String> unseen = new TreeSet<>(HEAVY);
    for (Recorded call : RecordedCalls.ofTensors()) {
      if (HEAVY.contains(call.operation().substring("aten::".length()))) {
        String difference = difference(call, narrow);
        if (difference == null) {
          unseen.remove(call.operation().substring("aten::".length()));
        } else if (!difference.isEmpty()) {
          wrong.add(call.operation() + " " + difference + ": " + call.place());
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertEquals(Set.of(), unseen, "operations of which no call was compared");
    assertEquals(0, memory.account().bytes());
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void normsChainsAndNamedPaddingRoundOnce(DType narrow) {
    List<Recorded> calls =
        List.of(
            called(
                "rms_norm",
                scope -> List.of(tensor(scope, 3, 4, 5), List.of(5L), tensor(scope, 5), 1e-5)),
            called(
                "linalg_multi_dot",
                scope ->
                    List.of(
                        List.of(tensor(scope, 2, 7), tensor(scope, 7, 6), tensor(scope, 6, 3)))),
            called(
                "_convolution_mode",
                scope ->
                    List.of(
                        tensor(scope, 2, 3, 6, 5),
                        tensor(scope, 4, 3, 3, 3),
                        tensor(scope, 4),
                        List.of(1L, 1L),
                        "same",
                        List.of(1L, 1L),
                        1L)));
    for (Recorded call : calls) {
      assertNull(difference(call, narrow), call.operation());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void regionsOfPicturesRoundOnce(DType narrow) {
    double[] regions = {0, 0.5, 1, 3.5, 4, 1, 0, 0, 2, 5};
    for (String pooled : List.of("roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool")) {
      Recorded call =
          new Recorded(
              "here",
              "torchvision::" + pooled,
              scope -> {
                Object rois = HostTensors.doubles(scope, Shape.of(2, 5), regions);
                List<Object> given =
                    new ArrayList<>(List.of(tensor(scope, 2, 4, 6, 5), rois, 1.0, 2L, 2L));
                given.addAll(pooled.endsWith("align") ? List.of(2L) : List.of());
                given.addAll(pooled.equals("roi_align") ? List.of(true) : List.of());
                return given;
              });
      assertNull(difference(call, narrow), pooled);
    }
    Recorded kept =
        new Recorded(
            "here",
            "torchvision::nms",
            scope -> List.of(tensor(scope, 6, 4), tensor(scope, 6), 0.5));
    assertNull(difference(kept, narrow), "nms");
  }

  private static Recorded called(String name, Function<ResourceScope, List<Object>> arguments) {
    return new Recorded("here", "aten::" + name, arguments);
  }

  /** Numbers between -1 and 1 in random order. */
  private static Object tensor(ResourceScope scope, long... sizes) {
    double[] values = new double[(int) Shape.of(sizes).elements()];
    Arrays.setAll(values, i -> Math.sin(i * i + 0.5 + sizes.length));
    return HostTensors.doubles(scope, Shape.of(sizes), values);
  }

  /** Empty if there is nothing to compare, because the call is refused or returns no floats. */
  private String difference(Recorded call, DType narrow) {
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      RecordingEnvironment environment = new RecordingEnvironment(scope);
      List<Object> given = call.arguments().apply(scope);
      Object[] low = given.stream().map(each -> cast(environment, each, narrow)).toArray();
      Object[] high = Arrays.stream(low).map(it -> cast(environment, it, DType.FLOAT64)).toArray();
      Object exact = environment.run(call.operation(), high);
      if (exact instanceof Fault) {
        return "";
      }
      return difference(environment.run(call.operation(), low), exact, narrow);
    }
  }

  private static Object cast(RecordingEnvironment environment, Object value, DType dtype) {
    if (value instanceof List<?> list) {
      List<Object> all = new ArrayList<>();
      list.forEach(each -> all.add(cast(environment, each, dtype)));
      return all;
    }
    boolean floats = value instanceof DenseTensor tensor && tensor.dtype().isFloating();
    return floats
        ? environment.run("aten::to.dtype", value, (long) dtype.code(), false, true, None.NONE)
        : value;
  }

  /** Null if everything is as it should be. */
  private static String difference(Object own, Object exact, DType narrow) {
    if (own instanceof Fault fault) {
      return fault.message();
    }
    Object[] ours = own instanceof Object[] several ? several : new Object[] {own};
    Object[] theirs = exact instanceof Object[] several ? several : new Object[] {exact};
    for (int i = 0; i < ours.length; i++) {
      if (ours[i] instanceof DenseTensor a && theirs[i] instanceof DenseTensor b) {
        boolean asked = a.dtype() == DType.FLOAT64;
        if (b.dtype().isFloating() && !asked && (a.dtype() != narrow || !rounded(a, b))) {
          return a.describe() + " is not what " + b.describe() + " is rounded";
        }
      }
    }
    return null;
  }

  /** Within a unit in the last place, or what float32 loses next to the greatest element. */
  private static boolean rounded(DenseTensor narrow, DenseTensor exact) {
    long[] at = Elements.positions(narrow.layout());
    long[] there = Elements.positions(exact.layout());
    double[] expected = new double[there.length];
    Arrays.setAll(expected, i -> Elements.asDouble(exact.segment(), exact.dtype(), there[i]));
    double greatest =
        Arrays.stream(expected).map(Math::abs).filter(Double::isFinite).max().orElse(0);
    int digits = narrow.dtype() == DType.FLOAT16 ? 10 : 7;
    for (int i = 0; i < at.length; i++) {
      double once = Elements.rounded(narrow.dtype(), expected[i]);
      double own = Elements.asDouble(narrow.segment(), narrow.dtype(), at[i]);
      double unit = Math.scalb(1.0, Math.getExponent(once) - digits);
      boolean same = Double.compare(own, once) == 0 || own == once;
      if (!same && !(Math.abs(own - once) <= Math.max(unit, 1e-7 * greatest))) {
        return false;
      }
    }
    return true;
  }
}
