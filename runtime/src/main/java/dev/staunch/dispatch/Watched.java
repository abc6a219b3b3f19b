package dev.staunch.dispatch;

import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.ScopedEnvironment;
import org.jspecify.annotations.Nullable;

/** Shows an interceptor the operations that the running operation is composed of. */
final class Watched extends ScopedEnvironment {
  private final Interceptor interceptor;
  private final @Nullable SourceLocation source;

  Watched(Environment outer, Interceptor interceptor, @Nullable SourceLocation source) {
    super(outer, outer.scope());
    this.interceptor = interceptor;
    this.source = source;
  }

  @Override
  public Object runNested(CatalogEntry operation, Call call) {
    Object[] arguments = call.arguments();
    Object answer = interceptor.before(operation.name(), arguments, source);
    Object outcome = answer == null ? super.runNested(operation, call) : answer;
    interceptor.after(operation.name(), arguments, outcome, source);
    return outcome;
  }
}
