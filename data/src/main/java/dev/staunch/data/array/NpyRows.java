package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.tensor.NpyFormat;
import dev.staunch.tensor.NpyHeader;
import dev.staunch.type.DType;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;

/** Opens arrays in NumPy's format as consecutive examples. */
final class NpyRows {
  private NpyRows() {}

  /**
   * Opens an array; one in Fortran order is read whole and transposed. Closes {@code input} on
   * failure.
   *
   * @throws StaunchException if it is damaged, or has no rows of real numbers
   */
  static ArrayFile open(ByteInput input) throws IOException, InterruptedException {
    boolean[] turned = new boolean[1];
    ArrayFile file =
        ArrayFile.open(
            input,
            front -> {
              NpyHeader header = header(front);
              turned[0] = header.columnMajor() && header.shape().rank() > 1;
              return arrayHeader(front.name(), header);
            });
    if (!turned[0]) {
      return file;
    }
    try (file) {
      return turned(file);
    }
  }

  private static NpyHeader header(ByteInput input) {
    Object read = NpyFormat.header(input.name(), stream(input));
    if (read instanceof NpyHeader header) {
      return header;
    }
    Fault damage = input.damage();
    throw (damage == null ? (Fault) read : damage).toException();
  }

  private static InputStream stream(ByteInput input) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        try {
          int count = input.read(target, offset, length);
          return count == 0 && length > 0 ? -1 : count;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw (IOException) new InterruptedIOException("the read was interrupted").initCause(e);
        }
      }
    };
  }

  private static ArrayHeader arrayHeader(String name, NpyHeader header) {
    long[] sizes = header.shape().toArray();
    if (sizes.length == 0) {
      throw Fault.data(name, name + " has no dimension that counts examples")
          .withExpected("at least one dimension", "a single number")
          .toException();
    }
    if (header.dtype().kind() == DType.Kind.COMPLEX) {
      String text = "%s holds %s; complex numbers are not read as examples";
      throw Fault.unsupported(Message.of(text, name, header.dtype())).withInput(name).toException();
    }
    long[] each = Arrays.copyOfRange(sizes, 1, sizes.length);
    return ArrayHeader.of(
        name, header.dtype(), header.bigEndian(), sizes[0], each, 0, header.bytes());
  }

  /** The array with contiguous rows, on the heap. */
  private static ArrayFile turned(ArrayFile file) throws IOException, InterruptedException {
    ArrayHeader header = file.header();
    long bytes = header.count() * header.rowBytes();
    if (bytes > Integer.MAX_VALUE - Long.BYTES) {
      String text = "%s has %d bytes in Fortran order, more than can be turned; save it in C order";
      throw Fault.unsupported(Message.of(text, header.file(), bytes))
          .withInput(header.file())
          .toException();
    }
    byte[] columns = file.all();
    byte[] rows = new byte[columns.length];
    int width = header.dtype().bytes();
    int count = (int) header.count();
    int[] places = columns.length == 0 ? new int[0] : places(header.shape().toArray());
    for (int row = 0; row < count; row++) {
      for (int element = 0; element < places.length; element++) {
        int from = (row + count * places[element]) * width;
        System.arraycopy(columns, from, rows, (row * places.length + element) * width, width);
      }
    }
    ArrayHeader turned =
        new ArrayHeader(
            header.file(), header.dtype(), header.bigEndian(), count, header.shape(), 0);
    return ArrayFile.open(ByteInput.of(header.file(), rows), _ -> turned);
  }

  /**
   * For each element of a shape, in C order: its position in an array whose first index varies
   * fastest.
   */
  private static int[] places(long[] sizes) {
    int[] places = {0};
    int before = 1;
    for (long size : sizes) {
      int[] more = new int[places.length * (int) size];
      for (int i = 0; i < more.length; i++) {
        more[i] = places[i / (int) size] + before * (i % (int) size);
      }
      places = more;
      before *= (int) size;
    }
    return places;
  }
}
