package dev.staunch.bench.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;

/** The style of charts, and how they are written to files. */
public final class Svg {
  private static final String FONT = "DejaVu Sans";

  private Svg() {}

  /** The fonts and colours of every chart. */
  public static void style(AxesChartStyler styler) {
    styler
        .setAxisTitleFont(new Font(FONT, Font.PLAIN, 13))
        .setAxisTickLabelsFont(new Font(FONT, Font.PLAIN, 12));
    styler
        .setLegendBorderColor(Color.WHITE)
        .setLegendFont(new Font(FONT, Font.PLAIN, 13))
        .setChartTitleFont(new Font(FONT, Font.BOLD, 15))
        .setChartBackgroundColor(Color.WHITE)
        .setPlotBorderVisible(false);
  }

  /** Draws {@code chart} in its own size. */
  public static void write(Chart<?, ?> chart, Path file) throws IOException {
    VectorGraphics2D picture = new VectorGraphics2D();
    chart.paint(picture, chart.getWidth(), chart.getHeight());
    try (OutputStream out = Files.newOutputStream(file)) {
      PageSize page = new PageSize(0.0, 0.0, chart.getWidth(), chart.getHeight());
      new SVGProcessor().getDocument(picture.getCommands(), page).writeTo(out);
    }
  }
}
