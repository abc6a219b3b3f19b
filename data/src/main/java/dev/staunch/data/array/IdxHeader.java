package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The header of an idx file. */
final class IdxHeader {
  private static final int MAGIC_BYTES = 4;

  private IdxHeader() {}

  /**
   * Reads the header.
   *
   * @throws StaunchException if it is not valid
   */
  static ArrayHeader read(ByteInput input) throws IOException, InterruptedException {
    String file = input.name();
    byte[] magic = new byte[MAGIC_BYTES];
    require(input, magic);
    DType dtype = dtype(magic[2]);
    if (magic[0] != 0 || magic[1] != 0 || dtype == null || magic[3] < 1) {
      String found = Message.of("%d %d %d %d", magic[0], magic[1], magic[2], magic[3]);
      throw Place.at(file, 0)
          .fault(
              file + " is not an idx file: its magic number is wrong",
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
    int bytes = MAGIC_BYTES + sizes.length;
    return ArrayHeader.of(file, dtype, true, count, each, MAGIC_BYTES, bytes);
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
}
