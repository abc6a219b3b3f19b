package dev.staunch.torchscript.lower;

import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.schema.OperatorTable;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls with {@code out=} of operators whose kernels have no such form: the overload that makes new
 * tensors computes, and each of its results is stored in the given tensor.
 */
final class OutForms {
  private static final String STORE = "staunch::store";

  /** What the overload that makes new tensors asks in addition: a given tensor answers it. */
  private static final String DTYPE = "dtype";

  private static final Set<String> FORM = Set.of(DTYPE, "layout", "device", "pin_memory");

  private final OperatorTable table;
  private final Catalog catalog;

  OutForms(OperatorTable table, Catalog catalog) {
    this.table = table;
    this.catalog = catalog;
  }

  /**
   * The overload that computes a call of {@code schema} with these operands; null if that has a
   * kernel of its own, does not write its results into given tensors, each into another, or no
   * overload computes them.
   */
  @Nullable Schema computing(Schema schema, List<Value> operands) {
    if (!schema.mutates() || hasKernel(schema)) {
      return null;
    }
    int given = given(schema);
    List<Value> stored = operands.subList(operands.size() - given, operands.size());
    if (given == 0
        || given != schema.results().size()
        || stored.stream().distinct().count() < given) {
      return null;
    }
    Schema best = null;
    for (Schema other : table.overloads(schema.name())) {
      if (computes(other, schema, given)
          && (best == null || other.parameters().size() < best.parameters().size())) {
        best = other;
      }
    }
    return best;
  }

  /** How many tensors to write into {@code schema} takes; they are its last parameters. */
  private static int given(Schema schema) {
    List<Schema.Parameter> parameters = schema.parameters();
    int given = 0;
    for (Schema.Parameter parameter : parameters) {
      boolean out =
          parameter.keywordOnly() && parameter.mutated() && parameter.type() == Type.Plain.TENSOR;
      if (!out && (given > 0 || parameter.mutated())) {
        return 0;
      }
      given += out ? 1 : 0;
    }
    return given;
  }

  private boolean hasKernel(Schema schema) {
    CatalogEntry entry = catalog.find(schema.qualifiedName());
    return entry != null && entry.kernel() != null;
  }

  /** Whether {@code other} takes the same parameters as {@code schema} without the last ones. */
  private boolean computes(Schema other, Schema schema, int given) {
    int rest = schema.parameters().size() - given;
    int same = 0;
    for (Schema.Parameter parameter : other.parameters()) {
      if (same < rest && isSame(parameter, schema.parameters().get(same))) {
        same++;
      } else if (!FORM.contains(parameter.name()) || parameter.defaultValue() == null) {
        return false;
      }
    }
    return same == rest
        && !other.mutates()
        && other.results().size() == given
        && other.results().stream().allMatch(OutForms::isNew)
        && hasKernel(other);
  }

  private static boolean isSame(Schema.Parameter parameter, Schema.Parameter other) {
    return parameter.name().equals(other.name()) && parameter.type().equals(other.type());
  }

  private static boolean isNew(Schema.Result result) {
    return result.type() == Type.Plain.TENSOR && result.alias() == null;
  }

  /** Emits a call of {@code schema}, which {@code computing} computes. */
  static List<Value> emit(
      Lowering lowering,
      Scope scope,
      Schema schema,
      Schema computing,
      List<Value> operands,
      @Nullable SourceLocation source) {
    int rest = operands.size() - schema.results().size();
    List<Value> given = operands.subList(rest, operands.size());
    List<Value> arguments = new ArrayList<>();
    int next = 0;
    for (Schema.Parameter parameter : computing.parameters()) {
      if (next < rest && isSame(parameter, schema.parameters().get(next))) {
        arguments.add(operands.get(next));
        next++;
      } else if (parameter.name().equals(DTYPE)) {
        Operator dtype = lowering.operator("prim::dtype");
        arguments.add(scope.emit(dtype, List.of(given.get(0)), Type.Plain.INT, source));
      } else {
        Object standard = Objects.requireNonNull(parameter.defaultValue());
        arguments.add(OperatorLowering.defaultValue(scope, parameter, standard));
      }
    }
    List<Type> types = computing.results().stream().map(Schema.Result::type).toList();
    Operator operator = lowering.operator(computing.qualifiedName());
    List<Value> results = scope.emit(operator, arguments, types, source);
    Operator store = lowering.operator(STORE);
    List<Value> stored = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      List<Value> pair = List.of(given.get(i), results.get(i));
      stored.add(scope.emit(store, pair, Type.Plain.TENSOR, source));
    }
    return stored;
  }
}
