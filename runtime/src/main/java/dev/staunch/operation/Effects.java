package dev.staunch.operation;

import dev.staunch.type.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operation does with its operands, and beyond returning results: what follows from the
 * alias marks and types of its schema, and what its entry adds. Parameters and results are
 * identified by position. Immutable.
 */
public final class Effects {
  /** Stands for a parameter where there is none. */
  public static final int NONE = -1;

  private static final Set<Type> NUMBERS =
      Set.of(Type.Plain.INT, Type.Plain.FLOAT, Type.Plain.BOOL, Type.Plain.NUMBER);

  private static final Type GENERATOR = new Type.Optional(Type.Plain.GENERATOR);

  /**
   * The statistics that an operation updates in place while a module is trained, which schemas do
   * not say.
   *
   * @param flag the bool parameter that says whether it does
   * @param moved the parameters that hold the statistics
   */
  public record Training(String flag, List<String> moved) {
    public Training {
      moved = List.copyOf(moved);
    }
  }

  private final List<Schema.Parameter> parameters;
  private final List<Schema.Result> results;
  private final Set<Trait> traits;
  private final boolean[] writes;
  private final int[] written;
  private final int[] lists;
  private final int[] aliasOf;
  private final int[] viewed;
  private final boolean drawsRandom;

  /**
   * The position of the flag that says whether the operation updates the parameters in {@link
   * #moved}.
   */
  private final int flag;

  private final boolean[] moved;

  private Effects(Schema schema, Set<Trait> traits, @Nullable Training training) {
    this.parameters = schema.parameters();
    this.results = schema.results();
    this.traits = traits;
    this.writes = new boolean[parameters.size()];
    boolean[] areLists = new boolean[parameters.size()];
    boolean draws = traits.contains(Trait.DRAWS_RANDOM);
    for (int i = 0; i < writes.length; i++) {
      Schema.Parameter parameter = parameters.get(i);
      writes[i] = parameter.mutated();
      areLists[i] = isList(parameter.type());
      draws |= parameter.type().equals(GENERATOR);
    }
    this.written = places(writes);
    this.lists = places(areLists);
    this.drawsRandom = draws;
    this.aliasOf = results(true);
    this.viewed = results(false);
    this.flag = training == null ? NONE : place(training.flag());
    this.moved = new boolean[parameters.size()];
    if (training != null) {
      for (String name : training.moved()) {
        moved[place(name)] = true;
      }
    }
  }

  /**
   * The effects of an operation whose entry adds {@code traits} and {@code training} to its schema.
   */
  static Effects of(Schema schema, Set<Trait> traits, @Nullable Training training) {
    return new Effects(schema, traits, training);
  }

