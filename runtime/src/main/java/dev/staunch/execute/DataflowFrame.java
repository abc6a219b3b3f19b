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
 * A call of a function in dataflow discipline: a fault reaches what uses it, a step whose operands
 * are still to come is put off, and all else goes on. Steps that were put off run on whichever
 * thread brings their last operand. Used once.
 */
final class DataflowFrame extends Frame {
  private final DataflowRun request;

  /** Where the caller was, once work was put off here: the caller itself goes on. */
  private @Nullable Place calledAt; // all who find it out find the same

  /** How much was put off in this frame, or in calls from it, and is not through; under this. */
  private int unfinished;

  /** What that may still use, though no step reads it any more; under this. */
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

  /** What has come in the place of {@code value}, if it was to come later and is there. */
  private static Object arrived(Object value) {
    Object arrived = value instanceof Pending later ? later.peek() : value;
    return arrived == null ? value : arrived;
  }

  /** An input's fault outranks a cancellation (C2), and that outranks running. */
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

  /** Puts a step off until its operands are there; its results are pending until then. */
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

  @SuppressWarnings("ReferenceEquality") // NOTHING is a mark, not a value
  private static void forward(Pending promised, Object outcome) {
    if (outcome instanceof Pending later) {
      later.whenSettled(() -> forward(promised, Objects.requireNonNull(later.peek())));
    } else if (outcome != CatalogEntry.NOTHING) {
      promised.settle(outcome);
    }
  }

  /**
   * {@code later}, as if it had come at once: its fault says where it came from, and what it used
   * is given back before anybody sees it.
   */
  @Override
  Object arriving(Pending later, Finish finish, Site site) {
    Pending known = new Pending();
    Place place = Place.of(this, site); // what is around goes on meanwhile
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

  /** Work was put off that refers to this frame and those around it, until {@link #ends}. */
  private void begins() {
    for (DataflowFrame each = this; each != null; each = each.around()) {
      each.count(1);
    }
    request.begins();
  }

  /** That is through: the last of it gives back what it may have used. */
  private void ends() {
    for (DataflowFrame each = this; each != null; each = each.around()) {
      Guard.attempt(DataflowFrame::closeAll, each.count(-1));
    }
    request.ends();
  }

  /** The frame whose step called this: functions of this kind are called by such alone. */
  private @Nullable DataflowFrame around() {
    return (DataflowFrame) caller;
  }

  /** Counts what is put off; gives what nothing uses any more. */
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

  /** Now, or once the work that was put off, whose operand it may be, is through (M1). */
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
