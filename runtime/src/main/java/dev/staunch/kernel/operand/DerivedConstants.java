package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Other forms of the constants of a step, such as float32 copies of narrow ones, and what the
 * operation on these forms keeps. Each form is made once for the model, and to the operation it is
 * a constant as well, like those that are passed on as they are. Belongs to the step's {@link
 * Preparation}.
 */
final class DerivedConstants {
  /** A kernel that keeps what it prepares for itself may use the same slot. */
  private static final int SLOT = 0;

  private final Map<DenseTensor, Constant> known = new ConcurrentHashMap<>();
  private final Preparation kept = new Preparation(this::current);

  private final Preparation outer;

  private DerivedConstants(Preparation outer) {
    this.outer = outer;
  }

  /** Those of the call's step; null if nothing is kept for it. */
  static @Nullable DerivedConstants of(Call call) {
    Preparation outer = call.preparation();
    if (outer == null) {
      return null;
    }
    for (Object each : outer.at(SLOT)) {
      if (each instanceof DerivedConstants before) {
        return before;
      }
    }
    DerivedConstants fresh = new DerivedConstants(outer);
    outer.keep(SLOT, fresh);
    return fresh;
  }

  /** What the operation on the other forms keeps between calls. */
  Preparation kept() {
    return kept;
  }

  /**
   * What {@code making} makes of a tensor that is a constant of {@code call}'s step, if there is
   * memory for it; else null.
   */
  @Nullable DenseTensor derived(Call call, DenseTensor tensor, Object format, Steps.Making making) {
    Preparation outer = call.preparation();
    Constant constant = outer == null ? null : outer.constant(tensor);
    if (constant == null) {
      return null;
    }
    DenseTensor made = constant.packed(format, (same, scope) -> made(call, same, scope, making));
    if (made != null) {
      known.putIfAbsent(made, new Derived(constant, made));
    }
    return made;
  }

  /** The constant that {@code tensor} is: one of the other forms, or one of the step itself. */
  private @Nullable Constant current(DenseTensor tensor) {
    Constant constant = known.get(tensor);
    if (constant == null) {
      return outer.constant(tensor);
    }
    return constant.isCurrent() ? constant : null;
  }

  /** The other form in {@code scope}, or a fault. */
  private static Object made(
      Call call, DenseTensor tensor, ResourceScope scope, Steps.Making making) {
    long bytes = tensor.elements() * Math.max(Float.BYTES, tensor.dtype().bytes());
    long free = scope.memory().budgetBytes() - scope.memory().account().bytes();
    if (bytes > free / 2) {
      return Fault.of(FaultType.OUT_OF_MEMORY, "no memory is left for another form of a constant");
    }
    Call inside = call.withEnvironment(new ScopedEnvironment(call.environment(), scope));
    return Steps.within(inside, (steps, own) -> making.of(steps, tensor));
  }

  /** The key of the packed form of another form, distinct from that of the constant itself. */
  private record OfDerived(Object derived, Object format) {}

  private record Derived(Constant from, DenseTensor tensor) implements Constant {
    @Override
    public boolean isCurrent() {
      return from.isCurrent();
    }

    @Override
    public @Nullable DenseTensor packed(Object format, Packing packing) {
      return from.packed(
          new OfDerived(tensor, format), (ignored, scope) -> packing.pack(tensor, scope));
    }
  }
}
