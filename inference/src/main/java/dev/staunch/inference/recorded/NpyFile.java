package dev.staunch.inference.recorded;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the elements of a NumPy file, versions 1 to 3, little-endian and row-major. */
final class NpyFile {
  private NpyFile() {}

  /** Fills {@code tensor}, whose size in bytes must match the file's. */
  static void read(Path file, DenseTensor tensor) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      boolean npy = bytes.length > 12 && bytes[0] == (byte) 0x93 && bytes[1] == 'N';
      int header = !npy ? 0 : bytes[6] == 1 ? buffer.getShort(8) & 0xffff : buffer.getInt(8);
      int start = !npy ? 0 : (bytes[6] == 1 ? 10 : 12) + header;
      String words =
          new String(bytes, 0, Math.min(start, bytes.length), StandardCharsets.ISO_8859_1);
      if (!npy
          || words.contains("'fortran_order': True")
          || words.contains("'>")
          || bytes.length - start != tensor.storage().byteSize()) {
        throw Fault.data(file.toString(), file + " does not hold " + tensor.describe())
            .toException();
      }
      MemorySegment.copy(
          MemorySegment.ofArray(bytes), start, tensor.segment(), 0, bytes.length - start);
    } catch (IOException e) {
      throw Fault.data(file.toString(), file + " cannot be read").withCause(e).toException();
    }
  }
}
