package dev.staunch.data.array;

import dev.staunch.data.decode.Decoder;
import dev.staunch.data.decode.Part;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Rows;
import dev.staunch.type.DType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Converts the numbers in a file to a field's dtype. Where the dtypes differ, the file's numbers
 * must be big-endian, as in idx files.
 */
final class ArrayDecoder implements Decoder {
  private final List<ArrayHeader> headers;
  private final OptionalDouble scale;

  ArrayDecoder(List<ArrayHeader> headers, OptionalDouble scale) {
    this.headers = headers;
    this.scale = scale;
  }

  @Override
  public void decode(Part part, Rows rows) {
    if (!(part.note() instanceof ArrayParts.Content content)) {
      return;
    }
    int offset = 0;
    for (int i = 0; i < headers.size(); i++) {
      DenseColumn column = (DenseColumn) rows.columns().get(i);
      column.reserve(content.examples());
      decode(part, offset, headers.get(i), column, content.examples(), i == 0);
      offset += content.room() * headers.get(i).rowBytes();
    }
    for (int row = 0; row < content.examples(); row++) {
      rows.begin();
      rows.end();
    }
  }

  private void decode(
      Part part, int offset, ArrayHeader header, DenseColumn column, int examples, boolean scaled) {
    DType from = header.dtype();
    double factor = scaled && scale.isPresent() ? scale.getAsDouble() : 1;
    if (from == column.field().dtype() && factor == 1) {
      int bytes = examples * header.rowBytes();
      System.arraycopy(part.bytes(), offset, column.bytes(), 0, bytes);
      if (header.bigEndian() && from.bytes() > 1) {
        turn(column.bytes(), bytes, from.bytes());
      }
      return;
    }
    int elements = examples * (int) header.shape().elements();
    if (from == DType.UINT8 && column.field().dtype() == DType.FLOAT32) {
      bytesToFloats(part.bytes(), offset, column.bytes(), elements, factor);
      return;
    }
    ByteBuffer numbers = ByteBuffer.wrap(part.bytes());
    boolean plain = factor == 1;
    for (int i = 0; i < elements; i++) {
      int at = offset + i * from.bytes();
      if (from.isFloating()) {
        column.putDouble(0, i, factor * real(numbers, from, at));
      } else if (plain) {
        column.putLong(0, i, integer(numbers, from, at));
      } else {
        column.putDouble(0, i, factor * integer(numbers, from, at));
      }
    }
  }

  /** Reverses the bytes of each number. */
  private static void turn(byte[] bytes, int length, int width) {
    for (int at = 0; at < length; at += width) {
      for (int i = 0; i < width / 2; i++) {
        byte low = bytes[at + i];
        bytes[at + i] = bytes[at + width - 1 - i];
        bytes[at + width - 1 - i] = low;
      }
    }
  }

  private static void bytesToFloats(
      byte[] from, int offset, byte[] to, int elements, double factor) {
    float[] table = new float[256];
    for (int i = 0; i < table.length; i++) {
      table[i] = (float) (i * factor);
    }
    for (int i = 0; i < elements; i++) {
      DenseColumn.putFloat(to, i * Float.BYTES, table[from[offset + i] & 0xff]);
    }
  }

  private static double real(ByteBuffer numbers, DType dtype, int at) {
    return dtype == DType.FLOAT32 ? numbers.getFloat(at) : numbers.getDouble(at);
  }

  private static long integer(ByteBuffer numbers, DType dtype, int at) {
    return switch (dtype.bytes()) {
      case 1 -> dtype == DType.UINT8 ? numbers.get(at) & 0xff : numbers.get(at);
      case 2 -> numbers.getShort(at);
      default -> numbers.getInt(at);
    };
  }
}
