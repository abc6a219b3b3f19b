package dev.staunch.operation;

import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an operation is: its contract, its effects, and how its results are known before it runs.
 * Does not say how it is computed. The name is available at once; the schema is parsed when first
 * asked for, because a process uses only a few of all operations. Immutable to its users, on any
 * thread.
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

  /**
   * Null until first asked for. Threads that ask at the same time may each parse it, to equal
   * values.
   */
  private @Nullable Schema schema;

  /** As {@link #schema}. */
  private @Nullable Effects effects;

  /**
   * @param name as the schema's {@linkplain Schema#qualifiedName qualified name}
   * @param source supplies the schema, the same on each call; may be called on any thread
   * @param training the statistics that it updates, if any
   * @param inference see {@link #inference()}
   * @param work how many multiply-adds it performs, if any
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

  /** A definition of which only the schema is known. */
  public OperationDefinition(Schema schema) {
    this(schema.qualifiedName(), () -> schema, Set.of(), null, null, null, Set.of(), null);
    this.schema = schema;
  }

  /** The same definition with an additional trait. */
  public OperationDefinition withTrait(Trait more) {
    Set<Trait> known = EnumSet.of(more);
    known.addAll(traits);
    return new OperationDefinition(
        name, source, Collections.unmodifiableSet(known), training, inference, work, dtypes, out);
  }

  /** The same definition with another inference. */
  public OperationDefinition withInference(@Nullable Inference other) {
    return new OperationDefinition(name, source, traits, training, other, work, dtypes, out);
  }

  /** The qualified name: {@code aten::add.Tensor}. */
  public String name() {
    return name;
  }

  /**
   * The contract.
   *
   * @throws IllegalArgumentException on first use, if the text is not a schema or has another name
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
   * What the operation does with its operands, and beyond returning results.
   *
   * @throws IllegalArgumentException as {@link #schema()}, or if the entry names a parameter that
   *     does not exist
   */
  public Effects effects() {
    Effects known = effects;
    if (known == null) {
      known = Effects.of(schema(), traits, training);
      effects = known;
    }
    return known;
  }

  /** Whether its entry gives it the trait; does not parse the schema. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether its results include a tensor or a list of tensors. */
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
   * The supported dtypes of its leading tensors, where the entry lists them because the inference
   * does not check them; otherwise empty.
   */
  public Set<DType> dtypes() {
    return dtypes;
  }

  /** How its results are known without computing them; null if they are not. */
  public @Nullable Inference inference() {
    return inference;
  }

  /**
   * The overload that writes the result into a given tensor, derived from this operation; null if
   * there is none.
   */
  public @Nullable String out() {
    return out;
  }

  /**
   * The cost of a call.
   *
   * @param operands as {@link Inference#infer} takes them
   * @param results what the inference returned for them, neither unknown nor a fault
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
