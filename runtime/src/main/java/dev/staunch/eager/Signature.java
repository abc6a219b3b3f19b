package dev.staunch.eager;

import dev.staunch.dispatch.Door;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.memory.Holder;
import dev.staunch.operation.Effects;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handle needs to know about an operation before it runs: which argument each result is, or
 * may share memory with, and what the operation writes. Read once from the catalog entry.
 */
final class Signature implements Holder {
  /** A result that shares memory with no argument. */
  static final int FRESH = Effects.NONE;

  /** A direct call has one bit for each argument; no built-in operation has so many. */
  private static final int MOST_DIRECT = Integer.SIZE;

  final Door door;

  /** Whether this operation takes random numbers, in the order of the calls. */
  final boolean draws;

  final boolean overwrites;

  /** Whether the result, if there is one, is always a view. */
  final boolean alwaysViews;

  /**
   * Whether this operation gives {@code self} all it needs, so that even one without a shape is
   * healed.
   */
  final boolean assigns;

  final Workload workload;

  /** Whether this operation returns one new tensor and has no other effect. */
  final boolean direct;

  /**
   * Whether this operation reads each element once and combines it, so that a concurrent write does
   * no harm.
   */
  final boolean readsWithoutTurn;

  /** Whether all results may be tensors. */
  private final boolean givesTensors;

  private final ArgumentRules rules;

  private final Effects effects;
  private final int results;

  private Signature(Door door) {
    this.door = door;
    this.rules = ArgumentRules.of(door.definition().schema());
    this.effects = door.definition().effects();
    this.results = door.definition().schema().results().size();
    this.draws = effects.drawsRandom();
    this.overwrites = effects.has(Trait.OVERWRITES);
    this.alwaysViews = effects.has(Trait.VIEWS);
    this.workload = Workload.of(door.definition().definition(), alwaysViews);
    this.assigns = effects.has(Trait.ASSIGNS);
    Schema schema = door.definition().schema();
    this.givesTensors = schema.results().stream().allMatch(result -> mayBeTensor(result.type()));
    this.readsWithoutTurn = door.definition().body() instanceof PointwiseBody;
    this.direct =
        door.definition().closesOnFailure()
            && results == 1
            && givesTensors
            && written(0) == FRESH
            && viewed(0) == FRESH
            && !draws
            && !door.writes()
            && !schema.variadic()
            && schema.parameters().size() <= MOST_DIRECT
            && schema.parameters().stream().allMatch(it -> isTensorOrValue(it.type()));
  }

  /** Whether an argument for a parameter of this type is a tensor, or holds none. */
  private static boolean isTensorOrValue(Type type) {
    return type instanceof Type.Optional optional
        ? isTensorOrValue(optional.element())
        : type == Type.Plain.TENSOR || isValue(type);
  }

  private static boolean isValue(Type type) {
    return switch (type) {
      case Type.Plain plain ->
          switch (plain) {
            case INT, FLOAT, BOOL, NUMBER, COMPLEX, STRING, DEVICE, NONE -> true;
            default -> false;
          };
      case Type.Optional optional -> isValue(optional.element());
      case Type.ListOf list -> isValue(list.element());
      default -> false;
    };
  }

  static Signature of(CatalogEntry definition) {
    return new Signature(Door.to(definition));
  }

  @Override
  public String name() {
    return door.definition().name();
  }

  /** The fault of a call of this operation with {@code arguments}, or null. */
  @Nullable Fault misuse(@Nullable Object[] arguments) {
    return rules.check(arguments);
  }

  /** How many of {@code arguments}, counted from the first, have the types of their parameters. */
  int fitting(@Nullable Object[] arguments) {
    return rules.fitting(arguments);
  }

  /** As {@link #misuse(Object[])}, for a call that expects {@code count} tensors. */
  @Nullable Fault misuse(int count, @Nullable Object[] arguments) {
    Fault fault = rules.check(arguments);
    if (fault != null) {
      return fault;
    }
    if (results != count) {
      return notTensors("returns " + Message.count(results, "result") + ", not " + count);
    }
    return givesTensors ? null : firstThatIsNone();
  }

  private @Nullable Fault firstThatIsNone() {
    for (Schema.Result result : door.definition().schema().results()) {
      if (!mayBeTensor(result.type())) {
        return notTensors("returns " + result.type() + ", not a tensor; call applyValue");
      }
    }
    return null;
  }

  /** As {@link #misuse(Object[])}, for a call that expects a list of tensors. */
  @Nullable Fault misuseAsList(@Nullable Object[] arguments) {
    Fault fault = rules.check(arguments);
    List<Schema.Result> given = door.definition().schema().results();
    return fault == null && (given.size() != 1 || !mayBeTensors(given.getFirst().type()))
        ? notTensors("does not return a list of tensors; call applyValue")
        : fault;
  }

  private static boolean mayBeTensors(Type type) {
    return type instanceof Type.ListOf list
        ? mayBeTensor(list.element())
        : type == Type.Plain.ANY_LIST || (type != Type.Plain.TENSOR && mayBeTensor(type));
  }

  private Fault notTensors(String text) {
    return Fault.value(name() + " " + text).withOperation(name(), List.of());
  }

  private static boolean mayBeTensor(Type type) {
    return type == Type.Plain.TENSOR || type == Type.Plain.ANY || type instanceof Type.Variable;
  }

  boolean mutates(int argument) {
    return effects.writes(argument);
  }

  /** Whether a call with {@code arguments} moves {@code argument} in place if it succeeds. */
  boolean moves(int argument, Object[] arguments) {
    return effects.updatesState() && effects.updatesState(argument, Operands.of(arguments));
  }

  int results() {
    return results;
  }

  /** The argument that result {@code i} is, written in place; or {@link #FRESH}. */
  int written(int i) {
    return effects.aliasOf(i);
  }

  /** The argument whose memory result {@code i} may view; or {@link #FRESH}. */
  int viewed(int i) {
    return effects.viewed(i);
  }
}
