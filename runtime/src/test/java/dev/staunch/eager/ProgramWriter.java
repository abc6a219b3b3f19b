package dev.staunch.eager;

import dev.staunch.fault.Message;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes random programs: any operation of the catalog, on the results of earlier steps, in
 * whatever layout, or on new tensors; views, writes in place, failures, healing, closing in any
 * order, and blocks to which something happens.
 */
final class ProgramWriter {
  /** What programs do. */
  enum Habit {
    /** They mostly use small tensors. */
    SMALL,
    /** They draw random numbers. */
    DRAWS,
    /** They use tensors that others read at the same time. */
    SHARED,
    /** Others cancel, close and interrupt them. */
    TROUBLE
  }

  private static final List<CatalogEntry> OPERATIONS = Programs.operations();
  private static final List<CatalogEntry> POINTWISE =
      OPERATIONS.stream().filter(each -> isPointwise(each.schema())).toList();
  private static final long[] LARGE = {1, 1, 8, ContextOptions.DEFAULT_LARGE_ELEMENTS};
  private static final long SPREAD_OF_SEEDS = 0x9E3779B97F4A7C15L;

  private final Random random;
  private final Set<Habit> habits;
  private final Oracle oracle;
  private final Draft draft;
  private final AnyArguments any;

  private ProgramWriter(Random random, Set<Habit> habits, Oracle oracle) {
    this.random = random;
    this.habits = habits;
    this.oracle = oracle;
    int size = random.nextInt(habits.contains(Habit.SMALL) ? 2000 : 12);
    this.draft =
        new Draft(
            random,
            oracle,
            size == 0 ? Draft.Scale.LARGE : size < 6 ? Draft.Scale.MEDIUM : Draft.Scale.SMALL);
    this.any = new AnyArguments(draft);
  }

  /**
   * The program of a seed.
   *
   * @throws AssertionError if a kernel returns something else for another layout
   */
  static Program write(long seed, Set<Habit> habits, OffHeap memory) {
    Random random = new Random(seed * SPREAD_OF_SEEDS);
    long large = LARGE[random.nextInt(LARGE.length)];
    boolean abrupt = random.nextInt(20) == 0;
    LayoutCheck layouts = new LayoutCheck(random.nextInt(2) == 0);
    try (Oracle oracle = new Oracle(memory, layouts)) {
      ProgramWriter writer = new ProgramWriter(random, habits, oracle);
      try {
        writer.write();
      } catch (AssertionError e) {
        String before = Step.text(Program.steps(writer.draft.lines()), "");
        throw new AssertionError(Message.of("%s\nafter\n%s", e.getMessage(), before), e);
      }
      return new Program(seed, large, abrupt, writer.draft.lines());
    }
  }

  private static boolean isPointwise(Schema schema) {
    List<Schema.Parameter> parameters = schema.parameters();
    return !parameters.isEmpty()
        && parameters.getFirst().type() == Type.Plain.TENSOR
        && parameters.stream().allMatch(ProgramWriter::isSimple)
        && schema.results().size() == 1
        && schema.results().getFirst().type() == Type.Plain.TENSOR;
  }

  private static boolean isSimple(Schema.Parameter parameter) {
    return parameter.type() == Type.Plain.TENSOR
        || parameter.type() == Type.Plain.NUMBER
        || parameter.defaultValue() != null;
  }

  private void write() {
    if (habits.contains(Habit.SHARED)) {
      Programs.SHARED.forEach(draft::share);
    }
    steps(8 + random.nextInt(24), 0);
    for (int place : List.copyOf(oracle.places().keySet())) {
      if (!oracle.places().get(place).closed || random.nextInt(4) == 0) {
        draft.add(new Step.Check(place));
      }
    }
  }

  private void steps(int count, int depth) {
    for (int i = 0; i < count; i++) {
      step(depth);
    }
  }

  private void step(int depth) {
    boolean quick = draft.scale == Draft.Scale.SMALL || depth > 0;
    int kind = random.nextInt(quick ? 100 : 140);
    if (draft.isEmpty() || kind < 10) {
      draft.make();
    } else if (kind < 32) {
      pointwise();
    } else if (kind < 54) {
      common();
    } else if (kind < 72) {
      anyOperation();
    } else if (kind < 76) {
      failing();
    } else if (kind < 82) {
      close();
    } else if (kind < 91) {
      draft.add(new Step.Check(draft.anyPlace()));
    } else if (kind < 93) {
      draft.add(new Step.Count());
    } else if (kind < 94) {
      draft.add(new Step.Seed(random.nextInt(100)));
    } else if (depth < 2) {
      block(depth);
    }
  }

