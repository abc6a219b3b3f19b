package dev.staunch.bench.report;

import java.util.Locale;

/**
 * Two figures for the same thing.
 *
 * @param ours Staunch's figure; NaN if there is none
 * @param peer the peer's figure; NaN if there is none
 * @param unit the unit of both
 * @param larger whether the larger figure is the better one
 */
public record Comparison(double ours, double peer, String unit, boolean larger) {
  /** The share of what bounds a figure that counts as having reached it. */
  private static final double AT_BOUND = 0.9;

  /** Compares rates. */
  public static Comparison speed(double ours, double peer, String unit) {
    return new Comparison(ours, peer, unit, true);
  }

  /** Compares durations. */
  public static Comparison time(double ours, double peer, String unit) {
    return new Comparison(ours, peer, unit, false);
  }

  /** How many times better Staunch's figure is; NaN without a peer. */
  public double ratio() {
    return larger ? ours / peer : peer / ours;
  }

  /** A row whose goal is that Staunch is at least {@code factor} times as good. */
  public Row atLeast(String name, double factor) {
    Verdict verdict = Double.isNaN(ratio()) ? Verdict.OPEN : Verdict.of(ratio() >= factor);
    return row(name, goal(factor), verdict);
  }

  /**
   * As above, but the goal is also reached by nine tenths of what bounds the figure.
   *
   * @param share Staunch's figure, relative to what bounds it
   */
  public Row atLeast(String name, double factor, double share) {
    boolean bound = share >= AT_BOUND && !Double.isNaN(ratio());
    return bound ? row(name, goal(factor), Verdict.OK) : atLeast(name, factor);
  }

  private static String goal(double factor) {
    return ">= " + number(factor) + "x";
  }

  /** A row without a goal. */
  public Row info(String name) {
    return row(name, "", Verdict.NONE);
  }

  /** A row whose goal is judged elsewhere. */
  public Row row(String name, String goal, Verdict verdict) {
    if (Double.isNaN(ours)) {
      return Row.failed(name, "no figure");
    }
    return new Row(name, ours(unit), with(peer, unit), ratioText(), goal, verdict);
  }

  private String ours(String suffix) {
    return with(ours, suffix);
  }

  public String ratioText() {
    return Double.isNaN(ratio()) ? Row.MISSING : number(ratio()) + "x";
  }

  /** {@code value} with its unit, or a dash. */
  public static String with(double value, String unit) {
    return Double.isNaN(value) ? Row.MISSING : number(value) + " " + unit;
  }

  /** Three significant digits, no exponent. */
  public static String number(double value) {
    double size = Math.abs(value);
    int digits = size >= 100 || (value == Math.rint(value) && size >= 10) ? 0 : size >= 10 ? 1 : 2;
    String text = String.format(Locale.ROOT, "%,." + digits + "f", value);
    return value == Math.rint(value) ? text.replaceFirst("\\.0+$", "") : text;
  }
}
