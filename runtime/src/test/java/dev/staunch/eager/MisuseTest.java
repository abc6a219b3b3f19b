package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calling an operation by name with arguments that it does not take is the caller's mistake, and
 * the fault says so.
 */
class MisuseTest {
  private final EagerTrial trial = new EagerTrial(EngineOptions.threaded(2));
  private final Context context = trial.context;
  private final Tensor x = context.ones(2, 3);

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  /**
   * The fault of a call, which names the operation and carries its schema; it must have a source
   * line.
   */
  private Fault misuse(String operation, Object... arguments) {
    Fault fault = context.apply(operation, arguments).fault();
    assertNotNull(fault);
    assertEquals(FaultType.VALUE, fault.type(), fault::toString);
    assertEquals(operation, fault.operation());
    assertTrue(fault.message().contains(operation + "("), () -> "schema: " + fault.message());
    assertNotNull(fault.source());
    assertEquals("MisuseTest.java", fault.source().file());
    StaunchException.ValueException thrown =
        assertThrows(
            StaunchException.ValueException.class, () -> context.applyValue(operation, arguments));
    assertEquals(fault.message(), thrown.fault().message());
    return fault;
  }

  private void assertTold(String part, String operation, Object... arguments) {
    Fault fault = misuse(operation, arguments);
    assertTrue(fault.message().contains(part), fault::message);
  }

  @Test
  void tooFewArgumentsNameTheOneThatIsMissing() {
    assertTold("takes 2 arguments, got 1: `dim` is missing", "aten::squeeze.dim", x);
    assertTold("takes 1 argument, got 0: `self` is missing", "aten::relu");
  }

  @Test
  void tooManyArgumentsAreRefused() {
    assertTold("takes 1 argument, got 2", "aten::relu", x, x);
  }

  @Test
  void anArgumentOfAnotherTypeIsNamedWithWhatItShouldBe() {
    assertTold("takes int (a Java Long) for `dim`, got float 1.0", "aten::squeeze.dim", x, 1.0);
    assertTold("takes Tensor for `self`, got str 'x'", "aten::relu", "x");
    assertTold("takes Tensor for `other`, got float 2.0", "aten::add.Tensor", x, 2.0, 1L);
    assertTold("takes number for `alpha`, got Tensor", "aten::add.Tensor", x, x, x);
    assertTold("takes bool (a Java Boolean) for `train`, got int 1", "aten::dropout", x, .5, 1L);
    assertTold("takes Optional[Generator] for `generator`, got int 5", "aten::bernoulli", x, 5L);
    assertTold("takes Tensor for `self`, got None", "aten::relu", None.NONE);
    assertTold("takes AnyEnumType for `enum`, got int 3", "prim::EnumName", 3L);
    assertTold("takes AnyEnumType for `enum`, got int 3", "prim::EnumValue.int", 3L);
  }

  @Test
  void anElementOfAListOfAnotherTypeIsNamed() {
    assertTold("for `shape`, got a list with float 3.0 at 1", "aten::reshape", x, List.of(2L, 3.0));
    assertTold("for `shape`, got int 6", "aten::reshape", x, 6L);
    assertTold("for `tensors`, got a list with list at 0", "aten::cat", List.of(List.of(x)), 0L);
    assertTold("for `tensors`, got a list with int 1 at 1", "aten::cat", List.of(x, 1L), 0L);
  }

  @Test
  void nullsAreNamed() {
    assertTold("takes Tensor for `self`, got null", "aten::relu", new Object[] {null});
    assertTold("got a list with null at 1", "aten::cat", Arrays.asList(x, null), 0L);
    assertTold("got a list with null at 0", "aten::reshape", x, Arrays.asList((Long) null));
    assertTold("takes Tensor for `other`, got null", "aten::mul.Tensor", x, null);
  }

  @Test
  void tensorsInTuplesAndDictsAreRefusedForNobodyWouldWaitForThem() {
    assertTold("got a tuple that holds a Tensor", "prim::unchecked_cast", TupleValue.of(x));
    assertTold("got a dict that holds a Tensor", "prim::unchecked_cast", Map.of("x", x));
  }

