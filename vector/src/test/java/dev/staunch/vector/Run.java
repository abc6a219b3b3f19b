package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A context that returns {@code fault} when a kernel checks for cancellation. */
record Run(ResourceScope scope, @Nullable Fault fault) implements ExecutionContext {
  Run(ResourceScope scope) {
    this(scope, null);
  }

  @Override
  public @Nullable Fault cancelled() {
    return fault;
  }

  @Override
  public Copy copy(Copy.Request request) {
    return StandardOperations.plainKernels().copy(request);
  }

  /** A constant in the same scope. */
  Constant constant(DenseTensor tensor) {
    return new Kept(tensor, scope, new HashMap<>());
  }

  private record Kept(DenseTensor tensor, ResourceScope scope, Map<Object, DenseTensor> forms)
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
