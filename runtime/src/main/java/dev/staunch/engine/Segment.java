package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Several tasks pushed as one (E7): the engine's work is paid once, and each task keeps an outcome
 * of its own (F11). They run in order on one thread; a fault of one reaches those of the others
 * that read what it wrote, and nothing else.
 */
final class Segment extends Task {
  private final List<? extends Task> parts;
  private final boolean small;

  Segment(List<? extends Task> parts) {
    super(Uses.ofAll(parts));
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

  /** Whether no part will run: each is held up itself, or reads what one before will not write. */
  @Override
  boolean isDoomed() {
    Set<Variable> lost = new HashSet<>();
    for (Task part : parts) {
      if (!part.isOver() && !part.uses.readsAnyOf(lost) && !part.isDoomed()) {
        return false;
      }
      part.uses.addWritten(lost);
    }
    return true;
  }

  @Override
  boolean hasFailed() {
    return parts.stream().anyMatch(Task::hasFailed);
  }

  @Override
  void sweepSiblings() {
    parts.forEach(Task::sweepSiblings);
  }

  @Override
  void enlist(EngineContext home) {
    parts.forEach(part -> part.enlist(home));
  }

  /** Each part has faults of its own. */
  @Override
  @Nullable Fault arrived() {
    return null;
  }

  @Override
  @Nullable Fault leftIn(Variable variable) {
    Fault left = givenUp();
    for (Task part : parts) {
      Fault own = part.uses.writes(variable) ? part.givenUp() : null;
      left = own == null ? left : own;
    }
    return left;
  }

  @Override
  protected Object run() {
    for (Task part : parts) {
      EngineContext home = java.util.Objects.requireNonNull(part.context);
      if (part.start()) {
        home.settle(part, part.attempt());
      } else {
        part.write(java.util.Objects.requireNonNull(part.givenUp()));
      }
    }
    return DONE;
  }

  @Override
  boolean isCancellable() {
    return parts.stream().anyMatch(Task::isCancellable);
  }

  /** Settles the parts that were cancelled (C3); a fault if those were all. */
  @Override
  @Nullable Fault cancelled() {
    Fault last = null;
    boolean all = true;
    for (Task part : parts) {
      Fault fault = part.cancelled();
      if (fault != null) {
        giveUp(part, fault);
        last = fault;
      }
      all &= fault != null;
    }
    return all ? last : null;
  }

  private static void giveUp(Task part, Fault why) {
    if (part.giveUp(why)) {
      EngineContext home = java.util.Objects.requireNonNull(part.context);
      Fault known = home.arisen(part, why);
      part.givenUp(known);
      part.skipped(known);
      home.settleGivenUp(part, known);
    }
  }

  /** Reached only if the whole was given up before it started: then so is each part. */
  @Override
  protected void settle(Object outcome) {
    if (outcome instanceof Fault fault) {
      parts.forEach(part -> giveUp(part, fault));
    }
  }

  /** The parts count as skipped, each for itself. */
  @Override
  protected boolean isObserver() {
    return true;
  }

  /** The parts have left what they wrote. */
  @Override
  void write(Object outcome) {}
}
