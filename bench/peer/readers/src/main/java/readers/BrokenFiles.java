package readers;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;

/**
 * Makes the ten broken files of docs/data.md, two broken files of records, and intact files to go
 * with them.
 */
final class BrokenFiles {
  private BrokenFiles() {}

  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[0]));
    text(folder, "short.csv", "1,2\n3\n4,5\n");
    text(folder, "text.csv", "1,2\n3,5x\n4,5\n");
    text(folder, "empty-field.csv", "1,2\n3,\n4,5\n");
    text(folder, "large.csv", "1,2\n3,1e400\n4,5\n");
    text(folder, "quote.csv", "1,2\n3,\"4\n4,5\n");
    text(folder, "empty.csv", "");
    Files.write(folder.resolve("cut.csv.gz"), packedAndCut());
    byte[] images = idx(0x803, 4, 28, 28);
    Files.write(folder.resolve("cut-idx3"), Arrays.copyOf(images, images.length - 5));
    Files.write(folder.resolve("images-idx3"), images);
    Files.write(folder.resolve("labels-idx1"), idx(0x801, 3));
    Files.write(folder.resolve("labels4-idx1"), idx(0x801, 4));
    text(folder, "negative.t", "1 0:1\n0 -1:2\n1 2:3\n");
    Files.write(folder.resolve("damaged.rec"), records());
    Files.write(folder.resolve("damaged.tfrecord"), tfRecords());
  }

  private static void text(Path folder, String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private static byte[] packedAndCut() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      rows.append(i).append(',').append(i * 7919L % 10007).append('\n');
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream packing = new GZIPOutputStream(bytes)) {
      packing.write(rows.toString().getBytes(StandardCharsets.US_ASCII));
    }
    return Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2);
  }

  /** An idx file of zeros; the first size counts its examples. */
  private static byte[] idx(int magic, int... sizes) {
    int elements = Arrays.stream(sizes).reduce(1, Math::multiplyExact);
    ByteBuffer file = ByteBuffer.allocate(4 + 4 * sizes.length + elements).putInt(magic);
    for (int size : sizes) {
      file.putInt(size);
    }
    return file.array();
  }

  /** Three images in im2rec's format; the magic number of the second is damaged. */
  private static byte[] records() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB), "bmp", bytes);
    byte[] image = bytes.toByteArray(); // with a length that needs no padding
    int length = 24 + image.length;
    ByteBuffer file = ByteBuffer.allocate(3 * (8 + length)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 3; i++) {
      file.putInt(i == 1 ? 7 : 0xced7230a).putInt(length).putInt(0).putFloat(i);
      file.putLong(i).putLong(0).put(image);
    }
    return file.array();
  }

  /** Three records of four bytes each; the length of the second is damaged. */
  private static byte[] tfRecords() {
    ByteBuffer file = ByteBuffer.allocate(3 * 20).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 3; i++) {
      byte[] length = {4, 0, 0, 0, 0, 0, 0, 0};
      byte[] data = {(byte) i, 0, 0, 0};
      file.put(length).putInt(masked(length)).put(data).putInt(masked(data));
    }
    file.put(20, (byte) 5);
    return file.array();
  }

  private static int masked(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    int crc = (int) sum.getValue();
    return Integer.rotateRight(crc, 15) + 0xa282ead8;
  }
}
