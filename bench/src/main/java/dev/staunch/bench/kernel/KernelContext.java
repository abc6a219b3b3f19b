package dev.staunch.bench.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The context of a kernel that is timed alone: nobody cancels it, and scratch memory is in the
 * scope.
 */
public record KernelContext(ResourceScope scope) implements ExecutionContext {
  @Override
  public @Nullable Fault cancelled() {
    return null;
  }

  /** A constant weight, which is packed into the same scope. */
  public Constant constant(DenseTensor tensor) {
    return new Weight(tensor, scope, new ConcurrentHashMap<>());
  }

  private record Weight(DenseTensor tensor, ResourceScope scope, Map<Object, DenseTensor> forms)
      implements Constant {
    @Override
    public boolean isCurrent() {
      return true;
    }

    @Override
    public @Nullable DenseTensor packed(Object format, Packing packing) {
      return forms.computeIfAbsent(
          format, key -> packing.pack(tensor, scope) instanceof DenseTensor made ? made : null);
    }
  }
}
