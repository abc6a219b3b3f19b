package dev.staunch.bench.suite;

import dev.staunch.bench.kernel.KernelCases;
import dev.staunch.bench.kernel.KernelPeer;
import dev.staunch.bench.kernel.KernelTimes;
import dev.staunch.bench.kernel.Roofline;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Table;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kernels alone on one thread. Products and convolutions are compared with oneDNN and shown as a
 * share of what bounds them: multiplications in registers, or reading their operands. Element-wise
 * kernels are compared with plain loops and shown as a share of the bytes that a copy moves.
 *
 * @param peer null if it is absent
 */
public record KernelSuite(Session session, @Nullable KernelPeer peer) {
  private static final List<String> OPTIONS =
      List.of("-Xmx1g", "-XX:ActiveProcessorCount=1", "--add-modules=jdk.incubator.vector");

  /** As a ratio to the peer. */
  private static final double PRODUCTS = 0.95;

  private static final double CONVOLUTIONS = 0.9;

  /** As a ratio to a plain loop. */
  private static final double ELEMENTS = 0.95;

  /** Measures and judges all rows. */
  public Table run() {
    Table table = new Table();
    beside(table, "products", KernelCases.PRODUCTS, PRODUCTS);
    beside(table, "convolutions", KernelCases.CONVOLUTIONS, CONVOLUTIONS);
    Map<String, Double> elements = times("elements");
    table.add(Row.info("elements, beside a plain loop; of a copy", "", "", ""));
    for (int size : KernelCases.SIZES) {
      double bound = of(elements, "plain copy " + size + " Ki");
      for (String kernel : List.of("add", "copy")) {
        String name = kernel + " " + size + " Ki";
        table.add(
            Comparison.speed(of(elements, name), of(elements, "plain " + name), "GB/s")
                .atLeast("  " + name, ELEMENTS)
                .withRemark(share(of(elements, name), bound)));
      }
    }
    return table;
  }

  private void beside(Table table, String group, List<String> names, double goal) {
    Map<String, Double> ours = times(group);
    session.progress().accept("peer: " + group);
    Map<String, Double> others =
        peer == null ? Map.of() : peer.times(group, 0.1, seconds(3, 20), names);
    String peak = Comparison.number(Roofline.of(ours).gflops());
    String head = group + ", beside oneDNN; of what bounds them (" + peak + " GFLOP/s or reading)";
    table.add(Row.info(head, "", "", ""));
    for (String name : names) {
      double bound = of(ours, "bound " + name);
      table.add(
          Comparison.speed(of(ours, name), of(others, name), "GFLOP/s")
              .atLeast("  " + name, goal, of(ours, name) / bound)
              .withRemark(share(of(ours, name), bound)));
    }
  }

  private static String share(double figure, double bound) {
    return ", " + Math.round(100 * figure / bound) + " %";
  }

  private Map<String, Double> times(String group) {
    session.progress().accept("ours: " + group);
    return Launch.main(
        KernelTimes.class,
        session.logs().resolve("kernels-" + group + ".log"),
        OPTIONS,
        group,
        Double.toString(seconds(12, 60)),
        Double.toString(seconds(4, 30)));
  }

  /** Takes tenths of a second, for a quick run and for a full one. */
  private double seconds(int quick, int full) {
    return session.effort().pick(quick, full) / 10.0;
  }

  private static double of(Map<String, Double> times, String name) {
    return times.getOrDefault(name, Double.NaN);
  }
}
