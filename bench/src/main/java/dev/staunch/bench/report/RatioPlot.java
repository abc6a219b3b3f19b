package dev.staunch.bench.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws ratios to a peer as bars, with a line where both are equal. */
public final class RatioPlot {
  private static final int WIDTH = 1100;
  private static final int HEIGHT = 420;

  private RatioPlot() {}

  /** Draws the ratio of each of {@code names} to the file {@code svg}. */
  public static void draw(String title, List<String> names, List<Double> ratios, Path svg)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle("speed, as a multiple of the best peer's")
            .build();
    Svg.style(chart.getStyler());
    chart.getStyler().setOverlapped(true).setAvailableSpaceFill(0.6);
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    chart.getStyler().setXAxisLabelRotation(45).setYAxisMin(0.0).setYAxisDecimalPattern("0.0");
    chart.addSeries("Staunch", names, ratios).setFillColor(new Color(0, 114, 178));
    CategorySeries equal = chart.addSeries("as fast", names, Collections.nCopies(names.size(), 1));
    equal.setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Line);
    equal.setMarker(SeriesMarkers.NONE).setLineColor(new Color(213, 94, 0));
    Svg.write(chart, svg);
  }
}
