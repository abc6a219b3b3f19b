package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Task;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.memory.Resource;
import dev.staunch.type.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registers of one call of a function, with what its steps need again at the next call. Used
 * for one call after another by the thread that runs the request (see {@link Run}), unless an
 * operation was put off in it: such a frame, and those around it, belong to that operation.
 */
final class Frame {
  final Run run;
  final Code code;
  final Object[] registers;

  /** Whether an operation waits for a value, and so may run on another thread. */
  volatile boolean deferred;

  /** Another free frame of the same function. */
  @Nullable Frame next;

  private final @Nullable Layout[] layouts;
  private final boolean lone;
  private @Nullable Frame caller;
  private @Nullable Site callerSite;

  /** Where the caller was, once work was put off here: the caller itself goes on. */
  private @Nullable Place calledAt; // all who find it out find the same

  /** Whether anything was put off that refers to this frame. */
  private volatile boolean kept;

  /** How much of that is not through yet; guarded by this, as what it keeps from being released. */
  private int putOff;

  private List<Resource> used = List.of();

  private Call call;

  /**
   * @param lone whether other threads may be running steps around this; then it is used once
   */
  Frame(Run run, Code code, boolean lone) {
    this.run = run;
    this.code = code;
    this.lone = lone;
    this.registers = code.template().clone();
    this.layouts = new Layout[code.steps()];
    this.call = Call.of(run, registers, layouts);
  }

  /**
   * Begins a call.
   *
   * @param from whose step calls the function; null for the run itself
   * @param site of that step; null for the run itself
   */
  void begin(@Nullable Frame from, @Nullable Site site) {
    caller = from;
    callerSite = site;
  }

  /** Makes this as it was before its first call. */
  void clear() {
    Object[] template = code.template();
    System.arraycopy(template, 0, registers, 0, template.length);
    caller = null;
    callerSite = null;
    calledAt = null;
  }

  /** Whether nobody uses this any more once its call is over. */
  boolean isFree() {
    return !kept && !lone;
  }

  /**
   * Says that work was put off which refers to this frame and those around it; {@link #isThrough}
   * ends that.
   */
  void putsOff() {
    for (Frame each = this; each != null; each = each.caller) {
      each.remembersCaller();
      each.kept = true;
      each.begun();
    }
    run.putsOff();
  }

  private void remembersCaller() {
    if (calledAt == null && caller != null && callerSite != null) {
      calledAt = Place.of(caller, callerSite);
    }
  }

  private synchronized void begun() {
    putOff++;
  }

  /** Work that was put off is through: the last of it gives back what it may have used. */
  void isThrough() {
    for (Frame each = this; each != null; each = each.caller) {
      Guard.attempt(Frame::closeAll, each.ended());
    }
    run.isThrough();
  }

  private static Object closeAll(List<Resource> unused) {
    unused.forEach(Resource::closeUnused);
    return Task.DONE;
  }

  private synchronized List<Resource> ended() {
    putOff--;
    List<Resource> unused = List.of();
    if (putOff == 0) {
      unused = used;
      used = List.of();
    }
    return unused;
  }

  /**
   * Gives back what no step reads any more: now, or once the work that was put off, whose operand
   * it may be, is through (M1).
   */
  void release(Object value) {
    if (value instanceof Resource resource && !(kept && isUsed(resource))) {
      resource.closeUnused();
    }
  }

  private synchronized boolean isUsed(Resource resource) {
    if (putOff == 0) {
      return false;
    }
    used = used.isEmpty() ? new ArrayList<>() : used;
    return used.add(resource);
  }

  /** Whether calls made from here may find other threads at work on the same request's frames. */
  boolean isShared() {
    return lone || deferred;
  }

  /** The operands of a step, in place. */
  Call operands(int[] places, int step) {
    if (isShared()) {
      return new Call(run, values(places));
    }
    if (call.isKept()) {
      call = Call.of(run, registers, layouts);
    }
    run.lend(call);
    return call.at(places, step);
  }

  /** What lies in {@code places} now. */
  Object[] values(int[] places) {
    Object[] values = new Object[places.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = registers[places[i]];
    }
    return values;
  }

  /** Adds what leads to the step of this frame at {@code site}, from the outside in. */
  void lead(Site site, List<Long> steps, List<Fault.Frame> path) {
    Place known = calledAt;
    if (known != null) {
      known.point().addTo(steps);
      path.addAll(known.path());
    } else if (caller != null && callerSite != null) {
      caller.lead(callerSite, steps, path);
    }
    Place.within(this, site, steps, path);
  }
}
