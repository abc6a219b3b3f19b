package dev.staunch.eager;

import dev.staunch.engine.EngineOptions;
import dev.staunch.memory.OffHeap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A random program with the expected result of each of its steps.
 *
 * @param abrupt whether its context is closed while it is still at work
 */
record Program(long seed, long largeElements, boolean abrupt, List<Line> lines) {
  /** A step, its expected result, and the lines of a block. */
  record Line(Step step, Object expected, List<Line> body) {}

  /** The same program with other steps. */
  Program of(List<Step> steps, OffHeap memory) {
    try (Oracle oracle = new Oracle(memory, new LayoutCheck(false))) {
      return new Program(seed, largeElements, abrupt, follow(oracle, steps));
    }
  }

  private static List<Line> follow(Oracle oracle, List<Step> steps) {
    List<Line> lines = new ArrayList<>();
    for (Step step : steps) {
      Line line = line(oracle, step);
      if (line != null) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static @Nullable Line line(Oracle oracle, Step step) {
    if (step instanceof Step.Block block) {
      oracle.begin(block);
      List<Line> body = follow(oracle, block.steps());
      oracle.end(block);
      return new Line(block, block, body);
    }
    Object expected = oracle.follow(step);
    return expected == null ? null : new Line(step, expected, List.of());
  }

  List<Step> steps() {
    return steps(lines);
  }

  static List<Step> steps(List<Line> lines) {
    List<Step> steps = new ArrayList<>();
    for (Line line : lines) {
      steps.add(
          line.step() instanceof Step.Block block ? block.with(steps(line.body())) : line.step());
    }
    return steps;
  }

  int size() {
    return size(lines);
  }

  private static int size(List<Line> lines) {
    return lines.stream().mapToInt(line -> 1 + size(line.body())).sum();
  }

  String text() {
    return "seed "
        + seed
        + ", large from "
        + largeElements
        + (abrupt ? ", closed abruptly" : "")
        + "\n"
        + Step.text(steps(), "");
  }

  static String name(EngineOptions engine) {
    return engine.mode() + " " + engine.workers() + " seed " + engine.seed();
  }
}
