package dev.staunch.data.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.LastBatch;
import dev.staunch.data.dataset.Session;
import dev.staunch.fault.Fault;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxTest {
  private final Session session = new Session();
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** Images of one row of two pixels, {@code (i, 2 i)}. */
  private static byte[] images(int count) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0x803);
    out.writeInt(count);
    out.writeInt(1);
    out.writeInt(2);
    for (int i = 0; i < count; i++) {
      out.write(i);
      out.write(2 * i);
    }
    return bytes.toByteArray();
  }

  private static byte[] labels(int count) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0x801);
    out.writeInt(count);
    for (int i = 0; i < count; i++) {
      out.write(i % 10);
    }
    return bytes.toByteArray();
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private Idx mnist(int count) throws IOException {
    return Idx.of(write("images", images(count))).withLabels(write("labels", labels(count)));
  }

  @Test
  void imagesAndLabelsComeTogether() throws IOException {
    assertEquals(
        List.of("[0, 0, 1, 2] | [0, 1]", "[2, 4, 3, 6] | [2, 3]"),
        session.all(mnist(4), 2).batches());
  }

  @Test
  void dataAreScaledIfWanted() throws IOException {
    assertEquals(
        List.of("[0.0, 0.0, 0.5, 1.0] | [0, 1]"),
        session.all(mnist(2).withScale(0.5), 2).batches());
  }

  @Test
  void packedFilesAreTheSame() throws IOException {
    Path images = folder.resolve("images.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(images))) {
      out.write(images(100));
    }
    Idx packed = Idx.of(images).withLabels(write("labels", labels(100)));
    assertEquals(session.all(mnist(100), 10), session.all(packed, 10));
  }

  /** MXNet silently drops the last examples. */
  @Test
  void theLastExamplesAreNotDropped() throws IOException {
    Dataset dataset = Dataset.of(mnist(5)).withBatch(2);
    assertEquals("[4, 8, 0, 0] | [4, 0] pad 1", session.all(dataset).batches().getLast());
  }

  @Test
  void aFileThatIsCutGivesItsWholeExamplesAndThenTheFault() throws IOException {
    Idx good = mnist(9);
    write("images", Arrays.copyOf(images(9), 16 + 5));
    Session.Seen seen = session.all(good, 1);
    assertEquals(2, seen.batches().size());
    assertEquals(List.of("images, byte 21"), seen.places());
    assertEquals(
        "images ends here, 13 bytes before the end of its 9 examples",
        seen.faults().getFirst().message());
  }

  @Test
  void aFileThatGoesOnIsToldAfterItsExamples() throws IOException {
    Idx good = mnist(3);
    write("labels", Arrays.copyOf(labels(3), 8 + 4));
    Session.Seen seen = session.all(good, 1);
    assertEquals(3, seen.batches().size());
    assertEquals(List.of("labels, byte 11"), seen.places());
  }

  @Test
  void countsThatDifferMagicThatIsWrongAndHeadersThatEndAreToldBeforeAnything() throws IOException {
    Path images = write("images", images(3));
    List<String> told = new ArrayList<>();
    for (byte[] labels :
        List.of(labels(4), new byte[] {1, 2, 3, 4, 5}, new byte[] {0, 0, 8}, new byte[0])) {
      Session.Seen seen = session.all(Idx.of(images).withLabels(write("labels", labels)), 1);
      assertEquals(List.of(), seen.batches());
      told.add(seen.faults().getFirst().message());
    }
    assertEquals(
        List.of(
            "images has 3 examples, but labels has 4 labels",
            "labels is not an idx file: its magic number is wrong",
            "labels ends in its header",
            "labels ends in its header"),
        told);
  }

  @Test
  void nothingIsMadeAsLargeAsAHeaderClaimsThatLies() throws IOException {
    byte[] lying = images(3);
    lying[8] = 0x70; // 1,879,048,193 rows of one pixel
    lying[15] = 1;
    Session.Seen seen = session.all(Idx.of(write("images", lying)), 1);
    assertEquals(
        List.of("the header of images claims 1879048193 bytes an example, more than the file has"),
        seen.faults().stream().map(Fault::message).toList());
  }

  @Test
  void epochsArePermutedWithoutHoldingThem() throws IOException {
    Idx idx = mnist(50);
    Dataset dataset = Dataset.of(idx).withShuffle(7).withLast(LastBatch.DISCARD);
    List<String> first = session.all(dataset).batches();
    assertEquals(first, session.all(dataset).batches());
    assertNotEquals(session.all(idx, 1).batches(), first);
    assertEquals(new TreeSet<>(session.all(idx, 1).batches()), new TreeSet<>(first));
  }

  @Test
  void shardsOfAPermutedEpochAreAllOfIt() throws IOException {
    Dataset dataset = Dataset.of(mnist(50)).withShuffle(7).withLast(LastBatch.DISCARD);
    List<String> parts = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      parts.addAll(session.all(dataset.withShard(part, 3)).batches());
    }
    assertEquals(session.all(dataset).batches(), parts);
  }

  @Test
  void aFileThatIsNotThereIsAFault() {
    Fault fault = Session.bad(session.open(Dataset.of(Idx.of(folder.resolve("no")))).next());
    assertEquals("no", fault.input());
  }
}
