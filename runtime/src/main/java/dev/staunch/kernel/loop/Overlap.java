package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Kernel;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a write from changing what the same operation has yet to read. An operand that shares
 * memory with the written tensor is read from a copy, so the result is as if everything had been
 * read first. Operands elsewhere, which is nearly all of them, cost one comparison.
 */
public final class Overlap {
  private Overlap() {}

  /** Writes a tensor from operands; returns the fault if that failed, else null. */
  @FunctionalInterface
  interface Elementwise {
    @Nullable Fault run(Object... operands);
  }

  /**
   * The result of {@code write}, which writes the first argument of {@code call} while it reads the
   * others.
   */
  public static Object scattered(Call call, Kernel.One write) {
    DenseTensor self = call.tensor(0);
    boolean apart = true;
    for (int i = 1; apart && i < call.size(); i++) {
      apart = isApart(self, call.value(i));
    }
    if (apart) {
      return write.run(call);
    }
    Object[] arguments = call.arguments();
    try (Temporaries copies = new Temporaries()) {
      for (int i = 1; i < arguments.length; i++) {
        arguments[i] = apart(call, copies, self, arguments[i]);
        if (arguments[i] instanceof Fault fault) {
          return fault;
        }
      }
      return write.run(new Call(call.environment(), arguments));
    }
  }

  /**
   * The result of {@code write} for {@code operands}. It writes each element of {@code self} after
   * it has read the elements at the same index of all operands, so these may share its position.
   */
  static @Nullable Fault elementwise(
      Call call, DenseTensor self, Object[] operands, Elementwise write) {
    boolean safe = true;
    for (int i = 0; safe && i < operands.length; i++) {
      safe = isInStep(self, operands[i]);
    }
    if (safe) {
      return write.run(operands);
    }
    Object[] read = operands.clone();
    try (Temporaries copies = new Temporaries()) {
      for (int i = 0; i < read.length; i++) {
        read[i] = isInStep(self, read[i]) ? read[i] : copy(call, copies, read[i]);
        if (read[i] instanceof Fault fault) {
          return fault;
        }
      }
      return write.run(read);
    }
  }

  /**
   * {@code argument} with its tensors, itself or those in the list, replaced by copies; or a fault.
   */
  private static Object apart(Call call, Temporaries copies, DenseTensor self, Object argument) {
    if (isApart(self, argument)) {
      return argument;
    }
    if (!(argument instanceof List<?> list)) {
      return copy(call, copies, argument);
    }
    List<Object> elements = new ArrayList<>(list.size());
    for (Object element : list) {
      Object read = apart(call, copies, self, element);
      if (read instanceof Fault) {
        return read;
      }
      elements.add(read);
    }
    return elements;
  }

  private static Object copy(Call call, Temporaries copies, Object operand) {
    DenseTensor tensor = (DenseTensor) operand;
    return copies.note(Copying.toContiguous(call, tensor, tensor.dtype()));
  }

  /**
   * Whether each element of {@code operand} either is outside {@code self} or coincides with the
   * element of {@code self} at the same index.
   */
  private static boolean isInStep(DenseTensor self, Object operand) {
    return isApart(self, operand)
        || (operand instanceof DenseTensor other
            && other.dtype() == self.dtype()
            && other.layout().equals(self.layout()));
  }

  /** Whether {@code operand} certainly shares no memory with {@code self}. */
  private static boolean isApart(DenseTensor self, Object operand) {
    if (operand instanceof List<?> list) {
      return list.stream().allMatch(element -> isApart(self, element));
    }
    return !(operand instanceof DenseTensor other)
        || other.storage() != self.storage()
        || other.elements() == 0
        || self.elements() == 0
        || end(self) <= start(other)
        || end(other) <= start(self);
  }

  private static long start(DenseTensor tensor) {
    return tensor.layout().offset() * tensor.dtype().bytes();
  }

  private static long end(DenseTensor tensor) {
    return tensor.layout().extent() * tensor.dtype().bytes();
  }
}
