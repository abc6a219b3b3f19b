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
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** More elements or bytes than a long can count are a typed fault of the call (F8, M5). */
class HugeShapeTest {
  private static final long HALF = 1L << 32;
  private static final long MOST = Long.MAX_VALUE;

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
            c -> c.apply("aten::col2im", c.ones(1, 1 + (1 << 17)), one, one, one, around, one)));
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
