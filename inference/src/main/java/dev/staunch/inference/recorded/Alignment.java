package dev.staunch.inference.recorded;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches recorded steps with the steps of a trace. A recorded step matches the n-th step with the
 * same operation, ignoring overloads, on the same line of the model's source. If the trace has
 * nothing on that line, because edited code has different line numbers, it matches the next step
 * with the same operation.
 */
final class Alignment {
  private final Map<String, Deque<Trace.Step>> byPlace = new HashMap<>();
  private final Map<String, Deque<Trace.Step>> byName = new HashMap<>();
  private int passed = -1;

  Alignment(List<Trace.Step> steps) {
    for (Trace.Step step : steps) {
      String name = name(step.operation());
      byPlace.computeIfAbsent(key(name, step.place()), key -> new ArrayDeque<>()).add(step);
      byName.computeIfAbsent(name, key -> new ArrayDeque<>()).add(step);
    }
  }

  private static String name(String operation) {
    int dot = operation.indexOf('.');
    return dot < 0 ? operation : operation.substring(0, dot);
  }

  private static String key(String name, String place) {
    return name + "@" + place;
  }

  /** The next unmatched step for {@code operation} at {@code place}, or null. */
  Trace.@Nullable Step next(String operation, String place) {
    String name = name(operation);
    Deque<Trace.Step> exact = byPlace.get(key(name, place));
    Trace.Step found = exact == null ? later(byName.get(name)) : exact.poll();
    passed = found == null ? passed : Math.max(passed, found.number());
    return found;
  }

  /** The first of {@code steps} after all that were matched. */
  private Trace.@Nullable Step later(@Nullable Deque<Trace.Step> steps) {
    while (steps != null && !steps.isEmpty() && steps.peek().number() <= passed) {
      steps.remove();
    }
    return steps == null ? null : steps.poll();
  }
}
