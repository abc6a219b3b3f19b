package dev.staunch.fault;

/** Why work was cancelled. */
public enum CancelReason {
  /** The user asked for it. */
  USER("user"),
  /** The time allowed ran out. */
  DEADLINE("deadline"),
  /** Another part of the same work failed and the policy is to fail fast. */
  SIBLING_FAILED("sibling_failed"),
  /** The client went away. */
  CLIENT_GONE("client_gone"),
  /** The engine or the service is closing. */
  SHUTDOWN("shutdown");

  private final String word;

  CancelReason(String word) {
    this.word = word;
  }

  /** The stable identifier of this reason in JSON and on the console. */
  public String word() {
    return word;
  }
}
