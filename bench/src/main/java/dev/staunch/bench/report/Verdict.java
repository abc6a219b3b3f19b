package dev.staunch.bench.report;

/** What a row says about its goal. */
public enum Verdict {
  /** The goal is reached. */
  OK("ok"),
  /** The goal is missed. */
  SHORT("short"),
  /** There is no goal; the row informs. */
  NONE(""),
  /** The goal needs a figure that is not there. */
  OPEN("-"),
  /** There is a goal and a figure, but the figure says too little to judge by. */
  UNSURE("not judged"),
  /** The measurement itself failed. */
  FAILED("failed");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  public static Verdict of(boolean reached) {
    return reached ? OK : SHORT;
  }

  /** A goal of two parts; the worse decides. */
  public Verdict and(Verdict other) {
    return compareSeverity(other) >= 0 ? this : other;
  }

  private int compareSeverity(Verdict other) {
    return Integer.compare(severity(), other.severity());
  }

  private int severity() {
    return switch (this) {
      case NONE -> 0;
      case OK -> 1;
      case OPEN -> 2;
      case UNSURE -> 3;
      case SHORT -> 4;
      case FAILED -> 5;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
