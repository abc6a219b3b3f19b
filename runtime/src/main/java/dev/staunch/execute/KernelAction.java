package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Interceptor;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls a kernel through its door. */
record KernelAction(Door door) implements Action {

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    Fault forbidden = door.writes() ? beforeWrite(frame.run, call) : null;
    if (forbidden != null) {
      return forbidden;
    }
    Interceptor watching = frame.run.options().interceptor();
    if (watching != null) {
      call.keepArguments();
    }
    Object outcome = door.call(call, watching, site.source());
    if (outcome instanceof DenseTensor tensor) {
      return distinct(frame, tensor, call);
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
   * A kernel may return an operand as it is ({@code contiguous}), or one of a list. Each register
   * owns its tensor, so that one can be released while the other lives; such a result gets a handle
   * of its own, unless nobody reads the operand any more.
   */
  private static Object distinct(Frame frame, DenseTensor result, Call call) {
    int count = call.size();
    for (int i = 0; i < count; i++) {
      Object operand = call.value(i);
      if (result.is(operand) && call.isLastUse(i)) {
        return result;
      }
      if (result.is(operand) || (operand instanceof List<?> list && holds(list, result))) {
        return result.view(frame.run.scope(), result.layout());
      }
    }
    return result;
  }

  private static boolean holds(List<?> list, DenseTensor result) {
    for (Object element : list) {
      if (result.is(element)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The action of a step that gives the same in every request. It calls the kernel if that is not
   * kept, in another gradient mode, and if somebody watches the program. No step releases it.
   */
  record Folded(KernelAction kernel, FoldedValue value) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      Run run = frame.run;
      if (run.gradEnabled() || run.options().interceptor() != null) {
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
  }
}
