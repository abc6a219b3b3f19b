package dev.staunch.data.row;

import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;

/**
 * One named part of every example, such as {@code data} or {@code label}.
 *
 * @param name unique among the fields of an example
 * @param shape of one example; a batch has one more dimension in front
 * @param sparse whether examples name only their non-zero elements; the shape then has one
 *     dimension, and a batch has three tensors (compressed sparse rows)
 */
public record Field(String name, DType dtype, Shape shape, boolean sparse) {
  /** More than a batch can hold. */
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

  /** A sparse field of {@code width} elements, few of which are non-zero. */
  public static Field sparse(String name, DType dtype, long width) {
    return new Field(name, dtype, Shape.of(width), true);
  }

  /** The number of elements of an example; for a sparse field, how many it could have. */
  public long elements() {
    return shape.elements();
  }

  /** The size of one example of a dense field in bytes. */
  public int rowBytes() {
    return sparse ? 0 : (int) (shape.elements() * dtype.bytes());
  }

  /** The form used in messages: {@code data float32[4, 10]}. */
  @Override
  public String toString() {
    return name + " " + (sparse ? "sparse " : "") + dtype + shape;
  }
}
