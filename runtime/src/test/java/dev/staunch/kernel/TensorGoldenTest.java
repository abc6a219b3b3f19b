package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.MessageRules;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TensorGoldenTest {
  /** May be views, of which libtorch's schemas do not tell. */
  private static final Set<String> UNDECLARED =
      Set.of(
          "type_as",
          "atleast_1d",
          "atleast_2d",
          "atleast_3d",
          "dropout",
          "feature_dropout",
          "alpha_dropout",
          "feature_alpha_dropout",
          "unsafe_chunk",
          "unsafe_split",
          "meshgrid",
          "broadcast_tensors");

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
  Stream<DynamicTest> whatSeldomMeetsReturnsWhatLibtorchReturns() throws IOException {
    return replayed("combined-golden.txt");
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
        return;
      }
      Object[] results = result instanceof Object[] several ? several : new Object[] {result};
      assertEquals(golden.results().size(), results.length);
      checkOwnership(golden.name(), arguments, results);
      for (int i = 0; i < results.length; i++) {
        assertEquals("", TensorGoldens.difference(own, golden.results().get(i), results[i]));
      }
      for (TensorGoldens.Text after : golden.after()) {
        assertEquals("", TensorGoldens.difference(own, after, arguments.get(0)));
      }
    }
    assertEquals(0, memory.account().bytes());
  }

  /** Eager calls order reads and writes by what schemas say about shared memory (E1). */
  private void checkOwnership(String name, List<Object> arguments, Object[] results) {
    List<Schema.Result> declared =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::" + name))
            .schema()
            .results();
    boolean undeclared = UNDECLARED.contains(name.split("\\.", -1)[0]);
    Set<Storage> given = storages(arguments);
    for (int i = 0; i < declared.size(); i++) {
      boolean apart = Collections.disjoint(given, storages(List.of(results[i])));
      assertTrue(
          apart || undeclared || declared.get(i).alias() != null, "result " + i + " shares memory");
    }
  }

  private static Set<Storage> storages(List<?> values) {
    Set<Storage> storages = new HashSet<>();
    for (Object value : values) {
      if (value instanceof DenseTensor tensor && tensor.elements() > 0) {
        storages.add(tensor.storage());
      } else if (value instanceof List<?> list) {
        storages.addAll(storages(list));
      }
    }
    return storages;
  }

  private Object run(ResourceScope own, String name, Object... arguments) {
    return Objects.requireNonNull(new RecordingEnvironment(own).run(name, arguments));
  }
}
