package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.array.Idx;
import dev.staunch.data.array.TensorExamples;
import dev.staunch.data.decode.Inputs;
import dev.staunch.data.image.ImageForm;
import dev.staunch.data.image.Images;
import dev.staunch.data.record.ImageRecord;
import dev.staunch.data.record.RecordWriter;
import dev.staunch.data.row.Examples;
import dev.staunch.data.text.Csv;
import dev.staunch.data.text.LibSvm;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** D6: an iterator opened at a position gives the rest, and reads no more than it has to. */
class PositionTest {
  private static final int ROWS = 6_000;
  private static final int PART = 1 << 18;
  private static final String LONG = "0.25,".repeat(100);

  private final Session session = new Session();
  @TempDir private Path folder;
  private final Map<String, Examples> sources = new LinkedHashMap<>();
  private int samples;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** Files of several parts; one has quotes, line ends of all kinds and bad rows. */
  @BeforeEach
  void files() throws IOException {
    StringBuilder csv = new StringBuilder("a,b,c," + LONG + "\n");
    StringBuilder svm = new StringBuilder();
    long[] numbers = new long[ROWS];
    ByteBuffer idx = ByteBuffer.allocate(12 + 400 * ROWS).putInt(0x802).putInt(ROWS).putInt(400);
    for (int i = 0; i < ROWS; i++) {
      String end = List.of("\n", "\r\n", "\r").get(i % 3);
      String second = i % 1701 == 1700 ? "bad" : i % 5 == 0 ? "\"" + i / 2.0 + "\"" : "0.12345";
      csv.append(i).append(',').append(second).append(",0.5,").append(LONG).append(end);
      svm.append(i).append(" 1:0.5 7:").append(i % 9).append(" # " + LONG + "\n");
      numbers[i] = i;
      idx.put(new byte[400]).putInt(idx.position() - 4, i);
    }
    Path one = Session.bytes(folder, "1.csv", csv.toString());
    Path other = Session.bytes(folder, "2.csv", csv.toString());
    Path packed = folder.resolve("3.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(Files.readAllBytes(one));
    }
    sources.put("csv", csv(one));
    sources.put("files", csv(one, packed, other));
    sources.put("svm", LibSvm.of(8, Session.bytes(folder, "d.t", svm.toString())));
    sources.put("idx", Idx.of(Files.write(folder.resolve("images"), idx.array())));
    sources.put("array", TensorExamples.named("array").with("data", numbers, ROWS, 1));
  }

  private static Csv csv(Path... files) {
    return Csv.of(Inputs.of(files))
        .withNamed("data", DType.FLOAT32, "a", "b", "c")
        .ignoringOthers();
  }

  private List<Dataset> datasets(Examples examples) {
    Dataset plain =
        Dataset.of(examples).withBatch(997).withPolicy(FaultPolicy.skip(Long.MAX_VALUE));
    return List.of(
        plain,
        plain.withDecoders(3).withLast(LastBatch.ROLL_OVER),
        plain.withShard(1, 2).withLast(LastBatch.PAD_ZERO),
        plain.withShuffle(5).withLast(LastBatch.DISCARD),
        plain.withShuffle(5, 800));
  }

  /** All elements, or by default every {@code step}-th, with a different first one each time. */
  private <T> List<T> sample(int step, List<T> all) {
    int each = Boolean.getBoolean("tests.whole") ? 1 : step;
    int first = samples++ % each;
    return IntStream.range(0, all.size())
        .filter(i -> i % each == first)
        .mapToObj(all::get)
        .toList();
  }

  /** The digests and positions of the rest of an epoch. */
  private List<String> rest(DataIterator iterator, List<Position> positions) {
    List<String> seen = new ArrayList<>();
    for (TensorBatch batch : iterator) {
      positions.add(batch.position());
      seen.add(Session.digest(batch) + " at " + batch.position().places());
    }
    return seen;
  }

  /**
   * The places of the faults since the reports were last cleared, always before anything is read.
   */
  private List<String> faults() {
    return List.copyOf(session.reports).stream().map(Fault::input).map(String::valueOf).toList();
  }

