package dev.staunch.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows as aligned text; the last line counts the goals reached and missed. */
public final class Table {
  private final List<Row> rows = new ArrayList<>();

  public void add(Row row) {
    rows.add(row);
  }

  /** Whether something could not be measured at all. */
  public boolean hasFailures() {
    return count(Verdict.FAILED) > 0;
  }

  /** All lines, without line ends. */
  public List<String> lines() {
    List<Row> all = new ArrayList<>(rows);
    all.addFirst(Row.HEAD);
    int[] widths = new int[Row.HEAD.cells().size()];
    for (Row row : all) {
      List<String> cells = row.cells();
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], cells.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    all.forEach(row -> lines.add(line(row, widths)));
    if (hasFailures()) {
      lines.add(count(Verdict.FAILED) + " could not be measured");
    }
    if (count(Verdict.OPEN) > 0) {
      lines.add(count(Verdict.OPEN) + " could not be judged without the peer");
    }
    if (count(Verdict.UNSURE) > 0) {
      lines.add(count(Verdict.UNSURE) + " not judged, for the noise was too large");
    }
    lines.add(count(Verdict.OK) + " ok, " + count(Verdict.SHORT) + " short");
    return lines;
  }

  /** The rows as a table in Markdown, without line ends. */
  public List<String> markdown() {
    List<String> lines = new ArrayList<>();
    lines.add(cells(Row.HEAD.cells()));
    lines.add(cells(Row.HEAD.cells().stream().map(name -> "---").toList()));
    rows.forEach(row -> lines.add(cells(row.cells())));
    return lines;
  }

  private static String cells(List<String> cells) {
    return cells.stream().map(String::strip).collect(Collectors.joining(" | ", "| ", " |"));
  }

  private long count(Verdict verdict) {
    return rows.stream().filter(row -> row.verdict() == verdict).count();
  }

  private static String line(Row row, int[] widths) {
    StringBuilder line = new StringBuilder();
    List<String> cells = row.cells();
    for (int i = 0; i < widths.length; i++) {
      line.append(i == 0 ? "" : " | ").append(cells.get(i));
      line.repeat(' ', widths[i] - cells.get(i).length());
    }
    return line.toString().stripTrailing();
  }
}
