package dev.staunch.bench.report;

/** What a row reports about its goal. */
public enum Verdict {
  /** The goal is reached. */
  OK("ok"),
  /** The goal is missed. */
  SHORT("short"),
  /** There is no goal; the row is for information. */
  NONE(""),
  /** The goal needs a figure that is missing. */
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

  /** Combines two parts of a goal; the worse one decides. */
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
