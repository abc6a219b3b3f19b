package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Images as sums of patches, a row of pixels at a time, long rows in bands. Where the kernel moves
 * by several pixels, those that one of its elements meets lie apart in the image; they are summed
 * side by side, and spread when the band is done.
 */
final class PatchSums {
  /** Additions in a piece that other threads may take. */
  private static final long PIECE = 1 << 16;

  /** The most pixels in a band; the sums and terms of one are on the heap. */
  private static final int BAND = 1 << 12;

  private final PatchGrid grid;
  private final Operand columns;
  private final Layout layout;
  private final Operand target;
  private final int band;
  private final int step;
  private final double[][] sums;
  private final double[] terms;
  private final float[] singles;
  private final double[] line;

  private PatchSums(PatchGrid grid, DenseTensor columns, DenseTensor target) {
    this.grid = grid;
    this.columns = Operand.of(columns);
    this.layout = columns.layout();
    this.target = Operand.of(target);
    this.band = Math.min(BAND, grid.width());
    this.step = (int) Math.min(grid.stride()[1], band);
    this.sums = new double[step][Math.ceilDiv(band, step)];
    boolean single = columns.dtype() == DType.FLOAT32;
    this.terms = new double[single ? 0 : sums[0].length];
    this.singles = new float[single ? sums[0].length : 0];
    this.line = new double[band];
  }

  /** Writes a new tensor [*, channels, height, width] with the sums of the first argument. */
  static @Nullable Fault fill(DenseTensor target, Call call, PatchGrid grid) {
    long area = (long) grid.height() * grid.width();
    if (target.elements() == 0) {
      return null;
    }
    ExecutionContext context = call.environment();
    long work = area + (long) grid.taps() * grid.cells();
    int channels = (int) target.shape().size(target.rank() - 3);
    return context.parallel(
        target.elements() / area,
        Math.max(1, PIECE / work),
        (first, end) -> {
          CancellationPoll poll = new CancellationPoll(context);
          PatchSums sums = new PatchSums(grid, call.tensor(0), target);
          for (long plane = first; plane < end && poll.fault() == null; plane++) {
            sums.plane(plane, channels, poll);
          }
          return poll.fault();
        });
  }

  private void plane(long plane, int channels, CancellationPoll poll) {
    int last = layout.shape().rank() - 1;
    long batch = last == 2 ? plane / channels * layout.stride(0) : 0;
    long lines = plane % channels * grid.taps() * layout.stride(last - 1);
    long from = layout.offset() + batch + lines;
    long cost = grid.kernel()[0] * grid.kernel()[1] * sums[0].length + band;
    for (int y = 0; y < grid.height(); y++) {
      int count;
      for (int x = 0; x < grid.width(); x += count) {
        if (!poll.mayContinue(Math.clamp(cost, 1, 1 << 16))) {
          return;
        }
        count = Math.min(band, grid.width() - x);
        band(y, x, count, from);
        for (int phase = 0; phase < step; phase++) {
          spread(sums[phase], phase);
        }
        target.store(line, (plane * grid.height() + y) * grid.width() + x, 1, count);
      }
    }
  }

  /** Sums up what the kernel's elements add to {@code count} pixels from {@code x} of a row. */
  private void band(int y, int x, int count, long from) {
    for (double[] sum : sums) {
      Arrays.fill(sum, 0);
    }
    long across = layout.stride(layout.shape().rank() - 1);
    long line = layout.stride(layout.shape().rank() - 2);
    for (long i = 0; i < grid.kernel()[0]; i++) {
      long above = y + grid.padding()[0] - i * grid.dilation()[0];
      long row = above / grid.stride()[0];
      if (above < 0 || above % grid.stride()[0] != 0 || row >= grid.rows()) {
        continue;
      }
      for (long j = 0; j < grid.kernel()[1]; j++) {
        int left = grid.first(1, j, x);
        int places = grid.first(1, j, x + count) - left;
        if (places > 0) {
          long tap = i * grid.kernel()[1] + j;
          long at = from + tap * line + (row * grid.columns() + left) * across;
          long pixel = grid.pixel(1, j, left) - x;
          add(at, across, places, sums[(int) (pixel % step)], (int) (pixel / step));
        }
      }
    }
  }

  private void add(long at, long across, int count, double[] into, int to) {
    if (singles.length == 0) {
      columns.load(terms, at, across, count);
      for (int i = 0; i < count; i++) {
        into[to + i] += terms[i];
      }
    } else {
      columns.load(singles, at, across, count);
      for (int i = 0; i < count; i++) {
        into[to + i] += singles[i];
      }
    }
  }

  private void spread(double[] sums, int phase) {
    for (int i = 0, x = phase; x < line.length; i++, x += step) {
      line[x] = sums[i];
    }
  }
}
