package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Task;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.memory.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function in dataflow discipline. A fault reaches the steps that use it, a step with
 * pending operands is deferred, and all other steps run. A deferred step runs on the thread that
 * supplies its last operand. Used once.
 */
final class DataflowFrame extends Frame {
  private final DataflowRun request;

  /** The caller's place, recorded once work was deferred here, because the caller goes on. */
  private @Nullable Place calledAt; // every thread that computes it gets the same

  /**
   * How much work was deferred in this frame, or in calls from it, and has not finished; guarded by
   * this.
   */
  private int unfinished;

  /** What that work may still use, although no step reads it any more; guarded by this. */
  private List<Resource> used = List.of();

  DataflowFrame(DataflowRun run, Code code) {
    super(run, code);
    this.request = run;
  }

  @Override
  @Nullable Fault run(Code.Body body) {
    for (Step step : body.steps()) {
      run(step);
    }
    return null;
  }

  private void run(Step step) {
    Object[] values = new Object[step.operands.length];
    boolean pending = false;
    int needed = step.action.needed(values.length);
    for (int i = 0; i < values.length; i++) {
      values[i] = arrived(registers[step.operands[i]]);
      registers[step.operands[i]] = values[i];
      pending |= i < needed && values[i] instanceof Pending;
    }
    if (pending) {
      putOff(step, values);
      return;
    }
    store(step, outcome(step, values));
    for (int register : step.lastUses) {
      release(registers[register]);
    }
  }

  /** The value that replaced {@code value}, if that was pending and has arrived. */
  private static Object arrived(Object value) {
    Object arrived = value instanceof Pending later ? later.peek() : value;
    return arrived == null ? value : arrived;
  }

  /** An input's fault outranks a cancellation (C2), which outranks running. */
  private Object outcome(Step step, Object[] values) {
    Fault fault = null;
    int needed = step.action.needed(values.length);
    for (int i = 0; i < needed; i++) {
      if (values[i] instanceof Fault found) {
        fault = fault == null ? found : fault.merge(found);
      }
    }
    if (fault != null) {
      fault.reach().skip();
      return fault;
    }
    return outcome(step, new Call(request.deferring(), values));
  }

  private void store(Step step, Object outcome) {
    for (int i = 0; i < step.results.length; i++) {
      registers[step.results[i]] = part(outcome, i, step.results.length);
    }
  }

  /** Result {@code i} of {@code count}: one fault stands for all. */
  private static Object part(Object outcome, int i, int count) {
    return count > 1 && outcome instanceof Object[] parts ? parts[i] : outcome;
  }

  /** Defers a step until its operands have arrived; its results are pending until then. */
  private void putOff(Step step, Object[] values) {
    begins();
    Pending[] promised = new Pending[step.results.length];
    for (int i = 0; i < promised.length; i++) {
      promised[i] = new Pending();
      registers[step.results[i]] = promised[i];
    }
    AtomicInteger missing = new AtomicInteger(1);
    Runnable arrival =
        () -> {
          if (missing.decrementAndGet() == 0) {
            settle(step, values, promised);
          }
        };
    int needed = step.action.needed(values.length);
    for (int i = 0; i < needed; i++) {
      if (values[i] instanceof Pending later) {
        missing.incrementAndGet();
        later.whenSettled(arrival);
      }
    }
    arrival.run();
  }

  private void settle(Step step, Object[] values, Pending[] promised) {
    for (int i = 0; i < values.length; i++) {
      values[i] = arrived(values[i]);
    }
    Object outcome = Guard.attempt(given -> outcome(step, given), values);
    for (int register : step.lastUses) {
      release(arrived(registers[register]));
    }
    ends();
    for (int i = 0; i < promised.length; i++) {
      forward(promised[i], part(outcome, i, promised.length));
    }
  }

  @SuppressWarnings("ReferenceEquality") // NOTHING is a marker, not a value
  private static void forward(Pending promised, Object outcome) {
    if (outcome instanceof Pending later) {
      later.whenSettled(() -> forward(promised, Objects.requireNonNull(later.peek())));
    } else if (outcome != CatalogEntry.NOTHING) {
      promised.settle(outcome);
    }
  }

  /**
   * {@code later}, as if it had been available at once: its fault says where it came from, and what
   * it used is released before any other code sees it.
   */
  @Override
  Object arriving(Pending later, Finish finish, Site site) {
    Pending known = new Pending();
    Place place = Place.of(this, site); // the enclosing frames go on meanwhile
    begins();
    later.whenSettled(() -> {
      Object arrived = Objects.requireNonNull(later.peek());
      Object outcome = Guard.attempt(value -> told(finish.of(value), place), arrived);
      ends();
      known.settle(outcome);
    });
    return known;
  }

  private Object told(Object outcome, Place place) {
    if (outcome instanceof Fault fault) {
      Fault known = place.of(fault);
      run.tell(known);
      return known;
    }
    return outcome;
  }

  /** Work was deferred that refers to this frame and the enclosing ones, until {@link #ends}. */
  private void begins() {
    for (DataflowFrame each = this; each != null; each = each.around()) {
      each.count(1);
    }
    request.begins();
  }

  /** That work has finished: the last to finish releases what it may have used. */
  private void ends() {
    for (DataflowFrame each = this; each != null; each = each.around()) {
      Guard.attempt(DataflowFrame::closeAll, each.count(-1));
    }
    request.ends();
  }

  /** The frame whose step called this one; only dataflow frames call functions of this kind. */
  private @Nullable DataflowFrame around() {
    return (DataflowFrame) caller;
  }

  /** Counts deferred work; returns what nothing uses any more. */
  private synchronized List<Resource> count(int more) {
    if (calledAt == null && caller != null && callerSite != null) {
      calledAt = Place.of(caller, callerSite);
    }
    unfinished += more;
    List<Resource> unused = unfinished == 0 ? used : List.of();
    if (unfinished == 0) {
      used = List.of();
    }
    return unused;
  }

  private static Object closeAll(List<Resource> unused) {
    unused.forEach(Resource::closeUnused);
    return Task.DONE;
  }

  /**
   * Releases now, or once the deferred work that may have the value as an operand has finished
   * (M1).
   */
  @Override
  void release(Object value) {
    if (value instanceof Resource resource && !isUsed(resource)) {
      resource.closeUnused();
    }
  }

  private synchronized boolean isUsed(Resource resource) {
    if (unfinished == 0) {
      return false;
    }
    used = used.isEmpty() ? new ArrayList<>() : used;
    return used.add(resource);
  }

  @Override
  void lead(Site site, List<Long> steps, List<Fault.Frame> path) {
    Place known = calledAt;
    if (known == null) {
      super.lead(site, steps, path);
    } else {
      known.point().addTo(steps);
      path.addAll(known.path());
      Place.within(this, site, steps, path);
    }
  }
}
