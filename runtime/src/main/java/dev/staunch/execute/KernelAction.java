package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls a kernel through its door. */
record KernelAction(Door door, @Nullable SourceLocation source) implements Action {

  @Override
  public Object apply(Frame frame, Call call, long visit) {
    StateGuard guard = door.writes() ? frame.run.options().stateGuard() : null;
    Fault forbidden = guard == null ? null : door.firstWritten(call, guard::forbids);
    if (forbidden != null) {
      return forbidden;
    }
    Object outcome = door.call(call, frame.run.options().interceptor(), source);
    if (outcome instanceof DenseTensor tensor) {
      return distinct(frame, tensor, call);
    }
    if (outcome instanceof Pending later) {
      return located(frame, later, visit);
    }
    if (outcome instanceof Fault fault) {
      Fault blamed = frame.run.blame(fault, call);
      frame.run.tell(blamed);
      return blamed;
    }
    if (outcome instanceof Object[] parts) {
      for (Object part : parts) {
        if (part instanceof Fault fault) {
          frame.run.tell(fault);
        }
      }
    }
    return outcome;
  }

  /** {@code later}, whose fault, if it gets one, says where it came from as any other does. */
  private Pending located(Frame frame, Pending later, long visit) {
    Pending known = new Pending();
    frame.keep();
    later.whenSettled(() -> {
      Object outcome = Objects.requireNonNull(later.peek());
      if (outcome instanceof Fault fault) {
        String name = door.definition().name();
        outcome =
            fault.withOperation(name, List.of()).withSource(source).withOrigin(frame.point(visit));
        frame.run.tell((Fault) outcome);
      }
      known.settle(outcome);
    });
    return known;
  }

  /**
   * A kernel may return an operand as it is ({@code contiguous}), or one of a list. Each register
   * owns its tensor, so that one can be released while the other lives; such a result gets a handle
   * of its own.
   */
  private static Object distinct(Frame frame, DenseTensor result, Call call) {
    int count = call.size();
    for (int i = 0; i < count; i++) {
      Object operand = call.value(i);
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
}
