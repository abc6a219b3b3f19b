package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Users tell faults apart by type: each has an exception class, a word and a category (F8). */
class FaultCategoryTest {

  /** F8: code that catches one class gets that type and no other. */
  @Test
  void eachTypeHasAnExceptionOfItsOwn() {
    Set<Class<?>> classes = new HashSet<>();
    Set<String> words = new HashSet<>();
    for (FaultType type : FaultType.values()) {
      Class<?> thrown = Fault.of(type, "a message").toException().getClass();
      assertTrue(classes.add(thrown), thrown::getName);
      assertSame(StaunchException.class, thrown.getSuperclass());
      assertTrue(words.add(type.word()), type::word);
    }
    assertEquals(StaunchException.class.getDeclaredClasses().length, classes.size());
  }

  /** F8: the wire format and code that catches exceptions rely on the words and the categories. */
  @ParameterizedTest
  @CsvSource({
    "SHAPE, shape, CALLER, ShapeException",
    "DTYPE, dtype, CALLER, DTypeException",
    "INDEX, index, CALLER, IndexException",
    "VALUE, value, CALLER, ValueException",
    "CLOSED, closed, CALLER, ClosedException",
    "REQUEST, request, CALLER, RequestException",
    "SCRIPT_RAISED, script_raised, CALLER, ScriptException",
    "DATA_FORMAT, data_format, BAD_DATA, DataFormatException",
    "UNKNOWN_OPERATION, unknown_operation, BAD_DATA, UnknownOperationException",
    "OUT_OF_MEMORY, out_of_memory, EXHAUSTED, OutOfMemoryException",
    "OVERLOADED, overloaded, EXHAUSTED, OverloadedException",
    "DEADLINE_EXCEEDED, deadline_exceeded, CANCELLED, DeadlineException",
    "CANCELLED, cancelled, CANCELLED, CancelledException",
    "UNSUPPORTED, unsupported, INTERNAL, UnsupportedException",
    "INTERNAL, internal, INTERNAL, InternalException",
  })
  void eachTypeHasItsWordItsCategoryAndItsException(
      FaultType type, String word, FaultCategory category, String exception) {
    assertEquals(word, type.word());
    assertEquals(category, type.category());
    StaunchException thrown = Fault.of(type, "a message").toException();
    assertEquals(exception, thrown.getClass().getSimpleName());
  }

  @Test
  void everyCategoryIsThatOfSomeType() {
    Set<FaultCategory> used = EnumSet.noneOf(FaultCategory.class);
    for (FaultType type : FaultType.values()) {
      used.add(type.category());
    }
    assertEquals(EnumSet.allOf(FaultCategory.class), used);
  }

  /** C1, F8: a passed deadline has its own type; every other reason is in a field. */
  @ParameterizedTest
  @EnumSource(CancelReason.class)
  void aCancellationTellsItsReason(CancelReason why) {
    Fault fault = Fault.cancelled(why, "enough");
    boolean late = why == CancelReason.DEADLINE;
    assertEquals(late ? FaultType.DEADLINE_EXCEEDED : FaultType.CANCELLED, fault.type());
    assertEquals(why, fault.reason());
    assertEquals(FaultCategory.CANCELLED, fault.category());
  }

  /** F11: a throwable from below the edge keeps its type if that says something. */
  @Test
  void aThrowableBecomesAFaultOfTheFittingType() {
    Fault known = Fault.index("index 7 is out of range");
    assertSame(known, Fault.thrown(known.toException()));
    assertEquals(FaultType.OUT_OF_MEMORY, Fault.thrown(new OutOfMemoryError("heap")).type());
    Error overflow = new StackOverflowError();
    assertEquals(FaultType.INTERNAL, Fault.thrown(overflow).type());
    assertSame(overflow, Fault.thrown(overflow).cause());
  }
}
