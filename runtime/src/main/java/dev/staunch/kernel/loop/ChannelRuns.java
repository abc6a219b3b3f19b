package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Visits the elements of a [N, C, *] tensor, row-major or channels last, in memory order, one run
 * of a single channel at a time.
 */
public final class ChannelRuns {
  private static final int TILE = 4096;

  private ChannelRuns() {}

  /** Processes a run of elements of one channel. */
  public interface Run {
    void of(int channel, double[] values, int start, int end);
  }

  /**
   * Visits all elements tile by tile, and writes them if there is a target, which has the same
   * layout.
   *
   * @return the fault of a cancellation
   */
  public static @Nullable Fault each(
      CancellationPoll poll, DenseTensor values, @Nullable DenseTensor target, Run rule) {
    int channels = Shape.asInt(values.shape().size(1));
    long width = values.isContiguous() ? values.elements() / channels / values.shape().size(0) : 1;
    long to = target == null ? 0 : target.layout().offset();
    double[] tile = new double[TILE];
    return poll.inPieces(
        values.elements(),
        TILE,
        (first, count) -> {
          Operand.of(values).load(tile, values.layout().offset() + first, 1, count);
          int channel = (int) (first / width % channels);
          int end = (int) Math.min(count, width - first % width);
          for (int start = 0; start < count; ) {
            rule.of(channel, tile, start, end);
            start = end;
            end = (int) Math.min(count, start + width);
            channel = channel + 1 < channels ? channel + 1 : 0;
          }
          if (target != null) {
            Operand.of(target).store(tile, to + first, 1, count);
          }
        });
  }
}
