package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Interceptor;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/**
 * Calls a kernel through its door.
 *
 * @param writes whether it may write an operand
 * @param unread whether the result is never read, so that it is released at once
 * @param order the register of an earlier image whose element order the result takes; or {@link
 *     #CHOOSES} or {@link #ROW_MAJOR}
 */
record KernelAction(Door door, boolean writes, boolean unread, int order) implements Action {
  /** The kernel chooses the element order of the result, because the program does not see it. */
  static final int CHOOSES = -1;

  /** The result has the inferred element order. */
  static final int ROW_MAJOR = -2;

  KernelAction(Door door, boolean writes, boolean unread) {
    this(door, writes, unread, ROW_MAJOR);
  }

  /** The same action for a result whose {@link #order} the program does not see. */
  KernelAction lyingAs(int other) {
    return new KernelAction(door, writes, unread, other);
  }

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    Fault forbidden = writes ? beforeWrite(frame.run, call) : null;
    if (forbidden != null) {
      return forbidden;
    }
    Interceptor watching = frame.run.watching;
    if (watching != null) {
      call.keepArguments();
    }
    Object outcome =
        order == ROW_MAJOR || frame.run.isAsWritten()
            ? door.call(call, watching, site.source())
            : ordered(frame, call, site);
    if (outcome instanceof DenseTensor tensor) {
      return unread ? dropped(frame, tensor, call) : distinct(frame, tensor, call);
    }
    if (outcome instanceof Fault fault) {
      return frame.run.blame(fault, door, call, frame);
    }
    if (outcome instanceof Pending later) {
      return frame.arriving(later, arrived -> distinct(frame, arrived, call), site);
    }
    if (outcome instanceof Object[] parts) {
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] instanceof Pending later) {
          parts[i] = frame.arriving(later, arrived -> distinct(frame, arrived, call), site);
        }
      }
    }
    return outcome;
  }

  /** The outcome in the order that suits the kernels; as written if there is no memory for that. */
  private Object ordered(Frame frame, Call call, Site site) {
    boolean chooses = order == CHOOSES;
    if (chooses || (frame.registers[order] instanceof DenseTensor led && led.layout().isTurned())) {
      call.orderResult(chooses ? Call.Order.ANY : Call.Order.CHANNELS_LAST);
      Object outcome = door.call(call, null, site.source());
      if (!(outcome instanceof Fault fault) || fault.type() != FaultType.OUT_OF_MEMORY) {
        return outcome;
      }
      call.orderResult(Call.Order.AS_WRITTEN);
    }
    return door.call(call, null, site.source());
  }

  @Override
  public boolean ordersImages() {
    return order != ROW_MAJOR;
  }

  @Override
  public boolean mayWrite() {
    return writes || door.definition().effects().has(Trait.HAS_SIDE_EFFECTS);
  }

  private @Nullable Fault beforeWrite(Run run, Call call) {
    StateGuard guard = run.options().stateGuard();
    ModelConstants constants = run.plan.modelConstants();
    return door.firstWritten(
        call,
        operand -> {
          constants.beforeWrite(operand);
          return guard == null ? null : guard.beforeWrite(operand);
        });
  }

  private static Object distinct(Frame frame, Object arrived, Call call) {
    return arrived instanceof DenseTensor tensor ? distinct(frame, tensor, call) : arrived;
  }

  /**
   * A kernel may return an operand as it is ({@code contiguous}), or an element of a list operand.
   * Each register owns its tensor, so that one can be released while the other lives. Such a result
   * gets a handle of its own, unless the operand is not read any more.
   */
  private static Object distinct(Frame frame, DenseTensor result, Call call) {
    int given = call.indexOf(result);
    return given < 0 || (call.isLastUse(given) && result.is(call.value(given)))
        ? result
        : result.view(frame.run.scope(), result.layout());
  }

  /** Releases what the kernel made; an operand that it returned belongs to others. */
  private static Object dropped(Frame frame, DenseTensor result, Call call) {
    if (call.indexOf(result) < 0) {
      frame.release(result);
    }
    return result;
  }

  /**
   * The action of a step whose result is the same in every request. Calls the kernel if no result
   * is kept, and where operations run {@linkplain Run#isAsWritten as written}. No step releases the
   * result.
   */
  record Folded(KernelAction kernel, FoldedValue value) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      if (frame.run.isAsWritten()) {
        return kernel.apply(frame, call, site);
      }
      DenseTensor known = value.get();
      if (known != null) {
        return known;
      }
      Object outcome = kernel.apply(frame, call, site);
      if (outcome instanceof DenseTensor tensor) {
        value.keep(tensor);
      }
      return outcome;
    }

    @Override
    public boolean light() {
      return true;
    }

    @Override
    public PlannedOperation.Evaluation evaluation() {
      return PlannedOperation.Evaluation.ONCE;
    }
  }
}
