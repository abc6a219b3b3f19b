package dev.staunch.kernel;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalog: the contract and, unless the operation is only known by its schema, the
 * kernel that fulfils it.
 *
 * @param tidy whether the kernel promises that, before there is a fault in place of its results,
 *     returned or thrown, it has closed all that it made; and that it returns what its schema says.
 *     Who calls one that does not promise it notes what is made, which costs time, and closes that
 */
public record OperationDefinition(Schema schema, @Nullable Kernel kernel, boolean tidy) {

  public OperationDefinition {
    if (kernel != null && !schema.variadicResults()) {
      int results = schema.results().size();
      boolean fits =
          switch (kernel) {
            case Kernel.One one -> results == 1;
            case Kernel.NoResult none -> results == 0;
            case Kernel.Many many -> results > 1;
          };
      if (!fits) {
        throw new IllegalArgumentException(
            "the kernel of "
                + schema.qualifiedName()
                + " does not return what "
                + schema
                + " says");
      }
    }
  }

  /** One whose kernel promises nothing. */
  public OperationDefinition(Schema schema, @Nullable Kernel kernel) {
    this(schema, kernel, /* tidy= */ false);
  }

  public String name() {
    return schema.qualifiedName();
  }
}