  private static int[] places(boolean[] wanted) {
    int[] places = new int[wanted.length];
    int count = 0;
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i]) {
        places[count++] = i;
      }
    }
    return Arrays.copyOf(places, count);
  }

  /**
   * For each result, the parameter that it is, or the one that it may view; otherwise {@link
   * #NONE}.
   */
  private int[] results(boolean mutated) {
    int[] sources = new int[results.size()];
    for (int i = 0; i < sources.length; i++) {
      Schema.Result result = results.get(i);
      sources[i] = result.mutated() == mutated ? source(result.alias()) : NONE;
    }
    return sources;
  }

  private int source(@Nullable String alias) {
    if (traits.contains(Trait.SHARES) || traits.contains(Trait.VIEWS)) {
      return firstOfTensors();
    }
    for (int i = 0; alias != null && i < parameters.size(); i++) {
      String other = parameters.get(i).alias();
      if (other != null && !Collections.disjoint(sets(alias), sets(other))) {
        return i;
      }
    }
    return NONE;
  }

  /** The first parameter that is a tensor or a list of tensors; the first one if none is. */
  private int firstOfTensors() {
    for (int i = 0; i < parameters.size(); i++) {
      if (isResource(parameters.get(i).type()) || isList(parameters.get(i).type())) {
        return i;
      }
    }
    return 0;
  }

  /** The alias sets in an alias text: {@code b|a} names two, {@code a -> *} begins as one. */
  private static List<String> sets(String alias) {
    String text = alias.contains("->") ? alias.substring(0, alias.indexOf("->")) : alias;
    return List.of(text.trim().split("\\|"));
  }

  /** What the operation's entry gives it; not to be modified. */
  public Set<Trait> traits() {
    return traits;
  }

  /** Whether the operation's entry gives it the trait. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether the operation writes the argument of this parameter. */
  public boolean writes(int parameter) {
    return parameter < writes.length && writes[parameter];
  }

  /** The parameters that the operation writes. */
  public int[] written() {
    return written.clone();
  }

  /** The parameters that are lists of tensors. */
  public int[] lists() {
    return lists.clone();
  }

  /** The parameter that the result is, written in place; or {@link #NONE}. */
  public int aliasOf(int result) {
    return aliasOf[result];
  }

  /** The parameter whose memory the result may view; or {@link #NONE} if the result is new. */
  public int viewed(int result) {
    return viewed[result];
  }

  /** Whether a result may view the memory of a parameter. */
  public boolean mayShare() {
    boolean may = false;
    for (int parameter : viewed) {
      may |= parameter != NONE;
    }
    return may;
  }

  /**
   * Whether the operation may take random numbers from a stream, so that its order among others
   * matters.
   */
  public boolean drawsRandom() {
    return drawsRandom;
  }

  /** Whether the operation changes a module's state in training, which its schema does not say. */
  public boolean updatesState() {
    return flag != NONE;
  }

  /**
   * Whether the operation updates the argument of this parameter in place, if {@link #flag} says
   * so.
   */
  public boolean mayUpdateState(int parameter) {
    return parameter < moved.length && moved[parameter];
  }

  /**
   * The parameter that says whether the operation changes a module's state in training; or {@link
   * #NONE}.
   */
  public int flag() {
    return flag;
  }

  /** Whether a call with {@code operands} updates the argument of this parameter in place. */
  public boolean updatesState(int parameter, Operands operands) {
    return mayUpdateState(parameter) && Boolean.TRUE.equals(operands.value(flag));
  }

  /**
   * Whether the result is a tensor, or an object of the runtime's own, that belongs to the caller
   * alone. A result from a container, whose type is a type variable, does not.
   */
  public boolean returnsNew(int result) {
    return result < results.size() && isResource(results.get(result).type());
  }

  /**
   * Whether the operation keeps no reference to the argument of this parameter, a tensor, after it
   * ends.
   */
  public boolean borrows(int parameter) {
    if (parameter >= parameters.size() || !isResource(parameters.get(parameter).type())) {
      return false;
    }
    String alias = parameters.get(parameter).alias();
    return alias == null || !alias.contains("->"); // such an operand goes into a container
  }

  /** As {@link #borrows}, for a list of tensors. */
  public boolean borrowsList(int parameter) {
    return parameter < parameters.size()
        && isList(parameters.get(parameter).type())
        && parameters.get(parameter).alias() == null;
  }

  /**
   * Whether the argument of this parameter is a list of numbers that the operation keeps no
   * reference to after it ends: it does not write the list, and no result is a list or holds one.
   */
  public boolean readsNumbers(int parameter) {
    return parameter < parameters.size()
        && isListOfNumbers(parameters.get(parameter).type())
        && parameters.get(parameter).alias() == null
        && results.stream().allMatch(result -> isResource(result.type()));
  }

  private int place(String parameter) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equals(parameter)) {
        return i;
      }
    }
    throw new IllegalArgumentException("there is no parameter " + parameter);
  }

  /**
   * A tensor, or an object of the runtime's own; never a type variable, which may stand for either.
   */
  private static boolean isResource(Type type) {
    return type == Type.Plain.TENSOR
        || type instanceof Type.Named
        || (type instanceof Type.Optional optional && isResource(optional.element()));
  }

  private static boolean isList(Type type) {
    return type instanceof Type.ListOf list && isResource(list.element());
  }

  private static boolean isListOfNumbers(Type type) {
    return (type instanceof Type.ListOf list && NUMBERS.contains(list.element()))
        || (type instanceof Type.Optional optional && isListOfNumbers(optional.element()));
  }
}
