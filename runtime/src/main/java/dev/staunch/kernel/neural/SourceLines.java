package dev.staunch.kernel.neural;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;

/**
 * The lines of contiguous images that are resized, as doubles. The last ones are kept, as
 * neighbouring lines of the result are made from the same ones. For one thread.
 */
final class SourceLines {
  private final Operand from;
  private final long offset;
  private final int width;

  /** The lines that are kept, each in the place that its number gives. */
  private final double[][] lines;

  private final long[] numbers;

  /**
   * @param most lines from which one line of the result is made
   */
  SourceLines(DenseTensor images, int width, int most) {
    this.from = Operand.of(images);
    this.offset = images.layout().offset();
    this.width = width;
    boolean keeps = width <= CancellationPoll.STRIDE;
    this.lines = new double[keeps ? most : 1][Math.min(width, CancellationPoll.STRIDE)];
    this.numbers = new long[lines.length];
    Arrays.fill(numbers, -1);
  }

  /** Adds {@code weight} times the elements of a line to {@code mixed}. */
  void mix(CancellationPoll poll, long number, double weight, double[] mixed) {
    int at = (int) (number % lines.length);
    double[] line = lines[at];
    poll.inPieces(
        width,
        line.length,
        (first, count) -> {
          if (count < width || numbers[at] != number) {
            from.load(line, offset + number * width + first, 1, count);
            numbers[at] = number;
          }
          add(weight, line, mixed, (int) first, count);
        });
  }

  private static void add(double weight, double[] line, double[] mixed, int at, int count) {
    for (int x = 0; x < count; x++) {
      mixed[at + x] += weight * line[x];
    }
  }
}
