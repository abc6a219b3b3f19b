package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.List;

/**
 * Several tasks pushed as one (E7): the engine's work is paid once, and each task keeps an outcome
 * of its own (F11). They run in order on one thread; a fault of one reaches those of the others
 * that read what it wrote, and nothing else.
 */
final class Segment extends Task {
  private final List<? extends Task> parts;
  private final boolean small;

  Segment(List<? extends Task> parts) {
    super(parts.stream().map(part -> part.uses).reduce(Uses.NONE, Uses::and));
    this.parts = parts;
    this.small = parts.stream().allMatch(Task::isSmall);
  }

  @Override
  protected boolean isSmall() {
    return small;
  }

  @Override
  protected String name() {
    return "segment of " + parts.size() + " tasks";
  }

  void bind(EngineContext context) {
    for (Task part : parts) {
      context.bind(part);
    }
  }

  @Override
  protected void deferred() {
    for (Task part : parts) {
      EngineContext home = java.util.Objects.requireNonNull(part.context);
      home.defer(part);
    }
  }

  @Override
  Object outcome() {
    return run();
  }

  @Override
  protected Object run() {
    for (Task part : parts) {
      if (part.start()) {
        EngineContext home = java.util.Objects.requireNonNull(part.context);
        home.settle(part, part.outcome());
      }
    }
    return DONE;
  }

  /** Reached only if the whole was given up before it started: then so is each part. */
  @Override
  protected void settle(Object outcome) {
    if (outcome instanceof Fault fault) {
      for (Task part : parts) {
        if (part.giveUp(fault)) {
          part.settle(fault);
        }
      }
    }
  }

  /** The parts have left what they wrote. */
  @Override
  void write(Object outcome) {}
}
