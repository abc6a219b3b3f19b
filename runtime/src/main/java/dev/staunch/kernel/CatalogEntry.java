package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.operation.Effects;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalog: what an operation is and, unless it is only known by its schema, the
 * kernel that computes it. Immutable to those who use it, on any threads.
 */
public final class CatalogEntry {
  /**
   * How an operation is computed for operands that its usual kernel does not know.
   *
   * @param traits {@link OperandTraits} of which one operand has one
   * @param inference what it gives for them
   */
  public record Form(int traits, Kernel.One kernel, Inference inference) {

    /** One of whose results nothing is known. */
    public Form(int traits, Kernel.One kernel) {
      this(traits, kernel, Inference.OF_VALUES);
    }
  }

  /** What a call of an operation without results gives. */
  public static final Object NOTHING = new Object[0];

  private final OperationDefinition definition;
  private final @Nullable Kernel kernel;
  private final boolean closesOnFailure;

  /** The kernel, whatever its variant: gives what {@link #run(Call)} does for usual operands. */
  private final Kernel.One called;

  /** Kernels for operands of other kinds; the first that fits computes. */
  private final List<Form> forms;

  /** The places of the parameters that are lists of tensors; null until they are asked for. */
  private int @Nullable [] lists;

  /** Whether the kernel's variant was compared with the schema; any thread may do it again. */
  private boolean checked;

  /**
   * @param closesOnFailure see {@link #closesOnFailure()}
   */
  public CatalogEntry(
      OperationDefinition definition, @Nullable Kernel kernel, boolean closesOnFailure) {
    this(definition, kernel, closesOnFailure, List.of());
  }

  private CatalogEntry(
      OperationDefinition definition,
      @Nullable Kernel kernel,
      boolean closesOnFailure,
      List<Form> forms) {
    this.definition = definition;
    this.kernel = kernel;
    this.called = kernel instanceof Kernel.One one ? one : one(kernel);
    this.closesOnFailure = closesOnFailure;
    this.forms = forms;
  }

  /** The same operation, which is computed in these ways, too. */
  public CatalogEntry with(List<Form> more) {
    int known = 0;
    for (Form form : more) {
      known |= form.traits();
    }
    int others = known;
    Inference own = definition.inference();
    Inference usually =
        own == null || own.equals(Inference.OF_VALUES)
            ? own
            : operands -> {
              int traits = OperandTraits.of(operands, lists());
              return (traits & others) == 0 ? own.infer(operands) : infer(more, traits, operands);
            };
    return new CatalogEntry(
        definition.inferring(usually), kernel, closesOnFailure, List.copyOf(more));
  }

  private static Object infer(List<Form> forms, int traits, Operands operands) {
    for (Form form : forms) {
      if ((form.traits() & traits) != 0) {
        return form.inference().infer(operands);
      }
    }
    throw new IllegalStateException("no form is for operands with the traits " + traits);
  }

  /** The same operation, of which {@code more} is known. */
  public CatalogEntry also(Trait more) {
    return new CatalogEntry(definition.also(more), kernel, closesOnFailure, forms);
  }

  /** One whose kernel promises nothing, checked as by {@link #schema()}. */
  public CatalogEntry(Schema schema, @Nullable Kernel kernel) {
    this(new OperationDefinition(schema), kernel, /* closesOnFailure= */ false);
    schema();
  }

  /** The same operation and what is known of it, its schema from {@code other}. */
  public CatalogEntry from(Supplier<Schema> other) {
    return new CatalogEntry(definition.as(name(), other), kernel, closesOnFailure, forms);
  }

  /** What the operation is. */
  public OperationDefinition definition() {
    return definition;
  }

  /** The qualified name: {@code aten::add.Tensor}. */
  public String name() {
    return definition.name();
  }

  /**
   * The contract.
   *
   * @throws IllegalArgumentException if it is first asked for and its text is no schema, it has
   *     another name, or the kernel's variant does not fit the number of its results
   */
  public Schema schema() {
    Schema schema = definition.schema();
    if (!checked) {
      if (kernel != null && !schema.variadicResults() && !fits(kernel, schema.results().size())) {
        throw new IllegalArgumentException(
            "the kernel of " + name() + " does not return what " + schema + " says");
      }
      checked = true;
    }
    return schema;
  }