  private void close() {
    int place = draft.anyPlace();
    if (!draft.isReadOnly(place)) {
      draft.add(new Step.Close(place));
    }
  }

  private void block(int depth) {
    Step.Trouble trouble = trouble(depth);
    boolean using = trouble != Step.Trouble.CLOSE && random.nextInt(3) > 0;
    Step.Block begun = new Step.Block(trouble, micros(), using, List.of(), new int[0]);
    List<Integer> before = List.copyOf(oracle.places().keySet());
    List<Program.Line> lines = draft.apart();
    oracle.begin(begun);
    steps(1 + random.nextInt(6), trouble == Step.Trouble.NONE ? depth + 1 : 2);
    int[] kept =
        oracle.places().keySet().stream()
            .filter(place -> !before.contains(place) && random.nextBoolean())
            .mapToInt(place -> place)
            .toArray();
    List<Step> steps = Program.steps(draft.lines());
    Step.Block block = new Step.Block(trouble, begun.micros(), using, steps, kept);
    oracle.end(block);
    draft.join(lines, block);
    draft.add(new Step.Seed(random.nextInt(100))); // the state of the random numbers is known again
  }

  /** Usually no trouble for small tensors, because that is quicker. */
  private Step.Trouble trouble(int depth) {
    boolean often = draft.scale != Draft.Scale.SMALL || random.nextInt(3) == 0;
    Step.Trouble[] all = Step.Trouble.values();
    Step.Trouble any = all[random.nextInt(all.length)];
    boolean may = habits.contains(Habit.TROUBLE) && depth == 0;
    return may && (often || !any.races()) ? any : Step.Trouble.NONE;
  }

  /** About as long as a block takes. */
  private int micros() {
    return switch (draft.scale) {
      case SMALL -> random.nextInt(60);
      case MEDIUM -> random.nextInt(600);
      case LARGE -> random.nextInt(5000);
    };
  }

  // operations

  /** An operation that takes tensors of the same sizes, or of sizes that do not fit. */
  private void pointwise() {
    CatalogEntry operation = POINTWISE.get(random.nextInt(POINTWISE.size()));
    int self = draft.operand();
    List<Object> arguments = new ArrayList<>();
    for (Schema.Parameter each : operation.schema().parameters()) {
      if (each.type() == Type.Plain.TENSOR) {
        arguments.add(new Step.Ref(arguments.isEmpty() ? self : draft.partner(self)));
      } else {
        Object standard = AnyArguments.standard(each);
        arguments.add(standard == null ? any.number() : standard);
      }
    }
    call(operation.name(), arguments);
  }

  private void anyOperation() {
    CatalogEntry operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
    List<Object> arguments = any.of(operation.schema());
    if (arguments != null) {
      call(operation.name(), arguments);
    }
  }

  /** An operation that fails with a message of its own. */
  private void failing() {
    long index = 1000L + draft.nextPlace();
    call("aten::select.int", new Step.Ref(draft.anyPlace()), 0L, index);
  }

  /** Views, copies, writes in place, and operations that heal. */
  private void common() {
    int place = draft.operand();
    Step.Ref self = new Step.Ref(place);
    DenseTensor tensor = draft.at(place);
    Object none = None.NONE;
    switch (random.nextInt(24)) {
      case 0 -> call("aten::transpose.int", self, dim(tensor), dim(tensor));
      case 1 -> call("aten::t", self);
      case 2, 3 -> slice(self, tensor);
      case 4 -> call("aten::select.int", self, dim(tensor), (long) random.nextInt(4));
      case 5 -> call("aten::unsqueeze", self, dim(tensor));
      case 6 -> call("aten::expand", self, expanded(tensor), false);
      case 7 -> call("aten::reshape", self, reshaped(tensor));
      case 8 -> call("aten::flatten.using_ints", self, 0L, -1L);
      case 9 -> call("aten::contiguous", self, 0L);
      case 10 -> call("aten::to.dtype", self, code(tensor), false, random.nextInt(3) == 0, none);
      case 11 -> call("aten::view", self, reshaped(tensor));
      case 12, 13 -> call("aten::fill_.Scalar", self, any.number());
      case 14 -> call("aten::zero_", self);
      case 15, 16 -> call("aten::copy_", self, new Step.Ref(draft.partner(place)), false);
      case 17, 18 -> call("aten::add_.Tensor", self, new Step.Ref(draft.partner(place)), 1L);
      case 19 -> call("aten::mul_.Scalar", self, any.number());
      case 20 -> call("aten::clone", self, none);
      case 21 -> call("aten::sum", self, none);
      case 22 -> call("aten::detach", self);
      default -> call("aten::exp", self);
    }
  }