  @Test
  void fromEveryBatchOfAnEpochTheRestIsTheSame() {
    sources.forEach((name, examples) -> {
      for (Dataset dataset : sample(2, datasets(examples))) {
        List<Position> positions = new ArrayList<>();
        DataIterator first = session.open(dataset);
        rest(first, new ArrayList<>());
        session.reports.clear();
        first.reset();
        List<String> epoch = rest(first, positions);
        List<String> faults = faults();
        first.close();
        for (Position position : sample(3, positions)) {
          Position saved = Position.parse(position.toString());
          assertEquals(position, saved);
          session.reports.clear();
          DataIterator again = session.openAt(dataset, saved);
          List<String> rest = rest(again, new ArrayList<>());
          int taken = (int) position.batches();
          String place = name + " from batch " + taken;
          assertEquals(epoch.subList(taken, epoch.size()), rest, place);
          List<String> told = faults();
          assertEquals(faults.subList(faults.size() - told.size(), faults.size()), told, place);
          again.close();
        }
      }
    });
  }

  /**
   * Images draw their random numbers by their places, which stay the same if the front is not read.
   */
  @Test
  void fromEveryBatchOfImagesTheRestIsTheSame() throws IOException {
    Path images = Files.createDirectories(folder.resolve("set").resolve("one"));
    Path records = folder.resolve("set.rec");
    Path index = folder.resolve("set.idx");
    try (RecordWriter writer = RecordWriter.open(records, index)) {
      for (int i = 0; i < 20; i++) {
        BufferedImage image = new BufferedImage(9, 9, BufferedImage.TYPE_INT_RGB);
        image.setRGB(i % 9, i / 9, 0xffffff);
        Path file = images.resolve(i + ".png");
        ImageIO.write(image, "png", file.toFile());
        writer.write(i, new ImageRecord(new float[] {i}, i, Files.readAllBytes(file)).toBytes());
      }
    }
    ImageForm form = ImageForm.of(6, 6).withCrop(8, true).withRandomFlip();
    Images indexed = Images.ofRecords(records, index, 1, form);
    for (Images source :
        List.of(
            Images.ofFolder(folder.resolve("set"), form),
            indexed,
            Images.ofRecords(records, null, 1, form))) {
      Dataset dataset = Dataset.of(source).withBatch(3);
      for (Dataset each :
          List.of(
              dataset.withDecoders(2),
              source.isIndexed() ? dataset.withShuffle(4) : dataset,
              dataset.withShard(1, 2).withLast(LastBatch.PAD_ZERO))) {
        restAfterEachBatch(each);
      }
    }
  }

  private void restAfterEachBatch(Dataset dataset) {
    List<Position> positions = new ArrayList<>();
    DataIterator whole = session.open(dataset);
    List<String> epoch = rest(whole, positions);
    long all = whole.metrics().bytesRead();
    for (Position position : sample(3, positions)) {
      int taken = (int) position.batches();
      DataIterator again = session.openAt(dataset, position);
      assertEquals(epoch.subList(taken, epoch.size()), rest(again, new ArrayList<>()));
      if (dataset.last() == LastBatch.PAD_ZERO && taken > 1) {
        assertTrue(again.metrics().bytesRead() < all, "the front is not read");
      }
    }
  }

  @Test
  void twoRunsOfOneSeedAreEqualOnOneTwoAndEightDecoders() {
    sources.forEach((name, examples) -> {
      for (Dataset dataset : sample(2, datasets(examples))) {
        List<List<String>> one = run(dataset.withDecoders(1));
        assertEquals(one, run(dataset.withDecoders(1)), name);
        assertEquals(one, run(dataset.withDecoders(2)), name);
        assertEquals(one, run(dataset.withDecoders(8)), name);
      }
    });
  }

  /** The batches of two epochs, and the faults. */
  private List<List<String>> run(Dataset dataset) {
    List<List<String>> seen = new ArrayList<>();
    session.reports.clear();
    try (DataIterator iterator = session.open(dataset)) {
      seen.add(rest(iterator, new ArrayList<>()));
      iterator.reset();
      seen.add(rest(iterator, new ArrayList<>()));
      seen.add(faults());
    }
    return seen;
  }

