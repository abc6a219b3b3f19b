package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
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
    this.small = parts.stream().allMatch(Hooks::isSmall);
    withPriority(parts.stream().mapToInt(Task::priority).max().orElse(0));
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
      EngineContext home = Objects.requireNonNull(part.context);
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
      Uses own = Hooks.usesInTurn(part);
      if (!part.isOver() && !own.readsAnyOf(lost) && !part.isDoomed()) {
        return false;
      }
      own.addWritten(lost);
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
  @Nullable Fault leftIn(Variable variable, @Nullable Fault held) {
    Fault left = held;
    for (Task part : parts) {
      left = part.leftIn(variable, left);
    }
    return left;
  }

  @Override
  protected Object run() {
    for (Task part : parts) {
      EngineContext home = Objects.requireNonNull(part.context);
      if (part.start()) {
        home.settle(part, part.attempt());
      } else {
        writeGivenUp(part);
      }
    }
    return DONE;
  }

  /** Leaves the fault of a part in what it writes, unless this has no turn with that any more. */
  private synchronized void writeGivenUp(Task part) {
    for (Variable variable : part.uses.variables) {
      Access place = accessOf(variable);
      if (part.uses.writes(variable) && (place == null || !place.released)) {
        variable.written(part.leftIn(variable, variable.fault()));
      }
    }
  }

  /** What has started leaves all it has to itself. */
  @Override
  boolean isDoneWith(Variable variable) {
    if (hasStarted()) {
      return false;
    }
    for (Task part : parts) {
      if (part.uses.has(variable) && !part.isGivenUp()) {
        return false;
      }
    }
    return true;
  }

  /**
   * One at a time with {@link #writeGivenUp}: what others have written since has to stay. Each part
   * that was to write counts as a write, as if it were alone.
   */
  @Override
  synchronized boolean letGo(Access place) {
    boolean mine = super.letGo(place);
    if (mine && place.writes) {
      long writers = parts.stream().filter(part -> part.uses.writes(place.variable)).count();
      for (long more = 1; more < writers; more++) {
        place.variable.written(place.variable.fault());
      }
    }
    return mine;
  }

  @Override
  boolean isCancellable() {
    return parts.stream().anyMatch(Task::isCancellable);
  }

  /**
   * Settles the parts that were cancelled, and ends the turns that only they needed (C3); a fault
   * if those were all.
   */
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
    if (last != null) {
      Scheduler.home(this).giveBack(this);
    }
    return all ? last : null;
  }

  /** The fault of an input that is there outranks {@code why} (C2). */
  private void giveUp(Task part, Fault why) {
    Fault own = arrivedFor(part);
    if (part.giveUp(own == null ? why : own)) {
      EngineContext home = Objects.requireNonNull(part.context);
      Fault known = home.arisen(part, Objects.requireNonNull(part.givenUp()));
      part.givenUp(known);
      part.skipped(known);
      home.settleGivenUp(part, known);
    }
  }

  private @Nullable Fault arrivedFor(Task part) {
    Fault fault = null;
    Uses own = Hooks.usesInTurn(part);
    for (Variable variable : own.variables) {
      Fault held = own.reads(variable) ? arrivedFor(part, variable) : null;
      if (held != null) {
        fault = fault == null ? held : fault.merge(held);
      }
    }
    return fault;
  }

  /** What the last part before {@code reader} that writes {@code variable} left, or was there. */
  private @Nullable Fault arrivedFor(Task reader, Variable variable) {
    Task writer = null;
    for (Task part : parts) {
      if (part.is(reader)) {
        break;
      }
      writer = part.uses.writes(variable) ? part : writer;
    }
    if (writer == null || (writer.isSettled() && !writer.isGivenUp())) {
      return arrivedIn(variable);
    }
    return writer.givenUp();
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
