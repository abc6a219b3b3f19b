package dev.staunch.bench.report;

import java.util.List;

/**
 * One line of the table.
 *
 * @param name what was measured
 * @param ours Staunch's figure with its unit
 * @param peer the peer's figure with its unit, or why there is none
 * @param ratio how many times better ours is; above 1 is better, whatever the unit
 * @param goal what ours should reach
 */
public record Row(
    String name, String ours, String peer, String ratio, String goal, Verdict verdict) {
  /** What stands where there is no figure. */
  public static final String MISSING = "-";

  static final Row HEAD = new Row("name", "ours", "peer", "ratio", "goal", Verdict.NONE);

  /** A row without a goal. */
  public static Row info(String name, String ours, String peer, String ratio) {
    return new Row(name, ours, peer, ratio, "", Verdict.NONE);
  }

  /** A row whose measurement did not run. */
  public static Row failed(String name, String why) {
    return new Row(name, why, MISSING, MISSING, "", Verdict.FAILED);
  }

  /** The same with other words in the peer's place. */
  public Row withPeer(String text) {
    return new Row(name, ours, text, ratio, goal, verdict);
  }

  /** The same with more words about ours. */
  public Row withRemark(String text) {
    return new Row(name, ours + text, peer, ratio, goal, verdict);
  }

  List<String> cells() {
    String last = this.equals(HEAD) ? "ok" : verdict.toString();
    return List.of(name, ours, peer, ratio, goal, last);
  }
}
