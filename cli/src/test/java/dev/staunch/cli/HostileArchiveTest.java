package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Answer;
import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deliberate damage: flipped bytes, truncated files, deep nesting, absurd sizes (S7). */
class HostileArchiveTest {
  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(16 << 20);

  /**
   * Loads {@code bytes}: the outcome has to be a typed fault, or a model that still answers right.
   */
  private void assertSafe(byte[] bytes, DemoModel demo, String what) throws IOException {
    Path file = folder.resolve("hostile.pt");
    Files.write(file, bytes);
    try (Model model = Model.load(file, memory)) {
      Answer answer = model.predict(demo.request(3), "forward");
      assertTrue(answer.failed() || demo.isRight(3, answer), "a wrong answer from " + what);
    } catch (StaunchException e) {
      assertNotEquals(FaultType.INTERNAL, e.fault().type(), what + ": " + e.fault());
    }
    assertEquals(0, memory.account().bytes(), what);
  }

  @Test
  void flippedBytesAreFoundOrHarmless() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      byte[] archive = Files.readAllBytes(demo.archive);
      Random random = new Random(41);
      for (int i = 0; i < (Boolean.getBoolean("tests.whole") ? 600 : 200); i++) {
        byte[] damaged = archive.clone();
        // half of them in the directory and the small records, which are at the end
        int from = i % 2 == 0 ? 0 : damaged.length - 16_000;
        int at = from + random.nextInt(damaged.length - from);
        damaged[at] ^= (byte) (1 << random.nextInt(8));
        assertSafe(damaged, demo, "byte " + at + " flipped");
      }
    }
  }

  @Test
  void cutFilesAreFound() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      byte[] archive = Files.readAllBytes(demo.archive);
      for (int length = 0; length < archive.length; length += 997) {
        assertSafe(Arrays.copyOf(archive, length), demo, "cut at " + length);
      }
    }
  }

  /** The demo's archive with one record replaced and matching checksums. */
  private static byte[] with(Path archive, String record, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipFile original = new ZipFile(archive.toFile());
        ZipOutputStream changed = new ZipOutputStream(bytes)) {
      changed.setLevel(Deflater.NO_COMPRESSION);
      for (ZipEntry entry : original.stream().toList()) {
        changed.putNextEntry(new ZipEntry(entry.getName()));
        boolean replaced = entry.getName().endsWith("/" + record);
        changed.write(replaced ? content : original.getInputStream(entry).readAllBytes());
        changed.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] read(Path archive, String record) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      ZipEntry entry =
          zip.stream().filter(e -> e.getName().endsWith("/" + record)).findFirst().orElseThrow();
      return zip.getInputStream(entry).readAllBytes();
    }
  }

  @Test
  void damagedPicklesUnderRightChecksumsAreFound() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      byte[] pickle = read(demo.archive, "data.pkl");
      Random random = new Random(42);
      for (int i = 0; i < (Boolean.getBoolean("tests.whole") ? 400 : 150); i++) {
        byte[] damaged = pickle.clone();
        int at = random.nextInt(damaged.length);
        damaged[at] = (byte) random.nextInt(256);
        assertTypedOnly(with(demo.archive, "data.pkl", damaged), "pickle byte " + at);
      }
      for (int length = 0; length < pickle.length; length += 37) {
        byte[] cut = Arrays.copyOf(pickle, length);
        assertTypedOnly(with(demo.archive, "data.pkl", cut), "pickle cut at " + length);
      }
    }
  }

  @Test
  void damagedCodeUnderRightChecksumsIsFound() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      byte[] code = read(demo.archive, "code/__torch__/ranker.py");
      Random random = new Random(43);
      for (int i = 0; i < (Boolean.getBoolean("tests.whole") ? 400 : 150); i++) {
        byte[] damaged = code.clone();
        damaged[random.nextInt(damaged.length)] = (byte) (32 + random.nextInt(95));
        assertTypedOnly(with(demo.archive, "code/__torch__/ranker.py", damaged), "code " + i);
      }
    }
  }

  @Test
  void deepNestingIsAFaultAndNoStackOverflow() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String code =
          new String(read(demo.archive, "code/__torch__/ranker.py"), StandardCharsets.UTF_8);
      String deep =
          code.replace("torch.squeeze(_3, 1)", "(".repeat(200_000) + "_3" + ")".repeat(200_000));
      StaunchException e =
          fault(
              with(
                  demo.archive, "code/__torch__/ranker.py", deep.getBytes(StandardCharsets.UTF_8)));
      assertTrue(e.getMessage().contains("nested"), e.getMessage());
      byte[] lists = new byte[300_002];
      Arrays.fill(lists, (byte) ']');
      lists[0] = (byte) 0x80;
      lists[1] = 2;
      Arrays.fill(lists, 150_002, 300_001, (byte) 'a');
      lists[300_001] = '.';
      assertEquals(
          FaultType.DATA_FORMAT, fault(with(demo.archive, "data.pkl", lists)).fault().type());
    }
  }

  @Test
  void absurdSizesAreFaultsWithoutTheMemory() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      byte[] text = {(byte) 0x80, 2, 'X', -1, -1, -1, 0x7f, 'a', '.'};
      assertEquals(
          FaultType.DATA_FORMAT, fault(with(demo.archive, "data.pkl", text)).fault().type());
      byte[] integer = {(byte) 0x80, 2, (byte) 0x8a, -1, 1, 2, '.'};
      assertEquals(
          FaultType.DATA_FORMAT, fault(with(demo.archive, "data.pkl", integer)).fault().type());
    }
  }

  private void assertTypedOnly(byte[] archive, String what) throws IOException {
    Path file = folder.resolve("typed.pt");
    Files.write(file, archive);
    try (Model model = Model.load(file, memory)) {
      assertFalse(model.module().methods().isEmpty());
    } catch (StaunchException e) {
      assertNotEquals(FaultType.INTERNAL, e.fault().type(), what + ": " + e.fault());
    }
    assertEquals(0, memory.account().bytes(), what);
  }

  private StaunchException fault(byte[] archive) throws IOException {
    Path file = folder.resolve("fault.pt");
    Files.write(file, archive);
    try (Model model = Model.load(file, memory)) {
      throw new AssertionError(model.name() + " loaded");
    } catch (StaunchException e) {
      return e;
    }
  }
}
