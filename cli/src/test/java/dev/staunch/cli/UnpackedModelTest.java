package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model can be unpacked, edited and packed again (S5). */
class UnpackedModelTest {
  private static final long LARGE = 1L << 31;

  @TempDir private Path folder = Path.of("");
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int run(String... arguments) {
    return Main.run(new PrintWriter(output, true), new PrintWriter(errors, true), arguments);
  }

  private static Path recorded(String name) {
    return Conformance.torchscript().resolve("archives").resolve(name);
  }

  @BeforeEach
  void unpacked() {
    String model = recorded("mlp_bn_sigmoid.pt").toString();
    assertEquals(0, run("unpack", model, folder.resolve("open").toString()), errors.toString());
  }

  private Path packed() throws IOException {
    Path model = folder.resolve("mlp_bn_sigmoid.pt");
    assertEquals(0, run("pack", folder.resolve("open").toString(), model.toString()));
    Files.copy(recorded("mlp_bn_sigmoid.json"), folder.resolve("mlp_bn_sigmoid.json"));
    return model;
  }

  @Test
  void whatIsPackedUnchangedAnswersAsBeforeAndMapsItsWeights() throws IOException {
    Path model = packed();
    assertEquals("", errors.toString());
    assertEquals(0, run("verify", model.toString()), output.toString());
    assertTrue(output.toString().contains("1 passed, 0 failed"), output.toString());
    assertEquals(0, run("inspect", model.toString()), errors.toString());
  }

  @Test
  void changedCodeRunsWithoutItsOldDebugInformation() throws IOException {
    Path code = folder.resolve("open/code/__torch__.py");
    String text = Files.readString(code);
    Files.writeString(code, text.replace("torch.sigmoid(", "torch.tanh("));
    Path model = packed();
    assertTrue(output.toString().contains("changed code/__torch__.py"), output.toString());
    assertTrue(output.toString().contains("left out code/__torch__.py.debug_pkl"));
    assertEquals(1, run("verify", model.toString()));
  }

  @Test
  void filesThatUnpackDidNotWriteAreLeftOutAndNamed() throws IOException {
    Files.writeString(folder.resolve("open/code/more.py"), "def f() -> int:\n  return 1\n");
    Path model = packed();
    assertEquals(
        "warning: left out " + Path.of("code", "more.py") + ", which unpack did not write\n",
        errors.toString());
    assertEquals(0, run("verify", model.toString()), output.toString());
  }

  /** The large file is sparse: it takes no room on the disk. */
  @Test
  void aFileThatNoArrayHoldsIsRefused() throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(folder.resolve("open/data/0").toFile(), "rw")) {
      file.setLength(LARGE);
    }
    String model = folder.resolve("new.pt").toString();
    assertEquals(1, run("pack", folder.resolve("open").toString(), model));
    String told = "record data/0 has 2147483648 bytes, but records of up to 2147483639 are";
    assertTrue(errors.toString().contains(told), errors.toString());
  }

  @Test
  void aRecordThatNoArrayHoldsIsRefused() throws IOException {
    Path archive = folder.resolve("large.pt");
    byte[] name = "large/data.pkl".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer local = ByteBuffer.allocate(30).order(ByteOrder.LITTLE_ENDIAN);
    local.putInt(0, 0x04034b50).putShort(26, (short) name.length);
    ByteBuffer entry = ByteBuffer.allocate(46).order(ByteOrder.LITTLE_ENDIAN);
    entry.putInt(0, 0x02014b50).putInt(20, (int) LARGE).putInt(24, (int) LARGE);
    entry.putShort(28, (short) name.length);
    int directory = 46 + name.length;
    ByteBuffer end = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
    end.putInt(0, 0x06054b50).putShort(10, (short) 1).putInt(12, directory);
    end.putInt(16, (int) (30 + name.length + LARGE));
    try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "rw")) {
      file.write(local.array());
      file.write(name);
      file.seek(30 + name.length + LARGE);
      file.write(entry.array());
      file.write(name);
      file.write(end.array());
    }
    assertEquals(1, run("unpack", archive.toString(), folder.resolve("other").toString()));
    String told = "record data.pkl has 2147483648 bytes, but records of up to 2147483639 are";
    assertTrue(errors.toString().contains(told), errors.toString());
  }

  @Test
  void aFolderThatUnpackDidNotWriteIsRefused() {
    assertEquals(1, run("pack", folder.toString(), folder.resolve("new.pt").toString()));
    assertTrue(errors.toString().contains("must be a folder that unpack has made"));
  }

  @Test
  void whatIsMissingInAFolderIsNamed() throws IOException {
    String model = folder.resolve("new.pt").toString();
    Path open = folder.resolve("open");
    Files.delete(open.resolve("data.pkl"));
    assertEquals(1, run("pack", open.toString(), model));
    String gone = open + " cannot be packed: there is no " + open.resolve("data.pkl") + ";";
    assertTrue(errors.toString().contains(gone), errors.toString());
    Files.writeString(open.resolve(".archive"), "");
    assertEquals(1, run("pack", open.toString(), model));
    assertTrue(errors.toString().contains("the file .archive of " + open + " is empty"));
  }

  @Test
  void aModelIsNotWrittenWhereThereIsNoFolder() {
    String model = folder.resolve("none/new.pt").toString();
    assertEquals(1, run("pack", folder.resolve("open").toString(), model));
    assertTrue(errors.toString().contains("there is no folder"), errors.toString());
  }

  @Test
  void aFolderThatHoldsSomethingIsLeftAlone() {
    String model = recorded("lenet.pt").toString();
    assertEquals(1, run("unpack", model, folder.resolve("open").toString()));
    assertTrue(errors.toString().contains("is not empty"), errors.toString());
  }
}
