package dev.staunch.eager;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.type.DType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What all random programs have in common. */
final class Programs {
  static final Catalog CATALOG = StandardOperations.catalog();
  static final Signatures SIGNATURES = new Signatures(CATALOG);

  /** Tensors that programs in one context read at the same time. */
  static final List<TensorSpec> SHARED =
      List.of(
          TensorSpec.numbered(DType.FLOAT32, TensorSpec.Spread.PLAIN, 3, 4),
          TensorSpec.numbered(DType.INT64, TensorSpec.Spread.REVERSED, 3, 4),
          TensorSpec.numbered(DType.FLOAT64, TensorSpec.Spread.STEPPED, 4, 4));

  /** Operations whose results are undefined; the tests write zeros over them. */
  private static final Set<String> UNDEFINED =
      Set.of("aten::empty.memory_format", "aten::empty_like", "aten::new_empty");

  /** Nothing orders the gradient mode. */
  private static final Set<String> LEFT_OUT = Set.of("aten::set_grad_enabled");

  private Programs() {}

  static List<CatalogEntry> operations() {
    return CATALOG.operations().stream()
        .filter(each -> each.kernel() != null && !LEFT_OUT.contains(each.name()))
        .toList();
  }

  static int results(String operation) {
    return Objects.requireNonNull(SIGNATURES.find(operation)).results();
  }

  static boolean isUndefined(String operation) {
    return UNDEFINED.contains(operation);
  }

  /** A separate copy of a dict, because kernels change dicts. */
  static Object own(Object argument) {
    return argument instanceof Map<?, ?> map ? new LinkedHashMap<>(map) : argument;
  }

  /** Whether two values without tensors are the same; objects are compared by their text. */
  static boolean same(@Nullable Object one, @Nullable Object other) {
    if (one instanceof List<?> a && other instanceof List<?> b) {
      boolean same = a.size() == b.size();
      for (int i = 0; same && i < a.size(); i++) {
        same = same(a.get(i), b.get(i));
      }
      return same;
    }
    return Objects.equals(one, other) || String.valueOf(one).equals(String.valueOf(other));
  }
}
