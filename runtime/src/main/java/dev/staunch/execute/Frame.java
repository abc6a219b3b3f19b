package dev.staunch.execute;

import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The registers of one call of a function, and the rule by which its steps run. */
abstract sealed class Frame permits SequentialFrame, DataflowFrame {
  final Run run;
  final Code code;
  final Object[] registers;
  @Nullable Frame caller;
  @Nullable Site callerSite;

  /** How many calls lead here, this one included. */
  int depth;

  Frame(Run run, Code code) {
    this.run = run;
    this.code = code;
    this.registers = code.template().clone();
  }

  /**
   * Begins a call.
   *
   * @param from whose step calls the function; null for the run itself
   * @param site of that step; null for the run itself
   */
  final void begin(@Nullable Frame from, @Nullable Site site) {
    caller = from;
    callerSite = site;
    depth = from == null || site == null ? 1 : from.depth + site.depth() + 1;
  }

  /** Runs the steps of a block of this function; the fault that ends the function, or null. */
  abstract @Nullable Fault run(Code.Body body);

  /** Gives back what no step reads any more. */
  abstract void release(Object value);

  /**
   * What stands for {@code later}, which a kernel gave as a result.
   *
   * @param finish makes of what has come the value or fault of the register
   */
  abstract Object arriving(Pending later, Finish finish, Site site);

  /** Looks at a kernel's result that has come. */
  interface Finish {
    Object of(Object arrived);
  }

  /**
   * What a step gives whose operands are there: one value, an {@code Object[]} for several, or a
   * fault for all; faults know where they are.
   */
  final Object outcome(Step step, Call call) {
    Fault cancelled = step.light ? null : Objects.requireNonNull(run.cancel).check(step.name);
    if (cancelled != null) {
      cancelled.reach().skip();
      return placed(step.site, cancelled);
    }
    Object outcome = step.action.apply(this, call, step.site);
    if (outcome instanceof Fault fault) {
      return arising(step.site, fault);
    }
    if (outcome instanceof Object[] parts) {
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] instanceof Fault own) {
          Fault known = arising(step.site, own);
          Arrays.asList(parts).replaceAll(each -> each == own ? known : each); // one failure
        }
      }
    }
    return outcome;
  }

  /** A fault that comes out of a step, and perhaps arose here: then it is told. */
  private Fault arising(Site site, Fault fault) {
    Fault known = placed(site, fault);
    if (fault.origin() == null) {
      run.tell(known);
    }
    return known;
  }

  /** A fault that arose here learns its line, its place in program order and the way to it. */
  private Fault placed(Site site, Fault fault) {
    SourceLocation source = site.source();
    Fault known = fault.source() == null && source != null ? fault.withSource(source) : fault;
    boolean placed = known.origin() != null && !known.path().isEmpty();
    return placed ? known : Place.of(this, site).of(known);
  }

  /**
   * What the kernel was given that made {@code value}, in this call or in one that led here: the
   * registers keep what steps have left. Null if it was no kernel.
   */
  final InputTrace.@Nullable Given given(DenseTensor value) {
    for (Step step : code.kernels()) {
      for (int result : step.results) {
        if (value.is(registers[result]) && !overwrites(step, value)) {
          List<Object> constants = new ArrayList<>();
          List<Object> others = new ArrayList<>();
          for (int operand : step.operands) {
            if (registers[operand] == null) { // it was not needed: the result was known
              return null;
            }
            (code.template()[operand] == null ? others : constants).add(registers[operand]);
          }
          return new InputTrace.Given(constants, others);
        }
      }
    }
    return caller == null ? null : caller.given(value);
  }

  /** Whether the step wrote its result over the operand {@code value}, which others made. */
  private boolean overwrites(Step step, DenseTensor value) {
    for (int operand : step.operands) {
      if (value.is(registers[operand])) {
        return true;
      }
    }
    return false;
  }

  /** Adds what leads to the step of this frame at {@code site}, from the outside in. */
  void lead(Site site, List<Long> steps, List<Fault.Frame> path) {
    if (caller != null && callerSite != null) {
      caller.lead(callerSite, steps, path);
    }
    Place.within(this, site, steps, path);
  }
}
