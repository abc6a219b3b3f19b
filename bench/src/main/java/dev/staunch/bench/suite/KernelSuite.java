package dev.staunch.bench.suite;

import dev.staunch.bench.kernel.KernelCases;
import dev.staunch.bench.kernel.KernelTimes;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Table;
import java.util.List;
import java.util.Map;

/**
 * Kernels alone on one thread, beside what bounds them: products and convolutions beside the
 * multiplications that vectors can do in registers, element-wise kernels beside plain loops.
 */
public record KernelSuite(Sitting sitting) {
  private static final List<String> OPTIONS =
      List.of("-Xmx1g", "-XX:ActiveProcessorCount=1", "--add-modules=jdk.incubator.vector");

  /** Of the peak. */
  private static final double PRODUCTS = 0.9;

  /** Of a plain loop. */
  private static final double ELEMENTS = 0.95;

  /** Measures all and judges it. */
  public Table run() {
    Table table = new Table();
    beside(table, "products", KernelCases.PRODUCTS);
    beside(table, "convolutions", KernelCases.CONVOLUTIONS);
    Map<String, Double> elements = times("elements");
    for (int size : KernelCases.SIZES) {
      for (String kernel : List.of("add", "copy")) {
        String name = kernel + " " + size + " Ki";
        table.add(
            Comparison.speed(of(elements, name), of(elements, "plain " + name), "GB/s")
                .atLeast(name, ELEMENTS));
      }
    }
    return table;
  }

  private void beside(Table table, String group, List<String> names) {
    Map<String, Double> times = times(group);
    table.add(Row.info(group + ", beside the peak", "", "", ""));
    for (String name : names) {
      table.add(
          Comparison.speed(of(times, name), of(times, "peak"), "GFLOP/s")
              .atLeast("  " + name, PRODUCTS));
    }
  }

  private Map<String, Double> times(String group) {
    sitting.progress().accept("ours: " + group);
    return Launch.main(
        KernelTimes.class,
        sitting.logs().resolve("kernels-" + group + ".log"),
        OPTIONS,
        group,
        Double.toString(sitting.effort().pick(12, 60) / 10.0),
        Double.toString(sitting.effort().pick(5, 30) / 10.0));
  }

  private static double of(Map<String, Double> times, String name) {
    return times.getOrDefault(name, Double.NaN);
  }
}
