package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.MessageRules;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TensorGoldenTest {
  private final OffHeap memory = OffHeap.withBudget(64L << 20);

  @AfterEach
  void everyByteGoesBack() {
    assertEquals(0, memory.account().bytes());
  }

  @TestFactory
  Stream<DynamicTest> everyOperationReturnsWhatLibtorchReturns() throws IOException {
    return replayed("tensor-golden.txt");
  }

  @TestFactory
  Stream<DynamicTest> everyRecurrentOperationReturnsWhatLibtorchReturns() throws IOException {
    return replayed("recurrent-golden.txt");
  }

  @TestFactory
  Stream<DynamicTest> everyKindOfAttentionReturnsWhatLibtorchReturns() throws IOException {
    return replayed("attention-golden.txt");
  }

  @TestFactory
  Stream<DynamicTest> everyComposedOperationReturnsWhatLibtorchReturns() throws IOException {
    return replayed("composed-golden.txt");
  }

  @TestFactory
  Stream<DynamicTest> everyOperationOfTheSmallerFamiliesReturnsWhatLibtorchReturns()
      throws IOException {
    return replayed("family-golden.txt");
  }

  @TestFactory
  Stream<DynamicTest> whatSeldomMeetsReturnsWhatLibtorchReturns() throws IOException {
    return replayed("combined-golden.txt");
  }

  @TestFactory
  Stream<DynamicTest> everyOperationOnComplexNumbersReturnsWhatLibtorchReturns()
      throws IOException {
    return replayed("complex-golden.txt");
  }

  @TestFactory
  Stream<DynamicTest> everyOperationThatProgramsSeldomUseReturnsWhatLibtorchReturns()
      throws IOException {
    return replayed("operator-golden.txt");
  }

  private Stream<DynamicTest> replayed(String file) throws IOException {
    return TensorGoldens.read(file).stream()
        .map(golden ->
            DynamicTest.dynamicTest(golden.name() + ":" + golden.line(), () -> check(golden)));
  }

  private void check(TensorGoldens.Case golden) {
    try (ResourceScope own = ResourceScope.open(memory, "case")) {
      List<Object> arguments = new ArrayList<>();
      golden.arguments().forEach(text -> arguments.add(TensorGoldens.value(own, text)));
      long held = memory.account().bytes();
      Object result = run(own, "aten::" + golden.name(), arguments.toArray());
      if (!golden.error().isEmpty()) {
        Fault fault = assertInstanceOf(Fault.class, result, golden.error());
        assertTrue(fault.type() != FaultType.INTERNAL, fault::toString);
        assertEquals(List.of(), MessageRules.complaints(fault.message()), fault.message());
        assertEquals(held, memory.account().bytes(), "scratch memory of a failed call");
        assertEquals(golden.arguments().size(), arguments.size()); // reachable until here
        return;
      }
      Object[] results = result instanceof Object[] several ? several : new Object[] {result};
      assertEquals(golden.results().size(), results.length);
      for (int i = 0; i < results.length; i++) {
        assertEquals("", TensorGoldens.difference(own, golden.results().get(i), results[i]));
      }
      for (TensorGoldens.Text after : golden.after()) {
        assertEquals("", TensorGoldens.difference(own, after, arguments.get(0)));
      }
    }
    assertEquals(0, memory.account().bytes());
  }

  private Object run(ResourceScope own, String name, Object... arguments) {
    return Objects.requireNonNull(new RecordingEnvironment(own).run(name, arguments));
  }
}
