package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.ir.Structure;
import dev.staunch.kernel.Call;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Actions of branches, loops, {@code with} and calls. */
final class ControlActions {
  private ControlActions() {}

  /** A block, with the registers of the values passed to it and of its results. */
  record Part(int[] parameters, Code.Body body, int[] results) {}

  /** A block of the if at {@code site}. */
  static Site.Region region(Site site, boolean taken) {
    return new Site.Region(site, taken ? "if true" : "if false", -1);
  }

  /** Runs one of the two blocks. */
  record Branch(Part taken, Part other) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      Part arm = call.bool(0) ? taken : other;
      for (int i = 0; i < arm.parameters.length; i++) {
        frame.registers[arm.parameters[i]] = call.value(i + 1);
      }
      Fault fault = frame.run(arm.body);
      return fault == null ? Code.gather(frame.registers, arm.results) : fault;
    }

    @Override
    public boolean mayWrite() {
      return true;
    }

    /** The values passed to its blocks may arrive later. */
    @Override
    public int needed(int operands) {
      return 1;
    }
  }

  /**
   * Runs a block repeatedly.
   *
   * @param replaced which carried values it may release once the next iteration has finished
   */
  record Loop(Part body, boolean[] replaced) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      return runLoop(frame, call.arguments(), body, replaced);
    }

    @Override
    public boolean mayWrite() {
      return true;
    }

    /** Whether only the number of iterations ends the loop. */
    boolean isCounted(Draft draft) {
      return Boolean.TRUE.equals(draft.constant(body.results[0]));
    }

    /** The same loop with other steps in its block. */
    Loop running(List<Step> steps) {
      return new Loop(new Part(body.parameters, new Code.Body(steps), body.results), replaced);
    }
  }

  private static Object runLoop(Frame frame, Object[] operands, Part part, boolean[] replaced) {
    int[] parameters = part.parameters;
    int[] results = part.results;
    long trips = (Long) operands[0];
    boolean more = (Boolean) operands[1];
    Object[] carried = Arrays.copyOfRange(operands, 2, operands.length);
    long trip = 0;
    for (; more && trip < trips; trip++) {
      Fault stop = frame.run.cancelled();
      if (stop != null) {
        return stop;
      }
      frame.registers[parameters[0]] = trip;
      for (int i = 0; i < carried.length; i++) {
        frame.registers[parameters[i + 1]] = carried[i];
      }
      Fault fault = frame.run(part.body);
      if (fault != null) {
        return fault;
      }
      more = (Boolean) frame.registers[results[0]];
      for (int i = 0; i < carried.length; i++) {
        Object next = frame.registers[results[i + 1]];
        if (replaced[i] && trip > 0) {
          frame.release(carried[i]); // the values of the iteration before the last
        }
        carried[i] = next;
      }
    }
    if (trip == 0) {
      ownHandles(frame, carried, replaced);
    }
    return carried.length == 1 ? carried[0] : carried;
  }

  /**
   * A loop that never ran passes on values that others own; its results must be its own
   * nevertheless.
   */
  private static void ownHandles(Frame frame, Object[] carried, boolean[] replaced) {
    for (int i = 0; i < carried.length; i++) {
      if (replaced[i] && carried[i] instanceof DenseTensor tensor) {
        carried[i] = tensor.view(frame.run.scope(), tensor.layout());
      }
    }
  }

  static Action with(Structure.With with, Site site, Part part) {
    return new With(new Named(with.enter()), new Named(with.exit()), site, part);
  }

  /**
   * Enters a context manager, runs a block and leaves the manager, whatever the outcome of the
   * block.
   */
  private record With(Named enter, Named exit, Site site, Part part) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site at) {
      Object manager = call.value(0);
      Object entered = enter.call(frame, site, manager);
      if (entered instanceof Fault fault) {
        return fault;
      }
      if (part.parameters.length == 1) {
        frame.registers[part.parameters[0]] = entered;
      }
      Fault fault = frame.run(part.body);
      Object none = None.NONE;
      Object left = exit.call(frame, site, manager, none, none, none);
      if (fault != null) {
        return left instanceof Fault second ? fault.withSuppressed(List.of(second)) : fault;
      }
      return left instanceof Fault second ? second : Code.gather(frame.registers, part.results);
    }

    @Override
    public boolean mayWrite() {
      return true;
    }
  }

  /** A function that is called by name, and looked up once. */
  private static final class Named {
    private final String name;
    private @Nullable Code found; // within one plan; races do no harm

    Named(String name) {
      this.name = name;
    }

    Object call(Frame frame, Site site, Object... arguments) {
      Code code = found;
      if (code == null) {
        code = frame.run.plan.find(Variant.of(name));
        found = code;
      }
      return code == null ? CallAction.unknown(name) : CallAction.run(frame, site, code, arguments);
    }
  }
}
