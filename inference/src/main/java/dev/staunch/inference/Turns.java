package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.execute.RunOptions;
import dev.staunch.execute.StateJournal;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs requests that only read the model's state concurrently, and requests that may write it one
 * at a time. Each writer's changes take effect all together or not at all: docs/decisions/0010.
 */
final class Turns {
  private final String name;
  private final ModelState state;
  private final Gate gate;

  /**
   * @param name the model's name
   * @param end runs when the last request has left a closed model
   */
  Turns(String name, ModelState state, Runnable end) {
    this.name = name;
    this.state = state;
    this.gate = new Gate(name, end);
  }

  /** The work of a request, given the options it runs with. */
  @FunctionalInterface
  interface Work {
    Object run(RunOptions options);
  }

  /**
   * Returns the result of {@code work}, or a fault.
   *
   * @param handOut turns the result into what leaves the model, after its changes have taken effect
   *     and before anybody else may write
   * @param mayWrite whether the work may write the state
   */
  Object take(Work work, UnaryOperator<Object> handOut, RunOptions options, boolean mayWrite) {
    Gate.Visit outer = gate.current();
    return outer == null
        ? taken(work, handOut, options, mayWrite)
        : nested(work, handOut, options, mayWrite, outer);
  }

  private static Object handedOut(Object result, UnaryOperator<Object> handOut) {
    return result instanceof Fault ? result : Guard.attempt(handOut::apply, result);
  }

  /** Runs {@code work} alongside others or, if it may write state, alone. */
  private Object taken(
      Work work, UnaryOperator<Object> handOut, RunOptions options, boolean mayWrite) {
    if (!mayWrite) {
      Gate.Visit visit = new Gate.Visit(options.cancel().child(), null);
      return visited(work, handOut, visit, options);
    }
    CancelScope cancel = options.cancel().child();
    StateJournal journal = new StateJournal(state::shared, options.scope(), cancel);
    Gate.Visit visit = new Gate.Visit(cancel, journal);
    Work whole = run -> kept(work, run, journal);
    return visited(whole, handOut, visit, options.withStateGuard(journal));
  }

  private Object visited(
      Work work, UnaryOperator<Object> handOut, Gate.Visit visit, RunOptions options) {
    Fault refused = gate.enter(visit);
    if (refused != null) {
      return refused;
    }
    try {
      return handedOut(Guard.attempt(work::run, options.withCancel(visit.cancel)), handOut);
    } finally {
      gate.leave(visit);
    }
  }

  /** Keeps the changes of the request if it succeeds, and undoes them otherwise. */
  private Object kept(Work work, RunOptions options, StateJournal journal) {
    boolean kept = false;
    try {
      Object result = Guard.attempt(work::run, options);
      if (!(result instanceof Fault)) {
        List<DenseTensor> dropped = state.take(journal);
        kept = true;
        dropped.forEach(tensor -> ResourceScope.moveTo(options.scope(), tensor));
      }
      return result;
    } finally {
      try {
        if (!kept) {
          journal.undo();
        }
      } finally {
        journal.end();
      }
    }
  }

  /** Runs {@code work} as part of another request on the same thread, which waits for it. */
  private Object nested(
      Work work,
      UnaryOperator<Object> handOut,
      RunOptions options,
      boolean mayWrite,
      Gate.Visit outer) {
    if (mayWrite) {
      return inside("may change the model's state, and was asked within another one");
    }
    if (outer.journal != null && outer.journal.wrote()) {
      return inside("was asked within one that has changed the model's state and is not finished");
    }
    return handedOut(Guard.attempt(work::run, options), handOut);
  }

  private Fault inside(String what) {
    String text = "this request %s; ask model %s when that has ended";
    return Fault.value(Message.of(text, what, name));
  }

  /** See {@link Model#close(Duration)}. */
  boolean close(Duration patience) {
    return gate.close(patience);
  }
}
