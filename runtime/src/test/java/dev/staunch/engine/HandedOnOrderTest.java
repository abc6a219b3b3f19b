package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Reach;
import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs of tasks that read inside and pass on what they find, pushed singly and in bulk,
 * and sometimes read from outside: they leave the same on every engine as on a serial one, and each
 * fault that nobody read is reported once (F6, F7, F10, E6, E9).
 */
class HandedOnOrderTest {
  private static final int CELLS = 16;
  private static final int ROOTS = 4;

  /** One task. All tasks read and write cells; most also handle a root that they read inside. */
  private record Operation(Kind kind, int[] cells, int root, boolean update, boolean look) {
    enum Kind {
      WORKS,
      FAILS,
      THROWS,
      SWALLOWS,
      RETHROWS,
      RETURNS,
      RETURNS_IN_PART,
      MERGES
    }

    static Operation random(Random random) {
      Kind[] kinds = Kind.values();
      return new Operation(
          kinds[random.nextInt(kinds.length)],
          random.ints(0, CELLS).distinct().limit(1 + random.nextInt(3)).toArray(),
          random.nextInt(ROOTS),
          random.nextInt(8) == 0,
          random.nextInt(6) == 0);
    }
  }

  private final List<String> result = new ArrayList<>();

  /**
   * These hold their outcomes, so that no fault is lost, and reported, before the context closes.
   */
  private final List<Step> kept = new ArrayList<>();

  private final Set<Reach> read = ConcurrentHashMap.newKeySet();
  private final Variable[] cells = variables(CELLS, "cell");
  private final Variable[] roots = variables(ROOTS, "root");

  private static Variable[] variables(int count, String name) {
    return IntStream.range(0, count).mapToObj(i -> new Variable(name + i)).toArray(Variable[]::new);
  }

  /** What a program leaves: in the cells, for threads that look meanwhile, and unreported. */
  private static List<String> run(long seed, EngineOptions options) {
    return new HandedOnOrderTest().played(new Random(seed), options);
  }

  private List<String> played(Random random, EngineOptions options) {
    Trial trial = new Trial(options);
    EngineContext context = trial.context;
    try (trial) {
      EngineContext inner = trial.engine.open("looks inside, which take no place in the order");
      for (int i = 0; i < ROOTS; i++) {
        Object outcome = random.nextInt(4) == 0 ? Task.DONE : Fault.value("root " + i);
        push(context, List.of(Step.failing(Uses.writing(roots[i]), outcome)));
      }
      for (int i = 0; i < 24; i++) {
        List<Operation> group =
            Stream.generate(() -> Operation.random(random)).limit(1 + random.nextInt(3)).toList();
        push(context, tasks(group, inner, i));
        if (group.getFirst().look()) {
          result.add("seen " + text(look(context, cells[group.getFirst().cells()[0]])));
        }
      }
      context.awaitPushed();
      if (random.nextBoolean()) {
        result.add("all " + text(all(context)));
      }
      for (int i = 0; i < CELLS; i += 2) {
        Fault fault = look(context, cells[i]);
        result.add(text(fault) + " skipped " + (fault == null ? 0 : fault.reach().skipped()));
      }
    }
    result.add("told " + trial.unread.stream().map(HandedOnOrderTest::text).sorted().toList());
    long known = read.stream().filter(Reach::isKnown).count();
    assertEquals(context.faults(), known + context.unreadFaults(), "F10: read or told");
    result.add(context.faults() + " arose");
    return result;
  }

  private List<Step> tasks(List<Operation> group, EngineContext inner, int number) {
    List<Step> tasks = new ArrayList<>();
    for (Operation operation : group) {
      String name = number + "." + tasks.size();
      tasks.add(new Step(uses(operation), false, () -> outcome(operation, inner, name)));
    }
    return tasks;
  }

  private void push(EngineContext context, List<Step> tasks) {
    kept.addAll(tasks);
    if (tasks.size() == 1) {
      context.push(tasks.getFirst());
    } else {
      try (Bulk bulk = context.bulk()) {
        tasks.forEach(bulk::push);
      }
    }
  }

  private Uses uses(Operation operation) {
    Variable[] all =
        IntStream.of(operation.cells()).mapToObj(i -> cells[i]).toArray(Variable[]::new);
    int written = Math.min(2, all.length);
    Variable[] writes = Stream.of(all).limit(written).toArray(Variable[]::new);
    Uses reads = Uses.reading(Stream.of(all).skip(written).toArray(Variable[]::new));
    return operation.update() ? reads.andUpdating(writes) : reads.andWriting(writes);
  }

  private Object outcome(Operation operation, EngineContext inner, String name) {
    Variable root = roots[operation.root()];
    return switch (operation.kind()) {
      case WORKS -> Task.DONE;
      case FAILS -> Fault.value("own " + name);
      case THROWS -> throw Fault.value("own " + name).toException();
      case RETHROWS -> {
        look(inner, root);
        inner.waitFor(root);
        yield Task.DONE;
      }
      default -> {
        Fault found = look(inner, root);
        yield found == null ? Task.DONE : handedOn(operation.kind(), found, name);
      }
    };
  }

  private Fault look(EngineContext context, Variable variable) {
    return noted(context.await(variable, null));
  }

  private Fault all(EngineContext context) {
    try {
      context.waitAll();
      return null;
    } catch (StaunchException e) {
      return noted(e.fault());
    }
  }

  private Fault noted(Fault found) {
    if (found != null) {
      read.add(found.reach());
      found.suppressed().forEach(each -> read.add(each.reach()));
    }
    return found;
  }

  private static Object handedOn(Operation.Kind kind, Fault found, String name) {
    return switch (kind) {
      case RETURNS -> found.withOperation(name, List.of());
      case RETURNS_IN_PART -> new Object[] {found, Task.DONE};
      case MERGES -> Fault.value("own " + name).merge(found);
      default -> Task.DONE;
    };
  }

  private static String text(Fault fault) {
    if (fault == null) {
      return "fine";
    }
    return fault.message()
        + fault.origin()
        + fault.operation()
        + fault.suppressed().stream().map(HandedOnOrderTest::text).toList();
  }

  @Test
  void manyInterleavingsGiveTheSame() {
    for (long seed = 0; seed < 200; seed++) {
      List<String> expected = run(seed, EngineOptions.serial());
      assertEquals(expected, run(seed, EngineOptions.seeded(seed, 4)), "seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void threadsGiveTheSame(EngineOptions options) {
    for (long seed = 0; seed < 40; seed++) {
      assertEquals(run(seed, EngineOptions.serial()), run(seed, options), "seed " + seed);
    }
  }
}
