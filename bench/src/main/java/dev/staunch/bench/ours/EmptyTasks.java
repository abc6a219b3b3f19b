package dev.staunch.bench.ours;

import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineContext;
import dev.staunch.engine.EngineOptions;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import java.util.Map;

/** Tasks that do nothing and all write one variable: what the engine itself costs. */
final class EmptyTasks {
  private static final int TASKS = 100_000;

  private EmptyTasks() {}

  static Map<String, Double> measure(Effort effort, int workers) {
    return Map.of(
        "tasks" + workers, millions(effort, workers, true),
        "handedTasks" + workers, millions(effort, workers, false));
  }

  private static double millions(Effort effort, int workers, boolean small) {
    try (Engine engine = Engine.start(EngineOptions.threaded(workers))) {
      EngineContext context = engine.open("bench");
      Variable variable = new Variable("x");
      Uses uses = Uses.updating(variable);
      double nanos =
          effort.bestNanos(
              TASKS,
              () -> {
                for (int i = 0; i < TASKS; i++) {
                  context.push(new Empty(uses, small));
                }
                context.waitFor(variable);
              });
      context.close();
      return 1e3 / nanos;
    }
  }

  private static final class Empty extends Task {
    private final boolean small;

    Empty(Uses uses, boolean small) {
      super(uses);
      this.small = small;
    }

    @Override
    protected Object run() {
      return DONE;
    }

    @Override
    protected boolean isSmall() {
      return small;
    }
  }
}
