package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.kernel.Call;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An operation made ready: which registers it reads and writes, what it does, and which registers
 * nobody reads afterwards.
 */
final class Step {
  private final String name;
  private final Site site;
  private final Action action;
  private final boolean strict;
  private final boolean light;
  private final int[] operands;
  private final int[] results;
  private final int[] lastUses;

  Step(String name, Site site, Action action, int[] operands, int[] results, int[] lastUses) {
    this.name = name;
    this.site = site;
    this.action = action;
    this.strict = action.strict();
    this.light = action.light();
    this.operands = operands;
    this.results = results;
    this.lastUses = lastUses;
  }

  /** Null to go on; in a sequential function the fault that ends it. */
  @Nullable Fault run(Frame frame) {
    Object[] registers = frame.registers;
    boolean pending = false;
    Fault fault = null;
    for (int operand : operands) {
      Object value = registers[operand];
      if (value instanceof Pending later) {
        value = arrived(frame, later);
        pending |= value == later;
        registers[operand] = value;
      }
      if (value instanceof Fault found) {
        fault = fault == null ? found : fault.merge(found);
      }
    }
    if (pending && strict) {
      defer(frame, frame.values(operands));
      return null;
    }
    Object outcome = outcome(frame, frame.operands(operands, site.number()), fault);
    Fault end = store(frame, outcome);
    if (lastUses.length > 0) {
      release(frame);
    }
    return end;
  }

  private static Object arrived(Frame frame, Pending later) {
    if (frame.code.discipline() == Discipline.SEQUENTIAL) {
      return frame.run.options().await(later);
    }
    Object value = later.peek();
    return value == null ? later : value;
  }

  /** An input's fault outranks a cancellation (C2), and that outranks running. */
  private Object outcome(Frame frame, Call call, @Nullable Fault fault) {
    if (fault != null && strict) {
      fault.reach().skip();
      return fault;
    }
    Fault cancelled = light ? null : frame.run.options().cancel().check(name);
    if (cancelled != null) {
      cancelled.reach().skip();
      return placed(frame, cancelled);
    }
    Object outcome = action.apply(frame, call, site);
    if (outcome instanceof Object[] parts) {
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] instanceof Fault own) {
          Fault known = arising(frame, own);
          Arrays.asList(parts).replaceAll(each -> each == own ? known : each); // one failure
        }
      }
    }
    return outcome instanceof Fault own ? arising(frame, own) : outcome;
  }

  /** A fault that comes out of this step, and perhaps arose here: then it is told. */
  private Fault arising(Frame frame, Fault fault) {
    Fault known = placed(frame, fault);
    if (fault.origin() == null) {
      frame.run.tell(known);
    }
    return known;
  }

  /** A fault that arose here learns its line, its place in program order and the way to it. */
  private Fault placed(Frame frame, Fault fault) {
    SourceLocation source = site.source();
    Fault known = fault.hasSource() || source == null ? fault : fault.withSource(source);
    boolean placed = known.origin() != null && !known.path().isEmpty();
    return placed ? known : Place.of(frame, site).of(known);
  }

  private @Nullable Fault store(Frame frame, Object outcome) {
    if (outcome instanceof Fault fault) {
      if (frame.code.discipline() == Discipline.SEQUENTIAL) {
        return fault;
      }
      for (int result : results) {
        frame.registers[result] = fault;
      }
    } else if (results.length == 1) {
      frame.registers[results[0]] = outcome;
    } else if (results.length > 1) {
      return storeParts(frame, (Object[]) outcome);
    }
    return null;
  }

  private @Nullable Fault storeParts(Frame frame, Object[] parts) {
    for (int i = 0; i < results.length; i++) {
      if (parts[i] instanceof Fault fault && frame.code.discipline() == Discipline.SEQUENTIAL) {
        return store(frame, fault);
      }
      frame.registers[results[i]] = parts[i];
    }
    return null;
  }

  private void release(Frame frame) {
    for (int register : lastUses) {
      frame.release(frame.registers[register]);
    }
  }

  /** Puts the operation off until its operands are there; its results are pending until then. */
  private void defer(Frame frame, Object[] values) {
    frame.deferred = true;
    frame.putsOff();
    Pending[] promised = new Pending[results.length];
    for (int i = 0; i < promised.length; i++) {
      promised[i] = new Pending();
      frame.registers[results[i]] = promised[i];
    }
    AtomicInteger missing = new AtomicInteger(1);
    Runnable arrival =
        () -> {
          if (missing.decrementAndGet() == 0) {
            settle(frame, values, promised);
          }
        };
    for (Object value : values) {
      if (value instanceof Pending later) {
        missing.incrementAndGet();
        later.whenSettled(arrival);
      }
    }
    arrival.run();
  }

  private void settle(Frame frame, Object[] values, Pending[] promised) {
    Fault fault = null;
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof Pending later) {
        Object arrived = later.peek();
        values[i] = arrived == null ? later : arrived;
      }
      if (values[i] instanceof Fault found) {
        fault = fault == null ? found : fault.merge(found);
      }
    }
    Fault arrived = fault;
    Object outcome =
        Guard.attempt(call -> outcome(frame, call, arrived), new Call(frame.run, values));
    frame.isThrough();
    for (int i = 0; i < promised.length; i++) {
      boolean parts = outcome instanceof Object[] && promised.length > 1;
      forward(promised[i], parts ? ((Object[]) outcome)[i] : outcome);
    }
  }

  @SuppressWarnings("ReferenceEquality") // NOTHING is a mark, not a value
  private static void forward(Pending promised, Object outcome) {
    if (outcome instanceof Pending later) {
      later.whenSettled(() -> forward(promised, Objects.requireNonNull(later.peek())));
    } else if (outcome != Door.NOTHING) {
      promised.settle(outcome);
    }
  }
}
