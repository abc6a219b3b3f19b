package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls operations with one set of kernels, as a step of a plan would, on one thread.
 *
 * @param backwards whether the pieces of parallel work run from last to first
 */
record KernelBench(ResourceScope scope, Catalog catalog, boolean backwards) implements Environment {
  /** What a step keeps if {@code constants} are the same at every call. */
  static Preparation preparation(ResourceScope scope, Set<DenseTensor> constants) {
    Map<DenseTensor, Constant> known = new IdentityHashMap<>();
    Run run = new Run(scope);
    constants.forEach(tensor -> known.put(tensor, run.constant(tensor)));
    return new Preparation(known::get);
  }

  /** The results of an operation, each a tensor or a fault. */
  List<Object> run(
      String name, List<Object> arguments, @Nullable Preparation kept, Call.Order order) {
    CatalogEntry entry = Objects.requireNonNull(catalog.find(name), name);
    if (entry.schema().parameters().size() != arguments.size()) {
      throw new IllegalArgumentException(entry.schema() + " has other parameters");
    }
    Object[] values = arguments.toArray();
    Call call =
        kept == null ? new Call(this, values) : Call.of(this, values, new Preparation[] {kept});
    call.orderResult(order);
    Object outcome = Objects.requireNonNull(entry.run(call), name);
    List<Object> results = new ArrayList<>();
    for (Object each : outcome instanceof Object[] several ? several : new Object[] {outcome}) {
      results.add(each);
    }
    return results;
  }

  @Override
  public @Nullable Fault parallel(long range, long grain, Piece work) {
    long pieces = Math.ceilDiv(range, grain);
    Fault first = null;
    for (long i = 0; i < pieces; i++) {
      long piece = backwards ? pieces - 1 - i : i;
      Fault met = work.run(piece * grain, Math.min(range, (piece + 1) * grain));
      first = met == null ? first : met;
    }
    return first;
  }

  @Override
  public boolean gradEnabled() {
    return false;
  }

  @Override
  public void setGradEnabled(boolean enabled) {}

  @Override
  public Generator generator() {
    return Generator.ofSeed(0);
  }

  @Override
  public @Nullable Fault cancelled() {
    return null;
  }

  @Override
  public void cancel(String reason) {}

  @Override
  public Object defer(Supplier<Object> work) {
    return work.get();
  }

  @Override
  public void print(String line) {}
}
