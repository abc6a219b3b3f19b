package dev.staunch.inference.fuzz;

import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.DamagedArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** Jazzer's target for PyTorch archives with one record replaced and matching checksums. */
public final class RecordFuzz {
  private static final List<String> RECORDS =
      List.of("data.pkl", "constants.pkl", "version", "code/__torch__.py", "data/0");

  private RecordFuzz() {}

  /** The fuzzer calls this again and again; the first byte selects the record. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    String record = RECORDS.get((input[0] & 0xff) % RECORDS.size());
    byte[] content = Arrays.copyOfRange(input, 1, input.length);
    try {
      HostileInput.archive(
          DamagedArchive.of(
                  Conformance.torchscript().resolve("archives").resolve("mlp_bn_sigmoid.pt"))
              .with(record, content)
              .bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
