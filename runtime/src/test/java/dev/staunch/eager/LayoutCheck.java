package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls a kernel on operands in their own layouts, and on row-major copies of them, each in its own
 * storage; the values must be the same.
 */
final class LayoutCheck {
  /**
   * For sums and products, whose order follows the layout; relative to the larger of the two
   * values.
   */
  private static final double TOLERANCE = 1e-4;

  private static final double COARSE_TOLERANCE = 0.02;

  /**
   * Operations that depend on the layout, or see more of the storage than the tensor's elements.
   */
  private static final Set<String> TELL_LAYOUTS =
      Set.of(
          "aten::as_strided",
          "aten::as_strided_",
          "aten::resize_",
          "aten::resize_as_",
          "aten::upsample_nearest2d", // as libtorch's, see Upsampling.nearest
          "aten::upsample_nearest2d.vec",
          "aten::upsample_nearest3d",
          "aten::upsample_nearest3d.vec",
          "aten::masked_scatter_", // as libtorch, writes in the order of the memory
          "aten::is_contiguous",
          "aten::is_contiguous.memory_format",
          "aten::stride",
          "aten::stride.int",
          "aten::storage_offset",
          "aten::view",
          "aten::view.dtype",
          "aten::view_as",
          "aten::view_as_complex",
          "aten::data_ptr",
          "aten::is_set_to",
          "aten::empty.memory_format",
          "aten::empty_like",
          "aten::new_empty",
          "aten::embedding_bag",
          "aten::embedding_bag.padding_idx");

  /** A call with copies, and the tensors that it writes. */
  private record Apart(Object[] values, List<DenseTensor> originals, List<DenseTensor> copies) {}

  private final boolean on;

  LayoutCheck(boolean on) {
    this.on = on;
  }

  /** The kernel's result for operands in their own layouts. */
  Object call(
      OracleEnvironment environment, Signature signature, Step.Apply step, Object[] arguments) {
    Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(arguments[i]);
    }
    if (!on || TELL_LAYOUTS.contains(step.operation()) || !hasRoom(environment, values)) {
      return asItLies(environment, signature, step, values);
    }
    Generator.State state = environment.generator().state();
    try (ResourceScope scope = environment.scope().child("copies")) {
      Apart apart = new Apart(new Object[values.length], new ArrayList<>(), new ArrayList<>());
      boolean same = true;
      for (int i = 0; i < values.length; i++) {
        apart.values()[i] = copied(values[i], scope, signature.mutates(i) ? apart : null);
        same &= !signature.mutates(i) || !selfOverlaps(values[i]);
      }
      Object other =
          signature.door.call(
              new ScopedEnvironment(environment, scope), apart.values(), null, null);
      environment.generator().restore(state);
      Object outcome = asItLies(environment, signature, step, values);
      if (same) {
        compare(step, outcome, other);
        for (int i = 0; i < apart.copies().size() && !(outcome instanceof Fault); i++) {
          compare(step, apart.originals().get(i), apart.copies().get(i));
        }
      }
      return outcome;
    }
  }

  /**
   * No built-in operation breaks, whatever its arguments, and one that fails leaves nothing behind.
   */
  private static Object asItLies(
      OracleEnvironment environment, Signature signature, Step.Apply step, Object... values) {
    long before = environment.scope().account().bytes();
    Object outcome = signature.door.call(environment, values, null, null);
    if (outcome instanceof Fault fault) {
      long left = environment.scope().account().bytes() - before;
      if (left > 0 || fault.type() == FaultType.INTERNAL) {
        throw new AssertionError(step + " leaves " + left + " bytes and " + fault, fault.cause());
      }
    }
    return outcome;
  }

  static boolean isOutOfMemory(@Nullable Object outcome) {
    return outcome instanceof Fault fault && fault.type() == FaultType.OUT_OF_MEMORY;
  }

  /** Whether there is room for copies of all tensors, and for as much again for results. */
  private static boolean hasRoom(OracleEnvironment environment, Object... values) {
    OffHeap memory = environment.scope().memory();
    return 2 * bytes(List.of(values)) < memory.budgetBytes() - memory.account().bytes();
  }

  private static long bytes(Object value) {
    return switch (value) {
      case DenseTensor tensor -> tensor.elements() * tensor.dtype().bytes();
      case List<?> list -> list.stream().mapToLong(LayoutCheck::bytes).sum();
      default -> 0;
    };
  }

  private static Object value(Object argument) {
    if (argument instanceof Expected handle) {
      return handle.tensor;
    }
    if (argument instanceof List<?> list) {
      List<Object> values = new ArrayList<>();
      list.forEach(each -> values.add(value(each)));
      return values;
    }
    return argument;
  }

  private static boolean selfOverlaps(Object value) {
    return value instanceof DenseTensor tensor
        ? Layouts.overlapsItself(tensor)
        : value instanceof List<?> list && list.stream().anyMatch(LayoutCheck::selfOverlaps);
  }

  private static Object copied(Object value, ResourceScope scope, @Nullable Apart written) {
    if (value instanceof DenseTensor tensor) {
      DenseTensor copy = (DenseTensor) DenseTensor.allocate(scope, tensor.dtype(), tensor.shape());
      Snapshot.copy(tensor, copy.segment());
      if (written != null) {
        written.originals().add(tensor);
        written.copies().add(copy);
      }
      return copy;
    }
    if (value instanceof List<?> list) {
      List<Object> values = new ArrayList<>();
      list.forEach(each -> values.add(copied(each, scope, written)));
      return values;
    }
    return Programs.own(value);
  }

  private void compare(Step.Apply step, Object wanted, @Nullable Object found) {
    String wrong = difference(wanted, found);
    if (wrong != null) {
      throw new AssertionError(
          "the layout of operands changes what "
              + step.operation()
              + " gives: "
              + wrong
              + " in "
              + step);
    }
  }

  private static @Nullable String difference(Object one, @Nullable Object other) {
    if (isOutOfMemory(one) || isOutOfMemory(other)) {
      return null;
    }
    if (one instanceof DenseTensor a && other instanceof DenseTensor b) {
      return difference(Snapshot.of(a), Snapshot.of(b));
    }
    if (one instanceof Fault a && other instanceof Fault b) {
      return a.type() == b.type() ? null : a + " or " + b;
    }
    if (one instanceof Object[] a && other instanceof Object[] b) {
      return difference(List.of(a), List.of(b));
    }
    if (one instanceof List<?> a && other instanceof List<?> b) {
      String wrong = a.size() == b.size() ? null : a.size() + " or " + b.size() + " elements";
      for (int i = 0; i < a.size() && wrong == null; i++) {
        wrong = difference(a.get(i), b.get(i));
      }
      return wrong;
    }
    boolean faults = one instanceof Fault || other instanceof Fault;
    return !faults && (one.getClass() == other.getClass()) ? null : one + " or " + other;
  }

  private static @Nullable String difference(Snapshot a, Snapshot b) {
    if (a.dtype() != b.dtype() || !a.layout().shape().equals(b.layout().shape())) {
      return a.dtype() + " " + a.layout() + " or " + b.dtype() + " " + b.layout();
    }
    if (java.util.Arrays.equals(a.bytes(), b.bytes())) {
      return null;
    }
    if (!a.dtype().isFloating()) {
      return "other elements of " + a.dtype();
    }
    double most = a.dtype().bytes() == 2 ? COARSE_TOLERANCE : TOLERANCE;
    double distance = a.distance(b);
    return distance <= most ? null : "elements of " + a.dtype() + " that differ by " + distance;
  }
}
