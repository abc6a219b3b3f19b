package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * A convolution in groups, over images with channels last. The channels of one group of a band of
 * rows, with their padding, are copied side by side; there the kernel covers a run of elements in
 * each row, and the pixels meet the group's filters in panels.
 */
final class FloatGroupRows implements PixelSums {
  /** The elements of a band, together with a panel in a near cache. */
  private static final int BAND = 1 << 13;

  /** The elements of the largest band. */
  private static final int MOST = 1 << 20;

  /** Multiplications per piece that other threads may take. */
  private static final long PIECE = 1 << 22;

  /** Pixels that are gathered together, a whole number of tiles. */
  private static final int TOGETHER = 48;

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final Window vertical;
  private final Window horizontal;
  private final int groups;

  /** Channels of the image per group. */
  private final int channels;

  /** Channels of the result per group. */
  private final int outputs;

  /** Where runs begin, counted from the first element that the kernel covers. */
  private final int[] runs;

  private final int length;
  private final int runsOfBlock;

  /** Elements of a row of the band. */
  private final int line;

  private final int rowsOfBand;
  private final DenseTensor weight;
  private final ScratchPool<FloatTiles> lent;

  private FloatGroupRows(
      Convolution.Request request, DenseTensor weight, ScratchPool<FloatTiles> lent) {
    this.vertical = request.vertical();
    this.horizontal = request.horizontal();
    this.groups = request.groups();
    this.channels = (int) request.weight().shape().size(1);
    this.outputs = (int) request.weight().shape().size(0) / groups;
    this.line = line(request);
    this.rowsOfBand = rowsOfBand(request);
    boolean together = horizontal.dilation() == 1;
    int across = together ? 1 : horizontal.kernel();
    this.length = together ? channels * horizontal.kernel() : channels;
    this.runs = new int[vertical.kernel() * across];
    for (int i = 0; i < runs.length; i++) {
      int down = i / across * vertical.dilation();
      runs[i] = down * line + i % across * horizontal.dilation() * channels;
    }
    this.runsOfBlock = Math.max(1, FloatRows.DEPTH_OF_PIXELS / length);
    this.weight = weight;
    this.lent = lent;
  }

  /** Elements of a row of the band: what all pixels of a row of the result cover. */
  private static int line(Convolution.Request request) {
    Window across = request.horizontal();
    long columns = (request.result().shape().size(3) - 1) * across.stride() + across.extent();
    return Math.toIntExact(columns * request.weight().shape().size(1));
  }

  /** Rows of the result that a band gives, evenly divided. */
  private static int rowsOfBand(Convolution.Request request) {
    Window down = request.vertical();
    int height = (int) request.result().shape().size(2);
    int lines = BAND / line(request);
    int most = Math.clamp((lines - down.extent()) / down.stride() + 1L, 1, height);
    return Math.ceilDiv(height, Math.ceilDiv(height, most));
  }

  /** Whether images with channels last suit the request, and its bands are small enough. */
  static boolean fits(Convolution.Request request) {
    Shape weight = request.weight().shape();
    Window down = request.vertical();
    Window across = request.horizontal();
    double columns = (request.result().shape().size(3) - 1.0) * across.stride() + across.extent();
    return request.groups() > 1
        && weight.size(2) * weight.size(3) > 1
        && fillsPanels(weight.size(0) / request.groups())
        && weight.size(1) * (across.dilation() == 1 ? across.kernel() : 1)
            <= FloatRows.DEPTH_OF_PIXELS
        && columns * weight.size(1) * down.extent() <= MOST;
  }

  /**
   * Whether a group's panels are idle for less than an eighth of the time. A tile of few rows by
   * half a panel takes as long as by a whole one.
   */
  private static boolean fillsPanels(long outputs) {
    int unit = FloatTiles.MOST_ROWS == 12 ? LANES : FloatPanels.WIDTH;
    return Math.ceilDiv(outputs, unit) * unit * 7 <= outputs * 8;
  }

  /** Returns null if there is no memory for the packed weight. */
  static @Nullable FloatGroupRows of(
      Convolution.Request request, Constant constant, ScratchPool<FloatTiles> lent) {
    DenseTensor packed =
        constant.packed(
            new Format(request.weight(), request.groups()),
            (tensor, scope) -> pack(request, tensor, scope));
    return packed == null ? null : new FloatGroupRows(request, packed, lent);
  }