  @Test
  void nestedListsOfTensorsAreWaitedForAndHandedOn() {
    Tensor pending = x.add(1.0);
    Object taken =
        context.applyValue("prim::unchecked_cast", List.of(List.of(pending), List.of(x)));
    Tensor inner = (Tensor) ((List<?>) ((List<?>) taken).get(0)).get(0);
    assertEquals(12.0, inner.sum().item());
  }

  @Test
  void anOperationThatReturnsNoTensorSaysHowToCallIt() {
    Fault fault = context.apply("aten::size", x).fault();
    assertNotNull(fault);
    assertEquals(FaultType.VALUE, fault.type());
    assertTrue(fault.message().contains("List[int]"), fault::message);
    assertTrue(fault.message().contains("applyValue"), fault::message);
    StaunchException thrown =
        assertThrows(StaunchException.class, () -> context.applyList("aten::relu", x));
    assertEquals(FaultType.VALUE, thrown.fault().type());
  }

  @Test
  void anotherNumberOfResultsIsRefused() {
    Tensor[] results = context.applyMany("aten::relu", 3, x);
    assertEquals(3, results.length);
    Fault fault = results[2].fault();
    assertNotNull(fault);
    assertTrue(fault.message().contains("returns 1 result, not 3"), fault::message);
    assertThrows(IllegalArgumentException.class, () -> context.applyMany("aten::relu", -1, x));
  }

  @Test
  void aMisusedWriteIsAFaultOfEachResultThatWasExpected() {
    Tensor[] none = context.applyMany("aten::add_.Tensor", 1);
    assertTrue(fault(none[0]).message().contains("`self` is missing"), fault(none[0])::message);
    Tensor[] two = context.applyMany("aten::add_.Tensor", 2, x, x, 1L);
    assertEquals(2, two.length);
    assertSame(x, two[1]);
    assertTrue(fault(x).message().contains("returns 1 result, not 2"), fault(x)::message);
    Tensor y = context.ones(2);
    assertThrows(
        IllegalArgumentException.class, () -> context.applyMany("aten::add_.Tensor", -1, y, y, 1L));
    assertEquals(2.0, y.sum().item());
  }

  private static Fault fault(Tensor failed) {
    return Objects.requireNonNull(failed.fault());
  }

  @Test
  void anOperationThatReturnsNoListIsRefusedBeforeItWrites() {
    context.waitAll();
    long held = context.bytes();
    assertThrows(
        StaunchException.ValueException.class,
        () -> context.applyList("aten::add_.Tensor", x, x, 1L));
    assertThrows(
        StaunchException.ValueException.class,
        () -> context.applyList("aten::max.dim", x, 0L, true));
    assertEquals(held, context.bytes());
    assertEquals(6.0, x.sum().item());
    assertEquals(3, context.applyList("aten::unbind.int", x, 1L).length);
  }

  @Test
  void severalResultsAsAValueAreHandles() {
    Object[] found =
        assertInstanceOf(Object[].class, context.applyValue("aten::max.dim", x, 0L, false));
    assertEquals(3.0, assertInstanceOf(Tensor.class, found[0]).sum().item());
    assertEquals(0, assertInstanceOf(Tensor.class, found[1]).sum().itemLong());
  }

  /** An unknown number must not count as none given, which would give floats. */
  @ParameterizedTest
  @ValueSource(longs = {99, -1, 12})
  void theNumberOfNoDtypeIsAFaultOfWhateverIsAskedToMakeIt(long code) {
    Object none = None.NONE;
    List<Tensor> made =
        List.of(
            context.apply("aten::zeros", List.of(2L), code, none, none, none),
            context.apply("aten::rand", List.of(2L), code, none, none, none),
            context.apply("aten::sum", x, code),
            context.apply("aten::softmax.int", x, 0L, code));
    for (Tensor tensor : made) {
      Fault fault = fault(tensor);
      assertEquals(FaultType.UNSUPPORTED, fault.type());
      assertTrue(
          fault.message().startsWith("the dtype of number " + code + " is not supported; give one"),
          fault::message);
    }
  }

