package dev.staunch.torchscript.archive;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes an archive's records in PyTorch's layout: code is compressed, everything else is stored,
 * and the bytes of each record begin at a multiple of 64, so that weights can be mapped.
 */
public final class ArchiveWriter implements AutoCloseable {
  private static final int ALIGNMENT = 64;
  private static final int LOCAL_HEADER_BYTES = 30;
  private static final int FIELD_HEADER_BYTES = 4;

  /** The id of PyTorch's padding, {@code FB}. */
  private static final int PADDING = 0x4246;

  private final Counting bytes;
  private final ZipOutputStream zip;
  private final String top;

  private ArchiveWriter(Counting bytes, String top) {
    this.bytes = bytes;
    this.zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8);
    this.top = top;
  }

  /** Counts the bytes that pass through. */
  private static final class Counting extends FilterOutputStream {
    private long count;

    Counting(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      count++;
    }

    @Override
    public void write(byte[] some, int from, int length) throws IOException {
      out.write(some, from, length);
      count += length;
    }
  }

  /**
   * @param top the folder of all records, as {@link Archive#topFolder} returns it
   */
  public static ArchiveWriter to(Path file, String top) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
    return new ArchiveWriter(new Counting(out), top);
  }

  /** Adds a record after the previous ones. */
  public void add(String record, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(top + record);
    entry.setTime(0);
    if (record.startsWith("code/")) {
      entry.setMethod(ZipEntry.DEFLATED);
    } else {
      CRC32 checksum = new CRC32();
      checksum.update(content);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(content.length);
      entry.setCompressedSize(content.length);
      entry.setCrc(checksum.getValue());
    }
    zip.flush();
    int name = entry.getName().getBytes(StandardCharsets.UTF_8).length;
    long start = bytes.count + LOCAL_HEADER_BYTES + name + FIELD_HEADER_BYTES;
    int padding = (int) (-start & (ALIGNMENT - 1));
    byte[] field = new byte[FIELD_HEADER_BYTES + padding];
    Arrays.fill(field, (byte) 'Z');
    field[0] = (byte) PADDING;
    field[1] = (byte) (PADDING >> 8);
    field[2] = (byte) padding;
    field[3] = 0;
    entry.setExtra(field);
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