  private record Format(Layout weight, int groups) {}

  /** Packs panels of each group's filters, whose rows are ordered by kernel element. */
  private static Object pack(Convolution.Request request, DenseTensor tensor, ResourceScope scope) {
    Shape shape = request.weight().shape();
    int outputs = (int) shape.size(0) / request.groups();
    int channels = (int) shape.size(1);
    int taps = (int) (shape.size(2) * shape.size(3));
    int depth = channels * taps;
    long bytes = FloatPanels.bytes(depth, outputs);
    Object made =
        DenseTensor.allocate(
            scope, DType.FLOAT32, Shape.of(request.groups() * bytes / Float.BYTES));
    if (made instanceof DenseTensor packed) {
      float[] filter = new float[depth];
      float[] panels = new float[(int) (bytes / Float.BYTES)];
      long first = tensor.layout().offset() + request.weight().offset();
      for (int group = 0; group < request.groups(); group++) {
        for (int i = 0; i < outputs; i++) {
          long from = first + ((long) group * outputs + i) * depth;
          MemorySegment.copy(tensor.segment(), ELEMENT, from * Float.BYTES, filter, 0, depth);
          int j = i / FloatPanels.WIDTH * FloatPanels.WIDTH;
          spread(filter, channels, taps, panels, j * depth + i - j);
        }
        MemorySegment.copy(panels, 0, packed.segment(), ELEMENT, group * bytes, panels.length);
      }
    }
    return made;
  }

  private static void spread(float[] filter, int channels, int taps, float[] panels, int to) {
    for (int tap = 0; tap < taps; tap++) {
      for (int channel = 0; channel < channels; channel++) {
        panels[to + (tap * channels + channel) * FloatPanels.WIDTH] = filter[channel * taps + tap];
      }
    }
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      boolean[] finite,
      @Nullable Finishing finishing) {
    int bands = Math.ceilDiv(result.rows(), rowsOfBand);
    long work = (long) rowsOfBand * result.columns() * outputs * length * runs.length;
    int most = Math.clamp(PIECE / work, 1, groups);
    EvenCut across = EvenCut.of(groups, 1, most);
    return context.parallel(
        (long) result.images() * bands * across.count(),
        Math.max(1, PIECE / (work * most)),
        (first, end) ->
            lent.lend(tiles -> {
              for (int piece = (int) first; piece < end; piece++) {
                int number = piece / across.count() / bands;
                int top = piece / across.count() % bands * rowsOfBand;
                int from = across.begin(piece % across.count());
                int to = across.begin(piece % across.count() + 1);
                int below = Math.min(top + rowsOfBand, result.rows());
                for (int group = from; group < to; group++) {
                  multiply(image, bias, result, number, top, below, group, tiles);
                }
                if (finishing != null) {
                  int pixels = number * result.rows() * result.columns();
                  Part part =
                      new Part(
                          pixels + top * result.columns(),
                          pixels + below * result.columns(),
                          from * outputs,
                          to * outputs);
                  finishing.finish(part, result.matrix());
                }
              }
              return context.cancelled();
            }));
  }

  /** Computes a group's channels of rows from {@code top} (inclusive) to {@code below}. */
  private void multiply(
      PixelImages image,
      Matrix bias,
      PixelImages result,
      int number,
      int top,
      int below,
      int group,
      FloatTiles tiles) {
    int lines = (below - top - 1) * vertical.stride() + vertical.extent();
    float[] band = tiles.band(lines * line + LANES);
    fill(image, number, vertical.at(top, 0), lines, group, band);
    int pixels = (below - top) * result.columns();
    int firstRow = (number * result.rows() + top) * result.columns();
    int depth = length * runs.length;
    Matrix c = result.matrix();
    float[] sums = tiles.pixels(TOGETHER * FloatPanels.WIDTH);
    for (int run = 0; run < runs.length; run += runsOfBlock) {
      int end = Math.min(run + runsOfBlock, runs.length);
      Matrix before = run == 0 ? bias : c;
      for (int pixel = 0; pixel < pixels; pixel += TOGETHER) {
        int count = Math.min(TOGETHER, pixels - pixel);
        gather(band, pixel, count, result.columns(), run, end, tiles.packed());
        for (int j = 0; j < outputs; j += FloatPanels.WIDTH) {
          int columns = Math.min(FloatPanels.WIDTH, outputs - j);
          long panel = group * FloatPanels.bytes(depth, outputs) + FloatPanels.bytes(depth, j);
          sum(count, columns, panel, run * length, (end - run) * length, tiles.packed(), sums);
          int column = group * outputs + j;
          FloatSums.store(sums, count, columns, 1, before, c, firstRow + pixel, column);
        }
      }
    }
  }

