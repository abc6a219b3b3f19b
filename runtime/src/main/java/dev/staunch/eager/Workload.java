package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call of an operation is small from its arguments, before it runs: by the
 * elements that it reads and by the {@link Cost} that its entry gives (E5). An estimate that is too
 * high costs a hand-over. It must not be too low, because an operation on the calling thread
 * ignores interrupts. With a pending operand no call is small: the operand may arrive before the
 * call's turn.
 */
final class Workload {
  /** About this many multiply-adds cost as much as one element of other work. */
  private static final long WORK_OF_ELEMENT = 64;

  private static final long PENDING = -1;
  private static final long FAILED = -2;

  private final OperationDefinition definition;
  private final boolean alwaysViews;

  /** Whether numbers among the arguments may determine the size of the result. */
  private final boolean sized;

  private Workload(OperationDefinition definition, boolean alwaysViews) {
    this.definition = definition;
    this.alwaysViews = alwaysViews;
    List<Schema.Parameter> parameters = definition.schema().parameters();
    this.sized =
        parameters.stream().anyMatch(parameter -> mayBeSize(parameter.type()))
            || parameters.stream().noneMatch(parameter -> isTensor(parameter.type()));
  }

  static Workload of(OperationDefinition definition, boolean alwaysViews) {
    return new Workload(definition, alwaysViews);
  }

  private static boolean mayBeSize(Type type) {
    return switch (type) {
      case Type.Optional optional -> mayBeSize(optional.element());
      case Type.ListOf list -> !isTensor(list.element());
      default -> type == Type.Plain.INT || type == Type.Plain.ANY || type instanceof Type.Variable;
    };
  }

  private static boolean isTensor(Type type) {
    return switch (type) {
      case Type.Optional optional -> isTensor(optional.element());
      case Type.ListOf list -> isTensor(list.element());
      default -> type == Type.Plain.TENSOR;
    };
  }

  /** Whether a call with {@code arguments} processes fewer than {@code large} elements. */
  boolean isSmall(Object[] arguments, long large) {
    if (alwaysViews) {
      return large > 1;
    }
    long read = 0;
    long product = 1;
    boolean failed = false;
    for (Object argument : arguments) {
      long elements = elements(argument);
      if (elements == FAILED) {
        failed = true;
        continue;
      }
      read += elements;
      if (elements == PENDING || read < 0 || read >= large) {
        return false;
      }
      if (elements > 1) {
        product = times(product, argument instanceof List<?> list ? combinations(list) : elements);
      }
    }
    return failed || (!sized && product < large) || isSmallFor(arguments, product, large);
  }

  private boolean isSmallFor(Object[] arguments, long product, long large) {
    Inference inference = definition.inference();
    if (inference == null) {
      return times(product, asked(arguments)) < large;
    }
    try {
      Operands operands = Operands.of(forms(arguments));
      Object results = inference.infer(operands);
      return switch (results) {
        case Inference.Unknown unknown -> unknown != Inference.Unknown.UNBOUNDED;
        case Fault fault -> true;
        default -> isSmall(definition.cost(operands, results), large);
      };
    } catch (StaunchException refused) {
      return true; // the kernel refuses it too
    }
  }

  private static boolean isSmall(Cost cost, long large) {
    return cost.elements() < large && cost.multiplyAdds() / WORK_OF_ELEMENT < large;
  }

  /** The number of elements of a tensor, or of a list of them; or why that is not known. */
  private static long elements(Object argument) {
    if (argument instanceof Handle tensor) {
      return switch (tensor.content()) {
        case null -> PENDING;
        case DenseTensor dense -> extent(dense.shape());
        default -> FAILED;
      };
    }
    long sum = 0;
    if (argument instanceof List<?> list) {
      for (Object element : list) {
        long elements = elements(element);
        if (elements < 0) {
          return elements;
        }
        sum += elements;
      }
    }
    return sum;
  }

  /** The product of the element counts: each element of one tensor with each of the others. */
  private static long combinations(List<?> list) {
    return list.stream().mapToLong(each -> Math.max(1, elements(each))).reduce(1, Workload::times);
  }

  /**
   * A shape that is empty along one dimension may still yield a result for each index of the
   * others.
   */
  private static long extent(Shape shape) {
    long all = shape.elements();
    if (all == 0) {
      all = 1;
      for (int i = 0; i < shape.rank(); i++) {
        all = times(all, Math.max(1, shape.size(i)));
      }
    }
    return all;
  }

  private static Object[] forms(Object[] arguments) {
    Object[] forms = new Object[arguments.length];
    for (int i = 0; i < forms.length; i++) {
      forms[i] = form(arguments[i]);
    }
    return forms;
  }

  private static Object form(Object argument) {
    return switch (argument) {
      case Handle tensor when tensor.content() instanceof DenseTensor dense ->
          new TensorForm(dense.dtype(), dense.shape(), dense.layout(), dense.name());
      case List<?> list when list.stream().anyMatch(Handle.class::isInstance) -> {
        List<Object> forms = new ArrayList<>(list.size());
        list.forEach(element -> forms.add(form(element)));
        yield forms;
      }
      default -> argument;
    };
  }

  /** The product of the sizes among the arguments of an operation without an inference. */
  private static long asked(Object[] arguments) {
    long all = 1;
    for (Object argument : arguments) {
      all = times(all, size(argument));
    }
    return all;
  }

  private static long size(@Nullable Object argument) {
    if (argument instanceof List<?> list) {
      return list.stream().mapToLong(Workload::size).reduce(1, Workload::times);
    }
    return argument instanceof Long number ? Math.max(1, number) : 1;
  }

  /** The product of two non-negative numbers, capped at the largest long. */
  private static long times(long one, long other) {
    long low = one * other;
    return Math.multiplyHigh(one, other) != 0 || low < 0 ? Long.MAX_VALUE : low;
  }
}
