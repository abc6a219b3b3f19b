package dev.staunch.data.array;

import dev.staunch.data.decode.Place;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;

/**
 * The header of a file of consecutive examples.
 *
 * @param bigEndian whether numbers are stored big-endian
 * @param count the number of examples
 * @param shape the shape of each example
 * @param bytes the offset of the first example
 */
record ArrayHeader(
    String file, DType dtype, boolean bigEndian, long count, Shape shape, int bytes) {
  /** The size of one example in bytes. */
  int rowBytes() {
    return (int) shape.elements() * dtype.bytes();
  }

  /**
   * Makes a header from sizes.
   *
   * @param each the sizes of an example
   * @param at the offset in the file at which they are stored
   * @throws dev.staunch.fault.StaunchException if no file can have these sizes
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
