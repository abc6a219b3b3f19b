package dev.staunch.kernel;

import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalog: the contract, what the operation does besides, and, unless it is only
 * known by its schema, the kernel that fulfils it. Its name is known at once, its schema when it is
 * first asked for: a process uses few of the operations there are. Immutable to those who use it,
 * on any threads.
 */
public final class OperationDefinition {
  private final String name;
  private final Supplier<Schema> source;
  private final @Nullable Kernel kernel;
  private final boolean tidy;

  private final Set<Trait> traits;
  private final Effects.@Nullable Training training;
  private final @Nullable Inference inference;

  /** Null until it was asked for. Threads that ask at once may each read it, to equal values. */
  private @Nullable Schema schema;

  /** As {@link #schema}. */
  private @Nullable Effects effects;

  private OperationDefinition(
      String name,
      Supplier<Schema> source,
      @Nullable Kernel kernel,
      boolean tidy,
      Set<Trait> traits,
      Effects.@Nullable Training training,
      @Nullable Inference inference) {
    this.name = name;
    this.source = source;
    this.kernel = kernel;
    this.tidy = tidy;
    this.traits = traits;
    this.training = training;
    this.inference = inference;
  }

  /**
   * One without traits.
   *
   * @param name as the schema's {@linkplain Schema#qualifiedName qualified name}
   * @param source gives the schema, the same on each call, which may be made on any thread
   * @param tidy see {@link #tidy()}
   */
  public OperationDefinition(
      String name, Supplier<Schema> source, @Nullable Kernel kernel, boolean tidy) {
    this(name, source, kernel, tidy, Set.of(), null, null);
  }

  /** One whose kernel promises nothing, checked as by {@link #schema()}. */
  public OperationDefinition(Schema schema, @Nullable Kernel kernel) {
    this(schema.qualifiedName(), () -> schema, kernel, /* tidy= */ false);
    this.schema = checked(schema);
  }

  /** The same operation, of which something is known that its schema does not say. */
  OperationDefinition with(
      Set<Trait> known, Effects.@Nullable Training statistics, @Nullable Inference inferring) {
    return new OperationDefinition(name, source, kernel, tidy, known, statistics, inferring);
  }

  /** The same operation and what is known of it, its schema from {@code other}. */
  public OperationDefinition from(Supplier<Schema> other) {
    return new OperationDefinition(name, other, kernel, tidy, traits, training, inference);
  }

  /** The qualified name: {@code aten::add.Tensor}. */
  public String name() {
    return name;
  }

  /**
   * The contract.
   *
   * @throws IllegalArgumentException if it is first asked for and its text is no schema, it has
   *     another name, or the kernel's variant does not fit the number of its results
   */
  public Schema schema() {
    Schema known = schema;
    if (known == null) {
      known = checked(source.get());
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

  /** How its results are known without computing them; null if they are not. */
  public @Nullable Inference inference() {
    return inference;
  }

  /** What computes it; null if there is nothing that does. */
  public @Nullable Kernel kernel() {
    return kernel;
  }

  /**
   * Whether the kernel promises that, before there is a fault in place of its results, returned or
   * thrown, it has closed all that it made; and that it returns what its schema says. Who calls one
   * that does not promise it notes what is made, which costs time, and closes that.
   */
  public boolean tidy() {
    return tidy;
  }

  private Schema checked(Schema read) {
    if (!read.qualifiedName().equals(name)) {
      throw new IllegalArgumentException(name + " has the schema of " + read.qualifiedName());
    }
    if (kernel != null && !read.variadicResults() && !fits(kernel, read.results().size())) {
      throw new IllegalArgumentException(
          "the kernel of " + name + " does not return what " + read + " says");
    }
    return read;
  }

  private static boolean fits(Kernel kernel, int results) {
    return switch (kernel) {
      case Kernel.One one -> results == 1;
      case Kernel.NoResult none -> results == 0;
      case Kernel.Many many -> results > 1;
    };
  }
}
