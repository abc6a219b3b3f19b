package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.StaunchException;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By default, weights are copied, and later changes to the file have no effect (M8). */
class CopiedWeightsTest {
  private static final String NAME = "wide_deep";

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1L << 20);

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.mappedBytes());
  }

  private Path archive() throws IOException {
    return Files.write(folder.resolve(NAME + ".pt"), bytes());
  }

  private static byte[] bytes() throws IOException {
    return Files.readAllBytes(Conformance.torchscript().resolve("archives").resolve(NAME + ".pt"));
  }

  private static List<String> replay(Model model) throws IOException {
    Path cases = Conformance.torchscript().resolve("archives").resolve(NAME + ".json");
    return new Replay(model, RecordedCases.read(cases), Duration.ofSeconds(60)).differences();
  }

  @Test
  void m8WeightsCountInTheModelsBytesAndInTheBudget() throws IOException {
    try (Model model = Model.load(archive(), memory)) {
      long weights = model.module().tensors().stream().mapToLong(tensor -> tensor.bytes()).sum();
      assertEquals(weights, model.bytes());
      assertEquals(weights, memory.account().bytes());
    }
    OffHeap small = OffHeap.withBudget(100);
    Path archive = archive();
    assertThrows(
        StaunchException.OutOfMemoryException.class, () -> Model.load(archive, small).close());
    assertEquals(0, small.account().bytes());
  }

  @Test
  void m8AFileThatIsOverwrittenOrCutShortUnderTheModelChangesNoAnswer() throws IOException {
    Path archive = archive();
    try (Model model = Model.load(archive, memory)) {
      byte[] other = bytes();
      Arrays.fill(other, (byte) 1);
      Files.write(archive, other);
      assertEquals(List.of(), replay(model));
      Files.write(archive, new byte[0]);
      assertEquals(List.of(), replay(model));
    }
  }

  @Test
  void m8AFileThatIsCutAndWrittenAnewWhileItIsLoadedIsLoadedOrAFaultOfItsData() throws Exception {
    Path archive = archive();
    byte[] whole = bytes();
    Thread writer = Thread.ofPlatform().start(() -> cutAndWriteAgain(archive, whole));
    while (writer.isAlive()) {
      try (Model model = Model.load(archive, memory)) {
        assertEquals(List.of(), replay(model));
      } catch (StaunchException.DataFormatException e) {
        assertTrue(
            e.getMessage().contains(NAME) || e.getMessage().contains("record"), e::getMessage);
      }
    }
    writer.join();
    Model.load(archive, memory).close();
  }

  private static void cutAndWriteAgain(Path archive, byte[] whole) {
    Random random = new Random(7);
    try (FileChannel channel = FileChannel.open(archive, StandardOpenOption.WRITE)) {
      for (int i = 0; i < 300; i++) {
        channel.truncate(random.nextInt(whole.length));
        channel.write(ByteBuffer.wrap(whole), 0);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
