package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.RecordedCalls.Recorded;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Inference;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An operation's declared dtypes are the ones that its kernel takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DTypeTrialsTest {
  private final Catalog catalog = StandardOperations.catalog();
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Map<CatalogEntry, DTypeTrials> trials = new LinkedHashMap<>();

  @BeforeAll
  void findTrials() {
    for (CatalogEntry operation : catalog.operations()) {
      DTypeTrials found = DTypeTrials.of(operation);
      if (found != null) {
        trials.put(operation, found);
      }
    }
  }

  private static Object real(ResourceScope scope, Object value) {
    return switch (value) {
      case TensorForm form -> {
        DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, form.dtype(), form.shape());
        tensor.segment().fill((byte) 0);
        yield tensor;
      }
      case List<?> list -> {
        List<Object> reals = new ArrayList<>();
        list.forEach(each -> reals.add(real(scope, each)));
        yield reals;
      }
      default -> value;
    };
  }

  private Object outcome(CatalogEntry operation, Object[] forms) {
    try (ResourceScope scope = ResourceScope.open(memory, "trial")) {
      Object[] arguments = Arrays.stream(forms).map(form -> real(scope, form)).toArray();
      Object outcome = operation.run(new Call(new RecordingEnvironment(scope), arguments));
      return outcome instanceof Fault ? outcome : forms(outcome);
    } catch (StaunchException refused) {
      return refused.fault();
    }
  }

  /** The forms of tensors that are among the results. */
  private static List<TensorForm> forms(Object outcome) {
    List<TensorForm> forms = new ArrayList<>();
    for (Object result : outcome instanceof Object[] several ? several : new Object[] {outcome}) {
      switch (result) {
        case DenseTensor tensor -> forms.add(Call.formOf(tensor));
        case TensorForm form -> forms.add(form);
        default -> {}
      }
    }
    return forms;
  }

  private static boolean runs(Object outcome) {
    return !(outcome instanceof Fault fault)
        || (fault.type() != FaultType.DTYPE && fault.type() != FaultType.UNSUPPORTED);
  }

  @Test
  void aDTypeIsTakenWhereTheKernelRuns() {
    List<String> wrong = new ArrayList<>();
    int tried = 0;
    for (Map.Entry<CatalogEntry, DTypeTrials> each : trials.entrySet()) {
      CatalogEntry operation = each.getKey();
      DTypeTrials trial = each.getValue();
      tried++;
      for (DType dtype : DType.values()) {
        Object outcome = outcome(operation, trial.with(dtype));
        boolean runs = runs(outcome);
        Object inferred = trial.infer(dtype);
        boolean known = !(inferred instanceof Inference.Unknown);
        if (runs != trial.takes(dtype) && (runs || known)) {
          wrong.add(trial + " of " + dtype + (runs ? " runs" : " does not run"));
        }
        boolean gives = known && !(outcome instanceof Fault) && !(inferred instanceof Fault);
        if (gives && !outcome.toString().equals(forms(inferred).toString())) {
          wrong.add(trial + " of " + dtype + " gives " + outcome + ", not " + inferred);
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertTrue(tried > 880, "only " + tried + " operations were tried");
    assertEquals(0, memory.account().bytes());
  }

  /** Operations with tensors of unknown dtypes: never raise this number. */
  private static final int UNKNOWN = 5;

  @Test
  void whatIsDeclaredIsWhatTheKernelTakes() throws IOException {
    Map<String, Recorded> calls = new HashMap<>();
    for (Recorded call : RecordedCalls.ofTensors()) {
      CatalogEntry operation = Objects.requireNonNull(catalog.find(call.operation()));
      if (!calls.containsKey(call.operation()) && trialOf(operation, call, null)) {
        calls.put(call.operation(), call);
      }
    }
    List<String> wrong = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (CatalogEntry operation : catalog.operations()) {
      DTypeTrials trial = trials.get(operation);
      Set<DType> declared = operation.definition().dtypes();
      if (trial != null && !declared.isEmpty() && !declared.equals(trial.taken())) {
        wrong.add(operation.name() + " takes " + trial.taken() + ", not " + declared);
      }
      boolean asked = operation.kernel() != null && trial == null;
      Set<DType> told = asked ? DTypeTrials.taken(operation) : null;
      if (asked && told == null && isOfDTypes(operation)) {
        unknown.add(operation.name());
      }
      Recorded call = calls.get(operation.name());
      if (told == null || call == null) {
        continue;
      }
      Set<DType> taken = EnumSet.noneOf(DType.class);
      for (DType dtype : DType.values()) {
        if (trialOf(operation, call, dtype)) {
          taken.add(dtype);
        }
      }
      if (!taken.equals(told)) {
        wrong.add(operation.name() + " takes " + taken + ", not " + told);
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertEquals(UNKNOWN, unknown.size(), unknown::toString);
  }

  private static boolean isOfDTypes(CatalogEntry operation) {
    return operation.definition().givesTensors()
        && operation.schema().parameters().stream()
            .anyMatch(
                each -> each.name().equals("dtype") || each.type().toString().startsWith("Tensor"));
  }

  /**
   * Whether a call runs if its leading tensors, those of the first one's dtype, have {@code dtype}.
   */
  private boolean trialOf(CatalogEntry operation, Recorded call, @Nullable DType dtype) {
    try (ResourceScope scope = ResourceScope.open(memory, "trial")) {
      Object[] arguments = call.arguments().apply(scope).toArray();
      DType leading = null;
      for (int i = 0; i < arguments.length && leading == null; i++) {
        leading = DTypeTrials.hasRole(operation.schema(), i) ? null : first(arguments[i]);
      }
      if (leading == null) {
        return false;
      }
      for (int i = 0; dtype != null && i < arguments.length; i++) {
        if (!DTypeTrials.hasRole(operation.schema(), i)) {
          arguments[i] = cast(scope, arguments[i], leading, dtype);
        }
      }
      Object outcome = operation.run(new Call(new RecordingEnvironment(scope), arguments));
      return dtype == null ? !(outcome instanceof Fault) : runs(outcome);
    } catch (StaunchException refused) {
      return dtype != null && runs(refused.fault());
    }
  }

  private static @Nullable DType first(Object value) {
    return switch (value) {
      case DenseTensor tensor -> tensor.dtype();
      case List<?> list when !list.isEmpty() -> first(list.getFirst());
      default -> null;
    };
  }

  private static Object cast(ResourceScope scope, Object value, DType from, DType to) {
    return switch (value) {
      case List<?> list -> {
        List<Object> cast = new ArrayList<>();
        list.forEach(each -> cast.add(cast(scope, each, from, to)));
        yield cast;
      }
      case DenseTensor tensor when tensor.dtype() == from ->
          real(scope, TensorForm.contiguous(to, tensor.shape()));
      default -> value;
    };
  }

  private Set<DType> taken(String name) {
    CatalogEntry operation = Objects.requireNonNull(catalog.find(name));
    return Objects.requireNonNull(DTypeTrials.taken(operation));
  }

  @Test
  void whatIsTakenIsTold() {
    assertEquals(EnumSet.allOf(DType.class), taken("aten::add.Tensor"));
    assertEquals(
        EnumSet.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64),
        taken("aten::layer_norm"));
    assertTrue(taken("aten::ones").contains(DType.BFLOAT16));
    assertEquals(EnumSet.allOf(DType.class), taken("aten::size"));
    assertNull(DTypeTrials.taken(Objects.requireNonNull(catalog.find("aten::add.int"))));
  }
}
