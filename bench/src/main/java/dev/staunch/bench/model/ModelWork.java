package dev.staunch.bench.model;

import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Interceptor;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the multiply-adds of a request, as the {@linkplain Cost costs} of its operations say.
 * Kernels that do the same with fewer (Winograd) are counted as if they did not.
 */
final class ModelWork implements Interceptor {
  private final Catalog catalog;
  private long multiplyAdds;

  ModelWork(Catalog catalog) {
    this.catalog = catalog;
  }

  /** So far. */
  long multiplyAdds() {
    return multiplyAdds;
  }

  @Override
  public @Nullable Object before(
      String operation, Object[] arguments, @Nullable SourceLocation source) {
    CatalogEntry entry = catalog.find(operation);
    if (entry != null && entry.definition().inference() != null) {
      Operands operands = Operands.of((Object[]) form(arguments));
      Object results = entry.definition().inference().infer(operands);
      if (results instanceof TensorForm || results instanceof Object[]) {
        multiplyAdds += entry.definition().cost(operands, results).multiplyAdds();
      }
    }
    return null;
  }

  private static Object form(Object value) {
    return switch (value) {
      case DenseTensor tensor -> new TensorForm(tensor.dtype(), tensor.layout());
      case List<?> list -> list.stream().map(ModelWork::form).toList();
      case Object[] several -> Arrays.stream(several).map(ModelWork::form).toArray();
      default -> value;
    };
  }
}
