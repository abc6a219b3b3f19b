package dev.staunch.data.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes to a file while it is read. */
class ByteInputTest {
  private static final int SIZE = 100;
  @TempDir private Path folder;

  private Path file() throws Exception {
    return Files.write(folder.resolve("a.csv"), new byte[SIZE]);
  }

  @Test
  void aFileThatIsCutShortWhileItIsReadIsDamagedThere() throws Exception {
    Path file = file();
    try (ByteInput input = ByteInput.open(file)) {
      assertEquals(10, input.read(new byte[SIZE], 0, 10));
      FileChannel.open(file, StandardOpenOption.WRITE).truncate(50).close();
      assertEquals(40, input.read(new byte[SIZE], 0, SIZE));
      Fault damage = input.damage();
      assertNotNull(damage);
      assertEquals(FaultType.DATA_FORMAT, damage.type());
      assertEquals(
          "the file ends early, behind 50 bytes: it was cut short while it was read",
          damage.message());
      input.seek(0);
      assertEquals(50, input.read(new byte[SIZE], 0, 50));
      assertNull(input.damage());
    }
  }

  @Test
  void aFileThatGrowsIsReadToWhereItEnds() throws Exception {
    Path file = file();
    try (ByteInput input = ByteInput.open(file)) {
      Files.write(file, new byte[SIZE], StandardOpenOption.APPEND);
      assertEquals(2 * SIZE, input.read(new byte[3 * SIZE], 0, 3 * SIZE));
      assertNull(input.damage());
    }
  }
}
