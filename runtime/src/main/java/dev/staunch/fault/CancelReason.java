package dev.staunch.fault;

/** Why something was cancelled. */
public enum CancelReason {
  /** Somebody asked for it. */
  USER("user"),
  /** The time allowed ran out. */
  DEADLINE("deadline"),
  /** Another part of the same work failed and the policy is to fail fast. */
  SIBLING_FAILED("sibling_failed"),
  /** Whoever asked went away. */
  CLIENT_GONE("client_gone"),
  /** The engine or the service is closing. */
  SHUTDOWN("shutdown");

  private final String word;

  CancelReason(String word) {
    this.word = word;
  }

  /** The stable word for this reason in JSON and on the console. */
  public String word() {
    return word;
  }
}
