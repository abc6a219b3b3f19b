package dev.staunch.operation;

/** The absent value of an optional type. */
public enum None {
  NONE;

  @Override
  public String toString() {
    return "None";
  }
}
