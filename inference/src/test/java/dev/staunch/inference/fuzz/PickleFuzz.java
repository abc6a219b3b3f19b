package dev.staunch.inference.fuzz;

/** Jazzer's target for the objects of an archive. */
public final class PickleFuzz {
  private PickleFuzz() {}

  /** The fuzzer calls this again and again. */
  public static void fuzzerTestOneInput(byte[] input) {
    HostileInput.pickle(input);
  }
}
