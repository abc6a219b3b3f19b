package dev.staunch.kernel;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalog: the contract and, unless the operation is only known by its schema, the
 * kernel that fulfils it.
 */
public record OperationDefinition(Schema schema, @Nullable Kernel kernel) {

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

  public String name() {
    return schema.qualifiedName();
  }
}
