package dev.staunch.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes TorchScript archives with large weights: parameters {@code w0}, {@code w1} and so on, each
 * a row of float32 that counts from 0 to 1023 again and again. {@code forward} adds up the first
 * and the last element of each.
 */
public final class LargeArchive {
  private static final int PERIOD = 1024;
  private static final int ALIGNMENT = 64;

  /** The size of an entry's header without its name and its extra field. */
  private static final int HEADER = 30;

  private final ZipOutputStream zip;
  private long written;

  private LargeArchive(ZipOutputStream zip) {
    this.zip = zip;
  }

  /**
   * Writes an archive; as in PyTorch's, entries are not compressed and begin at multiples of 64.
   *
   * @param weights how many parameters
   * @param elements of each; a multiple of 1024
   */
  public static Path write(Path file, int weights, int elements) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setMethod(ZipOutputStream.STORED);
      LargeArchive archive = new LargeArchive(zip);
      archive.entry("data.pkl", 1, object(weights, elements).getBytes(StandardCharsets.ISO_8859_1));
      archive.entry("code/__torch__.py", 1, code(weights).getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < weights; i++) {
        archive.entry("data/" + i, elements / PERIOD, period());
      }
      archive.entry("constants.pkl", 1, "\u0080\u0002).".getBytes(StandardCharsets.ISO_8859_1));
      archive.entry("version", 1, "3\n".getBytes(StandardCharsets.US_ASCII));
    }
    return file;
  }

  /** What {@code forward} gives for so many weights. */
  public static float sum(int weights) {
    return weights * (PERIOD - 1);
  }

  private static byte[] period() {
    ByteBuffer bytes = ByteBuffer.allocate(PERIOD * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < PERIOD; i++) {
      bytes.putFloat(i);
    }
    return bytes.array();
  }

  private void entry(String name, int times, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry("large/" + name);
    int padding = (int) -(written + HEADER + entry.getName().length() + 4) & (ALIGNMENT - 1);
    entry.setExtra(extra(padding));
    CRC32 crc = new CRC32();
    for (int i = 0; i < times; i++) {
      crc.update(content);
    }
    entry.setCrc(crc.getValue());
    entry.setSize((long) times * content.length);
    zip.putNextEntry(entry);
    for (int i = 0; i < times; i++) {
      zip.write(content);
    }
    zip.closeEntry();
    written += HEADER + entry.getName().length() + 4 + padding + entry.getSize();
  }

  /** A field of 4 bytes that says how many follow; PyTorch calls it FB. */
  private static byte[] extra(int padding) {
    ByteBuffer field = ByteBuffer.allocate(4 + padding).order(ByteOrder.LITTLE_ENDIAN);
    return field.put((byte) 'F').put((byte) 'B').putShort((short) padding).array();
  }

  /** The pickle of the module, one character for each byte. */
  private static String object(int weights, int elements) {
    return IntStream.range(0, weights)
        .mapToObj(i -> text("w" + i) + tensor(i, elements))
        .collect(Collectors.joining("", "\u0080\u0002c__torch__\nM\n)\u0081}(", "ub."));
  }

  private static String tensor(int storage, int elements) {
    String count = number(elements);
    return "ctorch._utils\n_rebuild_tensor_v2\n(("
        + text("storage")
        + "ctorch\nFloatStorage\n"
        + text(Integer.toString(storage))
        + text("cpu")
        + count
        + "tQK\0"
        + count
        + "\u0085K\u0001\u0085\u0089ccollections\nOrderedDict\n)RtR";
  }

  private static String text(String text) {
    return "X" + bytes(text.length()) + text;
  }

  private static String number(int number) {
    return "J" + bytes(number);
  }

  private static String bytes(int number) {
    byte[] bytes =
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String code(int weights) {
    StringBuilder code = new StringBuilder("class M(Module):\n  __parameters__ = [");
    for (int i = 0; i < weights; i++) {
      code.append('"').append('w').append(i).append("\", ");
    }
    code.append("]\n  __buffers__ = []\n");
    for (int i = 0; i < weights; i++) {
      code.append("  w").append(i).append(" : Tensor\n");
    }
    code.append("  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    y = x\n");
    for (int i = 0; i < weights; i++) {
      for (int at : new int[] {0, -1}) {
        String element = "torch.select(self.w" + i + ", 0, " + at + ")";
        code.append("    y = torch.add(y, ").append(element).append(")\n");
      }
    }
    return code.append("    return y\n").toString();
  }
}
