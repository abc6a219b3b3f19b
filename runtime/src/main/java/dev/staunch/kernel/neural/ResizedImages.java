package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.loop.FusedMultiplyAdd;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of images, made from the lines of smaller or larger ones. A line is a row of one
 * channel, or, with channels last, a row of pixels with all channels of each.
 *
 * @param rows which source lines a line of the result is made from
 * @param columns which source pixels a pixel of a line is made from
 * @param channels how many elements of a line belong to one pixel
 * @param width elements in a source line
 * @param height source lines in an image
 */
record ResizedImages(
    DenseTensor input,
    DenseTensor target,
    Taps rows,
    Taps columns,
    int channels,
    int width,
    int height) {
  /** Elements of the result that are worth a thread, and arrays of their own. */
  private static final int PIECE = 1 << 17;

  /**
   * @param input without gaps, and laid out as {@code target}
   * @param pixels whether channels are last
   */
  static ResizedImages of(
      DenseTensor input, DenseTensor target, Taps rows, Taps columns, boolean pixels) {
    int channels = pixels ? (int) input.shape().size(1) : 1;
    int width = (int) input.shape().size(input.rank() - 1) * channels;
    int height = input.rank() == 4 ? (int) input.shape().size(2) : 1;
    return new ResizedImages(input, target, rows, columns, channels, width, height);
  }

  /** Elements in a line of the result. */
  private int wide() {
    return columns.places().length / columns.width() * channels;
  }

  /** Lines in an image of the result. */
  private int high() {
    return rows.places().length / rows.width();
  }

  /** Copies the nearest elements, whose weights are 1. */
  @Nullable Fault pick(Environment environment) {
    int high = high();
    if (channels > 1) {
      return inPieces(environment, (poll, first, end) -> pickPixels(poll, first, end));
    }
    long start = input.layout().offset();
    Gather.Positions lines =
        (first, count, into) -> {
          for (int i = 0; i < count; i++) {
            long top = (first + i) / high * height;
            into[i] = start + (top + rows.places()[(int) ((first + i) % high)]) * width;
          }
        };
    long[] offsets = Arrays.stream(columns.places()).asLongStream().toArray();
    return environment
        .kernels()
        .gather(target.dtype())
        .gatherRows(
            environment,
            input.segment(),
            lines,
            target.elements() / offsets.length,
            offsets,
            target.segment(),
            0);
  }

  /** Combines source elements by their weights. */
  @Nullable Fault mix(ExecutionContext context) {
    boolean pairs =
        rows.width() == 2
            && columns.width() == 2
            && target.dtype() == DType.FLOAT32
            && !columns.isIdentity(width / channels)
            && Math.max(width, wide()) <= CancellationPoll.STRIDE;
    return inPieces(context, pairs ? this::mixPairs : this::mixLines);
  }

  /** Makes some lines of the result. */
  private interface Lines {
    void make(CancellationPoll poll, long first, long end);
  }

  private @Nullable Fault inPieces(ExecutionContext context, Lines lines) {
    int wide = wide();
    return context.parallel(
        target.elements() / wide,
        Math.max(1, PIECE / wide),
        (first, end) -> {
          CancellationPoll poll = new CancellationPoll(context);
          lines.make(poll, first, end);
          return poll.fault() == null ? context.cancelled() : poll.fault();
        });
  }

  /** Whether a line equals the one before it, which is there already. */
  private boolean repeats(CancellationPoll poll, long row, long first) {
    int y = (int) (row % high());
    if (y == 0 || row == first || !rows.areSame(y - 1, y)) {
      return false;
    }
    long bytes = (long) wide() * target.dtype().bytes();
    poll.copy(target.segment(), (row - 1) * bytes, target.segment(), row * bytes, bytes);
    return true;
  }

  /**
   * The number of the source line with place 0 of the image to which a line of the result belongs.
   */
  private long top(long row) {
    return row / high() * height;
  }

  private void pickPixels(CancellationPoll poll, long first, long end) {
    MemorySegment from = input.segment();
    MemorySegment into = target.segment();
    int bytes = target.dtype().bytes();
    long pixel = (long) channels * bytes;
    int[] places = columns.places();
    for (long row = first; row < end && poll.fault() == null; row++) {
      if (!repeats(poll, row, first)) {
        long line = top(row) + rows.places()[(int) (row % high())];
        long at = (input.layout().offset() + line * width) * bytes;
        long to = row * wide() * bytes;
        for (int x = 0; x < places.length && poll.mayContinue(channels); x++) {
          MemorySegment.copy(from, at + places[x] * pixel, into, to + x * pixel, pixel);
        }
      }
    }
  }

  private void mixLines(CancellationPoll poll, long first, long end) {
    int wide = wide();
    SourceLines lines = new SourceLines(input, width, rows.width());
    double[] mixed = new double[width];
    boolean widens = !columns.isIdentity(width / channels);
    double[] out = widens ? new double[wide] : mixed;
    float[] rounded = new float[target.dtype() == DType.FLOAT32 ? wide : 0];
    Operand to = Operand.of(target);
    for (long row = first; row < end && poll.fault() == null; row++) {
      if (repeats(poll, row, first)) {
        continue;
      }
      int y = (int) (row % high());
      Arrays.fill(mixed, -0.0);
      for (int tap = y * rows.width(); tap < (y + 1) * rows.width(); tap++) {
        lines.mix(poll, top(row) + rows.places()[tap], rows.weights()[tap], mixed);
      }
      if (widens && channels == 1) {
        poll.inPieces(wide, (x, count) -> spread(mixed, out, (int) x, count));
      } else if (widens) {
        for (int x = 0; x < wide / channels; x++) {
          spreadPixel(mixed, out, x);
        }
        poll.mayContinue(wide);
      }
      if (!target.dtype().isFloating()) {
        round(out);
      }
      if (rounded.length == wide) {
        for (int x = 0; x < wide; x++) {
          rounded[x] = (float) out[x];
        }
        to.store(rounded, row * wide, 1, wide);
      } else {
        to.store(out, row * wide, 1, wide);
      }
    }
  }

  /**
   * As {@link #mixLines}, where each float32 is made from two times two: source lines are spread
   * once, and then two of them make a line of the result. Rounds where libtorch does, so that bytes
   * made from the results are the same.
   */
  private void mixPairs(CancellationPoll poll, long first, long end) {
    int wide = wide();
    float[] line = new float[width];
    float[][] spread = new float[2][wide];
    long[] numbers = {-1, -1}; // of the source lines that are spread
    float[] out = new float[wide];
    Operand from = Operand.of(input);
    Operand to = Operand.of(target);
    for (long row = first; row < end && poll.mayContinue(wide); row++) {
      if (repeats(poll, row, first)) {
        continue;
      }
      int tap = (int) (2 * (row % high()));
      long one = top(row) + rows.places()[tap];
      long other = top(row) + rows.places()[tap + 1];
      for (long number = one; number <= other; number++) {
        int at = (int) (number % 2);
        if (numbers[at] != number) {
          from.load(line, input.layout().offset() + number * width, 1, width);
          if (channels == 1) {
            spreadPairs(line, columns.places(), columns.weights(), spread[at]);
          } else {
            spreadPixelPairs(line, spread[at]);
          }
          numbers[at] = number;
        }
      }
      float[] a = spread[(int) (one % 2)];
      float[] b = spread[(int) (other % 2)];
      mix(a, (float) rows.weights()[tap], b, (float) rows.weights()[tap + 1], out);
      to.store(out, row * wide, 1, wide);
    }
  }

  private static void mix(float[] one, float weight, float[] other, float its, float[] into) {
    for (int x = 0; x < into.length; x++) {
      into[x] = fused(one[x], weight, other[x] * its);
    }
  }

  /** Without an instruction for it, rounded twice. */
  private static float fused(float a, float b, float c) {
    return FusedMultiplyAdd.IS_FAST ? Math.fma(a, b, c) : (float) ((double) a * b + c);
  }

  private static void spreadPairs(float[] line, int[] places, double[] weights, float[] out) {
    for (int x = 0; x < out.length; x++) {
      int tap = 2 * x;
      float second = line[places[tap + 1]] * (float) weights[tap + 1];
      out[x] = fused(line[places[tap]], (float) weights[tap], second);
    }
  }

  private void spreadPixelPairs(float[] line, float[] out) {
    int[] places = columns.places();
    double[] weights = columns.weights();
    for (int tap = 0; tap < places.length; tap += 2) {
      float weight = (float) weights[tap];
      float otherWeight = (float) weights[tap + 1];
      int a = places[tap] * channels;
      int b = places[tap + 1] * channels;
      int to = tap / 2 * channels;
      for (int c = 0; c < channels; c++) {
        out[to + c] = fused(line[a + c], weight, line[b + c] * otherWeight);
      }
    }
  }

  /** Rounds to bytes; the results of a cubic filter may be out of range. */
  private static void round(double[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.clamp(Math.floor(values[i] + 0.5), 0, 255);
    }
  }

  private void spread(double[] line, double[] out, int first, int count) {
    int taps = columns.width();
    int[] places = columns.places();
    double[] weights = columns.weights();
    if (taps == 1) {
      for (int x = first; x < first + count; x++) {
        out[x] = weights[x] * line[places[x]];
      }
      return;
    }
    if (taps == 2) {
      for (int x = first; x < first + count; x++) {
        int tap = 2 * x;
        out[x] = weights[tap] * line[places[tap]] + weights[tap + 1] * line[places[tap + 1]];
      }
      return;
    }
    for (int x = first; x < first + count; x++) {
      double sum = -0.0;
      for (int tap = x * taps; tap < (x + 1) * taps; tap++) {
        sum += weights[tap] * line[places[tap]];
      }
      out[x] = sum;
    }
  }

  /** The same sums as of a line of one channel. */
  private void spreadPixel(double[] line, double[] out, int x) {
    int[] places = columns.places();
    double[] weights = columns.weights();
    int to = x * channels;
    if (columns.width() == 1) {
      int from = places[x] * channels;
      for (int c = 0; c < channels; c++) {
        out[to + c] = weights[x] * line[from + c];
      }
    } else {
      double first = weights[2 * x];
      double second = weights[2 * x + 1];
      int a = places[2 * x] * channels;
      int b = places[2 * x + 1] * channels;
      for (int c = 0; c < channels; c++) {
        out[to + c] = first * line[a + c] + second * line[b + c];
      }
    }
  }
}
