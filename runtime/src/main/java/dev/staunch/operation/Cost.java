package dev.staunch.operation;

import dev.staunch.type.Shape;
import java.util.List;

/**
 * The cost of a call, known from forms before it runs.
 *
 * @param elements how many elements the call processes: the elements that it reads or those that it
 *     writes, whichever are more
 * @param multiplyAdds the number of multiply-adds, for products, convolutions and the like
 * @param bytesRead the bytes of tensors among its arguments
 * @param bytesWritten the bytes of tensors among its results
 */
public record Cost(long elements, long multiplyAdds, long bytesRead, long bytesWritten) {
  /** The cost of a view, which touches no element. */
  public static final Cost NONE = new Cost(0, 0, 0, 0);

  /** Counts the multiply-adds of an operation. */
  @FunctionalInterface
  public interface Work {
    /** The multiply-adds for these operands and the forms of their results; neither is a fault. */
    long multiplyAdds(Operands operands, Object results);

    /** The work of a product: for each element of the result, the last size of an operand. */
    static Work product(int operand) {
      return new Product(operand);
    }

    /**
     * The work of products of each row of the first operand with matrices.
     *
     * @param at the positions of the matrices, each an operand of its own or several in a list
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

    /** The sum of this work and {@code other}. */
    default Work and(Work other) {
      return (operands, results) ->
          sum(multiplyAdds(operands, results), other.multiplyAdds(operands, results));
    }
  }

  private record Product(int operand) implements Work {
    @Override
    public long multiplyAdds(Operands operands, Object results) {
      Shape shape = operands.shape(operand);
      long inner = shape.rank() == 0 ? 1 : shape.size(shape.rank() - 1);
      return times(elements(results), inner);
    }
  }

  /** The cost of a call that reads its operands and writes its results once each. */
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

  /** The number of elements of all tensors in {@code value}, which is a form or a list of forms. */
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

  /** The sum of two counts, capped at the largest long. */
  public static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }

  /** The product of two counts, capped at the largest long. */
  public static long times(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }
}
