package dev.staunch.operation;

import dev.staunch.type.Shape;
import java.util.List;

/**
 * What a call costs, told from forms before it runs.
 *
 * @param elements how many elements it goes through: those that it reads, or those that it writes,
 *     whichever are more
 * @param multiplyAdds how often it multiplies and adds, of products, convolutions and their like
 * @param bytesRead of tensors among its arguments
 * @param bytesWritten of tensors among its results
 */
public record Cost(long elements, long multiplyAdds, long bytesRead, long bytesWritten) {
  /** Of a view, which touches no element. */
  public static final Cost NONE = new Cost(0, 0, 0, 0);

  /** How often an operation multiplies and adds. */
  @FunctionalInterface
  public interface Work {
    /** For these operands and the forms of their results; neither is at fault. */
    long multiplyAdds(Operands operands, Object results);

    /** That of a product: for each element of the result the last size of an operand. */
    static Work product(int operand) {
      return (operands, results) -> {
        Shape shape = operands.shape(operand);
        long inner = shape.rank() == 0 ? 1 : shape.size(shape.rank() - 1);
        return times(elements(results), inner);
      };
    }

    /**
     * That of products of each row of the first operand with matrices.
     *
     * @param at where the matrices are given, each by itself or several in a list
     */
    static Work rows(int... at) {
      return (operands, results) -> {
        Shape shape = operands.shape(0);
        long width = shape.rank() == 0 ? 1 : Math.max(1, shape.size(shape.rank() - 1));
        long weights = 0;
        for (int i : at) {
          weights = sum(weights, matrices(operands.value(i)));
        }
        return times(shape.elements() / width, weights);
      };
    }

    private static long matrices(Object value) {
      return value instanceof List<?> list
          ? list.stream().mapToLong(Work::matrices).sum()
          : value instanceof TensorForm form && form.rank() == 2 ? form.elements() : 0;
    }

    /** As this, and as {@code other}. */
    default Work and(Work other) {
      return (operands, results) ->
          sum(multiplyAdds(operands, results), other.multiplyAdds(operands, results));
    }
  }

  /** Of a call that reads its operands and writes its results, each once. */
  static Cost of(Operands operands, Object results, long multiplyAdds) {
    long read = 0;
    long bytesRead = 0;
    for (int i = 0; i < operands.size(); i++) {
      Object value = operands.isTensor(i) ? operands.form(i) : operands.value(i);
      read = sum(read, elements(value));
      bytesRead = sum(bytesRead, bytes(value));
    }
    return new Cost(Math.max(read, elements(results)), multiplyAdds, bytesRead, bytes(results));
  }

  /** The elements of all tensors that {@code value}, forms or a list of them, stands for. */
  public static long elements(Object value) {
    return total(value, false);
  }

  private static long bytes(Object value) {
    return total(value, true);
  }

  private static long total(Object value, boolean bytes) {
    long total = 0;
    switch (value) {
      case TensorForm form ->
          total = times(form.shape().elements(), bytes ? form.dtype().bytes() : 1);
      case Object[] several -> {
        for (Object each : several) {
          total = sum(total, total(each, bytes));
        }
      }
      case List<?> list -> {
        for (Object each : list) {
          total = sum(total, total(each, bytes));
        }
      }
      default -> {}
    }
    return total;
  }

  /** The sum of counts, or the largest number that there is. */
  public static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }

  /** The product of counts, or the largest number that there is. */
  public static long times(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }
}
