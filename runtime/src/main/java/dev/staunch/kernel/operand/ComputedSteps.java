package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Inference;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** Steps that run. Once a step has seen a cancellation, all later steps return its fault. */
final class ComputedSteps extends Steps {
  private final Call outer;
  private final Inner environment;

  /** Steps of {@code outer} that make tensors in {@code scope}. */
  ComputedSteps(Call outer, ResourceScope scope) {
    this.outer = outer;
    this.environment = new Inner(outer.environment(), scope);
  }

  /** A call whose tensors belong to the scope of the steps. */
  Call call(Object[] arguments) {
    return new Call(environment, arguments);
  }

  @Override
  @Nullable Object ended() {
    return environment.seen;
  }

  @Override
  public Object once(Object operand, Object format, Making making) {
    DerivedConstants constants = operand instanceof DenseTensor ? DerivedConstants.of(outer) : null;
    DenseTensor known =
        constants == null ? null : constants.derived(outer, (DenseTensor) operand, format, making);
    return known == null ? making.of(this, operand) : known;
  }

  @Override
  @Nullable Preparation kept() {
    DerivedConstants constants = DerivedConstants.of(outer);
    return constants == null ? null : constants.kept();
  }

  @Override
  @Nullable CatalogEntry find(String name) {
    return environment.catalog().find(name);
  }

  @Override
  Object run(CatalogEntry operation, Object[] arguments, @Nullable Preparation kept) {
    Call part =
        kept == null ? call(arguments) : Call.of(environment, arguments, new Preparation[] {kept});
    return environment.runNested(operation, part);
  }

  @Override
  Object result(Kernel.One kernel, Inference inference, Object[] arguments) {
    return kernel.run(call(arguments));
  }

  /** Remembers a cancellation that it has seen. */
  private static final class Inner extends ScopedEnvironment {
    private @Nullable Fault seen;

    Inner(Environment outer, ResourceScope scope) {
      super(outer, scope);
    }

    @Override
    public @Nullable Fault cancelled() {
      seen = seen == null ? super.cancelled() : seen;
      return seen;
    }
  }
}
