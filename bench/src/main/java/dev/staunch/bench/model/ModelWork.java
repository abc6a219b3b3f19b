package dev.staunch.bench.model;

import dev.staunch.bench.kernel.Roofline;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Interceptor;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the multiply-adds of a request, as the {@linkplain Cost costs} of its operations say, and
 * the least time that they can take: each operation that multiplies is bound by that, or by reading
 * its operands once. Convolutions with kernels of three by three are counted in full, and take as
 * little time as Winograd's way with four ninths of the multiply-adds.
 */
final class ModelWork implements Interceptor {
  private final Catalog catalog;
  private final Roofline roofline;
  private long multiplyAdds;
  private double nanos;

  ModelWork(Catalog catalog, Roofline roofline) {
    this.catalog = catalog;
    this.roofline = roofline;
  }

  /** So far. */
  long multiplyAdds() {
    return multiplyAdds;
  }

  /** The least time for the operations so far. */
  double nanos() {
    return nanos;
  }

  @Override
  public @Nullable Object before(
      String operation, Object[] arguments, @Nullable SourceLocation source) {
    CatalogEntry entry = catalog.find(operation);
    if (entry != null && entry.definition().inference() != null) {
      Operands operands = Operands.of((Object[]) form(arguments));
      Object results = entry.definition().inference().infer(operands);
      if (results instanceof TensorForm || results instanceof Object[]) {
        Cost cost = entry.definition().cost(operands, results);
        if (cost.multiplyAdds() > 0) {
          multiplyAdds += cost.multiplyAdds();
          double fewest =
              (double) cost.multiplyAdds() * (isThreeByThree(operands) ? Roofline.WINOGRAD : 1);
          nanos += roofline.nanos(2 * fewest, (double) cost.bytesRead());
        }
      }
    }
    return null;
  }

  /** Whether the second operand is a weight of kernels of that size. */
  private static boolean isThreeByThree(Operands operands) {
    if (operands.size() < 2 || !operands.isTensor(1) || operands.form(1).rank() != 4) {
      return false;
    }
    Shape weight = operands.form(1).shape();
    return weight.size(2) == 3 && weight.size(3) == 3;
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
