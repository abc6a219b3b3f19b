package dev.staunch.inference.fuzz;

/** Jazzer's target for whole files: the zip format and all that is in it. */
public final class ZipFuzz {
  private ZipFuzz() {}

  /** Called by the fuzzer, again and again. */
  public static void fuzzerTestOneInput(byte[] input) {
    HostileInput.archive(input);
  }
}
