package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultCategory;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.MessageRules;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The mistakes that users make, and what they are told (F7, F8, F9). */
class FaultMessageTest {
  /** The step that fixes a dtype fault. */
  private static final Pattern REMEDY =
      Pattern.compile("; (cast `\\w+` with `to\\(\\w+\\)` before `[\\w:.]+`|give .+)$");

  private static DynamicTest mistake(String name, FaultType type, Function<Context, Tensor> call) {
    return told(
        name, type, call, message -> assertEquals(List.of(), MessageRules.complaints(message)));
  }

  private static DynamicTest told(
      String name, FaultType type, Function<Context, Tensor> call, Consumer<String> readable) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          try (EagerTrial trial = new EagerTrial(EngineOptions.threaded(2))) {
            Fault fault = call.apply(trial.context).fault();
            assertNotNull(fault);
            assertEquals(type, fault.type(), fault::toString);
            readable.accept(fault.message());
            assertTrue(type != FaultType.DTYPE || REMEDY.matcher(fault.message()).find(), "F9");
            assertNotNull(fault.source(), "F7: the line that asked for it");
            assertEquals("FaultMessageTest.java", fault.source().file());
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> eachMistakeHasItsTypeAndAMessageThatHelps() {
    return Stream.of(
        mistake("broadcast", FaultType.SHAPE, c -> c.ones(2, 3).add(c.ones(2, 4))),
        mistake("matmul", FaultType.SHAPE, c -> c.ones(2, 3).matmul(c.ones(2, 3))),
        mistake("reshape", FaultType.SHAPE, c -> c.ones(10).reshape(3, 4)),
        mistake("cat", FaultType.SHAPE, c -> c.cat(0, c.ones(2, 3), c.ones(2, 4))),
        mistake("too few values", FaultType.SHAPE, c -> c.of(Shape.of(2, 2), 1f, 2f, 3f)),
        mistake("dim", FaultType.INDEX, c -> c.ones(2).sum(5)),
        mistake(
            "index", FaultType.INDEX, c -> c.ones(2, 2).indexSelect(0, c.tensor(new long[] {2}))),
        mistake("deviation", FaultType.VALUE, c -> c.normal(0, -1, 2)),
        mistake("dtype", FaultType.DTYPE, c -> c.rand(DType.INT64, 2)),
        mistake(
            "linear", FaultType.DTYPE, c -> c.ones(DType.FLOAT64, 2).linear(c.ones(2, 2), null)),
        mistake("mean", FaultType.DTYPE, c -> c.arange(3).mean()),
        mistake("in place", FaultType.DTYPE, c -> c.arange(3).add_(0.5)),
        mistake("number", FaultType.DTYPE, c -> c.arange(3).add_(c.arange(3), 0.5)),
        mistake("Java type", FaultType.DTYPE, c -> c.tensor("text")),
        mistake("operation", FaultType.UNKNOWN_OPERATION, c -> c.apply("aten::nothing")),
        mistake("division by 0", FaultType.VALUE, c -> c.arange(3).floorDivide(0L)),
        mistake("element 0", FaultType.VALUE, c -> c.ones(DType.INT64, 2).fmod(c.arange(2))),
        mistake("in place", FaultType.DTYPE, c -> c.arange(3).add_(1.5)),
        mistake("bool power", FaultType.DTYPE, c -> c.zeros(DType.BOOL, 2).neg().pow(2L)),
        mistake(
            "transform", FaultType.DTYPE, c -> c.apply("aten::fft_fft", c.ones(DType.FLOAT16, 2))),
        mistake("mask", FaultType.DTYPE, c -> c.ones(2).maskedFill(c.ones(2), 1L)),
        mistake("range", FaultType.VALUE, c -> c.arange(0, 5, -1)),
        mistake("no tensors", FaultType.VALUE, c -> c.cat(0)),
        mistake("class", FaultType.INDEX, c -> c.arange(4).oneHot(3)),
        mistake("too many", FaultType.INDEX, c -> c.arange(4).topk(5).values()),
        mistake("expanded", FaultType.VALUE, c -> c.zeros(3, 1).expand(3, 2).add_(1L)),
        mistake("closed", FaultType.CLOSED, FaultMessageTest::closed));
  }

  @TestFactory
  Stream<DynamicTest> anIndexOutOfRangeIsNamedWithItsPosition() {
    long[] places = {0, 4, 7};
    String named = "index 7 at position 2 is out of bounds for dimension 0 with size 5";
    Map<String, Function<Context, Tensor>> calls =
        Map.of(
            "indexSelect", c -> c.arange(5).indexSelect(0, c.tensor(places)),
            "gather", c -> c.arange(5).gather(0, c.tensor(places)),
            "get", c -> c.arange(5).get(c.tensor(places)),
            "set", c -> c.arange(5).set(1L, c.tensor(places)),
            "scatter", c -> c.arange(5).scatter(0, c.tensor(places), c.arange(3)));
    return calls.entrySet().stream()
        .map(entry ->
            told(
                entry.getKey(),
                FaultType.INDEX,
                entry.getValue(),
                message -> assertEquals(named, message)));
  }

  /** A dtype that no kernel supports is fixed in the same way as a wrong one. */
  @Test
  void anUnsupportedDTypeIsNamedWithTheStepThatMendsIt() {
    try (EagerTrial trial = new EagerTrial(EngineOptions.threaded(2))) {
      Tensor complex = trial.context.zeros(DType.COMPLEX64, 2);
      Tensor bounds = trial.context.zeros(3);
      assertEquals(
          "searchsorted is not implemented for complex numbers; give real ones",
          unsupported(
              trial.context.apply("aten::bucketize.Tensor", complex, bounds, false, false)));
      assertEquals(
          "erfinv is not implemented for complex64; take `real` or `imag` of `self` before"
              + " `aten::erfinv`",
          unsupported(trial.context.apply("aten::erfinv", complex)));
      Tensor integers = trial.context.ones(DType.INT64, 1, 1, 4, 4);
      assertEquals(
          "conv2d is not implemented for int64; cast `weight` with `to(float32)` before"
              + " `aten::conv2d`",
          unsupported(integers.conv2d(integers, null)));
    }
  }

  @Test
  void noCastIsNamedWhereComplexNumbersAreWanted() {
    try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
      Fault fault = trial.context.apply("aten::view_as_real", trial.context.zeros(2)).fault();
      assertNotNull(fault);
      assertTrue(
          fault
              .message()
              .endsWith("make `self` with `view_as_complex` before `aten::view_as_real`"),
          fault::message);
    }
  }

  private static String unsupported(Tensor made) {
    Fault fault = made.fault();
    assertNotNull(fault);
    assertEquals(FaultType.UNSUPPORTED, fault.type());
    return fault.message();
  }

  private static Tensor closed(Context context) {
    Tensor gone = context.ones(2);
    gone.close();
    return gone.add(1.0);
  }

  /** F7: the operation, and the names, dtypes and shapes of its operands. */
  @Test
  void aFaultKnowsTheOperationAndItsOperands() {
    try (EagerTrial trial = new EagerTrial(EngineOptions.threaded(2))) {
      Tensor bad = trial.context.ones(2, 3).add(trial.context.ones(DType.INT32, 4));
      Fault fault = bad.mul(2.0).relu().fault();
      assertEquals("aten::add.Tensor", fault.operation());
      assertEquals("self: float32[2, 3]", fault.operands().get(0));
      assertEquals("other: int32[4]", fault.operands().get(1));
      assertEquals(2, fault.reach().skipped());
      assertEquals(FaultCategory.CALLER, fault.category());
    }
  }
}
