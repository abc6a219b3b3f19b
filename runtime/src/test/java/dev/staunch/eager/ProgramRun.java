package dev.staunch.eager;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Engine;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program in a context, alongside a {@link Bystander}. Throws an {@link
 * AssertionError} at the first step with a wrong result.
 */
final class ProgramRun {
  private static final String WISH = "the program wants it";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Context context;
  private final Bystander bystander;
  private final ExecutorService other;
  private final List<Tensor> shared;
  private final Map<Integer, Tensor> places = new HashMap<>();
  private final Causes.Events events = new Causes.Events();

  /** The faults with which the surrounding block ends waits. */
  private Set<FaultType> ends = Set.of();

  /** The size in bytes of the last tensor whose size is known. */
  private long bytes = 64;

  private ProgramRun(
      Context context, Bystander bystander, ExecutorService other, List<Tensor> shared) {
    this.context = context;
    this.bystander = bystander;
    this.other = other;
    this.shared = shared;
  }

  /**
   * Runs {@code program} in a context of its own.
   *
   * @param other runs what another thread does
   */
  static void alone(Program program, OffHeap memory, Engine engine, ExecutorService other) {
    ContextOptions options =
        ContextOptions.standard().withLargeElements(program.largeElements()).withName("program");
    try (Bystander bystander = new Bystander(memory);
        Context context = Context.open(memory, options, engine)) {
      ProgramRun run = new ProgramRun(context, bystander, other, List.of());
      run.run(program.lines());
      if (program.abrupt()) {
        context.close(Duration.ZERO);
        run.closeAll();
        run.look("the end");
      } else {
        run.closeAll();
        context.engineContext().awaitPushed();
        run.look("the end");
      }
      awaitNone(context);
    }
  }

  /** Runs {@code program} in a context that others use too, and whose first tensors are shared. */
  static void among(
      Program program,
      OffHeap memory,
      Context context,
      List<Tensor> shared,
      ExecutorService other) {
    try (Bystander bystander = new Bystander(memory)) {
      ProgramRun run = new ProgramRun(context, bystander, other, shared);
      run.run(program.lines());
      run.closeAll();
    }
  }

