package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The float32 copies of a step's narrow constants, and what the operation on these copies keeps.
 * Each copy is made once for the model, and to the operation it is a constant as well. Belongs to
 * the step's {@link Preparation}.
 */
final class WideConstants {
  /** A kernel that keeps what it prepares for float32 may use the same slot. */
  private static final int SLOT = 0;

  private final Map<DenseTensor, Constant> known = new ConcurrentHashMap<>();
  private final Preparation kept = new Preparation(this::current);

  private WideConstants() {}

  /** The copies for the call's step; null if nothing is kept for it. */
  static @Nullable WideConstants of(Call call) {
    Preparation outer = call.preparation();
    if (outer == null) {
      return null;
    }
    for (Object each : outer.at(SLOT)) {
      if (each instanceof WideConstants before) {
        return before;
      }
    }
    WideConstants fresh = new WideConstants();
    outer.keep(SLOT, fresh);
    return fresh;
  }

  /** What the operation on float32 keeps between calls. */
  Preparation kept() {
    return kept;
  }

  /** The copy of a tensor that is a constant, if there is memory for it; else null. */
  @Nullable DenseTensor wide(Call call, DenseTensor narrow) {
    Preparation outer = call.preparation();
    Constant constant = outer == null ? null : outer.constant(narrow);
    if (constant == null) {
      return null;
    }
    DenseTensor wide =
        constant.packed(Format.FLOAT32, (tensor, scope) -> widened(call, tensor, scope));
    if (wide != null) {
      known.putIfAbsent(wide, new Wide(constant, wide));
    }
    return wide;
  }

  private @Nullable Constant current(DenseTensor tensor) {
    Constant constant = known.get(tensor);
    return constant == null || !constant.isCurrent() ? null : constant;
  }

  /** A copy in {@code scope} with the layout of {@code tensor}, or a fault. */
  private static Object widened(Call call, DenseTensor tensor, ResourceScope scope) {
    long bytes = tensor.elements() * Float.BYTES;
    long free = scope.memory().budgetBytes() - scope.memory().account().bytes();
    if (bytes > free / 2) {
      return Fault.of(
          FaultType.OUT_OF_MEMORY, "no memory is left for the float32 copy of a constant");
    }
    Call inside = call.withEnvironment(new ScopedEnvironment(call.environment(), scope));
    return Steps.within(inside, (steps, own) -> steps.cast(tensor, DType.FLOAT32));
  }

  private enum Format {
    FLOAT32
  }

  /** The key of the packed form of a copy, distinct from that of the narrow tensor itself. */
  private record OfWide(Object format) {}

  private record Wide(Constant narrow, DenseTensor tensor) implements Constant {
    @Override
    public boolean isCurrent() {
      return narrow.isCurrent();
    }

    @Override
    public @Nullable DenseTensor packed(Object format, Packing packing) {
      return narrow.packed(new OfWide(format), (ignored, scope) -> packing.pack(tensor, scope));
    }
  }
}
