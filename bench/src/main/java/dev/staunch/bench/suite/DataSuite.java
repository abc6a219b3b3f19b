package dev.staunch.bench.suite;

import static dev.staunch.bench.report.Comparison.number;

import dev.staunch.bench.jmh.JmhBenchmark;
import dev.staunch.bench.peer.Mxnet;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import dev.staunch.bench.timed.DataFiles;
import dev.staunch.bench.timed.DataReading;

/** How fast files in the page cache become batches, beside the peer and the plain libraries. */
public final class DataSuite {
  private final Session session;
  private final Samples ours = new Samples();
  private final Samples peer = new Samples();

  public DataSuite(Session session) {
    this.session = session;
  }

  /** Measures and judges all rows. */
  public Table run() {
    for (int i = 0; i < session.effort().rounds(); i++) {
      gigabytes("csv1", reading("csv"), DataFiles.CSV_BYTES);
      session.peer(peer, "csv", Mxnet::csv);
      gigabytes("csv2", reading("csv").with("decoders", 2), DataFiles.CSV_BYTES);
      gigabytes("csvPlainly", reading("csvPlainly"), DataFiles.CSV_BYTES);
      gigabytes("idx", reading("idx"), DataFiles.BINARY_BYTES);
      gigabytes("records", reading("records"), DataFiles.BINARY_BYTES);
      each("images", reading("images"), DataFiles.IMAGES);
      each("imagesPlainly", reading("imagesPlainly"), DataFiles.IMAGES);
      each("batch", reading("batches"), DataFiles.BATCHES);
    }
    Table table = new Table();
    csvRows(table);
    binaryRows(table);
    imageRows(table);
    return table;
  }

  private static JmhBenchmark reading(String method) {
    return JmhBenchmark.of(DataReading.class, method);
  }

  private void gigabytes(String figure, JmhBenchmark what, long bytes) {
    session.best(ours, figure, what, nanos -> bytes / nanos);
  }

  private void each(String figure, JmhBenchmark what, int things) {
    session.best(ours, figure, what, nanos -> nanos / 1e3 / things);
  }

  private void csvRows(Table table) {
    double other = peer.median("csv") / 1e3; // the peer prints megabytes
    table.add(gigabytes("csv1", other).atLeast("CSV, 64 float columns, 1 decoder", 1));
    table.add(gigabytes("csv2", other).atLeast("  2 decoders", 2));
    Row plain = gigabytes("csv1", ours.median("csvPlainly")).info("  (peer: FastCSV, parseFloat)");
    table.add(plain);
  }

  private Comparison gigabytes(String figure, double other) {
    return Comparison.speed(ours.median(figure), other, "GB/s");
  }

  private void binaryRows(Table table) {
    table.add(alone("idx", "idx, 784 bytes an example"));
    table.add(alone("records", "RecordIO, 64 KiB a record"));
  }

  private Row alone(String figure, String name) {
    double speed = ours.median(figure);
    return gigabytes(figure, Double.NaN).row(name, ">= 2 GB/s", Verdict.of(speed >= 2));
  }

  private void imageRows(Table table) {
    Comparison jpeg = Comparison.time(ours.median("images"), ours.median("imagesPlainly"), "us");
    table.add(jpeg.atLeast("JPEG of 256 x 256 (peer: ImageIO alone)", 0.95));
    double batch = ours.median("batch");
    table.add(
        new Row(
            "a batch from source to taker",
            number(batch) + " us",
            Row.MISSING,
            Row.MISSING,
            "<= 3 us",
            Verdict.of(batch <= 3)));
  }
}