  /** A kernel that was left behind gives back what it holds when it ends. */
  private static void awaitNone(Context context) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (context.bytes() != 0 && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(100_000);
    }
    if (context.bytes() != 0) {
      throw new AssertionError("at the end bytes are held: " + context.scope().account());
    }
  }

  private void closeAll() {
    places.values().stream().filter(each -> !shared.contains(each)).forEach(Tensor::close);
  }

  private void run(List<Program.Line> lines) {
    for (Program.Line line : lines) {
      run(line);
      look(line.step());
    }
  }

  private void look(Object after) {
    String wrong = bystander.look(bytes);
    if (wrong != null) {
      throw new AssertionError("after " + after + ": " + wrong);
    }
  }

  private void run(Program.Line line) {
    switch (line.step()) {
      case Step.Make make -> make(make);
      case Step.Apply apply -> apply(apply, line.expected());
      case Step.Close close -> places.get(close.place()).close();
      case Step.Check check -> check(check.place(), (Oracle.Read) line.expected());
      case Step.Seed seed -> context.manualSeed(seed.seed());
      case Step.Count count -> count((Long) line.expected());
      case Step.Block block -> block(block, line.body());
    }
  }

  private void make(Step.Make make) {
    boolean isShared = make.place() < shared.size();
    places.put(
        make.place(), isShared ? shared.get(make.place()) : context.make(make.spec()::build));
    bytes = make.spec().shape().elements() * make.spec().dtype().bytes();
  }

  private void count(long expected) {
    if (shared.isEmpty()) {
      context.engineContext().awaitPushed();
      if (context.bytes() != expected) {
        throw new AssertionError(context.bytes() + " bytes are held, not " + expected);
      }
    }
  }

  private void apply(Step.Apply step, Object expected) {
    Object[] arguments = step.arguments().stream().map(this::resolved).toArray();
    if (expected instanceof Oracle.Answer answer) {
      answer(step, arguments, answer);
      return;
    }
    if (expected instanceof Oracle.Applied applied && applied.bytes() > 0) {
      bytes = applied.bytes();
    }
    int count = Programs.results(step.operation());
    Tensor[] results = context.applyMany(step.operation(), count, arguments);
    int next = 0;
    for (Tensor result : results) {
      if (next < step.places().length && !isOperand(result, arguments)) {
        places.put(step.places()[next++], result);
      } else if (!isOperand(result, arguments)) {
        result.close();
      }
    }
    if (Programs.isUndefined(step.operation())) {
      results[0].zero_();
    }
  }

  private static boolean isOperand(Tensor result, Object... arguments) {
    boolean[] found = new boolean[1];
    Handles.forEach(arguments, each -> found[0] |= each == result);
    return found[0];
  }

  private Object resolved(Object argument) {
    if (argument instanceof Step.Ref ref) {
      return places.get(ref.place());
    }
    return argument instanceof List<?> list
        ? list.stream().map(this::resolved).toList()
        : Programs.own(argument);
  }

  private void answer(Step.Apply step, Object[] arguments, Oracle.Answer expected) {
    Object value = null;
    Fault fault = null;
    try {
      value = context.applyValue(step.operation(), arguments);
    } catch (StaunchException e) {
      fault = e.fault();
    }
    expect(step, expected.causes().wrong(fault, events));
    if (fault == null) {
      int[] next = {0};
      Object found = answered(step, value, next);
      if (!Programs.same(expected.value(), found)) {
        throw new AssertionError(step + " gives " + expected.value() + ", got " + found);
      }
    }
  }

  private Object answered(Step.Apply step, Object value, int[] next) {
    if (value instanceof Object[] parts) {
      return answered(step, List.of(parts), next);
    }
    if (value instanceof List<?> list) {
      List<Object> values = new ArrayList<>();
      list.forEach(each -> values.add(answered(step, each, next)));
      return values;
    }
    if (value instanceof Tensor tensor) {
      Fault fault = tensor.isSettled() ? tensor.ownFault() : null;
      if (fault != null) {
        return fault.type();
      }
      if (next[0] < step.places().length) {
        places.put(step.places()[next[0]++], tensor);
      } else {
        tensor.close();
      }
      return Oracle.Answered.TENSOR;
    }
    return value;
  }

  private void check(int place, Oracle.Read expected) {
    Tensor tensor = places.get(place);
    if (tensor == null) {
      return;
    }
    String[] difference = new String[1];
    Fault fault = null;
    try {
      tensor.read(dense -> {
        bytes = dense.elements() * dense.dtype().bytes();
        difference[0] = difference(expected, dense);
        return dense;
      });
    } catch (StaunchException e) {
      fault = e.fault();
    }
    if (fault != null && ends.contains(fault.type())) {
      return; // the wait was ended
    }
    expect("t" + place, expected.causes().wrong(fault, events));
    expect("t" + place, difference[0]);
  }

  private static @Nullable String difference(Oracle.Read expected, DenseTensor found) {
    Snapshot value = expected.value();
    return value == null ? null : value.difference(found);
  }

  private static void expect(Object what, @Nullable String wrong) {
    if (wrong != null) {
      throw new AssertionError(what + ": " + wrong);
    }
  }

  private void block(Step.Block block, List<Program.Line> body) {
    if (block.trouble() == Step.Trouble.NONE) {
      inside(block, body);
      return;
    }
    // A close of the scope ends no wait.
    ends = block.trouble() == Step.Trouble.CLOSE ? Set.of() : block.trouble().ends();
    try {
      troubled(block, body);
    } finally {
      ends = Set.of();
    }
  }

  private void troubled(Step.Block block, List<Program.Line> body) {
    int micros = block.micros();
    Runnable work = () -> inside(block, body);
    switch (block.trouble()) {
      case NONE -> work.run();
      case CANCELLED -> {
        CancelScope scope = CancelScope.open();
        scope.cancel(WISH);
        context.within(scope, ran(work));
      }
      case CANCEL -> {
        CancelScope scope = CancelScope.open();
        context.within(scope, ran(during(work, micros, () -> scope.cancel(WISH))));
      }
      case DEADLINE ->
          context.within(
              CancelScope.withDeadline(Duration.of(micros, ChronoUnit.MICROS)), ran(work));
      case INTERRUPT -> during(work, micros, Thread.currentThread()::interrupt).run();
      case CLOSE -> {
        ResourceScope scope = context.scope().child("closed under");
        context.within(scope, ran(during(work, micros, scope::close)));
      }
    }
  }

  private static Supplier<Object> ran(Runnable work) {
    return () -> {
      work.run();
      return work;
    };
  }

  /** Runs {@code work} while another thread causes {@code trouble} after some microseconds. */
  private Runnable during(Runnable work, int micros, Runnable trouble) {
    return () -> {
      Future<?> begun = after(micros, trouble);
      try {
        work.run();
      } finally {
        over(begun);
      }
    };
  }

  private void inside(Step.Block block, List<Program.Line> body) {
    if (!block.using()) {
      run(body);
      return;
    }
    try {
      context.using(
          "block",
          () -> {
            run(body);
            return kept(block);
          });
    } catch (StaunchException e) {
      if (!ends.contains(e.fault().type())) {
        throw new AssertionError("a scope ended with " + e.fault(), e);
      }
    }
  }

  private List<Tensor> kept(Step.Block block) {
    return places.entrySet().stream()
        .filter(each -> block.keeps(each.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  private Future<?> after(int micros, Runnable action) {
    return other.submit(() -> {
      long end = System.nanoTime() + micros * 1000L;
      while (System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      action.run();
    });
  }

  /**
   * Waits until the other thread has finished, and clears an interrupt so that it hits nothing
   * later.
   */
  private static void over(Future<?> trouble) {
    boolean open = true;
    while (open) {
      try {
        trouble.get();
        open = false;
      } catch (InterruptedException e) {
        // the interrupt that was intended
      } catch (ExecutionException e) {
        throw new AssertionError(e);
      }
    }
    Thread.interrupted();
  }
}
