package dev.staunch.execute;

import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.kernel.Catalog;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the functions of a program do with the tensors that pass through them: which parameters they
 * only borrow, and which results are the caller's to release. Found by assuming the best and taking
 * back what does not hold, until nothing changes; so recursion is no obstacle.
 */
final class Ownership {
  /** One function's answer. */
  private record Summary(boolean[] borrows, boolean[] gives) {}

  private final Map<String, Summary> summaries = new HashMap<>();

  private Ownership() {}

  static Ownership of(Program program, Catalog catalog) {
    Ownership ownership = new Ownership();
    for (Function function : program.functions()) {
      ownership.summaries.put(
          function.name(),
          new Summary(all(function.parameters().size()), all(function.body().results().size())));
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Function function : program.functions()) {
        changed |= ownership.take(function, Liveness.of(function, catalog, ownership));
      }
    }
    return ownership;
  }

  private static boolean[] all(int count) {
    boolean[] flags = new boolean[count];
    Arrays.fill(flags, true);
    return flags;
  }

  private boolean take(Function function, Liveness found) {
    Summary known = summaries.get(function.name());
    if (known == null) {
      return false;
    }
    boolean changed = false;
    for (int i = 0; i < known.borrows.length; i++) {
      if (known.borrows[i] && !found.borrowed(function.parameters().get(i))) {
        known.borrows[i] = false;
        changed = true;
      }
    }
    for (int i = 0; i < known.gives.length; i++) {
      if (known.gives[i] && !found.gives(function.body(), i)) {
        known.gives[i] = false;
        changed = true;
      }
    }
    return changed;
  }

  /** Whether calling {@code function} only borrows its argument {@code i}. */
  boolean borrows(String function, int i) {
    Summary summary = summaries.get(function);
    return summary != null && i < summary.borrows.length && summary.borrows[i];
  }

  /** Whether whoever calls {@code function} may release its result {@code i}. */
  boolean gives(String function, int i) {
    Summary summary = summaries.get(function);
    return summary != null && i < summary.gives.length && summary.gives[i];
  }

  /** The functions that a call of {@code method} may reach. */
  List<String> methods(@Nullable Object method) {
    String end = "." + method;
    return summaries.keySet().stream().filter(name -> name.endsWith(end)).toList();
  }
}
