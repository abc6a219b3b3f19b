package dev.staunch.data.row;

import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;

/**
 * What every example has under one name, such as {@code data} and {@code label}.
 *
 * @param name unique among the fields of an example
 * @param shape of one example; a batch has one dimension more in front
 * @param sparse whether examples name their non-zero elements only; the shape then has one
 *     dimension, and a batch has three tensors (compressed sparse rows)
 */
public record Field(String name, DType dtype, Shape shape, boolean sparse) {
  /** More than any batch can hold. */
  private static final long MOST_BYTES = 1L << 30;

  public Field {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a field needs a name");
    }
    if (dtype.kind() == DType.Kind.COMPLEX) {
      throw new IllegalArgumentException(
          Message.of("the field `%s` is %s; complex numbers are not read", name, dtype));
    }
    if (!sparse && shape.elements() > MOST_BYTES / dtype.bytes()) {
      throw new IllegalArgumentException(
          Message.of(
              "an example of the field `%s` has more than %d bytes: %s%s",
              name, MOST_BYTES, dtype, shape));
    }
    if (sparse && shape.rank() != 1) {
      throw new IllegalArgumentException(
          Message.of(
              "the sparse field `%s` needs one dimension, but its shape is %s", name, shape));
    }
  }

  public static Field of(String name, DType dtype, long... shape) {
    return new Field(name, dtype, Shape.of(shape), false);
  }

  /** Rows of {@code width} elements of which few are not zero. */
  public static Field sparse(String name, DType dtype, long width) {
    return new Field(name, dtype, Shape.of(width), true);
  }

  /** How many elements an example has; of a sparse field, how many it could have. */
  public long elements() {
    return shape.elements();
  }

  /** The bytes of one example of a dense field. */
  public int rowBytes() {
    return sparse ? 0 : (int) (shape.elements() * dtype.bytes());
  }

  /** As messages name it: {@code data float32[4, 10]}. */
  @Override
  public String toString() {
    return name + " " + (sparse ? "sparse " : "") + dtype + shape;
  }
}
