package dev.staunch.eager;

import dev.staunch.dispatch.Door;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.OperationDefinition;
import dev.staunch.kernel.Schema;
import dev.staunch.type.Type;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a handle has to know of an operation before it runs: which argument each result is, or may
 * share memory with, and what it writes. Read once from the schema's alias marks.
 */
final class Signature {
  /** A result that shares memory with no argument. */
  static final int FRESH = -1;

  /** Operations that write all of {@code self} without looking at what it held (F4). */
  private static final Set<String> OVERWRITES =
      Set.of(
          "aten::fill_",
          "aten::zero_",
          "aten::copy_",
          "aten::uniform_",
          "aten::normal_",
          "aten::random_",
          "aten::bernoulli_",
          "aten::exponential_");

  /** Operations that may give back self's own memory, of which libtorch's schemas do not tell. */
  private static final Set<String> UNMARKED_VIEWS =
      Set.of(
          "aten::type_as",
          "aten::atleast_1d",
          "aten::atleast_2d",
          "aten::atleast_3d",
          "aten::dropout",
          "aten::feature_dropout",
          "aten::alpha_dropout",
          "aten::feature_alpha_dropout");

  /**
   * Operations whose result, if there is one, is always self's memory. Of all others that may give
   * it back it is known only afterwards: {@code reshape} copies where no strides will do.
   */
  private static final Set<String> ALWAYS_VIEWS =
      Set.of(
          "aten::alias",
          "aten::atleast_1d",
          "aten::atleast_2d",
          "aten::atleast_3d",
          "aten::broadcast_to",
          "aten::detach",
          "aten::diagonal",
          "aten::expand",
          "aten::expand_as",
          "aten::imag",
          "aten::mT",
          "aten::moveaxis",
          "aten::movedim",
          "aten::narrow",
          "aten::numpy_T",
          "aten::permute",
          "aten::select",
          "aten::slice",
          "aten::squeeze",
          "aten::swapaxes",
          "aten::swapdims",
          "aten::t",
          "aten::transpose",
          "aten::unflatten",
          "aten::unfold",
          "aten::unsqueeze",
          "aten::view",
          "aten::view_as",
          "aten::view_as_complex",
          "aten::view_as_real");

  final Door door;

  /** Whether this takes random numbers, in the order of the calls. */
  final boolean draws;

  final boolean overwrites;

  /** Whether the result, if there is one, always has the memory of the argument that it views. */
  final boolean alwaysViews;

  /** Whether this gives {@code self} all it needs, so that even one without a shape is healed. */
  final boolean assigns;

  private final ArgumentRules rules;

  /** The place of the argument that says whether statistics are moved; or {@link #FRESH}. */
  private final int training;

  private final boolean[] mutated;
  private final int[] mutatedResult;
  private final int[] viewedResult;

  private Signature(
      Door door, boolean overwrites, boolean[] mutated, int[] mutatedResult, int[] viewedResult) {
    this.door = door;
    this.rules = ArgumentRules.of(door.definition().schema());
    this.draws = Generator.feeds(door.definition().schema());
    this.overwrites = overwrites;
    this.alwaysViews = ALWAYS_VIEWS.contains(door.definition().schema().name());
    this.assigns = name().equals("aten::copy_");
    this.training = name().equals("aten::batch_norm") ? place("training") : FRESH;
    this.mutated = mutated;
    this.mutatedResult = mutatedResult;
    this.viewedResult = viewedResult;
  }

  static Signature of(OperationDefinition definition) {
    Schema schema = definition.schema();
    List<Schema.Parameter> parameters = schema.parameters();
    boolean[] mutated = new boolean[parameters.size()];
    for (int i = 0; i < mutated.length; i++) {
      mutated[i] = parameters.get(i).mutated();
    }
    int[] same = new int[schema.results().size()];
    int[] viewed = new int[same.length];
    for (int i = 0; i < same.length; i++) {
      Schema.Result result = schema.results().get(i);
      int source = UNMARKED_VIEWS.contains(schema.name()) ? 0 : aliased(parameters, result.alias());
      same[i] = result.mutated() ? source : FRESH;
      viewed[i] = result.mutated() ? FRESH : source;
    }
    return new Signature(
        Door.to(definition), OVERWRITES.contains(schema.name()), mutated, same, viewed);
  }

  private static int aliased(List<Schema.Parameter> parameters, @Nullable String alias) {
    for (int i = 0; alias != null && i < parameters.size(); i++) {
      String other = parameters.get(i).alias();
      if (other != null && letters(alias).stream().anyMatch(letters(other)::contains)) {
        return i;
      }
    }
    return FRESH;
  }

  /** The sets that an alias text names: {@code b|a} names two, {@code a -> *} begins as one. */
  private static List<String> letters(String alias) {
    String text = alias.contains("->") ? alias.substring(0, alias.indexOf("->")) : alias;
    return List.of(text.trim().split("\\|"));
  }

  String name() {
    return door.definition().name();
  }

  /** What is wrong with a call of this operation with {@code arguments}, or null. */
  @Nullable Fault misuse(@Nullable Object[] arguments) {
    return rules.check(arguments);
  }

  /** As {@link #misuse(Object[])}, for a call that expects {@code count} tensors. */
  @Nullable Fault misuse(int count, @Nullable Object[] arguments) {
    Fault fault = rules.check(arguments);
    if (fault != null) {
      return fault;
    }
    Schema schema = door.definition().schema();
    if (results() != count) {
      String many = results() == 1 ? " result" : " results";
      return notTensors("returns " + results() + many + ", not " + count);
    }
    for (Schema.Result result : schema.results()) {
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

  /** The handle among {@code arguments} that this writes first of all, if they begin with one. */
  @Nullable Tensor target(@Nullable Object[] arguments) {
    return mutates(0) && arguments.length > 0 && arguments[0] instanceof Tensor target
        ? target
        : null;
  }

  boolean mutates(int argument) {
    return argument < mutated.length && mutated[argument];
  }

  /**
   * Whether a call with {@code arguments} moves {@code argument} in place if it succeeds, of which
   * libtorch's schemas do not tell: running statistics in training.
   */
  boolean moves(int argument, Object[] arguments) {
    return training != FRESH
        && Boolean.TRUE.equals(arguments[training])
        && (argument == place("running_mean") || argument == place("running_var"));
  }

  private int place(String parameter) {
    List<Schema.Parameter> parameters = door.definition().schema().parameters();
    return parameters.stream().map(Schema.Parameter::name).toList().indexOf(parameter);
  }

  int results() {
    return mutatedResult.length;
  }

  /** The argument that result {@code i} is, written in place; or {@link #FRESH}. */
  int written(int i) {
    return mutatedResult[i];
  }

  /** The argument whose memory result {@code i} may view; or {@link #FRESH}. */
  int viewed(int i) {
    return viewedResult[i];
  }
}
