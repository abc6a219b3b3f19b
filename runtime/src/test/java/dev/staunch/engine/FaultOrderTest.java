package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs with many faults give the same primary fault, the same suppressed faults and the
 * same counts of skipped operations on every engine, for every seed (F6, F7, E6, E9). The model is
 * a loop over the program, with lists of numbers for faults.
 */
class FaultOrderTest {
  private static final int VARIABLES = 12;

  /** One operation; {@code kind} determines its outcome if it runs. */
  private record Operation(int[] reads, int[] writes, boolean update, Kind kind, boolean small) {
    enum Kind {
      WORKS,
      FAILS,
      FAILS_IN_PART
    }

    static Operation random(Random random) {
      int[] cells = random.ints(0, VARIABLES).distinct().limit(5).toArray();
      int reads = random.nextInt(4);
      int chance = random.nextInt(8);
      Kind kind = chance == 0 ? Kind.FAILS : chance == 1 ? Kind.FAILS_IN_PART : Kind.WORKS;
      return new Operation(
          IntStream.of(cells).limit(reads).toArray(),
          IntStream.of(cells).skip(reads).limit(1 + random.nextInt(2)).toArray(),
          random.nextInt(4) == 0,
          kind,
          random.nextBoolean());
    }

    Uses uses(Variable[] variables) {
      Uses uses = Uses.reading(pick(reads, variables));
      return update ? uses.andUpdating(pick(writes, variables)) : writing(uses, variables);
    }

    private Uses writing(Uses uses, Variable[] variables) {
      return uses.andWriting(pick(writes, variables));
    }

    Object run(int number) {
      return switch (kind) {
        case WORKS -> Task.DONE;
        case FAILS -> Fault.value("fault " + number);
        case FAILS_IN_PART -> {
          Object[] parts = new Object[writes.length];
          parts[parts.length - 1] = Fault.value("part " + number);
          parts[0] = parts.length == 1 ? parts[0] : Task.DONE;
          yield parts;
        }
      };
    }

    private static Variable[] pick(int[] from, Variable[] variables) {
      return IntStream.of(from).mapToObj(i -> variables[i]).toArray(Variable[]::new);
    }
  }

  /** What a program leaves: the faults of its variables as text, and those of waitAll. */
  private record Result(List<String> variables, List<Long> skipped) {}

  private static List<Operation> program(long seed, int length) {
    Random random = new Random(seed);
    return Stream.generate(() -> Operation.random(random)).limit(length).toList();
  }

  /** The model; a fault is the numbers of the operations that failed, in order. */
  private static Result model(List<Operation> program) {
    List<List<Integer>> held = new ArrayList<>();
    IntStream.range(0, VARIABLES).forEach(i -> held.add(List.of()));
    long[] skipped = new long[program.size()];
    for (int i = 0; i < program.size(); i++) {
      Operation operation = program.get(i);
      IntStream looked =
          operation.update()
              ? IntStream.concat(IntStream.of(operation.reads()), IntStream.of(operation.writes()))
              : IntStream.of(operation.reads());
      List<Integer> incoming =
          looked.boxed().flatMap(cell -> held.get(cell).stream()).distinct().sorted().toList();
      if (incoming.size() > 1 + Fault.MAX_SUPPRESSED) {
        incoming = incoming.subList(0, 1 + Fault.MAX_SUPPRESSED);
      }
      if (!incoming.isEmpty()) {
        skipped[incoming.getFirst()]++;
      }
      for (int k = 0; k < operation.writes().length; k++) {
        List<Integer> left = incoming;
        boolean last = k == operation.writes().length - 1;
        if (incoming.isEmpty()) {
          boolean fails =
              operation.kind() == Operation.Kind.FAILS
                  || (operation.kind() == Operation.Kind.FAILS_IN_PART && last);
          left = fails ? List.of(i) : List.of();
        }
        held.set(operation.writes()[k], left);
      }
    }
    return result(held, skipped);
  }

  private static Result result(List<List<Integer>> held, long[] skipped) {
    List<Long> counts = new ArrayList<>();
    for (List<Integer> faults : held) {
      counts.add(faults.isEmpty() ? 0L : skipped[faults.getFirst()]);
    }
    return new Result(held.stream().map(List::toString).toList(), counts);
  }

  private static Result run(List<Operation> program, EngineOptions options) {
    try (Engine engine = Engine.start(options.withUnreadFaults(fault -> {}))) {
      EngineContext context = engine.open("program");
      Variable[] variables =
          IntStream.range(0, VARIABLES)
              .mapToObj(i -> new Variable("v" + i))
              .toArray(Variable[]::new);
      for (int i = 0; i < program.size(); i++) {
        int number = i;
        Operation operation = program.get(i);
        context.push(
            new Step(operation.uses(variables), operation.small(), () -> operation.run(number)));
      }
      Fault[] faults =
          Stream.of(variables).map(variable -> context.await(variable, null)).toArray(Fault[]::new);
      try {
        context.waitAll();
      } catch (StaunchException e) {
        // those that were overwritten
      }
      return new Result(
          Stream.of(faults).map(FaultOrderTest::numbers).map(List::toString).toList(),
          Stream.of(faults).map(f -> f == null ? 0L : f.reach().skipped()).toList());
    }
  }

  private static List<Integer> numbers(Fault fault) {
    if (fault == null) {
      return List.of();
    }
    return Stream.concat(Stream.of(fault), fault.suppressed().stream())
        .map(each -> Integer.parseInt(each.message().replaceAll("\\D", "")))
        .toList();
  }

  @Test
  void thousandsOfInterleavingsGiveTheSameFaults() {
    for (int seed = 0; seed < 2_000; seed++) {
      List<Operation> program = program(seed, 30);
      Result expected = model(program);
      EngineOptions options = EngineOptions.seeded(seed * 31L + 7, 1 + seed % 8);
      assertEquals(expected, run(program, options), "seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#all")
  void everyEngineGivesTheSameFaults(EngineOptions options) {
    for (int seed = 0; seed < 40; seed++) {
      List<Operation> program = program(seed, 60);
      assertEquals(model(program), run(program, options), "seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#all")
  void aJoinOfManyFaultsLeadsWithTheFirstAndKeepsTheEarliest(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable[] inputs = new Variable[40];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = new Variable("input " + i);
        trial.fail(inputs[i], "fault " + i);
      }
      Variable joined = new Variable("joined");
      List<Variable> backwards =
          Stream.of(inputs)
              .sorted(Comparator.comparing((Variable v) -> v.toString(), Comparator.reverseOrder()))
              .toList();
      trial.context.push(
          Step.large(
              Uses.reading(backwards.toArray(Variable[]::new)).andWriting(joined), () -> {}));
      List<Integer> found = numbers(trial.context.await(joined, null));
      assertEquals(IntStream.rangeClosed(0, Fault.MAX_SUPPRESSED).boxed().toList(), found);
      assertEquals(40, trial.context.faults());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#all")
  void aFaultCountsWhatWasSkippedBecauseOfIt(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      trial.fail(variable, "first");
      for (int i = 0; i < 10; i++) {
        trial.context.push(Step.large(Uses.updating(variable), () -> {}));
      }
      trial.context.await(variable, null);
      trial.context.await(variable, null);
      Fault fault = trial.context.await(variable, null);
      assertEquals(10, fault.reach().skipped(), "reads are no operations");
    }
  }
}
