package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.RecordedCalls.Recorded;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Type;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is inferred of an operation's results, from operands without elements, is what its kernel
 * returns: dtype, shape and strides, or the fault.
 */
@Timeout(300)
class InferenceTest {
  private final Catalog catalog = StandardOperations.catalog();
  private final OffHeap memory = OffHeap.withBudget(64L << 20);

  @Test
  void whatIsInferredIsWhatTheKernelGives() throws IOException {
    Set<String> wrong = new TreeSet<>();
    Set<String> called = new HashSet<>();
    for (Recorded call : RecordedCalls.ofTensors()) {
      check(call, wrong);
      called.add(call.operation());
    }
    for (CatalogEntry operation : catalog.operations()) {
      if (!called.contains(operation.name()) && InventedCall.isPossible(operation.schema())) {
        check(InventedCall.of(operation.schema()), wrong);
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void everyOperationThatGivesTensorsHasAnInference() {
    List<String> without =
        catalog.operations().stream()
            .filter(operation -> operation.kernel() != null && operation.inference() == null)
            .filter(operation ->
                operation.schema().results().stream().anyMatch(result -> isTensor(result.type())))
            .map(CatalogEntry::name)
            .toList();
    assertEquals(List.of(), without);
  }

  private static boolean isTensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.ListOf list && isTensor(list.element()));
  }

  private void check(Recorded call, Set<String> wrong) {
    CatalogEntry operation = Objects.requireNonNull(catalog.find(call.operation()));
    Inference inference = operation.inference();
    if (inference == null) {
      return;
    }
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      List<Object> arguments = call.arguments().apply(scope);
      Object[] described = arguments.stream().map(InferenceTest::described).toArray();
      Object inferred = inference.infer(Operands.of(described));
      Call real = new Call(new RecordingEnvironment(scope), arguments.toArray());
      String before = text(inference.infer(real));
      Object given = Kernels.run(operation, real);
      boolean failsOnValues =
          given instanceof Fault
              && !(inferred instanceof Fault)
              && operation.effects().has(Trait.FAILS_ON_VALUES);
      if (inferred instanceof Inference.Unknown || failsOnValues) {
        return;
      }
      String expected = text(described(given));
      if (!expected.equals(text(inferred)) || !expected.equals(before)) {
        wrong.add(
            Message.of(
                "%s gives %s, not %s: %s",
                call.operation(), expected, text(inferred), call.place()));
      }
    }
  }

  private static Object described(Object value) {
    return switch (value) {
      case DenseTensor tensor -> Call.formOf(tensor);
      case Object[] several -> described(List.of(several));
      case List<?> list -> {
        List<Object> forms = new ArrayList<>();
        list.forEach(element -> forms.add(described(element)));
        yield forms;
      }
      default -> value;
    };
  }

  private static String text(Object value) {
    return switch (value) {
      case TensorForm form -> form.describe() + strides(form.layout());
      case Object[] several -> text(List.of(several));
      case List<?> list -> list.stream().map(InferenceTest::text).toList().toString();
      case Fault fault -> fault.type() + ": " + fault.message();
      default -> value.toString();
    };
  }

  /** The strides that matter. */
  private static String strides(Layout layout) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; layout.shape().elements() > 0 && i < layout.shape().rank(); i++) {
      text.append(layout.shape().size(i) == 1 ? " _" : " " + layout.stride(i));
    }
    return text.append(" from ")
        .append(layout.shape().elements() > 0 ? layout.offset() : 0)
        .toString();
  }
}
