package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs of creation, pointwise operations, writes in place, views, slices, copies,
 * failures, healing and closing, compared with {@link PlainTensor}. Every element and every fault
 * is the same on every engine, whether operations are computed where they are called or by workers,
 * by one thread or several (E1, E5, E6, F2, F3, F4, F6, M1, M2, M4).
 */
class EagerModelTest {
  private static final int STEPS = 60;
  private static final int FIRST_INDEX = 1000;

  static Stream<Arguments> engines() {
    return Stream.of(
            EngineOptions.serial(),
            EngineOptions.threaded(1),
            EngineOptions.threaded(2),
            EngineOptions.threaded(4),
            EngineOptions.seeded(1, 1),
            EngineOptions.seeded(2, 4))
        .flatMap(engine -> Stream.of(Arguments.of(engine, 1L), Arguments.of(engine, 8L)));
  }

  private static final class Pair {
    final Tensor real;
    final PlainTensor plain;

    Pair(Tensor real, PlainTensor plain) {
      this.real = real;
      this.plain = plain;
    }
  }

  /** One thread's program. */
  private static final class Program {
    private final Context context;
    private final List<Pair> shared;
    private final Random random;
    private final String seed;
    private final List<Pair> own = new ArrayList<>();
    private int step;

    Program(Context context, List<Pair> shared, long seed) {
      this.context = context;
      this.shared = shared;
      this.random = new Random(seed);
      this.seed = "seed " + seed;
    }

    void run() {
      own.add(create());
      for (step = 0; step < STEPS; step++) {
        next();
      }
      for (Pair pair : own) {
        check(pair);
        pair.real.close();
      }
    }

    private void next() {
      switch (random.nextInt(16)) {
        case 0 -> own.add(create());
        case 1, 2, 3 -> pointwise();
        case 4, 5, 6 -> update();
        case 7 -> fill();
        case 8 -> copy();
        case 9, 10 -> transpose();
        case 11, 12 -> slice();
        case 13 -> own.add(failing());
        case 14 -> close();
        default -> check(any());
      }
    }

    private Pair create() {
      int rows = 2 + random.nextInt(3);
      int columns = 2 + random.nextInt(3);
      long[] values = random.longs((long) rows * columns, -9, 9).toArray();
      Tensor real = context.of(Shape.of(rows, columns), values.clone());
      return new Pair(real, PlainTensor.of(values, rows, columns));
    }

    private Pair any() {
      return own.isEmpty() || random.nextInt(6) == 0
          ? shared.get(random.nextInt(shared.size()))
          : own.get(random.nextInt(own.size()));
    }

    /** A tensor whose sizes fit those of {@code first}. */
    private Pair partner(Pair first) {
      for (int i = 0; i < 4; i++) {
        Pair other = any();
        boolean failed = other.plain.fault() != PlainTensor.FINE;
        if (failed || other.plain.hasSizesOf(first.plain)) {
          return other;
        }
      }
      return first;
    }

    private void pointwise() {
      Pair left = any();
      Pair right = partner(left);
      own.add(
          random.nextBoolean()
              ? new Pair(left.real.add(right.real), left.plain.with(right.plain, Long::sum))
              : new Pair(left.real.mul(right.real), left.plain.with(right.plain, (a, b) -> a * b)));
    }

    /** A tensor that may be written; one that does not exist has no memory to write to. */
    private Pair target() {
      for (int i = 0; i < 6 && !own.isEmpty(); i++) {
        Pair pair = own.get(random.nextInt(own.size()));
        if (pair.plain.exists() && !isShared(pair)) {
          return pair;
        }
      }
      Pair made = create();
      own.add(made);
      return made;
    }

    private boolean isShared(Pair pair) {
      return shared.stream().anyMatch(other -> other.plain.cells == pair.plain.cells);
    }

    private void update() {
      Pair target = target();
      Pair source = partner(target);
      if (random.nextBoolean()) {
        target.real.add_(source.real);
        target.plain.update(source.plain, Long::sum);
      } else {
        target.real.sub_(source.real);
        target.plain.update(source.plain, (a, b) -> a - b);
      }
    }

    private void fill() {
      Pair target = target();
      long value = random.nextInt(5);
      target.real.fill_(value);
      target.plain.fill(value);
    }

