package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Inference;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is said of the dtypes that an operation takes is what its kernel does. */
class DTypeTrialsTest {
  private final Catalog catalog = StandardOperations.catalog();
  private final OffHeap memory = OffHeap.withBudget(1 << 20);

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
    for (CatalogEntry operation : catalog.operations()) {
      DTypeTrials trials = DTypeTrials.of(operation);
      if (trials == null) {
        continue;
      }
      tried++;
      for (DType dtype : DType.values()) {
        Object outcome = outcome(operation, trials.with(dtype));
        boolean runs = runs(outcome);
        Object inferred = trials.infer(dtype);
        boolean known = !(inferred instanceof Inference.Unknown);
        if (runs != trials.takes(dtype) && (runs || known)) {
          wrong.add(trials + " of " + dtype + (runs ? " runs" : " does not run"));
        }
        boolean gives = known && !(outcome instanceof Fault) && !(inferred instanceof Fault);
        if (gives && !outcome.toString().equals(forms(inferred).toString())) {
          wrong.add(trials + " of " + dtype + " gives " + outcome + ", not " + inferred);
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertTrue(tried > 880, "only " + tried + " operations were tried");
    assertEquals(0, memory.account().bytes());
  }

  private Set<DType> taken(String name) {
    CatalogEntry operation = Objects.requireNonNull(catalog.find(name));
    return Objects.requireNonNull(DTypeTrials.of(operation)).taken();
  }

  @Test
  void whatIsTakenIsTold() {
    assertEquals(EnumSet.allOf(DType.class), taken("aten::add.Tensor"));
    assertEquals(
        EnumSet.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64),
        taken("aten::layer_norm"));
    assertNull(DTypeTrials.of(Objects.requireNonNull(catalog.find("aten::ones"))));
  }
}
