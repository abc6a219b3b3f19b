package dev.staunch.kernel;

import dev.staunch.operation.Effects;
import dev.staunch.operation.Inference;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalog: what an operation is and, unless it is only known by its schema, the
 * kernel that computes it. Immutable to those who use it, on any threads.
 */
public final class CatalogEntry {
  private final OperationDefinition definition;
  private final @Nullable Kernel kernel;
  private final boolean tidy;

  /** How it is computed for the operands that most calls have, if that is not the whole kernel. */
  private final @Nullable Body usual;

  /** Whether the kernel's variant was compared with the schema; any thread may do it again. */
  private boolean checked;

  /**
   * @param tidy see {@link #tidy()}
   */
  public CatalogEntry(OperationDefinition definition, @Nullable Kernel kernel, boolean tidy) {
    this(definition, kernel, tidy, null);
  }

  private CatalogEntry(
      OperationDefinition definition, @Nullable Kernel kernel, boolean tidy, @Nullable Body usual) {
    this.definition = definition;
    this.kernel = kernel;
    this.tidy = tidy;
    this.usual = usual;
  }

  /**
   * The same operation with a kernel that does what this one's does for operands of real dtypes,
   * and more for others; {@code inference} says as much.
   */
  public CatalogEntry widened(Kernel.One other, @Nullable Inference inference) {
    return new CatalogEntry(definition.inferring(inference), other, tidy, body());
  }

  /** The same operation, of which {@code more} is known. */
  public CatalogEntry also(Trait more) {
    return new CatalogEntry(definition.also(more), kernel, tidy, usual);
  }

  /** One whose kernel promises nothing, checked as by {@link #schema()}. */
  public CatalogEntry(Schema schema, @Nullable Kernel kernel) {
    this(new OperationDefinition(schema), kernel, /* tidy= */ false);
    schema();
  }

  /** The same operation and what is known of it, its schema from {@code other}. */
  public CatalogEntry from(Supplier<Schema> other) {
    return new CatalogEntry(definition.as(name(), other), kernel, tidy, usual);
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

  /** What computes it; null if there is nothing that does. */
  public @Nullable Kernel kernel() {
    return kernel;
  }

  /** How it is computed; null if nothing computes it. */
  public @Nullable Body body() {
    if (usual != null) {
      return usual;
    }
    return kernel == null || kernel instanceof Body
        ? (Body) kernel
        : definition.takesTensors() ? new Body.Opaque(kernel) : new Body.Structural(kernel);
  }

  /**
   * Whether the kernel promises that, before there is a fault in place of its results, returned or
   * thrown, it has closed all that it made; and that it returns what its schema says. Who calls one
   * that does not promise it notes what is made, which costs time, and closes that.
   */
  public boolean tidy() {
    return tidy;
  }

  private static boolean fits(Kernel kernel, int results) {
    return switch (kernel) {
      case Kernel.One one -> results == 1;
      case Kernel.NoResult none -> results == 0;
      case Kernel.Many many -> results > 1;
    };
  }
}
