package dev.staunch.inference;

import dev.staunch.execute.StateGuard;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Reachable;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records what a run writes to the current state of a model. */
final class WatchedState implements StateGuard {
  private final Set<Object> state;
  private final List<Object> written = new ArrayList<>();

  WatchedState(Model model) {
    this.state = Reachable.of(model.module().root()).state();
  }

  @Override
  public @Nullable Fault beforeWrite(Object target) {
    if (state.contains(target instanceof DenseTensor tensor ? tensor.storage() : target)) {
      written.add(target);
    }
    return null;
  }

  List<Object> written() {
    return written;
  }
}
