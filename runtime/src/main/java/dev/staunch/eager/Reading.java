package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.tensor.NestedArrays;
import dev.staunch.tensor.NpyFormat;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Out of the runtime: elements as Java values, always copies in row-major order. Every method waits
 * for the tensor and throws its fault, typed (F1, F3).
 *
 * <p>Converting narrows as a Java cast does: reals are truncated, wide integers wrap. Complex
 * dtypes are an unsupported fault.
 */
public sealed interface Reading extends Applicable permits Tensor {

  /** The concrete tensor. */
  DenseTensor value();

  /** The sizes of the dimensions. */
  Shape shape();

  /** The type of the elements. */
  DType dtype();

  /** The elements as floats. */
  default float[] floats() {
    return HostTensors.toFloats(real());
  }

  /** The elements as doubles; int64 beyond 2^53 rounds. */
  default double[] doubles() {
    return HostTensors.toDoubles(real());
  }

  /** The elements as longs. */
  default long[] longs() {
    return HostTensors.toLongs(real());
  }

  /** The elements as ints. */
  default int[] ints() {
    return (int[]) NestedArrays.flat(real(), DType.INT32);
  }

  /** The elements as shorts. */
  default short[] shorts() {
    return (short[]) NestedArrays.flat(real(), DType.INT16);
  }

  /** The elements as bytes. */
  default byte[] bytes() {
    return (byte[]) NestedArrays.flat(real(), DType.INT8);
  }

  /** For each element, whether it is not 0. */
  default boolean[] booleans() {
    return (boolean[]) NestedArrays.flat(real(), DType.BOOL);
  }

  /**
   * The elements as nested Java arrays of the dtype's own Java type ({@code float[][]} for float32
   * of two dimensions; float16 and bfloat16 give float, uint8 gives short); a boxed value without
   * dimensions.
   */
  default Object toNestedArray() {
    return NestedArrays.of(real());
  }

  /** The only element, as a double. @throws StaunchException.ValueException if there are others */
  default double item() {
    return HostTensors.toDoubles(single())[0];
  }

  /** The only element, as a long. @throws StaunchException.ValueException if there are others */
  default long itemLong() {
    return HostTensors.toLongs(single())[0];
  }

  /** Whether the only element is not 0. @throws StaunchException.ValueException if others are */
  default boolean itemBoolean() {
    return item() != 0;
  }

  /** Whether both have the same shape and the same values; dtypes promote, NaN equals nothing. */
  default boolean equal(Tensor other) {
    return shape().equals(other.shape())
        && apply("aten::eq.Tensor", this, other).all().itemBoolean();
  }

  /**
   * Copies the raw little-endian elements to the start of {@code target}.
   *
   * @throws dev.staunch.fault.StaunchException.ShapeException if it is too small
   */
  default void copyTo(MemorySegment target) {
    Fault fault = HostTensors.copyTo(value(), target);
    if (fault != null) {
      throw fault.withSource(UserLine.here()).toException();
    }
  }

  /**
   * Writes a .npy file, as NumPy reads it; a file that is there is replaced as a whole.
   *
   * @throws dev.staunch.fault.StaunchException.DataFormatException if the file cannot be written
   */
  default void save(Path file) {
    Fault fault = NpyFormat.write(value(), file);
    if (fault != null) {
      throw fault.withSource(UserLine.here()).toException();
    }
  }

  private DenseTensor real() {
    DenseTensor tensor = value();
    if (tensor.dtype().kind() == DType.Kind.COMPLEX) {
      Fault fault = Fault.unsupported("elements of " + tensor.dtype() + " have no real value");
      throw fault.withSource(UserLine.here()).toException();
    }
    return tensor;
  }

  private DenseTensor single() {
    DenseTensor tensor = real();
    if (tensor.elements() != 1) {
      String text = "a tensor with %d elements cannot be converted to one value";
      Fault fault =
          Fault.value(text.formatted(tensor.elements()))
              .withExpected("1 element", tensor.elements() + " elements");
      throw fault.withSource(UserLine.here()).toException();
    }
    return tensor;
  }
}