  /** Multiplies pixels by rows from {@code k} on of a panel. */
  private void sum(
      int pixels, int columns, long panel, int k, int count, float[] rows, float[] sums) {
    MemorySegment panels = weight.segment();
    long at = panel + FloatPanels.bytes(k, 1);
    int height;
    for (int i = 0; i < pixels; i += height) {
      height = FloatTiles.height(pixels - i);
      int from = i * FloatRows.STRIDE;
      int to = i * FloatPanels.WIDTH;
      FloatTiles.sum(rows, from, height, panels, at, count, columns, sums, to);
    }
  }

  /** Copies what some of the runs cover for some pixels, row by row of the result. */
  private void gather(
      float[] band, int first, int count, int columns, int run, int end, float[] rows) {
    int pixels;
    for (int i = 0; i < count; i += pixels) {
      int x = (first + i) % columns;
      int y = (first + i) / columns;
      pixels = Math.min(count - i, columns - x);
      int at = y * vertical.stride() * line + x * horizontal.stride() * channels;
      for (int each = run; each < end; each++) {
        int to = i * FloatRows.STRIDE + (each - run) * length;
        for (int k = 0; k < length; k += LANES) { // excess is overwritten by the next run
          gather(band, at + runs[each] + k, horizontal.stride() * channels, pixels, rows, to + k);
        }
      }
    }
  }

  private static void gather(float[] band, int from, int step, int pixels, float[] rows, int to) {
    for (int x = 0; x < pixels; x++) {
      FloatVector.fromArray(SPECIES, band, from + x * step)
          .intoArray(rows, to + x * FloatRows.STRIDE);
    }
  }

  /** Copies a group's channels of rows of the image, from {@code top} on, with their padding. */
  private void fill(PixelImages image, int number, int top, int lines, int group, float[] band) {
    int columns = line / channels;
    int left = Math.min(horizontal.before(), columns);
    int inside = Math.clamp(columns - left, 0, image.columns());
    for (int i = 0; i < lines; i++) {
      int row = top + i;
      int to = i * line;
      if (row < 0 || row >= image.rows()) {
        Arrays.fill(band, to, to + line, 0);
      } else {
        Arrays.fill(band, to, to + left * channels, 0);
        long from = image.at(number, row) + (long) group * channels;
        copy(image.segment(), from, image.channels(), inside, channels, band, to + left * channels);
        Arrays.fill(band, to + (left + inside) * channels, to + line, 0);
      }
    }
  }

  /**
   * Copies {@code count} elements of each pixel in vectors. The excess is overwritten by those that
   * follow, or later.
   */
  private static void copy(
      MemorySegment from, long at, int step, int pixels, int count, float[] into, int to) {
    long end = (at + (pixels - 1L) * step + count + LANES) * Float.BYTES;
    int whole = end > from.byteSize() ? Math.max(0, pixels - 1 - LANES / step) : pixels;
    for (int i = (count - 1) / LANES * LANES; i >= 0; i -= LANES) {
      copyVectors(
          from, (at + i) * Float.BYTES, step * (long) Float.BYTES, whole, into, to + i, count);
    }
    for (int x = whole; x < pixels; x++) {
      long place = (at + (long) x * step) * Float.BYTES;
      MemorySegment.copy(from, ELEMENT, place, into, to + x * count, count);
    }
  }

  private static void copyVectors(
      MemorySegment from, long at, long step, int count, float[] into, int to, int stepInto) {
    NativeSegments.require(from);
    for (int i = 0; i < count; i++) {
      FloatVector.fromMemorySegment(SPECIES, from, at + i * step, ORDER)
          .intoArray(into, to + i * stepInto);
    }
  }
}
