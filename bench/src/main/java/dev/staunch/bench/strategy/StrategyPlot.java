package dev.staunch.bench.strategy;

import dev.staunch.bench.report.Svg;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the bytes that each strategy held over the first two seconds, as SVG. */
public final class StrategyPlot {
  private static final double MIB = 1 << 20;
  private static final int WIDTH = 900;
  private static final int HEIGHT = 480;
  private static final int POINTS = 300;
  private static final double SECONDS = 2;

  private StrategyPlot() {}

  /** Reads {@code <strategy>.csv} in {@code folder} for each strategy and writes {@code svg}. */
  public static void draw(Path folder, Path svg) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Bytes held by tensors while a small network trains, by who gives them back")
            .xAxisTitle("time (s)")
            .yAxisTitle("held (MiB, logarithmic)")
            .build();
    style(chart);
    for (Strategy strategy : Strategy.values()) {
      add(chart, strategy, HeldBytes.read(file(folder, strategy), SECONDS, POINTS));
    }
    Svg.write(chart, svg);
  }

  /** The file with the samples of {@code strategy}. */
  public static Path file(Path folder, Strategy strategy) {
    return folder.resolve(strategy.name().toLowerCase(Locale.ROOT) + ".csv");
  }

  private static void style(XYChart chart) {
    chart
        .getStyler()
        .setYAxisLogarithmic(true)
        .setYAxisMin(0.5)
        .setYAxisMax(1000.0)
        .setXAxisMin(0.0)
        .setXAxisMax(SECONDS)
        .setXAxisDecimalPattern("0.#")
        .setYAxisDecimalPattern("#,##0");
    Svg.style(chart.getStyler());
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setPlotGridLinesStroke(new BasicStroke(0.5f));
  }

  private static void add(XYChart chart, Strategy strategy, List<HeldBytes.Sample> samples) {
    double[] seconds = samples.stream().mapToDouble(HeldBytes.Sample::seconds).toArray();
    double[] held = samples.stream().mapToDouble(sample -> sample.bytes() / MIB).toArray();
    XYSeries series = chart.addSeries(strategy.label(), seconds, held);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(colour(strategy));
    series.setLineStyle(new BasicStroke(strategy == Strategy.JVM ? 2.2f : 1.4f));
  }

  /** Distinguishable also in print and for readers who cannot tell red from green. */
  private static Color colour(Strategy strategy) {
    return switch (strategy) {
      case DISPOSE -> Color.BLACK;
      case SCOPE -> new Color(0, 114, 178);
      case PERIODIC -> new Color(0, 158, 115);
      case THRESHOLD -> new Color(230, 159, 0);
      case JVM -> new Color(213, 94, 0);
    };
  }
}
