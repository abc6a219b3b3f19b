package dev.staunch.inference.fuzz;

import dev.staunch.testkit.Conformance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * A short run of the fuzzer's targets on mutated PyTorch archives; docs/proofs.md describes long
 * runs.
 */
class HostileInputTest {
  private static final int RUNS = 400;
  private static final int MOST_BYTES = 1 << 16;

  private final Random random = new Random(15);

  private static List<Path> archives() throws IOException {
    try (var files = Files.list(Conformance.torchscript().resolve("families"))) {
      return files
          .filter(file -> file.toString().endsWith(".pt") && file.toFile().length() < MOST_BYTES)
          .sorted()
          .limit(40)
          .toList();
    }
  }

  /** The records whose names end with {@code suffix}. */
  private static List<byte[]> records(String suffix) throws IOException {
    List<byte[]> records = new ArrayList<>();
    for (Path archive : archives()) {
      try (ZipFile zip = new ZipFile(archive.toFile())) {
        for (ZipEntry entry : zip.stream().filter(e -> e.getName().endsWith(suffix)).toList()) {
          try (InputStream in = zip.getInputStream(entry)) {
            records.add(in.readAllBytes());
          }
        }
      }
    }
    return records;
  }

  /** A seed with a few bytes changed, doubled, left out, or taken from another seed. */
  private byte[] mutated(List<byte[]> seeds) {
    byte[] seed = seeds.get(random.nextInt(seeds.size()));
    byte[] other = seeds.get(random.nextInt(seeds.size()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int from = random.nextInt(seed.length + 1);
    int to = Math.min(seed.length, from + random.nextInt(24));
    out.write(seed, 0, from);
    switch (random.nextInt(4)) {
      case 0 -> out.write(random.nextInt(256));
      case 1 -> {
        int begin = random.nextInt(other.length + 1);
        out.write(other, begin, Math.min(other.length - begin, random.nextInt(64)));
      }
      case 2 -> {
        out.write(seed, from, to - from);
        out.write(seed, from, to - from);
      }
      default -> {}
    }
    out.write(seed, to, seed.length - to);
    return out.toByteArray();
  }

  private void run(List<byte[]> seeds, Consumer<byte[]> target) {
    for (int i = 0; i < RUNS; i++) {
      target.accept(mutated(seeds));
    }
  }

  @Test
  void s7FilesThatAreNoLongerArchivesAreTypedFaults() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (Path archive : archives()) {
      files.add(Files.readAllBytes(archive));
    }
    run(files, ZipFuzz::fuzzerTestOneInput);
  }

  @Test
  void s7ObjectsThatAreNoneAreTypedFaults() throws IOException {
    run(records("/data.pkl"), PickleFuzz::fuzzerTestOneInput);
  }

  @Test
  void s7CodeThatIsNoneIsATypedFault() throws IOException {
    run(records(".py"), SourceFuzz::fuzzerTestOneInput);
  }

  @Test
  void s7RecordsOfOtherArchivesAreTypedFaults() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (String suffix : List.of("/data.pkl", "/constants.pkl", "/version", ".py", "/data/0")) {
      for (byte[] record : records(suffix)) {
        seeds.add(
            (seeds.size() % 5 + new String(record, StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    run(seeds, RecordFuzz::fuzzerTestOneInput);
  }
}
