package dev.staunch.eager;

import dev.staunch.engine.Bulk;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineContext;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.Shape;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests of all kinds over one engine and one memory, each in its own context: good ones, bad
 * ones, and requests that are cancelled by others or by a failure of their own, run out of time or
 * memory, are interrupted, or close what is in use. Every request ends in its right answer or in a
 * fault of a type that its kind allows; anything else throws an {@link AssertionError}.
 * Thread-safe.
 */
final class SoakRequests {
  /** More than an operation computes where it is called: a worker runs it. */
  private static final int LARGE = 20_000;

  private final OffHeap memory;
  private final Engine engine;
  private final ContextOptions options;
  private final Map<String, LongAdder> ends = new ConcurrentHashMap<>();

  SoakRequests(OffHeap memory, Engine engine) {
    this.memory = memory;
    this.engine = engine;
    this.options = ContextOptions.standard();
  }

  /** How the requests ended so far, by kind and outcome. */
  Map<String, Long> ends() {
    Map<String, Long> counts = new TreeMap<>();
    ends.forEach((end, count) -> counts.put(end, count.sum()));
    return counts;
  }

  long count() {
    return ends.values().stream().mapToLong(LongAdder::sum).sum();
  }

  private void ended(String kind, String how) {
    ends.computeIfAbsent(kind + ": " + how, end -> new LongAdder()).increment();
  }

  /** One request of a kind drawn at random. */
  void one(Random random) {
    try (Context context = Context.open(memory, options, engine)) {
      switch (random.nextInt(12)) {
        case 0, 1 -> answered(context, random, 1 + random.nextInt(200));
        case 2 -> answered(context, random, LARGE + random.nextInt(LARGE));
        case 3 -> bad(context, random);
        case 4 -> unread(context, random);
        case 5 -> cancelled(context, random);
        case 6 -> late(context, random);
        case 7 -> closedInUse(context, random);
        case 8 -> beyondItsBudget(context, random);
        case 9 -> failFast(context, random);
        case 10 -> bulk(context.engineContext(), random);
        default -> interrupted(context, random);
      }
    }
  }

  /** The right answer, or others had taken all the memory. */
  private void answered(Context context, Random random, int length) {
    long factor = random.nextInt(100);
    expect("answered", () -> chain(context, length, factor).longs(), length, factor);
  }

  /** {@code (i * factor + 1) * 2 - i} for each i, with a view and a write in place. */
  private static Tensor chain(Context context, int length, long factor) {
    Tensor index = context.arange(length);
    Tensor result = index.mul(factor).add(1);
    result.view(length).mul_(2);
    return result.sub(index);
  }

  private void expect(String kind, Supplier<long[]> work, int length, long factor) {
    long[] found;
    try {
      found = work.get();
    } catch (StaunchException e) {
      allow(kind, e.fault(), FaultType.OUT_OF_MEMORY);
      return;
    }
    if (found.length != length) {
      throw new AssertionError(kind + ": " + found.length + " elements, not " + length);
    }
    for (int i = 0; i < length; i++) {
      if (found[i] != (i * factor + 1) * 2 - i) {
        throw new AssertionError(kind + ": element " + i + " of " + length + " is " + found[i]);
      }
    }
    ended(kind, "right");
  }

  private void allow(String kind, Fault fault, FaultType... allowed) {
    for (FaultType type : allowed) {
      if (fault.type() == type) {
        ended(kind, type.word());
        return;
      }
    }
    throw new AssertionError(kind + " ended in " + fault, fault.toException());
  }

  /**
   * An index out of bounds, or shapes that do not fit; read several times, with the fault each
   * time.
   */
  private void bad(Context context, Random random) {
    int length = 2 + random.nextInt(random.nextBoolean() ? 100 : 2 * LARGE);
    Tensor rows = context.arange(length);
    boolean index = random.nextBoolean();
    Tensor wrong =
        index
            ? rows.indexSelect(0, context.of(Shape.of(1), length + 1L))
            : rows.add(context.ones(length + 1));
    Tensor after = wrong.add(1).mul(2);
    Fault first = after.fault();
    Fault again = wrong.fault();
    if (first == null || again == null) {
      throw new AssertionError("a bad request was answered");
    }
    boolean same = first.isSameAs(again) || first.type() == FaultType.OUT_OF_MEMORY;
    if (!same && again.type() != FaultType.OUT_OF_MEMORY) {
      throw new AssertionError(first + " is not " + again);
    }
    allow(
        index ? "bad index" : "bad shape",
        first,
        index ? FaultType.INDEX : FaultType.SHAPE,
        FaultType.OUT_OF_MEMORY);
  }

  /** Fails, and nobody reads the fault. */
  private void unread(Context context, Random random) {
    Tensor wrong = context.ones(3).add(context.ones(4 + random.nextInt(4)));
    wrong.add(1).close();
    ended("unread", "left");
  }

