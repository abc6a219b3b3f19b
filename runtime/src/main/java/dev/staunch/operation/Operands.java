package dev.staunch.operation;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of an operation by their positions in its schema, as far as they are known without
 * reading an element: the form of a tensor, and the value of anything else. A {@code Call} is one;
 * {@link #of} creates one where there are no tensors yet. The typed accessors trust the schema.
 */
public interface Operands {

  /** Operands with {@link TensorForm}s in place of tensors. The array is kept, not copied. */
  static Operands of(Object... values) {
    return new Operands() {
      @Override
      public int size() {
        return values.length;
      }

      @Override
      public Object value(int i) {
        return values[i];
      }

      @Override
      public TensorForm form(int i) {
        return (TensorForm) values[i];
      }
    };
  }

  int size();

  /** An argument as given; a form for a tensor that is not available yet. */
  Object value(int i);

  /** All arguments, in a new array. */
  default Object[] arguments() {
    Object[] copy = new Object[size()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return copy;
  }

  /** Whether the argument is a tensor, for a parameter that also accepts other values. */
  default boolean isTensor(int i) {
    return value(i) instanceof TensorForm;
  }

  /** A Tensor argument. */
  TensorForm form(int i);

  /** A Tensor? argument; null for None. */
  default @Nullable TensorForm optionalForm(int i) {
    return isNone(i) ? null : form(i);
  }

  default DType dtype(int i) {
    return form(i).dtype();
  }

  default Layout layout(int i) {
    return form(i).layout();
  }

  default Shape shape(int i) {
    return layout(i).shape();
  }

  default int rank(int i) {
    return shape(i).rank();
  }

  default boolean isNone(int i) {
    return value(i) == None.NONE;
  }

  default long integer(int i) {
    return (Long) value(i);
  }

  /** An int argument, or {@code absent} for None. */
  default long integerOr(int i, long absent) {
    return isNone(i) ? absent : (Long) value(i);
  }

  default boolean bool(int i) {
    return (Boolean) value(i);
  }

  /**
   * A float argument, or a Scalar that is real; an int is accepted as well.
   *
   * @throws StaunchException.ValueException if it is a complex number
   */
  default double real(int i) {
    return switch (value(i)) {
      case Number number -> number.doubleValue();
      case Boolean flag -> flag ? 1 : 0;
      default ->
          throw Fault.value("a scalar must be real here, but it is complex").toUnreadException();
    };
  }

  default String string(int i) {
    return (String) value(i);
  }

  /** A Scalar argument: {@code Long}, {@code Double}, {@code Boolean} or {@code ComplexNumber}. */
  default Object scalar(int i) {
    return value(i);
  }

  @SuppressWarnings("unchecked") // the schema says list; its elements are checked where used
  default List<Object> list(int i) {
    return (List<Object>) value(i);
  }

  default long[] integers(int i) {
    List<Object> list = list(i);
    long[] integers = new long[list.size()];
    for (int k = 0; k < integers.length; k++) {
      integers[k] = (Long) list.get(k);
    }
    return integers;
  }

  /**
   * The dtype that argument {@code i} asks for; null if it asks for none.
   *
   * @throws StaunchException.UnsupportedException if its number is that of no dtype
   */
  default @Nullable DType optionalDType(int i) {
    if (isNone(i)) {
      return null;
    }
    DType dtype = DType.ofCode(integer(i));
    if (dtype == null) {
      throw DType.unknown(integer(i)).toUnreadException();
    }
    return dtype;
  }
}
