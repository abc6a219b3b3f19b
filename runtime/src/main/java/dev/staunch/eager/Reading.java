package dev.staunch.eager;

import static java.util.Objects.requireNonNull;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.tensor.NestedArrays;
import dev.staunch.tensor.NpyFormat;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Copies elements out of the runtime as Java values, in row-major order. Every method waits for the
 * tensor and throws its fault as the typed exception.
 *
 * <p>Conversions narrow as Java casts do. Wide integers wrap. Reals are truncated; values outside
 * the range of an int or a long become its least or greatest value, and NaN becomes 0 (bytes and
 * shorts are cut from the int). Complex dtypes are an unsupported fault.
 */
public interface Reading {

  /** The concrete tensor. */
  DenseTensor value();

  /** As {@link Tensor#read(Function)}. */
  <R> R read(Function<? super DenseTensor, ? extends R> reader);

  /** The sizes of the dimensions. */
  Shape shape();

  /**
   * The size of one dimension; a negative index counts from the last.
   *
   * @throws dev.staunch.fault.StaunchException.IndexException if there is no such dimension
   */
  default long size(long dim) {
    Shape shape = shape();
    if (dim < -shape.rank() || dim >= shape.rank()) {
      String text = "dimension %d is out of range for a tensor of %s";
      Fault fault = Fault.index(Message.of(text, dim, Message.count(shape.rank(), "dimension")));
      throw fault.withSource(UserLine.here()).toException();
    }
    return shape.size((int) (dim < 0 ? dim + shape.rank() : dim));
  }

  /** The number of elements. */
  default long elements() {
    return shape().elements();
  }

  /** As {@link #elements}, by PyTorch's name. */
  default long numel() {
    return elements();
  }

  /** The number of dimensions. */
  default int rank() {
    return shape().rank();
  }

  /** As {@link #rank}, by PyTorch's name. */
  default int dim() {
    return rank();
  }

  /** The type of the elements. */
  DType dtype();

  /** The elements as floats. */
  default float[] floats() {
    return read(tensor -> HostTensors.toFloats(real(tensor)));
  }

  /** The elements as doubles; int64 values beyond 2^53 are rounded. */
  default double[] doubles() {
    return read(tensor -> HostTensors.toDoubles(real(tensor)));
  }

  /** The elements as longs. */
  default long[] longs() {
    return read(tensor -> HostTensors.toLongs(real(tensor)));
  }

  /** The elements as ints. */
  default int[] ints() {
    return read(tensor -> (int[]) NestedArrays.flat(real(tensor), DType.INT32));
  }

  /** The elements as shorts. */
  default short[] shorts() {
    return read(tensor -> (short[]) NestedArrays.flat(real(tensor), DType.INT16));
  }

  /** The elements as bytes. */
  default byte[] bytes() {
    return read(tensor -> (byte[]) NestedArrays.flat(real(tensor), DType.INT8));
  }

  /** For each element, whether it is not 0. */
  default boolean[] booleans() {
    return read(tensor -> (boolean[]) NestedArrays.flat(real(tensor), DType.BOOL));
  }

  /**
   * The elements as nested Java arrays of the dtype's own Java type ({@code float[][]} for float32
   * of two dimensions; float16 and bfloat16 give float, uint8 gives short). A tensor without
   * dimensions gives a boxed value.
   */
  default Object toNestedArray() {
    return read(tensor -> NestedArrays.of(real(tensor)));
  }

  /**
   * The only element, as a double. @throws StaunchException.ValueException unless there is exactly
   * one
   */
  default double item() {
    return read(tensor -> HostTensors.toDoubles(single(tensor))[0]);
  }

  /**
   * The only element, as a long. @throws StaunchException.ValueException unless there is exactly
   * one
   */
  default long itemLong() {
    return read(tensor -> HostTensors.toLongs(single(tensor))[0]);
  }

  /**
   * Whether the only element is not 0. @throws StaunchException.ValueException unless there is one
   */
  default boolean itemBoolean() {
    return item() != 0;
  }

  /**
   * Copies the raw little-endian elements to the start of {@code target}.
   *
   * @throws dev.staunch.fault.StaunchException.ShapeException if it is too small
   * @throws dev.staunch.fault.StaunchException.ValueException if it is read-only or belongs to
   *     another thread
   * @throws dev.staunch.fault.StaunchException.ClosedException if its arena is closed
   */
  default void copyTo(MemorySegment target) {
    requireNonNull(target, "target");
    read(tensor -> {
      Fault fault = HostTensors.copyTo(tensor, target);
      if (fault != null) {
        throw fault.withSource(UserLine.here()).toException();
      }
      return tensor;
    });
  }

  /**
   * Writes a .npy file in NumPy's format. An existing file is replaced as a whole.
   *
   * @throws dev.staunch.fault.StaunchException.DataFormatException if the file cannot be written
   */
  default void save(Path file) {
    requireNonNull(file, "file");
    read(tensor -> {
      Fault fault = NpyFormat.write(tensor, file);
      if (fault != null) {
        throw fault.withSource(UserLine.here()).toException();
      }
      return tensor;
    });
  }

  private static DenseTensor real(DenseTensor tensor) {
    if (tensor.dtype().kind() == DType.Kind.COMPLEX) {
      Fault fault =
          Fault.unsupported(
              "elements of " + tensor.dtype() + " are no reals; take `real` or `imag` before");
      throw fault.withSource(UserLine.here()).toException();
    }
    return tensor;
  }

  private static DenseTensor single(DenseTensor some) {
    DenseTensor tensor = real(some);
    if (tensor.elements() != 1) {
      String text = "a tensor of %d elements is not one value; take one element before";
      Fault fault =
          Fault.value(Message.of(text, tensor.elements()))
              .withExpected("1 element", tensor.elements() + " elements");
      throw fault.withSource(UserLine.here()).toException();
    }
    return tensor;
  }
}
