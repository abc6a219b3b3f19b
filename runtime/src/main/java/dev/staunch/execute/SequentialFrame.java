package dev.staunch.execute;

import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.memory.Resource;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script's function. Its steps run one after another on the thread of the request, each
 * finds its operands available, and the first fault ends the function. Reused for one call after
 * another (see {@link Run}), with what its steps need again next time.
 */
final class SequentialFrame extends Frame {
  /** Another free frame of the same function. */
  @Nullable SequentialFrame next;

  /** The call of the current step. */
  private final Call call;

  SequentialFrame(Run run, Code code) {
    super(run, code);
    this.call = Call.of(run, registers, new Layout[code.steps()], code.preparations());
  }

  /** Restores the state before its first call. */
  void clear() {
    Object[] template = code.template();
    System.arraycopy(template, 0, registers, 0, template.length);
    caller = null;
    callerSite = null;
  }

  @Override
  @Nullable Fault run(Code.Body body) {
    for (Step step : body.steps()) {
      Fault fault = run(step);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // an operand that becomes the result is not released
  private @Nullable Fault run(Step step) {
    Object outcome = outcome(step, call.at(step.operands, step.number, step.dying, step.unread));
    Fault fault = null;
    if (outcome instanceof Fault failed) {
      fault = failed;
    } else if (step.results.length == 1) {
      registers[step.results[0]] = outcome;
    } else {
      fault = store(step.results, outcome);
    }
    for (int register : step.lastUses) {
      Object last = registers[register];
      if (last != outcome || step.results.length == 0) {
        release(last);
      }
    }
    return fault;
  }

  /** Stores the results of a step with no results or several. */
  private @Nullable Fault store(int[] results, Object outcome) {
    for (int i = 0; i < results.length; i++) {
      Object part = ((Object[]) outcome)[i];
      if (part instanceof Fault fault) {
        return fault;
      }
      registers[results[i]] = part;
    }
    return null;
  }

  @Override
  void release(Object value) {
    if (value instanceof Resource resource) {
      resource.closeUnused();
    } else if (value instanceof CompoundTensor compound) {
      compound.parts().forEach(Resource::closeUnused);
    }
  }

  @Override
  Object arriving(Pending later, Finish finish, Site site) {
    return finish.of(run.options().await(later));
  }
}
