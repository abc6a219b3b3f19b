package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.operation.Effects;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalog: what an operation is and, unless only its schema is known, the kernel
 * that computes it. Effectively immutable; any thread may use it.
 */
public final class CatalogEntry {
  /**
   * How to compute an operation for operands that its usual kernel does not handle.
   *
   * @param traits bits of {@link OperandTraits}; the form applies if any operand has any of them
   * @param inference infers the results for such operands
   */
  public record Form(int traits, Kernel.One kernel, Inference inference) {

    /** A form whose results are not inferred. */
    public Form(int traits, Kernel.One kernel) {
      this(traits, kernel, Inference.OF_VALUES);
    }
  }

  /** The return value for an operation without results. */
  public static final Object NOTHING = new Object[0];

  private final OperationDefinition definition;
  private final @Nullable Kernel kernel;
  private final boolean closesOnFailure;

  /**
   * The kernel in its most general variant: returns what {@link #run(Call)} returns for usual
   * operands.
   */
  private final Kernel.One called;

  /** Kernels for other kinds of operands; the first one that fits computes the call. */
  private final List<Form> forms;

  /** The indices of the parameters that are lists of tensors; null until first needed. */
  private int @Nullable [] lists;

  /**
   * Whether the kernel's variant has been checked against the schema; a race repeats the check
   * harmlessly.
   */
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

  /** The same operation, which can also be computed in the forms {@code more}. */
  public CatalogEntry with(List<Form> more) {
    List<Form> known = List.copyOf(more);
    Inference own = definition.inference();
    Inference widened =
        own == null || Inference.OF_VALUES.equals(own) ? own : new FormInference(own, known);
    return new CatalogEntry(definition.withInference(widened), kernel, closesOnFailure, known);
  }

  /** Infers by the first form that fits the operands, or else by {@code usual}. */
  private final class FormInference implements Inference {
    private final Inference usual;
    private final List<Form> forms;

    FormInference(Inference usual, List<Form> forms) {
      this.usual = usual;
      this.forms = forms;
    }

    @Override
    public Object infer(Operands operands) {
      int traits = OperandTraits.of(operands, lists());
      for (int i = 0; traits != 0 && i < forms.size(); i++) {
        Form form = forms.get(i);
        if ((form.traits() & traits) != 0) {
          return form.inference().infer(operands);
        }
      }
      return usual.infer(operands);
    }
  }

  /** The same operation with the trait {@code more}. */
  public CatalogEntry withTrait(Trait more) {
    return new CatalogEntry(definition.withTrait(more), kernel, closesOnFailure, forms);
  }

  /**
   * An entry whose kernel does not promise {@link #closesOnFailure()}, checked as {@link #schema()}
   * does.
   */
  public CatalogEntry(Schema schema, @Nullable Kernel kernel) {
    this(new OperationDefinition(schema), kernel, /* closesOnFailure= */ false);
    schema();
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
   * The schema of the operation.
   *
   * @throws IllegalArgumentException on first use, if its text is not a schema, it has another
   *     name, or the kernel's variant does not fit the number of its results
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

  /** The kernel that computes it for usual operands; null if there is none. */
  public @Nullable Kernel kernel() {
    return kernel;
  }

  /** As {@link #run(Call)}, for a call whose operands are {@link OperandTraits#USUAL}. */
  public Kernel.One defaultKernel() {
    return called;
  }

  /**
   * The {@link OperandTraits} of the operands of {@code call}. While no gradients are recorded, the
   * bit for operands that require a gradient is left out: a model's parameters require one, but its
   * requests should still take the usual path.
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
   * The outcome of a call: a value; an {@code Object[]} of values and faults for several results;
   * {@link #NOTHING} for none; or one {@link Fault} for all. The caller must refuse closed
   * operands.
   */
  public Object run(Call call) {
    return run(call, traits(call));
  }

  /**
   * As {@link #run(Call)}.
   *
   * @param traits what {@link #traits} returned for the call
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

  // Not a pattern switch: the first one in a process takes milliseconds.
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

  /** How the operation is computed; null if it has no kernel. */
  public @Nullable Body body() {
    return kernel == null || kernel instanceof Body ? (Body) kernel : bodyOf(kernel);
  }

  /** The body of a kernel that is only a function, as the operation's definition implies it. */
  private Body bodyOf(Kernel function) {
    if (!definition.givesTensors() || definition.has(Trait.VIEWS)) {
      return new Body.Structural(function);
    }
    Inference inference = definition.inference();
    return inference == null || Inference.OF_VALUES.equals(inference) || effects().mayShare()
        ? new Body.Opaque(function)
        : new Body.Inferred(function);
  }

  /**
   * Whether the kernel promises two things. First, whenever a fault takes the place of its results,
   * returned or thrown, it has already closed everything it made. Second, it returns what its
   * schema says. If a kernel does not promise this, its caller records what the kernel makes, which
   * costs time, and closes it.
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
