package dev.staunch.operation;

import dev.staunch.type.Type;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contract of an operation in libtorch's notation: {@code aten::add.Tensor(Tensor self, Tensor
 * other, *, Scalar alpha=1) -> Tensor}. Parsed by {@link SchemaText}.
 *
 * @param name with its namespace: {@code aten::add}
 * @param overload empty for the default one
 * @param variadic whether any further arguments are accepted ({@code ...})
 * @param variadicResults whether there may be any number of results
 */
public record Schema(
    String name,
    String overload,
    List<Parameter> parameters,
    List<Result> results,
    boolean variadic,
    boolean variadicResults) {

  /**
   * @param type the type without its alias annotation; {@code int[2]} is a list with {@code
   *     broadcastSize} 2
   * @param broadcastSize the N of {@code int[N]}, to which a single value is repeated; 0 if none
   * @param defaultValue a run-time value ({@code None.NONE} for None); null if required
   * @param keywordOnly whether it stands behind {@code *}
   * @param mutated whether the operation writes it ({@code (a!)})
   * @param alias the alias set's text without its marks ({@code a}), or null
   */
  public record Parameter(
      String name,
      Type type,
      int broadcastSize,
      @Nullable Object defaultValue,
      boolean keywordOnly,
      boolean mutated,
      @Nullable String alias) {}

  /** A result; {@code alias} names the alias set of the parameter that it may share memory with. */
  public record Result(Type type, @Nullable String alias, boolean mutated, @Nullable String name) {}

  public Schema {
    parameters = List.copyOf(parameters);
    results = List.copyOf(results);
  }

  /** {@code aten::add.Tensor}: the key in the catalog. */
  public String qualifiedName() {
    return overload.isEmpty() ? name : name + "." + overload;
  }

  /** The position of the parameter called {@code name}; -1 if there is none. */
  public int place(@Nullable String name) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether any parameter is written in place. */
  public boolean mutates() {
    return parameters.stream().anyMatch(Parameter::mutated);
  }

  @Override
  public String toString() {
    return qualifiedName()
        + Stream.concat(
                parameters.stream().map(parameter -> parameter.type() + " " + parameter.name()),
                variadic ? Stream.of("...") : Stream.empty())
            .collect(Collectors.joining(", ", "(", ")"))
        + results.stream()
            .map(result -> result.type().toString())
            .collect(Collectors.joining(", ", " -> (", ")"));
  }
}