    private void copy() {
      Pair target = random.nextInt(3) == 0 ? failing() : target();
      if (!own.contains(target)) {
        own.add(target);
      }
      Pair source = target.plain.exists() ? partner(target) : any();
      target.real.copy_(source.real);
      target.plain.copy(source.plain);
    }

    private void transpose() {
      Pair of = any();
      own.add(new Pair(of.real.transpose(0, 1), of.plain.transposed()));
    }

    private void slice() {
      Pair of = any();
      if (of.plain.fault() != PlainTensor.FINE) {
        own.add(new Pair(of.real.slice(0, 0, 1, 1), of.plain.rows(0, 0, 1)));
        return;
      }
      int start = random.nextInt(of.plain.rows());
      int end = start + 1 + random.nextInt(of.plain.rows() - start);
      int every = 1 + random.nextInt(2);
      own.add(new Pair(of.real.slice(0, start, end, every), of.plain.rows(start, end, every)));
    }

    /** A new tensor that fails, with an index that identifies the step. */
    private Pair failing() {
      Pair of = any();
      int index = FIRST_INDEX + step;
      int fault = Math.min(of.plain.fault(), index);
      Tensor picked = of.real.get(Index.at(index));
      Tensor sum = picked.add(1);
      picked.close();
      return new Pair(sum, PlainTensor.failed(fault));
    }

    /** Operations called before continue with it. */
    private void close() {
      if (!own.isEmpty()) {
        Pair pair = own.remove(random.nextInt(own.size()));
        pair.real.close();
      }
    }

    private void check(Pair pair) {
      String where = seed + ", step " + step;
      Fault fault = pair.real.fault();
      String expected = pair.plain.faultText();
      if (expected == null) {
        assertNull(fault, where);
        assertArrayEquals(pair.plain.elements(), pair.real.longs(), where);
      } else {
        assertNotNull(fault, where);
        assertTrue(fault.message().contains(expected), () -> where + ": " + fault + expected);
        Fault again = Objects.requireNonNull(pair.real.fault(), where);
        assertEquals(fault.message(), again.message(), where);
        assertEquals(messages(fault), messages(again), where);
      }
    }
  }

  private static List<String> messages(Fault fault) {
    return fault.suppressed().stream().map(Fault::message).toList();
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aRandomProgramGivesWhatPlainLoopsGive(EngineOptions engine, long largeElements) {
    for (long seed = 0; seed < 20; seed++) {
      OffHeap memory = OffHeap.withBudget(1 << 20);
      try (Context context = open(memory, engine, largeElements)) {
        List<Pair> shared = shared(context, seed);
        new Program(context, shared, seed).run();
        shared.forEach(pair -> pair.real.close());
        context.engineContext().awaitPushed(); // some results were closed before they arrived
        assertEquals(0, context.bytes(), "seed " + seed);
      }
      assertEquals(0, memory.account().bytes(), "seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void severalThreadsThatShareWhatTheyOnlyReadDoNotDisturbEachOther(
      EngineOptions engine, long largeElements) throws InterruptedException {
    for (long seed = 0; seed < 4; seed++) {
      OffHeap memory = OffHeap.withBudget(1 << 20);
      try (Context context = open(memory, engine, largeElements)) {
        List<Pair> shared = shared(context, seed);
        List<Throwable> failures = atOnce(context, shared, seed * 4);
        assertEquals(List.of(), failures, () -> "seeds " + failures);
        shared.forEach(pair -> pair.real.close());
        context.engineContext().awaitPushed(); // some results were closed before they arrived
        assertEquals(0, context.bytes(), "seed " + seed);
      }
      assertEquals(0, memory.account().bytes(), "seed " + seed);
    }
  }

  private static List<Throwable> atOnce(Context context, List<Pair> shared, long firstSeed)
      throws InterruptedException {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long seed = firstSeed + i;
      Thread thread = Thread.ofPlatform().unstarted(new Program(context, shared, seed)::run);
      thread.setUncaughtExceptionHandler((in, failure) -> failures.add(failure));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return failures;
  }

  private static Context open(OffHeap memory, EngineOptions engine, long largeElements) {
    return Context.open(
        memory,
        ContextOptions.standard()
            .withEngine(engine.withUnreadFaults(fault -> {}))
            .withLargeElements(largeElements));
  }

  /** Tensors that programs only read. */
  private static List<Pair> shared(Context context, long seed) {
    Program maker = new Program(context, List.of(), seed);
    return List.of(maker.create(), maker.create(), maker.create());
  }
}
