package dev.staunch.execute;

import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.kernel.Catalog;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the functions of a program do with the tensors that pass through them: which parameters they
 * only borrow, and which results the caller may release. Assumes the best and revokes what does not
 * hold until nothing changes, so recursion is no obstacle. Callees come first: without recursion
 * each function is analyzed once.
 */
final class Ownership implements Liveness.Calls {
  /**
   * How often all functions may be analyzed again; what is still in doubt then counts as not
   * holding.
   */
  private static final int MAX_ROUNDS = 10;

  /** The summary of one function, or what all methods of one name have in common. */
  private record Summary(boolean[] borrows, boolean[] gives) {
    static Summary best(Function function) {
      int results = function.body().results().size();
      return new Summary(all(function.parameters().size()), all(results));
    }

    private static boolean[] all(int count) {
      boolean[] flags = new boolean[count];
      Arrays.fill(flags, true);
      return flags;
    }

    /** Revokes what {@code other} does not promise; returns whether that changed anything. */
    boolean take(Summary other) {
      boolean borrowed = take(borrows, other.borrows);
      return take(gives, other.gives) || borrowed;
    }

    private static boolean take(boolean[] known, boolean[] found) {
      boolean changed = false;
      for (int i = 0; i < known.length; i++) {
        boolean holds = known[i] && i < found.length && found[i];
        changed |= known[i] != holds;
        known[i] = holds;
      }
      return changed;
    }
  }

  private static final Summary NOTHING = new Summary(new boolean[0], new boolean[0]);

  private final Map<String, Summary> summaries = new HashMap<>();
  private final Program program;
  private final Catalog catalog;
  private final CallGraph graph;
  private final Set<String> doubtful = new HashSet<>();
  private int looks;

  private Ownership(Program program, Catalog catalog) {
    this.program = program;
    this.catalog = catalog;
    this.graph = new CallGraph(program);
  }

  static Ownership of(Program program, Catalog catalog) {
    Ownership ownership = new Ownership(program, catalog);
    for (Function function : program.functions()) {
      ownership.summaries.put(function.name(), Summary.best(function));
      String methods = CallGraph.methodsLike(function);
      if (methods != null) {
        ownership.summaries.putIfAbsent(methods, Summary.best(function));
      }
    }
    ownership.settle(ownership.graph.calleesFirst());
    return ownership;
  }

  private void settle(List<String> order) {
    doubtful.addAll(order);
    for (int round = 0; !doubtful.isEmpty(); round++) {
      for (String name : order) {
        if (doubtful.remove(name) && look(name)) {
          doubtful.addAll(graph.callersOf(name));
        }
      }
      if (round == MAX_ROUNDS) {
        order.forEach(name -> summaries.put(name, NOTHING));
        return;
      }
    }
  }

  /** Analyzes a function, or all methods of a name, again; returns whether anything was revoked. */
  private boolean look(String name) {
    Summary known = summaries.getOrDefault(name, NOTHING);
    Function function = program.find(name);
    if (function != null) {
      looks++;
      return known.take(found(function, Liveness.of(function, catalog, this)));
    }
    boolean changed = false;
    for (String method : graph.calleesOf(name)) {
      changed |= known.take(summaries.getOrDefault(method, NOTHING));
    }
    return changed;
  }

  private static Summary found(Function function, Liveness found) {
    boolean[] borrows = new boolean[function.parameters().size()];
    for (int i = 0; i < borrows.length; i++) {
      borrows[i] = found.borrowed(function.parameters().get(i));
    }
    boolean[] gives = new boolean[function.body().results().size()];
    for (int i = 0; i < gives.length; i++) {
      gives[i] = found.gives(function.body(), i);
    }
    return new Summary(borrows, gives);
  }

  /** How often functions were analyzed. */
  int looks() {
    return looks;
  }

  @Override
  public boolean borrows(String function, int i) {
    Summary summary = summaries.getOrDefault(function, NOTHING);
    return i < summary.borrows.length && summary.borrows[i];
  }

  @Override
  public boolean gives(String function, int i) {
    Summary summary = summaries.getOrDefault(function, NOTHING);
    return i < summary.gives.length && summary.gives[i];
  }
}
