package dev.staunch.inference.fuzz;

/** Jazzer's target for the code of an archive, from its text to a checked program. */
public final class SourceFuzz {
  private SourceFuzz() {}

  /** The fuzzer calls this again and again. */
  public static void fuzzerTestOneInput(byte[] input) {
    HostileInput.source(input);
  }
}
