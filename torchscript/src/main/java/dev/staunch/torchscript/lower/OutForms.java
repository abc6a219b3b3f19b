package dev.staunch.torchscript.lower;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.schema.OperatorTable;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what computes a call with {@code out=} of an operator whose kernels have no such form:
 * the overload that makes new tensors, each of which is then stored in the given one.
 */
final class OutForms {
  /** Where {@link Computing#sources} has no operand of the call. */
  static final int DEFAULT = -1;

  /** Where the dtype of the first given tensor is wanted. */
  static final int DTYPE = -2;

  /** What an overload that makes tensors takes in addition: a given tensor has them already. */
  private static final Set<String> FORM = Set.of("dtype", "layout", "device", "pin_memory");

  private OutForms() {}

  /**
   * The overload that computes.
   *
   * @param sources for each of its parameters the operand of the call that it takes, or {@link
   *     #DEFAULT}, or {@link #DTYPE}
   * @param given the first operand that is a tensor to store in; all further ones are, too
   */
  record Computing(Schema schema, List<Integer> sources, int given) {
    Computing {
      sources = List.copyOf(sources);
    }
  }

  /**
   * What computes a call of {@code schema}; null if that has a kernel of its own, does not store
   * its results in given tensors, or no overload computes them.
   */
  static @Nullable Computing computing(OperatorTable table, Catalog catalog, Schema schema) {
    int given = schema.parameters().size() - schema.results().size();
    if (given < 0 || hasKernel(catalog, schema) || !areGiven(schema.parameters(), given)) {
      return null;
    }
    Computing best = null;
    for (Schema other : table.overloads(schema.name())) {
      List<Integer> sources = hasKernel(catalog, other) ? sources(other, schema, given) : null;
      if (sources != null && (best == null || sources.size() < best.sources().size())) {
        best = new Computing(other, sources, given);
      }
    }
    return best;
  }

  private static boolean hasKernel(Catalog catalog, Schema schema) {
    CatalogEntry entry = catalog.find(schema.qualifiedName());
    return entry != null && entry.kernel() != null;
  }

  /** Whether the parameters from {@code given} on, and no others, are tensors to store in. */
  private static boolean areGiven(List<Schema.Parameter> parameters, int given) {
    for (int i = 0; i < parameters.size(); i++) {
      Schema.Parameter each = parameters.get(i);
      boolean out = each.keywordOnly() && each.mutated() && each.type() == Type.Plain.TENSOR;
      if (i < given ? each.mutated() : !out) {
        return false;
      }
    }
    return true;
  }

  /** The operands that {@code other} takes; null if it does not compute the results. */
  private static @Nullable List<Integer> sources(Schema other, Schema schema, int given) {
    List<Integer> sources = new ArrayList<>();
    int next = 0;
    for (Schema.Parameter parameter : other.parameters()) {
      if (next < given && isSame(parameter, schema.parameters().get(next))) {
        sources.add(next);
        next++;
      } else if (FORM.contains(parameter.name()) && parameter.defaultValue() != null) {
        sources.add(parameter.name().equals("dtype") ? DTYPE : DEFAULT);
      } else {
        return null;
      }
    }
    boolean computes =
        next == given
            && !other.mutates()
            && other.results().size() == schema.results().size()
            && other.results().stream().allMatch(OutForms::isNew);
    return computes ? sources : null;
  }

  private static boolean isSame(Schema.Parameter parameter, Schema.Parameter other) {
    return parameter.name().equals(other.name()) && parameter.type().equals(other.type());
  }

  private static boolean isNew(Schema.Result result) {
    return result.type() == Type.Plain.TENSOR && result.alias() == null;
  }
}