  @Test
  void afterTheRestTheNextEpochIsTheNext() {
    for (Dataset dataset : datasets(sources.get("csv"))) {
      List<Position> positions = new ArrayList<>();
      DataIterator first = session.open(dataset);
      rest(first, positions);
      first.reset();
      List<String> next = rest(first, new ArrayList<>());
      DataIterator again = session.openAt(dataset, positions.get(positions.size() / 2));
      rest(again, new ArrayList<>());
      again.reset();
      assertEquals(next, rest(again, new ArrayList<>()));
    }
  }

  /** Only the front of the file, and rows that may fill up the last batch, are read in addition. */
  @Test
  void plainTextIsEnteredNearThePosition() throws IOException {
    long size = Files.size(folder.resolve("1.csv"));
    for (LastBatch last : LastBatch.values()) {
      Dataset dataset =
          Dataset.of(sources.get("csv"))
              .withBatch(100)
              .withLast(last)
              .withPolicy(FaultPolicy.skip(Long.MAX_VALUE));
      List<Position> positions = new ArrayList<>();
      DataIterator whole = session.open(dataset);
      rest(whole, positions);
      assertEquals(size, whole.metrics().bytesRead());
      DataIterator end = session.openAt(dataset, positions.get(positions.size() - 2));
      rest(end, new ArrayList<>());
      long read = end.metrics().bytesRead();
      assertTrue(read < size / 2, "read " + read + " of " + size);
    }
  }

  @Test
  void indexedFilesAreEnteredAtThePositionPermutedOrNot() throws IOException {
    long size = Files.size(folder.resolve("images")) - 12;
    Dataset plain = Dataset.of(sources.get("idx")).withBatch(100).withLast(LastBatch.DISCARD);
    for (Dataset dataset : List.of(plain, plain.withShuffle(3))) {
      List<Position> positions = new ArrayList<>();
      DataIterator whole = session.open(dataset);
      rest(whole, positions);
      assertEquals(size, whole.metrics().bytesRead());
      DataIterator end = session.openAt(dataset, positions.get(positions.size() - 2));
      assertEquals(1, rest(end, new ArrayList<>()).size());
      assertTrue(end.metrics().bytesRead() <= PART, "read " + end.metrics().bytesRead());
    }
  }

  @Test
  void aFileThatChangedWhereThePositionEntersItIsAFaultWithItsPlace() throws IOException {
    Dataset dataset = Dataset.of(sources.get("svm")).withBatch(1000);
    List<Position> positions = new ArrayList<>();
    rest(session.open(dataset), positions);
    Position.Entry entry = positions.getLast().entry();
    assertTrue(entry != null && entry.mark().at() > 0, positions.toString());
    long at = entry.mark().at();
    Path file = folder.resolve("d.t");
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at - 1] = '7';
    Files.write(file, bytes);
    Fault fault = Session.bad(session.openAt(dataset, positions.getLast()).next());
    assertEquals("d.t, byte " + at, fault.input());
    assertEquals(
        "d.t has changed since the position was saved: no row begins here", fault.message());
    Files.write(file, new byte[] {'1', '\n'});
    fault = Session.bad(session.openAt(dataset, positions.getLast()).next());
    assertEquals("d.t, byte " + at, fault.input());
  }

  @Test
  void textThatIsNoPositionIsRefused() {
    for (String text :
        List.of(
            "1:2",
            "0:1:2:3@4",
            "0:1:2:3@1:2:3:-4",
            "0:1:2:3@1:2:3:4x",
            "0:1:2:9999999999999999999",
            "0:1:2:3@4:0:99:7")) {
      assertThrows(StaunchException.ValueException.class, () -> Position.parse(text), text);
    }
    Position position = Position.parse("0:1:20:-3@4:0:99:7");
    assertEquals("0:1:20:-3@4:0:99:7", position.toString());
  }
}
