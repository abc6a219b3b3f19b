package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.ByteText;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.kernel.text.ValuePrinter;
import dev.staunch.tensor.DenseTensor;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of what a list may be sorted by: ints, floats, bools, strings, tensors of one element,
 * and tuples of these, whose first elements that differ decide.
 */
enum ValueOrder implements Comparator<Object> {
  ASCENDING;

  /** Why one of {@code values} has no place in the order; null if all have one. */
  static @Nullable Fault unordered(CancellationPoll poll, List<?> values) {
    for (Object value : values) {
      Fault fault = poll.mayContinue(1) ? unordered(poll, value) : poll.fault();
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable Fault unordered(CancellationPoll poll, Object value) {
    return switch (value) {
      case Long _, Double _, Boolean _, String _ -> null;
      case TupleValue tuple -> unordered(poll, tuple.elements());
      case DenseTensor tensor ->
          switch (CastOperations.item(tensor)) {
            case Fault fault -> fault;
            case ComplexNumber number ->
                Fault.value("complex numbers have no order; sort real ones");
            case Object number -> null;
          };
      default ->
          Fault.unsupported(
              "a list of values such as "
                  + ValuePrinter.brief(value)
                  + " is not sorted; sort numbers, texts or tuples of these");
    };
  }

  /** Compares two values of one type, both of which have a place in the order. */
  @Override
  public int compare(Object a, Object b) {
    return switch (a) {
      case Long x -> Long.compare(x, (Long) b);
      case Double x -> reals(x, (Double) b);
      case Boolean x -> Boolean.compare(x, (Boolean) b);
      case TupleValue x -> tuples(x.elements(), ((TupleValue) b).elements());
      case DenseTensor x -> numbers(CastOperations.item(x), CastOperations.item((DenseTensor) b));
      default -> ByteText.open((String) a).compareTo(ByteText.open((String) b));
    };
  }

  /** Zeros are equal, whatever their signs; NaN follows all other numbers. */
  private static int reals(double a, double b) {
    return a == b ? 0 : Double.compare(a, b);
  }

  private static int numbers(Object a, Object b) {
    return Scalars.isIntegral(a) && Scalars.isIntegral(b)
        ? Long.compare(Scalars.integer(a), Scalars.integer(b))
        : reals(Scalars.complex(a).re(), Scalars.complex(b).re());
  }

  private int tuples(List<Object> a, List<Object> b) {
    for (int i = 0; i < a.size(); i++) {
      int order = compare(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
