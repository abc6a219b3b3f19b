package dev.staunch.operation;

import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an operation is: its contract, what it does besides giving results, and how those results
 * are known before it has run. Says nothing of how it is computed. Its name is known at once, its
 * schema when it is first asked for: a process uses few of the operations there are. Immutable to
 * those who use it, on any threads.
 */
public final class OperationDefinition {
  private final String name;
  private final Supplier<Schema> source;
  private final Set<Trait> traits;
  private final Effects.@Nullable Training training;
  private final @Nullable Inference inference;
  private final Cost.@Nullable Work work;
  private final Set<DType> dtypes;
  private final @Nullable String out;

  /** Null until it was asked for. Threads that ask at once may each read it, to equal values. */
  private @Nullable Schema schema;

  /** As {@link #schema}. */
  private @Nullable Effects effects;

  /**
   * @param name as the schema's {@linkplain Schema#qualifiedName qualified name}
   * @param source gives the schema, the same on each call, which may be made on any thread
   * @param training the statistics that it moves, if it moves any
   * @param inference see {@link #inference()}
   * @param work how often it multiplies and adds, if it does
   * @param dtypes see {@link #dtypes()}
   * @param out see {@link #out()}
   */
  public OperationDefinition(
      String name,
      Supplier<Schema> source,
      Set<Trait> traits,
      Effects.@Nullable Training training,
      @Nullable Inference inference,
      Cost.@Nullable Work work,
      Set<DType> dtypes,
      @Nullable String out) {
    this.name = name;
    this.source = source;
    this.traits = traits;
    this.training = training;
    this.inference = inference;
    this.work = work;
    this.dtypes = dtypes;
    this.out = out;
  }

  /** One of which nothing is known but its schema. */
  public OperationDefinition(Schema schema) {
    this(schema.qualifiedName(), () -> schema, Set.of(), null, null, null, Set.of(), null);
    this.schema = schema;
  }

  /** The same but for its schema, which {@code changed} gives, and that schema's name. */
  public OperationDefinition as(String changedName, Supplier<Schema> changed) {
    return new OperationDefinition(
        changedName, changed, traits, training, inference, work, dtypes, out);
  }

  /** The same, of which {@code more} is known. */
  public OperationDefinition also(Trait more) {
    Set<Trait> known = EnumSet.of(more);
    known.addAll(traits);
    return new OperationDefinition(
        name, source, Collections.unmodifiableSet(known), training, inference, work, dtypes, out);
  }

  /** The same, whose results are known by {@code other}. */
  public OperationDefinition inferring(@Nullable Inference other) {
    return new OperationDefinition(name, source, traits, training, other, work, dtypes, out);
  }

  /** The qualified name: {@code aten::add.Tensor}. */
  public String name() {
    return name;
  }

  /**
   * The contract.
   *
   * @throws IllegalArgumentException if it is first asked for and its text is no schema, or it has
   *     another name
   */
  public Schema schema() {
    Schema known = schema;
    if (known == null) {
      known = source.get();
      if (!known.qualifiedName().equals(name)) {
        throw new IllegalArgumentException(name + " has the schema of " + known.qualifiedName());
      }
      schema = known;
    }
    return known;
  }

  /**
   * What it does with its operands and besides giving results.
   *
   * @throws IllegalArgumentException as {@link #schema()}, or if the entry names a parameter that
   *     is not there
   */
  public Effects effects() {
    Effects known = effects;
    if (known == null) {
      known = Effects.of(schema(), traits, training);
      effects = known;
    }
    return known;
  }

  /** Whether its entry gave it a trait; without a look at the schema. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether a tensor, or a list of them, is among its results. */
  public boolean givesTensors() {
    for (Schema.Result result : schema().results()) {
      if (isTensor(result.type())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTensor(Type type) {
    return switch (type) {
      case Type.Plain plain -> plain == Type.Plain.TENSOR;
      case Type.Optional optional -> isTensor(optional.element());
      case Type.ListOf list -> isTensor(list.element());
      default -> false;
    };
  }

  /**
   * The dtypes of leading tensors that it computes with, where its entry says so because its
   * inference does not; else none.
   */
  public Set<DType> dtypes() {
    return dtypes;
  }

  /** How its results are known without computing them; null if they are not. */
  public @Nullable Inference inference() {
    return inference;
  }

  /**
   * The overload of its form that writes a tensor given for the result, which follows from this;
   * null if there is none.
   */
  public @Nullable String out() {
    return out;
  }

  /**
   * What a call costs.
   *
   * @param operands as {@link Inference#infer} takes them
   * @param results what it gave for them, which is neither unknown nor a fault
   */
  public Cost cost(Operands operands, Object results) {
    return traits.contains(Trait.VIEWS)
        ? Cost.NONE
        : Cost.of(operands, results, work == null ? 0 : work.multiplyAdds(operands, results));
  }

  @Override
  public String toString() {
    return name;
  }
}
