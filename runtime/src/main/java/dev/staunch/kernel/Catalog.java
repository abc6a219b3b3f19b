package dev.staunch.kernel;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operations that a runtime can run, by qualified name ({@code aten::add.Tensor}). Immutable;
 * the same catalog serves eager calls, TorchScript and programs in text form.
 */
public final class Catalog {
  private final Map<String, OperationDefinition> operations;

  private Catalog(Map<String, OperationDefinition> operations) {
    this.operations = operations;
  }

  public @Nullable OperationDefinition find(String qualifiedName) {
    return operations.get(qualifiedName);
  }

  public Collection<OperationDefinition> operations() {
    return Collections.unmodifiableCollection(operations.values());
  }

  /** A builder that starts with all of this; {@code define} may replace an entry's kernel. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.operations.putAll(operations);
    return builder;
  }

  /** Collects operations; not thread-safe. */
  public static final class Builder {
    private final Map<String, OperationDefinition> operations = new LinkedHashMap<>();
    private boolean tidy;

    /** A builder without operations. */
    public Builder() {}

    /**
     * Promises that the kernels defined from here on are {@linkplain OperationDefinition#tidy
     * tidy}: they close what they made before they fail. Of all others that is done for them, for a
     * fraction of a microsecond a call.
     */
    public Builder tidy() {
      tidy = true;
      return this;
    }

    /**
     * Adds an operation, or replaces the one of the same qualified name.
     *
     * @throws IllegalArgumentException if the text is no schema or the kernel's variant does not
     *     fit the number of its results
     */
    public Builder define(String schema, Kernel kernel) {
      return define(SchemaText.parse(schema), kernel);
    }

    /** As {@link #define(String, Kernel)}, with a schema made otherwise. */
    public Builder define(Schema schema, Kernel kernel) {
      operations.put(schema.qualifiedName(), new OperationDefinition(schema, kernel, tidy));
      return this;
    }

    public Builder one(String schema, Kernel.One kernel) {
      return define(schema, kernel);
    }

    public Builder none(String schema, Kernel.NoResult kernel) {
      return define(schema, kernel);
    }

    public Builder many(String schema, Kernel.Many kernel) {
      return define(schema, kernel);
    }

    public Catalog build() {
      return new Catalog(Collections.unmodifiableMap(new LinkedHashMap<>(operations)));
    }
  }
}
