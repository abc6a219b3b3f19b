package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each type of fault is an exception of its own, with the whole fault in it (F8). */
class FaultTypeTest {
  @ParameterizedTest
  @EnumSource(FaultType.class)
  void aFaultIsThrownAsTheExceptionOfItsType(FaultType type) {
    Fault fault = Fault.of(type, "a message");
    StaunchException thrown = fault.toException();
    assertSame(fault, thrown.fault());
    assertEquals("a message", thrown.getMessage());
    assertNotEquals(StaunchException.class, thrown.getClass());
  }

  @Test
  void noTwoTypesShareAnExceptionOrAWord() {
    int types = FaultType.values().length;
    assertEquals(
        types,
        Arrays.stream(FaultType.values())
            .map(type -> Fault.of(type, "a message").toException().getClass())
            .collect(Collectors.toSet())
            .size());
    assertEquals(
        types,
        Arrays.stream(FaultType.values()).map(FaultType::word).collect(Collectors.toSet()).size());
  }
}
