package dev.staunch.data.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.DataIterator;
import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.LastBatch;
import dev.staunch.data.dataset.Session;
import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.data.record.ImageRecord;
import dev.staunch.data.record.RecordWriter;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImagesTest {
  private static final ImageForm SMALL = ImageForm.of(2, 2);
  private final Session session = new Session();
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** Four pixels: red, green, blue, white. */
  private static byte[] png() throws IOException {
    BufferedImage image = new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, 0xff0000);
    image.setRGB(1, 0, 0x00ff00);
    image.setRGB(0, 1, 0x0000ff);
    image.setRGB(1, 1, 0xffffff);
    return encoded(image, "png");
  }

  private static byte[] encoded(BufferedImage image, String format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, format, out));
    return out.toByteArray();
  }

  private static byte[] gradient(int side, String format) throws IOException {
    return gradient(side, BufferedImage.TYPE_INT_RGB, format);
  }

  private static byte[] gradient(int side, int type, String format) throws IOException {
    BufferedImage image = new BufferedImage(side, side, type);
    for (int y = 0; y < side; y++) {
      for (int x = 0; x < side; x++) {
        image.setRGB(x, y, ((x * 255 / side) << 16) | ((y * 255 / side) << 8) | ((x ^ y) & 0xff));
      }
    }
    return encoded(image, format);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpg", "png", "bmp"})
  void pixelsThatNeedNoResizingAreThoseOfImageIo(String format) throws IOException {
    byte[] bytes = gradient(64, format);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(bytes));
    ImageForm whole = ImageForm.of(64, 64);
    assertEquals(planes(image, 0, 0, 64, 64), read(bytes, whole));
    ImageForm middle = ImageForm.of(32, 16).withCrop(64, false);
    assertEquals(planes(image, 24, 16, 16, 32), read(bytes, middle));
  }

  private String read(byte[] image, ImageForm form) throws IOException {
    Images images = Images.ofRecords(records(List.of(image)), null, 1, form);
    return session.all(images, 1).batches().getFirst();
  }

  private static String planes(BufferedImage image, int left, int top, int width, int height) {
    List<Integer> values = new ArrayList<>();
    for (int shift = 16; shift >= 0; shift -= 8) {
      for (int pixel : image.getRGB(left, top, width, height, null, 0, width)) {
        values.add(pixel >> shift & 0xff);
      }
    }
    return values + " | [0.0]";
  }

  @Test
  void aGreyJpegHasThreeEqualChannels() throws IOException {
    byte[] grey = gradient(4, BufferedImage.TYPE_BYTE_GRAY, "jpg");
    String values = read(grey, ImageForm.of(4, 4)).replaceAll("[\\[\\]]|\\|.*", "");
    List<String> all = List.of(values.strip().split(", "));
    assertEquals(48, all.size());
    assertEquals(all.subList(0, 16), all.subList(16, 32));
    assertEquals(all.subList(0, 16), all.subList(32, 48));
  }

  private Path classes() throws IOException {
    for (String name : List.of("cat", "dog")) {
      Files.createDirectories(folder.resolve("set").resolve(name));
      for (int i = 0; i < 3; i++) {
        Files.write(folder.resolve("set").resolve(name).resolve(i + ".png"), png());
      }
    }
    return folder.resolve("set");
  }

  @Test
  void channelsComeFirstThenRowsThenColumns() throws IOException {
    Path file = records(List.of(png()));
    assertEquals(
        List.of("[255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255] | [0.0]"),
        session.all(Images.ofRecords(file, null, 1, SMALL), 1).batches());
  }

  @Test
  void greyAndNormalisedImages() throws IOException {
    Path file = records(List.of(png()));
    assertEquals(
        List.of("[76, 150, 29, 255] | [0.0]"),
        session.all(Images.ofRecords(file, null, 1, SMALL.grey()), 1).batches());
    ImageForm normal = SMALL.normalised(new float[] {55, 0, 0}, new float[] {200, 255, 51});
    assertEquals(
        List.of(
            "[1.0, -0.2750000059604645, -0.2750000059604645, 1.0, 0.0, 1.0, 0.0, 1.0,"
                + " 0.0, 0.0, 5.0, 5.0] | [0.0]"),
        session.all(Images.ofRecords(file, null, 1, normal), 1).batches());
  }

  private Path records(List<byte[]> images) throws IOException {
    Path file = folder.resolve("x.rec");
    try (RecordWriter writer = RecordWriter.open(file, folder.resolve("x.idx"))) {
      for (int i = 0; i < images.size(); i++) {
        writer.write(i, new ImageRecord(new float[] {i}, i, images.get(i)).toBytes());
      }
    }
    return file;
  }

  @Test
  void aFolderOfFoldersNumbersItsClassesByName() throws IOException {
    List<String> labels = new ArrayList<>();
    DataIterator iterator =
        session.open(Dataset.of(Images.ofFolder(classes(), SMALL)).withBatch(6));
    for (TensorBatch batch : iterator) {
      try (batch) {
        labels.add(Session.text(batch.label()));
      }
    }
    assertEquals(List.of("[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]"), labels);
  }

  @Test
  void aListNamesFilesAndLabels() throws IOException {
    Path root = classes();
    Path list = Session.file(folder, "set.lst", "0\t1.5\t-2\tcat/0.png", "1\t0\t7\tdog/none.png");
    Session.Seen seen = session.all(Images.ofList(list, root, 2, SMALL), 1);
    assertTrue(seen.batches().getFirst().endsWith("| [1.5, -2.0]"), seen.toString());
    assertEquals(List.of("dog/none.png"), seen.places());
    Path bad = Session.file(folder, "bad.lst", "0\tx\t1\tcat/0.png");
    assertEquals(
        List.of("bad.lst, row 1"), session.all(Images.ofList(bad, root, 2, SMALL), 1).places());
    Path out = Session.file(folder, "out.lst", "0\t1\t1\t../../etc/passwd");
    assertEquals(
        List.of("out.lst, row 1"), session.all(Images.ofList(out, root, 2, SMALL), 1).places());
  }

  @Test
  void anImageThatIsDamagedIsAFaultThatNamesItsRecord() throws IOException {
    byte[] jpeg = gradient(64, "jpg");
    byte[] good = gradient(64, "png");
    Path file =
        records(List.of(good, Arrays.copyOf(jpeg, jpeg.length / 2), new byte[] {1, 2, 3}, good));
    Session.Seen seen = session.all(Images.ofRecords(file, null, 1, SMALL), 1);
    assertEquals(2, seen.batches().size());
    assertEquals(2, seen.faults().size());
    assertTrue(seen.places().get(0).startsWith("x.rec, record 2, byte "), seen.toString());
    assertEquals(
        "the image cannot be decoded: its format is not known", seen.faults().get(1).message());
  }

  @Test
  void oneSeedGivesTheSameImagesOnOneTwoAndEightDecoders() throws IOException {
    List<byte[]> images = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      images.add(gradient(20 + i, "png"));
    }
    Path file = records(images);
    ImageForm form = ImageForm.of(12, 12).withCrop(16, true).withRandomFlip().withJitter(0.3);
    Images source = Images.ofRecords(file, folder.resolve("x.idx"), 1, form);
    Dataset dataset = Dataset.of(source).withShuffle(5).withLast(LastBatch.DISCARD);
    List<List<Integer>> one = epochs(dataset);
    assertEquals(one, epochs(dataset.withDecoders(2)));
    assertEquals(one, epochs(dataset.withDecoders(8)));
    assertNotEquals(new TreeSet<>(one.get(0)), new TreeSet<>(one.get(1)), "drawn anew");
    assertNotEquals(one, epochs(dataset.withShuffle(6)));
    List<Integer> parts = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      parts.addAll(epochs(dataset.withShard(part, 3)).getFirst());
    }
    assertEquals(one.getFirst(), parts);
  }

  private List<List<Integer>> epochs(Dataset dataset) {
    List<List<Integer>> epochs = new ArrayList<>();
    try (DataIterator iterator = session.open(dataset)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        List<Integer> digests = new ArrayList<>();
        for (TensorBatch batch : iterator) {
          digests.add(Session.digest(batch));
        }
        epochs.add(digests);
        iterator.reset();
      }
    }
    return epochs;
  }
}