  /** As {@link OperationDefinition#effects}. */
  public Effects effects() {
    return definition.effects();
  }

  /** As {@link OperationDefinition#inference}. */
  public @Nullable Inference inference() {
    return definition.inference();
  }

  /** What computes it for usual operands; null if there is nothing that does. */
  public @Nullable Kernel kernel() {
    return kernel;
  }

  /** As {@link #run(Call)}, of a call whose operands are {@link OperandTraits#USUAL}. */
  public Kernel.One usual() {
    return called;
  }

  /**
   * What a look at the operands of {@code call} tells: {@link OperandTraits}. That one of them
   * requires a gradient is left out where no gradients are recorded: a model's parameters do, and
   * its requests go the usual way all the same.
   */
  public int traits(Call call) {
    int traits = call.traits(lists == null ? lists() : lists);
    return (traits & OperandTraits.REQUIRES_GRAD) == 0 || call.environment().gradEnabled()
        ? traits
        : traits & ~OperandTraits.REQUIRES_GRAD;
  }

  private int[] lists() {
    int[] known = lists;
    if (known == null) {
      known = effects().lists();
      lists = known;
    }
    return known;
  }

  /**
   * What a call gives: a value, or an {@code Object[]} of values and faults for several, or {@link
   * #NOTHING}, or one {@link Fault} for all. Closed operands are the caller's to refuse.
   */
  public Object run(Call call) {
    return run(call, traits(call));
  }

  /**
   * As {@link #run(Call)}.
   *
   * @param traits what {@link #traits} has told of the call
   */
  public Object run(Call call, int traits) {
    if (traits == OperandTraits.USUAL) {
      return called.run(call);
    }
    Object outcome = computed(call, traits);
    boolean flagged = (traits & OperandTraits.REQUIRES_GRAD) != 0;
    return flagged && call.environment().gradEnabled() && !definition.has(Trait.NON_DIFFERENTIABLE)
        ? GradientFlags.set(outcome, call, call.scope(), effects())
        : outcome;
  }

  private Object computed(Call call, int traits) {
    for (Form form : forms) {
      if ((form.traits() & traits) != 0) {
        return form.kernel().run(call);
      }
    }
    return called.run(call);
  }

  // Not a switch over patterns: the first one of a process takes milliseconds.
  private Kernel.One one(@Nullable Kernel other) {
    if (other instanceof Kernel.Many many) {
      return many::run;
    }
    if (other instanceof Kernel.NoResult none) {
      return call -> {
        Fault fault = none.run(call);
        return fault == null ? NOTHING : fault;
      };
    }
    return call -> Fault.unsupported("there is no kernel for " + name());
  }

  /** How it is computed; null if nothing computes it. */
  public @Nullable Body body() {
    return kernel == null || kernel instanceof Body ? (Body) kernel : bodyOf(kernel);
  }

  /** What an operation's definition tells of a kernel that is a function and no more. */
  private Body bodyOf(Kernel function) {
    if (!definition.givesTensors() || definition.has(Trait.VIEWS)) {
      return new Body.Structural(function);
    }
    Inference inference = definition.inference();
    return inference == null || inference.equals(Inference.OF_VALUES) || effects().mayShare()
        ? new Body.Opaque(function)
        : new Body.Inferred(function);
  }

  /**
   * Whether the kernel promises that, before there is a fault in place of its results, returned or
   * thrown, it has closed all that it made; and that it returns what its schema says. Who calls one
   * that does not promise it notes what is made, which costs time, and closes that.
   */
  public boolean closesOnFailure() {
    return closesOnFailure;
  }

  private static boolean fits(Kernel kernel, int results) {
    return switch (kernel) {
      case Kernel.One one -> results == 1;
      case Kernel.NoResult none -> results == 0;
      case Kernel.Many many -> results > 1;
    };
  }
}
