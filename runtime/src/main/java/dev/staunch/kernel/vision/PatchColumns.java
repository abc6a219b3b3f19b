package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Image patches as columns: each element of the kernel copies the pixels that it meets. */
final class PatchColumns {
  private PatchColumns() {}

  /** Writes a new tensor [*, channels * taps, cells] with the patches of the first argument. */
  static @Nullable Fault fill(DenseTensor target, Call call, PatchGrid grid) {
    CancellationPoll poll = new CancellationPoll(call);
    Fault fault = Filling.fill(poll, target, 0L); // the padding
    for (int tap = 0; tap < grid.taps() && fault == null; tap++) {
      fault = copy(poll, call.tensor(0), target, grid, tap);
    }
    return fault;
  }

  private static @Nullable Fault copy(
      CancellationPoll poll, DenseTensor image, DenseTensor target, PatchGrid grid, int tap) {
    long down = tap / grid.kernel()[1];
    long across = tap % grid.kernel()[1];
    int top = grid.first(0, down);
    int left = grid.first(1, across);
    int height = grid.end(0, down) - top;
    int width = grid.end(1, across) - left;
    if (height <= 0 || width <= 0) {
      return null;
    }
    Layout from = image.layout();
    int rank = image.rank();
    long[] sizes = image.shape().toArray();
    sizes[rank - 2] = height;
    sizes[rank - 1] = width;
    long[] steps = from.strides();
    long start =
        from.offset()
            + grid.pixel(0, down, top) * steps[rank - 2]
            + grid.pixel(1, across, left) * steps[rank - 1];
    steps[rank - 2] *= grid.stride()[0];
    steps[rank - 1] *= grid.stride()[1];
    long[] lines = Arrays.copyOf(target.layout().strides(), rank);
    lines[rank - 3] *= grid.taps();
    lines[rank - 2] = grid.columns();
    lines[rank - 1] = 1;
    long to = (long) tap * grid.cells() + (long) top * grid.columns() + left;
    Shape copied = Shape.of(sizes);
    return Copying.copy(
        poll, image, new Layout(copied, steps, start), target, new Layout(copied, lines, to));
  }
}
