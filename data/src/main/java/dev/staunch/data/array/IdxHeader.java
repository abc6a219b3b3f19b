package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The front of an idx file.
 *
 * @param count of examples
 * @param shape of each
 * @param bytes how long this is
 */
record IdxHeader(String file, DType dtype, long count, Shape shape, int bytes) {
  private static final int MAGIC_BYTES = 4;

  /**
   * Reads the front.
   *
   * @throws StaunchException if it is none
   */
  static IdxHeader read(ByteInput input) throws IOException, InterruptedException {
    String file = input.name();
    byte[] magic = new byte[MAGIC_BYTES];
    require(input, magic);
    DType dtype = dtype(magic[2]);
    if (magic[0] != 0 || magic[1] != 0 || dtype == null || magic[3] < 1) {
      String found = Message.of("%d %d %d %d", magic[0], magic[1], magic[2], magic[3]);
      throw Place.at(file, 0)
          .fault(
              file + " is no idx file: its magic number is wrong",
              "0 0, a type from 8 to 14, and the number of dimensions",
              found)
          .toException();
    }
    byte[] sizes = new byte[magic[3] * Integer.BYTES];
    require(input, sizes);
    ByteBuffer numbers = ByteBuffer.wrap(sizes);
    long count = numbers.getInt();
    long[] each = new long[magic[3] - 1];
    for (int i = 0; i < each.length; i++) {
      each[i] = numbers.getInt();
    }
    Fault misfit = Shape.misfit(each);
    Shape shape = misfit == null ? Shape.of(each) : Shape.SCALAR;
    if (misfit != null || count < 0 || shape.elements() > Integer.MAX_VALUE / dtype.bytes()) {
      throw Place.at(file, MAGIC_BYTES)
          .fault(
              "the header of " + file + " has sizes that make no sense",
              "a count and sizes that are not negative",
              count + " examples of " + Arrays.toString(each))
          .toException();
    }
    return new IdxHeader(file, dtype, count, shape, MAGIC_BYTES + sizes.length);
  }

  private static void require(ByteInput input, byte[] target)
      throws IOException, InterruptedException {
    int count = input.read(target, 0, target.length);
    if (count < target.length) {
      Fault damage = input.damage();
      throw (damage != null
              ? damage
              : Place.at(input.name(), input.position())
                  .fault(
                      input.name() + " ends in its header",
                      target.length + " bytes more",
                      count + " bytes"))
          .toException();
    }
  }

  private static @Nullable DType dtype(byte code) {
    return switch (code) {
      case 0x08 -> DType.UINT8;
      case 0x09 -> DType.INT8;
      case 0x0b -> DType.INT16;
      case 0x0c -> DType.INT32;
      case 0x0d -> DType.FLOAT32;
      case 0x0e -> DType.FLOAT64;
      default -> null;
    };
  }

  /** The bytes of one example. */
  int rowBytes() {
    return (int) shape.elements() * dtype.bytes();
  }
}
