package dev.staunch.inference.fuzz;

/** Jazzer's target for whole files: the zip format and everything in it. */
public final class ZipFuzz {
  private ZipFuzz() {}

  /** The fuzzer calls this again and again. */
  public static void fuzzerTestOneInput(byte[] input) {
    HostileInput.archive(input);
  }
}
