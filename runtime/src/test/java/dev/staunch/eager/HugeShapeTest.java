package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Sample;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** More elements or bytes than a long can count are a typed fault of the call (F8, M5). */
class HugeShapeTest {
  private static final long HALF = 1L << 32;
  private static final long MOST = Long.MAX_VALUE;
  private static final Object NONE = None.NONE;
  private static final Shape ROW = Shape.of(1);
  private static final List<Object> ONE = List.of(1L);

  /** 2^62 elements that are all the same one. */
  private static Tensor wide(Context context) {
    return context.ones(1).expand(1L << 62);
  }

  private static DynamicTest told(
      FaultType type, String operation, Function<Context, Tensor> call) {
    return DynamicTest.dynamicTest(
        operation,
        () -> {
          try (EagerTrial trial = new EagerTrial(EngineOptions.threaded(2))) {
            Tensor result = call.apply(trial.context);
            StaunchException unread =
                assertThrows(StaunchException.class, trial.context::waitAll, "F10");
            Fault fault = result.fault();
            assertNotNull(fault);
            assertTrue(fault.isSameAs(unread.fault()));
            assertEquals(type, fault.type(), fault::toString);
            assertEquals(operation, fault.operation());
            assertFalse(fault.message().contains("threw"), fault::message);
            assertNotNull(fault.source(), "F7");
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> newTensors() {
    return Stream.of(
        told(FaultType.OUT_OF_MEMORY, "aten::zeros", c -> c.zeros(HALF, HALF)),
        told(FaultType.OUT_OF_MEMORY, "aten::zeros", c -> c.zeros(1L << 62)),
        told(FaultType.OUT_OF_MEMORY, "aten::full", c -> c.full(1.0, MOST, MOST)),
        told(
            FaultType.OUT_OF_MEMORY,
            "aten::empty.memory_format",
            c -> c.empty(DType.UINT8, HALF, HALF)),
        told(FaultType.OUT_OF_MEMORY, "aten::eye.m", c -> c.eye(HALF, HALF)),
        told(FaultType.OUT_OF_MEMORY, "aten::arange", c -> c.arange(1L << 61)),
        told(FaultType.OUT_OF_MEMORY, "aten::linspace", c -> c.linspace(0, 1, MOST)),
        told(
            FaultType.OUT_OF_MEMORY,
            "aten::repeat",
            c -> c.apply("aten::repeat", c.ones(2), List.of(HALF, HALF))),
        told(
            FaultType.OUT_OF_MEMORY,
            "aten::constant_pad_nd",
            c -> c.apply("aten::constant_pad_nd", c.ones(2), List.of(1L << 59, 1L << 59), 0L)),
        told(
            FaultType.SHAPE,
            "aten::constant_pad_nd",
            c -> c.apply("aten::constant_pad_nd", c.ones(2), List.of(MOST, MOST), 0L)));
  }

  @TestFactory
  Stream<DynamicTest> views() {
    return Stream.of(
        told(FaultType.SHAPE, "aten::expand", c -> c.ones(1).expand(HALF, HALF)),
        told(FaultType.SHAPE, "aten::reshape", c -> c.ones(4).reshape(HALF, HALF)),
        told(FaultType.SHAPE, "aten::view", c -> c.apply("aten::view", c.zeros(0), sizes(0))),
        told(FaultType.SHAPE, "aten::expand", c -> wide(c).expand(4, 1L << 62)),
        told(
            FaultType.SHAPE,
            "aten::broadcast_to",
            c -> c.apply("aten::broadcast_to", c.ones(1), sizes(1))));
  }

  private static List<Object> sizes(long first) {
    return List.of(first, HALF, HALF);
  }

  @TestFactory
  Stream<DynamicTest> resultsOfOperandsThatAreViews() {
    return Stream.of(
        told(FaultType.OUT_OF_MEMORY, "aten::add.Scalar", c -> wide(c).add(1)),
        told(
            FaultType.OUT_OF_MEMORY,
            "aten::add.Tensor",
            c -> c.ones(1, 1).expand(HALF, 1).add(c.ones(1, 1).expand(1, HALF))),
        told(
            FaultType.OUT_OF_MEMORY,
            "aten::outer",
            c -> c.apply("aten::outer", c.ones(1).expand(HALF), c.ones(1).expand(HALF))),
        told(FaultType.OUT_OF_MEMORY, "aten::cat", c -> c.cat(0, wide(c), wide(c), wide(c))),
        told(FaultType.SHAPE, "aten::vstack", c -> stacked(c, "aten::vstack")),
        told(
            FaultType.OUT_OF_MEMORY,
            "aten::isin.Tensor_Tensor",
            c -> c.apply("aten::isin.Tensor_Tensor", c.ones(2), wide(c), false, false)),
        // A shape that exists, of 16 GiB.
        told(
            FaultType.OUT_OF_MEMORY,
            "aten::adaptive_avg_pool1d",
            c -> c.apply("aten::adaptive_avg_pool1d", c.ones(1, 1, 4), List.of(HALF))));
  }

  /** Counts that would overflow an int are reported, not truncated. */
  @TestFactory
  Stream<DynamicTest> moreThanAnIntCounts() {
    List<Object> one = List.of(1L, 1L);
    List<Object> around = List.of(1L << 15, 1L << 15);
    return Stream.of(
        told(
            FaultType.SHAPE,
            "aten::im2col",
            c -> c.apply("aten::im2col", c.ones(1, 1, 1, 1), one, one, around, one)),
        told(
            FaultType.SHAPE,
            "aten::col2im",
            c -> c.apply("aten::col2im", c.ones(1, 1 + (1 << 17)), one, one, one, around, one)),
        told(FaultType.SHAPE, "aten::linalg_svdvals", c -> c.apply("linalg_svdvals", square(c))),
        told(
            FaultType.SHAPE,
            "aten::linalg_inv",
            c -> c.apply("linalg_inv", complex(c).expand(30_000, 30_000))),
        told(
            FaultType.SHAPE,
            "aten::histogram.bins_tensor",
            c -> histogram(c, c.ones(1).expand(HALF))),
        told(
            FaultType.SHAPE,
            "torchvision::roi_pool",
            c -> regions(c, "torchvision::roi_pool", Integer.MAX_VALUE)),
        told(
            FaultType.SHAPE,
            "torchvision::ps_roi_pool",
            c -> regions(c, "torchvision::ps_roi_pool", HALF)),
        told(FaultType.SHAPE, "aten::mm", c -> rows(c, 4).mm(rows(c, 8).t())),
        told(FaultType.SHAPE, "aten::dot", c -> row(c).dot(row(c))));
  }

  private static Tensor square(Context context) {
    return context.ones(1, 1).expand(1 << 16, 1 << 16);
  }

  private static Tensor complex(Context context) {
    return context.apply("complex", context.ones(1, 1), context.ones(1, 1));
  }

  private static Tensor histogram(Context context, Tensor values) {
    Tensor edges = context.of(Shape.of(2), 0.0f, 1.0f);
    return context.applyMany("aten::histogram.bins_tensor", 2, values, edges, NONE, false)[0];
  }

  private static Tensor regions(Context context, String name, long side) {
    Tensor regions = context.zeros(4, 5);
    return context.applyMany(name, 2, context.ones(1, 1, 2, 2), regions, 1.0, side, side)[0];
  }

  /** As many elements as an int can count: none is left for the step of a loop. */
  private static Tensor row(Context context) {
    return context.ones(1).expand(Integer.MAX_VALUE);
  }

  private static Tensor rows(Context context, long count) {
    return row(context).expand(count, Integer.MAX_VALUE);
  }

  @TestFactory
  Stream<DynamicTest> stridesThatReachFurtherThanALongCounts() {
    List<Object> two = List.of(2L, 2L);
    List<Object> strides = List.of(MOST, MOST);
    return Stream.of(
        told(
            FaultType.VALUE,
            "aten::as_strided",
            c -> c.apply("aten::as_strided", c.ones(4), two, strides, NONE)),
        told(
            FaultType.VALUE,
            "aten::resize_",
            c -> {
              Tensor part = c.ones(4).narrow(0, 2, 2);
              return part.applyInPlace("aten::resize_", part, List.of(MOST), NONE);
            }));
  }

  @TestFactory
  Stream<DynamicTest> lengthsThatNoArrayHas() {
    return Stream.of(
        told(FaultType.SHAPE, "aten::fft_fft", c -> c.apply("fft_fft", c.ones(4), HALF + 4)),
        told(FaultType.VALUE, "aten::hann_window", c -> c.apply("hann_window", HALF + 4)),
        told(FaultType.VALUE, "aten::one_hot", c -> c.apply("one_hot", c.of(ROW, MOST))));
  }

  /** The last window begins inside the line, but ends where an int does not reach. */
  @TestFactory
  Stream<DynamicTest> windowsThatReachFurtherThanAnInt() {
    List<Object> quarter = List.of(1L << 29);
    return Stream.of(
        told(
            FaultType.SHAPE,
            "aten::max_pool1d",
            c -> pooled(c, List.of((1L << 29) + 100), quarter, ONE, true)));
  }

  private static Tensor pooled(
      Context context,
      List<Object> kernel,
      List<Object> stride,
      List<Object> dilation,
      boolean ceil) {
    Tensor line = row(context).expand(1, 1, Integer.MAX_VALUE);
    return context.apply("aten::max_pool1d", line, kernel, stride, List.of(0L), dilation, ceil);
  }

  @Test
  void elementsOfAWindowMayBeFarApart() {
    try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
      Tensor line = row(trial.context).expand(1, 1, Integer.MAX_VALUE);
      List<Object> far = List.of((1L << 30) - 1);
      Tensor[] found =
          trial.context.applyMany(
              "aten::max_pool1d_with_indices", 2, line, List.of(3L), ONE, List.of(0L), far, false);
      assertEquals(1, found[0].item());
      assertEquals(0, found[1].itemLong());
      assertEquals(1, pooled(trial.context, List.of(3L), ONE, far, false).item());
    }
  }

  @Test
  void planesThatDoNotExistMayBeLarge() {
    try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
      Tensor none = trial.context.zeros(0, 1, 1, 1).expand(0, 1, 1 << 16, 1 << 16);
      List<Object> size = List.of(1L << 16, 1L << 16);
      Tensor drawn = trial.context.zeros(0, 1, 2);
      Object one = List.of(1L, 1L);
      Tensor[] results =
          trial.context.applyMany("aten::fractional_max_pool2d", 2, none, one, size, drawn);
      assertEquals(none.shape(), results[0].shape());
      assertEquals(none.shape(), results[1].shape());
    }
  }

  /** Takes seconds, so it runs in the profile "whole" only. */
  @Test
  void aWindowMayHaveAsManyElementsAsAnIntCounts() {
    Assumptions.assumeTrue(Sample.whole());
    try (EagerTrial trial = new EagerTrial(EngineOptions.threaded(2))) {
      Tensor line = row(trial.context).expand(1, 1, Integer.MAX_VALUE);
      List<Object> all = List.of((long) Integer.MAX_VALUE);
      assertEquals(1, pooled(trial.context, all, ONE, ONE, false).item());
      assertEquals(1, trial.context.apply("aten::adaptive_avg_pool1d", line, ONE).item());
    }
  }

  @TestFactory
  Stream<DynamicTest> groupsOfNothing() {
    return Stream.of(
        told(
            FaultType.UNSUPPORTED,
            "aten::all.dim",
            c -> c.apply("aten::all.dim", c.empty(DType.BOOL, 0, HALF + 5), 0L, false)));
  }

  @TestFactory
  Stream<DynamicTest> linesThatAnIntCannotCount() {
    return Stream.of(
        told(
            FaultType.SHAPE,
            "aten::upsample_nearest1d",
            c ->
                c.apply(
                    "aten::upsample_nearest1d",
                    c.zeros(DType.UINT8, 1, 1, 1).expand(1, 1, HALF + 8),
                    List.of(4L),
                    None.NONE)));
  }

  private static Tensor stacked(Context context, String operation) {
    Tensor row = context.ones(1, 1).expand(2, 1L << 61);
    return context.apply(operation, List.of(row, row, row));
  }

  /** C3: a list that no heap can hold is refused before any of it is made. */
  @TestFactory
  Stream<DynamicTest> lists() {
    return Stream.<Function<Context, Object>>of(
            c -> c.applyValue("aten::unbind.int", wide(c), 0L),
            c -> c.applyValue("aten::split.Tensor", wide(c), 3L, 0L),
            c -> c.applyValue("aten::chunk", wide(c), 1L << 61, 0L),
            c -> c.applyValue("aten::mul.left_t", List.of(1L), MOST))
        .map(call ->
            DynamicTest.dynamicTest(
                "list",
                () -> {
                  try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
                    assertThrows(
                        StaunchException.OutOfMemoryException.class,
                        () -> call.apply(trial.context));
                    Object none = List.of();
                    assertEquals(none, trial.context.applyValue("aten::mul.left_t", none, MOST));
                  }
                }));
  }
}