  /** F5. */
  @Test
  void aMissingOneOfSeveralResultsIsAHandleOnItsFault() {
    Fault missing = Fault.value("the second is missing");
    try (EagerTrial own =
        new EagerTrial(
            EngineOptions.serial(),
            catalog ->
                catalog.many(
                    "test::two(Tensor(a) x) -> (Tensor(a), Tensor(a))",
                    call -> new Object[] {call.tensor(0), missing}))) {
      Object[] found = (Object[]) own.context.applyValue("test::two", own.context.ones(2));
      assertEquals(2.0, assertInstanceOf(Tensor.class, found[0]).sum().item());
      Fault fault = fault(assertInstanceOf(Tensor.class, found[1]));
      assertEquals(missing.message(), fault.message());
    }
  }

  @Test
  void anUnknownOperationIsToldWithThoseOfASimilarName() {
    Fault overload = context.apply("aten::matmul.Tensor", x, x).fault();
    assertNotNull(overload);
    assertEquals(FaultType.UNKNOWN_OPERATION, overload.type());
    assertTrue(
        overload.message().endsWith("; it has aten::matmul, aten::matmul.out"), overload::message);
    Fault bare = context.apply("relu", "x").fault();
    assertNotNull(bare);
    assertTrue(bare.message().contains("aten::relu"), bare::message);
    Fault nothing = context.apply("aten::nothing", x).fault();
    assertNotNull(nothing);
    assertFalse(nothing.message().contains(";"), nothing::message);
    assertThrows(
        StaunchException.UnknownOperationException.class,
        () -> context.applyValue("aten::nothing", x));
  }

  @Test
  void aFaultOfAMisusedCallReachesWhatIsComputedFromItAndNothingElse() {
    Tensor wrong = context.apply("aten::relu", "x");
    Fault fault = wrong.mul(2.0).fault();
    assertNotNull(fault);
    assertEquals("aten::relu", fault.operation());
    assertEquals(6.0, x.sum().item());
  }

  /** F6, F10: it has its position in the order of the calls, and it is reported. */
  @Test
  void aResultThatIsNoTensorIsAFaultWithItsPlace() {
    try (EagerTrial trial =
        new EagerTrial(
            EngineOptions.threaded(1),
            catalog -> catalog.one("test::any(Tensor x) -> Any", call -> 7L))) {
      Tensor number = trial.context.apply("test::any", trial.context.ones(2));
      Tensor later = trial.invalid();
      Fault fault = Objects.requireNonNull(later.add(number).fault());
      assertEquals("test::any does not return a tensor here; call applyValue", fault.message());
      assertEquals(1, fault.suppressed().size());
    }
  }

  @Test
  void aListThatHoldsItselfIsRefusedWhereverItIsGiven() {
    List<Object> own = new ArrayList<>(List.of(x));
    own.add(own);
    String deep = "lists that lie more than 64 deep in each other, or in themselves";
    assertTold("takes List[Tensor] for `tensors`, got " + deep, "aten::cat", own, 0L);
    assertTold("takes List[Tensor] for `tensors`, got " + deep, "aten::stack", own, 0L);
    assertTold("got " + deep, "aten::len.t", own);
    Fault shortName = context.apply("cat", own, 0).fault();
    assertNotNull(shortName);
    assertEquals("cat takes no " + deep, shortName.message());
  }

  @Test
  void aCallThatWouldNotWriteTheTensorIsAFaultInIt() {
    Tensor target = context.ones(2, 3);
    assertSame(target, target.applyInPlace("add_", target, 1));
    assertNull(target.fault());
    assertNotWritten("is to write this tensor", "aten::add_.Tensor", x, x, 1L);
    assertNotWritten("is to write this tensor", "aten::zero_");
    assertNotWritten("does not write its first argument; call apply", "aten::relu", target);
    assertNotWritten("the catalog has no operation none_", "none_", target);
    assertArrayEquals(new float[] {1, 1, 1, 1, 1, 1}, x.floats());
  }

  private void assertNotWritten(String text, String operation, Object... arguments) {
    Tensor target = context.ones(2, 3);
    assertSame(target, target.applyInPlace(operation, arguments));
    Fault fault = target.fault();
    assertNotNull(fault);
    assertTrue(fault.message().contains(text), fault::message);
    assertNotNull(fault.source());
    assertEquals("MisuseTest.java", fault.source().file());
    assertNull(target.zero_().fault());
  }
}
