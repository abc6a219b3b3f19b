package dev.staunch.bench.kernel;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one processor can do at most, as measured: how fast it multiplies and adds in registers, and
 * how fast it reads, which depends on the cache that holds what is read.
 *
 * @param gflops billions of multiplications and additions a second
 * @param reads GB/s by the number of KiB that are read again and again
 */
public record Roofline(double gflops, SortedMap<Integer, Double> reads) {
  /** The name of the rate of multiplications and additions among figures. */
  public static final String PEAK = "peak";

  private static final String READ = "read ";

  /**
   * The part of its multiplications that Winograd's way leaves of a convolution with kernels of
   * three by three.
   */
  public static final double WINOGRAD = 4.0 / 9;

  /** Finds a roofline among the figures that {@link KernelTimes} prints. */
  public static Roofline of(Map<String, Double> figures) {
    SortedMap<Integer, Double> reads = new TreeMap<>();
    figures.forEach((name, figure) -> {
      if (name.startsWith(READ)) {
        reads.put(Integer.valueOf(name.substring(READ.length())), figure);
      }
    });
    return new Roofline(figures.getOrDefault(PEAK, Double.NaN), reads);
  }

  /** The name of the rate at which so many KiB are read. */
  static String read(int kibi) {
    return READ + kibi;
  }

  /** Reads what {@link #toString} wrote. */
  public static Roofline parse(String text) {
    Map<String, Double> figures = new TreeMap<>();
    for (String each : text.split(",", -1)) {
      int at = each.indexOf('=');
      figures.put(each.substring(0, at), Double.valueOf(each.substring(at + 1)));
    }
    return of(figures);
  }

  /**
   * The least nanoseconds for so many operations on so many bytes, each read once from the cache
   * that holds all of them; NaN if nothing was measured.
   */
  public double nanos(double flop, double bytes) {
    SortedMap<Integer, Double> larger = reads.tailMap((int) Math.ceil(bytes / 1024));
    SortedMap<Integer, Double> from =
        larger.isEmpty() && !reads.isEmpty() ? reads.tailMap(reads.lastKey()) : larger;
    double rate = from.values().stream().findFirst().orElse(Double.NaN);
    return Math.max(flop / gflops, bytes / rate);
  }

  @Override
  public String toString() {
    return PEAK
        + "="
        + gflops
        + reads.entrySet().stream()
            .map(each -> "," + read(each.getKey()) + "=" + each.getValue())
            .collect(Collectors.joining());
  }
}
