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

  /** The number of nested calls, including this one. */
  int depth;

  Frame(Run run, Code code) {
    this.run = run;
    this.code = code;
    this.registers = code.template().clone();
  }

  /**
   * Begins a call.
   *
   * @param from the frame whose step calls the function; null for the run itself
   * @param site the site of that step; null for the run itself
   */
  final void begin(@Nullable Frame from, @Nullable Site site) {
    caller = from;
    callerSite = site;
    depth = from == null || site == null ? 1 : from.depth + site.depth() + 1;
  }

  /**
   * Runs the steps of a block of this function. Returns the fault that ends the function, or null.
   */
  abstract @Nullable Fault run(Code.Body body);

  /** Releases what no step reads any more. */
  abstract void release(Object value);

  /**
   * The stand-in for {@code later}, which a kernel returned as a result.
   *
   * @param finish turns what arrived into the value or fault of the register
   */
  abstract Object arriving(Pending later, Finish finish, Site site);

  /** Checks a kernel's result that has arrived. */
  interface Finish {
    Object of(Object arrived);
  }

  /**
   * The outcome of a step whose operands are available: one value, an {@code Object[]} for several,
   * or a fault for all. Faults know their place.
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
          Arrays.asList(parts).replaceAll(each -> each == own ? known : each); // a single failure
        }
      }
    }
    return outcome;
  }

  /** A fault that comes out of a step. If it arose here, it is reported. */
  private Fault arising(Site site, Fault fault) {
    Fault known = placed(site, fault);
    if (fault.origin() == null) {
      run.tell(known);
    }
    return known;
  }

  /** Adds the line, the place in program order and the path to a fault that arose here. */
  private Fault placed(Site site, Fault fault) {
    SourceLocation source = site.source();
    Fault known = fault.source() == null && source != null ? fault.withSource(source) : fault;
    boolean placed = known.origin() != null && !known.path().isEmpty();
    return placed ? known : Place.of(this, site).of(known);
  }

  /**
   * What the kernel that made {@code value} was given, in this call or in one that led here: the
   * registers still hold what steps left. Null if it was not a kernel.
   */
  final InputTrace.@Nullable Given given(DenseTensor value) {
    for (Step step : code.listed()) {
      boolean calls = step.action instanceof CallAction;
      for (int result : calls ? Step.NONE : step.results) {
        if (value.is(registers[result]) && !overwrites(step, value)) {
          List<Object> constants = new ArrayList<>();
          List<Object> others = new ArrayList<>();
          for (int operand : step.operands) {
            if (registers[operand] == null) { // not needed: the result was known
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

  /** Whether the step wrote its result over the operand {@code value}, which another step made. */
  private boolean overwrites(Step step, DenseTensor value) {
    for (int operand : step.operands) {
      if (value.is(registers[operand])) {
        return true;
      }
    }
    return false;
  }

  /** Adds the path to the step of this frame at {@code site}, outermost first. */
  void lead(Site site, List<Long> steps, List<Fault.Frame> path) {
    if (caller != null && callerSite != null) {
      caller.lead(callerSite, steps, path);
    }
    Place.within(this, site, steps, path);
  }
}
