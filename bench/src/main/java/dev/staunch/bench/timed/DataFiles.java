package dev.staunch.bench.timed;

import dev.staunch.data.record.ImageRecord;
import dev.staunch.data.record.RecordWriter;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import javax.imageio.ImageIO;

/** Files to read, in a folder of their own. */
public final class DataFiles {
  /** The same number as in the peer's program. */
  static final int COLUMNS = 64;

  private static final int ROWS = 20_000;

  /** The length of {@code 0.12345} and its separator. */
  private static final int FIELD = 8;

  /** The size of the CSV file. */
  public static final long CSV_BYTES = (long) ROWS * COLUMNS * FIELD;

  private static final int EXAMPLE = 784;
  private static final int EXAMPLES = 85_000;

  /** The size of the idx file; the RecordIO file has about the same. */
  public static final long BINARY_BYTES = (long) EXAMPLE * EXAMPLES;

  private static final int RECORD = 1 << 16;

  /** The number of images in a pass. */
  public static final int IMAGES = 256;

  /** The number of rows and columns of each image. */
  static final int SIDE = 256;

  /** The number of batches in a pass over batches of one number. */
  public static final int BATCHES = 10_000;

  private final Path folder;

  DataFiles() {
    try {
      folder = Files.createTempDirectory("staunch-bench-data");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Numbers with five decimals, as the peer's program writes them. */
  Path csv() throws IOException {
    Path file = folder.resolve("x.csv");
    Random random = new Random(1);
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < COLUMNS; i++) {
          String value = String.format(Locale.ROOT, "%.5f", random.nextFloat() * 0.99999f);
          out.print(i == 0 ? value : "," + value);
        }
        out.print('\n');
      }
    }
    return file;
  }

  Path idx() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(16 + EXAMPLE * EXAMPLES);
    bytes.putInt(0x803).putInt(EXAMPLES).putInt(28).putInt(28);
    return Files.write(folder.resolve("x-idx3"), bytes.array());
  }

  Path records() throws IOException {
    Path file = folder.resolve("x.rec");
    try (RecordWriter out = RecordWriter.open(file)) {
      for (int i = 0; i < BINARY_BYTES / RECORD; i++) {
        out.write(i, new byte[RECORD]);
      }
    }
    return file;
  }

  /** Smooth images with some noise, as photographs are. */
  static List<byte[]> jpegs() throws IOException {
    List<byte[]> jpegs = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < IMAGES; i++) {
      BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
      for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
          int grey = (x + y + random.nextInt(24)) / 3 & 0xff;
          image.setRGB(x, y, (grey << 16) | ((255 - grey) << 8) | (x & 0xff));
        }
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ImageIO.write(image, "jpg", out);
      jpegs.add(out.toByteArray());
    }
    return jpegs;
  }

  Path images(List<byte[]> jpegs) throws IOException {
    Path file = folder.resolve("images.rec");
    try (RecordWriter out = RecordWriter.open(file)) {
      for (int i = 0; i < jpegs.size(); i++) {
        out.write(i, new ImageRecord(new float[] {i}, i, jpegs.get(i)).toBytes());
      }
    }
    return file;
  }

  void delete() throws IOException {
    for (String name : List.of("x.csv", "x-idx3", "x.rec", "images.rec")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.delete(folder);
  }
}
