package dev.staunch.bench.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.bench.strategy.HeldBytes.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldBytesTest {
  @TempDir Path folder;

  @Test
  void ofEachSpanTheLowestAndTheHighestAreKeptInTheirOrder() throws IOException {
    Path file = folder.resolve("held.csv");
    Files.write(file, List.of("0.0,5", "0.1,9", "0.2,7", "0.3,8", "0.4,2", "0.5,4"));

    List<Sample> kept = HeldBytes.read(file, 1.0, 4);

    assertEquals(
        List.of(new Sample(0.0, 5), new Sample(0.1, 9), new Sample(0.3, 8), new Sample(0.4, 2)),
        kept);
  }

  @Test
  void whatCameLaterIsLeftOut() throws IOException {
    Path file = folder.resolve("held.csv");
    Files.write(file, List.of("0.0,5", "0.1,9", "2.0,70"));

    assertEquals(List.of(new Sample(0.0, 5), new Sample(0.1, 9)), HeldBytes.read(file, 1.0, 100));
  }
}
