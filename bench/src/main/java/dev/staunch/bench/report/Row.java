package dev.staunch.bench.report;

import java.util.List;

/**
 * One line of the table.
 *
 * @param name what was measured
 * @param ours Staunch's figure with its unit
 * @param peer the peer's figure with its unit, or why there is none
 * @param ratio how many times better Staunch's figure is; above 1 is better, whatever the unit
 * @param goal what Staunch should reach
 */
public record Row(
    String name, String ours, String peer, String ratio, String goal, Verdict verdict) {
  /** Text in place of a missing figure. */
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

  /** The same row with another text for the peer. */
  public Row withPeer(String text) {
    return new Row(name, ours, text, ratio, goal, verdict);
  }

  /** The same row with an addition to Staunch's figure. */
  public Row withRemark(String text) {
    return new Row(name, ours + text, peer, ratio, goal, verdict);
  }

  List<String> cells() {
    String last = this.equals(HEAD) ? "ok" : verdict.toString();
    return List.of(name, ours, peer, ratio, goal, last);
  }
}