  private long dim(@Nullable DenseTensor tensor) {
    int rank = tensor == null ? 2 : Math.max(1, tensor.rank());
    return random.nextLong(-rank, rank);
  }

  private void slice(Step.Ref self, @Nullable DenseTensor tensor) {
    long dim = dim(tensor);
    int rank = tensor == null ? 0 : tensor.rank();
    int size = rank == 0 ? 2 : (int) tensor.shape().size((int) Math.floorMod(dim, (long) rank));
    long start = random.nextInt(size + 1);
    long end = start + random.nextInt(size - (int) start + 1);
    call("aten::slice.Tensor", self, dim, start, end, 1L + random.nextInt(3));
  }

  private long code(@Nullable DenseTensor tensor) {
    return tensor != null && random.nextBoolean() ? tensor.dtype().code() : draft.dtype().code();
  }

  private List<Object> reshaped(@Nullable DenseTensor tensor) {
    long count = tensor == null ? 6 : tensor.elements();
    return switch (random.nextInt(4)) {
      case 0 -> List.of(count);
      case 1 -> List.of(-1L);
      case 2 -> count % 2 == 0 ? List.of(2L, count / 2) : List.of(1L, count);
      default -> List.of(count, 1L);
    };
  }

  private List<Object> expanded(@Nullable DenseTensor tensor) {
    List<Object> sizes = new ArrayList<>();
    if (draft.scale == Draft.Scale.SMALL && random.nextBoolean()) {
      sizes.add(1L + random.nextInt(3));
    }
    for (int i = 0; tensor != null && i < tensor.rank(); i++) {
      long size = tensor.shape().size(i);
      sizes.add(size == 1 ? 1L + random.nextInt(4) : random.nextBoolean() ? size : -1L);
    }
    return sizes;
  }

  private void call(String operation, Object... arguments) {
    call(operation, List.of(arguments));
  }

  private void call(String operation, List<Object> arguments) {
    Signature signature = Programs.SIGNATURES.find(operation);
    if (signature == null || !mayCall(signature, arguments)) {
      return;
    }
    Object[] plain = arguments.stream().map(this::standIn).toArray();
    if (Arrays.asList(plain).contains(null) || signature.misuse(plain) != null) {
      return;
    }
    boolean gives = signature.misuse(signature.results(), plain) == null;
    boolean waits = !gives || random.nextInt(12) == 0;
    int[] places = draft.nextPlaces(waits ? 8 : signature.results());
    draft.add(new Step.Apply(operation, arguments, places, waits));
  }

  private boolean mayCall(Signature signature, List<Object> arguments) {
    boolean may = !signature.draws || habits.contains(Habit.DRAWS);
    for (int i = 0; i < arguments.size(); i++) {
      for (Step.Ref ref : Step.Ref.in(arguments.get(i))) {
        boolean written = signature.mutates(i) || signature.moves(i, arguments.toArray());
        may &= !written || !draft.isReadOnly(ref.place());
      }
    }
    return may;
  }

  /**
   * The argument with a stand-in tensor for each place, where only types count; null if there is
   * none.
   */
  private @Nullable Object standIn(Object argument) {
    if (argument instanceof Step.Ref ref) {
      return oracle.places().containsKey(ref.place()) ? oracle.standIn() : null;
    }
    if (argument instanceof List<?> list) {
      List<Object> values = new ArrayList<>();
      list.forEach(each -> values.add(standIn(each)));
      return values.contains(null) ? null : values;
    }
    return argument;
  }
}
