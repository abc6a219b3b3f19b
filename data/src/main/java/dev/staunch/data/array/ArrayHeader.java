package dev.staunch.data.array;

import dev.staunch.data.decode.Place;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;

/**
 * What the front of a file says of the examples in it, which lie one behind the other.
 *
 * @param bigEndian whether the bytes of a number stand that way round
 * @param count of examples
 * @param shape of each
 * @param bytes where the first begins
 */
record ArrayHeader(
    String file, DType dtype, boolean bigEndian, long count, Shape shape, int bytes) {
  /** The bytes of one example. */
  int rowBytes() {
    return (int) shape.elements() * dtype.bytes();
  }

  /**
   * The header of these sizes.
   *
   * @param each the sizes of an example
   * @param at where the file says them
   * @throws dev.staunch.fault.StaunchException if no file can have them
   */
  static ArrayHeader of(
      String file, DType dtype, boolean bigEndian, long count, long[] each, int at, int bytes) {
    Shape shape = Shape.misfit(each) == null ? Shape.of(each) : null;
    if (shape == null || count < 0 || shape.elements() > Integer.MAX_VALUE / dtype.bytes()) {
      throw Place.at(file, at)
          .fault(
              "the header of " + file + " has sizes that make no sense",
              "a count and sizes that are not negative",
              count + " examples of " + Arrays.toString(each))
          .toException();
    }
    return new ArrayHeader(file, dtype, bigEndian, count, shape, bytes);
  }
}
