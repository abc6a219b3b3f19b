package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.DamagedArchive;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Archives with randomly changed code and matching checksums: each call ends with an answer or a
 * typed fault, never with an internal one (S2, S7). {@code -Dstaunch.changes=N} sets the number of
 * changes.
 */
class ChangedCodeTest {
  private static final int CHANGES = Integer.getInteger("staunch.changes", 120);
  private static final long SEED = Long.getLong("staunch.seed", 20261122);
  private static final int SMALL = 20_000;
  private static final String[] WORDS = {
    "int",
    "float",
    "bool",
    "str",
    "Tensor",
    "Any",
    "None",
    "True",
    "0",
    "-1",
    "1.5",
    "List[int]",
    "Optional[Tensor]",
    "List[Tensor]",
    "Dict[str, Tensor]",
    "Tuple[int, Tensor]",
    "NoneType",
    "annotate",
    "unchecked_cast",
    "torch.add",
    "torch.len",
    "[]",
    "{}",
    "\"a\"",
    "self",
    "()"
  };

  @TempDir private Path folder = Path.of("");
  private final Random random = new Random(SEED);

  @Test
  void noChangeOfCodeIsAFaultOfOurs() throws IOException {
    Path families = Conformance.torchscript().resolve("families");
    List<Path> archives;
    try (Stream<Path> files = Files.list(families)) {
      archives =
          files
              .filter(file -> file.toString().endsWith(".pt"))
              .filter(file -> file.toFile().length() < SMALL)
              .sorted()
              .toList();
    }
    for (int i = 0; i < CHANGES; i++) {
      check(archives.get(random.nextInt(archives.size())), i);
    }
  }

  private void check(Path archive, int number) throws IOException {
    String name = archive.getFileName().toString();
    String record = record(archive);
    String what = name + " " + record + ", change " + number + " of seed " + SEED;
    DamagedArchive changed =
        DamagedArchive.of(archive).with(record, changed(text(archive, record)));
    Path file = Files.write(folder.resolve(name), changed.bytes());
    OffHeap memory = OffHeap.withBudget(64 << 20);
    try (Model model = Model.load(file, memory)) {
      Path recorded = archive.resolveSibling(name.replace(".pt", ".json"));
      Replay replay = new Replay(model, RecordedCases.read(recorded), Duration.ofSeconds(2));
      for (String difference : replay.differences()) {
        assertFalse(difference.contains("internal: "), what + ": " + difference);
      }
    } catch (StaunchException e) {
      assertNotEquals(FaultType.INTERNAL, e.fault().type(), what + ": " + e.fault());
    }
    assertEquals(0, memory.account().bytes(), what);
  }

  /** One of the archive's code records. */
  private String record(Path archive) throws IOException {
    List<String> records = new ArrayList<>();
    try (ZipInputStream zip = sound(archive)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String name = entry.getName().substring(entry.getName().indexOf('/') + 1);
        if (name.endsWith(".py")) {
          records.add(name);
        }
      }
    }
    return records.get(random.nextInt(records.size()));
  }

  private static String text(Path archive, String record) throws IOException {
    try (ZipInputStream zip = sound(archive)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith("/" + record)) {
          return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
        }
      }
    }
    throw new IllegalStateException(record);
  }

  /**
   * A form that {@code java.util.zip} can read: the local headers of the original archive lack
   * sizes.
   */
  private static ZipInputStream sound(Path archive) throws IOException {
    return new ZipInputStream(new ByteArrayInputStream(DamagedArchive.of(archive).bytes()));
  }

  /** The text with words replaced, swapped or removed, or with lines removed or repeated. */
  private byte[] changed(String text) {
    String[] parts = text.split("(?<=[^\\w.])|(?=[^\\w.])", -1);
    for (int k = 0; k <= random.nextInt(3); k++) {
      int at = random.nextInt(parts.length);
      switch (random.nextInt(4)) {
        case 0 -> parts[at] = WORDS[random.nextInt(WORDS.length)];
        case 1 -> parts[at] = parts[random.nextInt(parts.length)];
        case 2 -> parts[at] = "";
        default -> {
          for (int i = at; i < parts.length; i++) {
            if (parts[i].matches("\\w+")) {
              parts[i] = WORDS[random.nextInt(WORDS.length)];
              break;
            }
          }
        }
      }
    }
    return String.join("", parts).getBytes(StandardCharsets.UTF_8);
  }
}