  /** Cancelled by another thread: right, or cancelled. */
  private void cancelled(Context context, Random random) {
    CancelScope scope = CancelScope.open();
    int length = LARGE + random.nextInt(LARGE);
    Thread canceller = Thread.ofVirtual().unstarted(() -> scope.cancel("the soak wants it"));
    boolean early = random.nextBoolean();
    if (early) {
      canceller.start();
    }
    Tensor result = context.within(scope, () -> chain(context, length, 3));
    if (!early) {
      canceller.start();
    }
    settledAs("cancelled", result.fault(), FaultType.CANCELLED);
    join(canceller);
  }

  private void late(Context context, Random random) {
    CancelScope scope = CancelScope.withDeadline(Duration.ofNanos(random.nextInt(400_000)));
    int length = LARGE + random.nextInt(LARGE);
    Tensor result = context.within(scope, () -> chain(context, length, 5));
    boolean inside = random.nextBoolean();
    Fault fault = inside ? context.within(scope, result::fault) : result.fault();
    settledAs("late", fault, FaultType.DEADLINE_EXCEEDED);
  }

  /** One of several fails: it has its fault; the others are right, or cancelled because of it. */
  private void failFast(Context context, Random random) {
    CancelScope scope = CancelScope.open().failFast();
    int length = LARGE + random.nextInt(LARGE);
    boolean atTheCall = random.nextBoolean();
    Tensor index = context.of(Shape.of(1), length + 1L);
    Tensor[] made =
        context.within(
            scope,
            () -> {
              Tensor before = chain(context, length, 3);
              Tensor wrong = atTheCall ? context.of(Shape.of(3), 1f) : before.indexSelect(0, index);
              return new Tensor[] {before, wrong, chain(context, length, 5)};
            });
    settledAs("fail fast", made[0].fault(), FaultType.CANCELLED);
    settledAs("fail fast", made[2].fault(), FaultType.CANCELLED);
    Fault wrong = Objects.requireNonNull(made[1].fault(), "what was to fail did not");
    FaultType own = atTheCall ? FaultType.SHAPE : FaultType.INDEX;
    allow("fail fast", wrong, own, FaultType.CANCELLED, FaultType.OUT_OF_MEMORY);
  }

  /** Tasks in bulk, one of which fails: later tasks on its variable are skipped, and no others. */
  private void bulk(EngineContext context, Random random) {
    Variable[] variables = {new Variable("a"), new Variable("b"), new Variable("c")};
    int[] counts = new int[variables.length];
    int parts = variables.length * (1 + random.nextInt(10));
    int failing = random.nextInt(parts);
    try (Bulk bulk = context.bulk()) {
      for (int i = 0; i < parts; i++) {
        bulk.push(part(variables[i % variables.length], counts, i, failing));
      }
    }
    for (int v = 0; v < variables.length; v++) {
      Fault fault = context.await(variables[v], null);
      boolean fails = failing % variables.length == v;
      int wanted = fails ? failing / variables.length : parts / variables.length;
      if (counts[v] != wanted || (fault == null) == fails) {
        throw new AssertionError("bulk: " + counts[v] + " parts, not " + wanted + ": " + fault);
      }
      settledAs("bulk", fault, FaultType.VALUE);
    }
  }

  private static Task part(Variable variable, int[] counts, int number, int failing) {
    return new Task(Uses.updating(variable)) {
      @Override
      protected Object run() {
        if (number == failing) {
          return Fault.value("part " + number + " was to fail");
        }
        counts[number % counts.length]++;
        return DONE;
      }
    };
  }

  private void settledAs(String kind, @Nullable Fault fault, FaultType other) {
    if (fault == null) {
      ended(kind, "right");
    } else {
      allow(kind, fault, other, FaultType.OUT_OF_MEMORY);
    }
  }

  /** Closes all operands, and the scopes around them, while workers use them. */
  private void closedInUse(Context context, Random random) {
    int length = LARGE + random.nextInt(LARGE);
    try (ResourceScope scope = context.scope().child("step")) {
      Tensor index = context.within(scope, () -> context.arange(length));
      Tensor factor = index.mul(7);
      Tensor sum = factor.add(1);
      factor.close();
      Tensor twice = sum.mul(2);
      sum.close();
      Tensor result = twice.sub(index);
      twice.close();
      index.close();
      expect("closed in use", result::longs, length, 7);
    }
  }

  /** More than its own scope may hold: refused, whatever others hold. */
  private void beyondItsBudget(Context context, Random random) {
    int length = LARGE + random.nextInt(LARGE);
    try (ResourceScope scope = context.scope().child("small", 1000)) {
      Tensor result = context.within(scope, () -> context.zeros(length));
      Fault fault = result.add(1).fault();
      if (fault == null) {
        throw new AssertionError("a scope holds more than its budget");
      }
      allow("beyond its budget", fault, FaultType.OUT_OF_MEMORY);
    }
  }

  /** A waiter is interrupted: right, or cancelled; a later read is right. */
  private void interrupted(Context context, Random random) {
    int length = LARGE + random.nextInt(LARGE);
    Tensor result = chain(context, length, 9);
    Thread.currentThread().interrupt();
    Fault fault = result.fault();
    Thread.interrupted();
    if (fault != null) {
      allow("interrupted", fault, FaultType.CANCELLED, FaultType.OUT_OF_MEMORY);
    }
    expect("after an interrupt", result::longs, length, 9);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
