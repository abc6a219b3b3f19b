package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Strides;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Copies row by row, after dimensions were joined where both layouts allow it. */
record PlainCopy(Request request) implements Copy {
  private static final int TILE = 1024;

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor source, DenseTensor target) {
    CancellationPoll poll = new CancellationPoll(context);
    if (isBlock()) {
      int bytes = source.dtype().bytes();
      long from = request.source().offset() * bytes;
      long size = request.source().shape().elements() * bytes;
      poll.copy(source.segment(), from, target.segment(), request.target().offset() * bytes, size);
      return poll.fault();
    }
    Strides walk = Strides.of(request.target(), request.source());
    long[] at = walk.start();
    long[] index = walk.index();
    boolean same = source.dtype() == target.dtype();
    int tile = same ? 0 : (int) Math.min(TILE, walk.width());
    double[] reals = new double[source.dtype().isFloating() ? tile : 0];
    long[] integers = new long[source.dtype().isFloating() ? 0 : tile];
    do {
      if (same) {
        copyRow(poll, source, target, walk, at);
      } else {
        Operand in = Operand.of(source);
        castRow(poll, in, Operand.of(target), walk, at, reals, integers);
      }
    } while (poll.fault() == null && walk.next(index, at));
    return poll.fault();
  }

  /** Whether all elements lie together, in one order, on both sides. */
  private boolean isBlock() {
    return request.from() == request.to()
        && request.source().isContiguous()
        && request.target().isContiguous();
  }

  private static void copyRow(
      CancellationPoll poll, DenseTensor source, DenseTensor target, Strides walk, long[] at) {
    int bytes = source.dtype().bytes();
    MemorySegment in = source.segment();
    MemorySegment out = target.segment();
    long width = walk.width();
    if (walk.step(0) == 1 && walk.step(1) == 1) {
      poll.copy(in, at[1] * bytes, out, at[0] * bytes, width * bytes);
      return;
    }
    poll.inPieces(
        width,
        (first, count) -> {
          for (long i = first; i < first + count; i++) {
            Copying.element(in, at[1] + i * walk.step(1), out, at[0] + i * walk.step(0), bytes);
          }
        });
  }

  private static void castRow(
      CancellationPoll poll,
      Operand source,
      Operand target,
      Strides walk,
      long[] at,
      double[] reals,
      long[] integers) {
    poll.inPieces(
        walk.width(),
        TILE,
        (done, count) -> {
          long from = at[1] + done * walk.step(1);
          long to = at[0] + done * walk.step(0);
          if (source.dtype().isFloating()) {
            source.load(reals, from, walk.step(1), count);
            target.store(reals, to, walk.step(0), count);
          } else {
            source.load(integers, from, walk.step(1), count);
            target.store(integers, to, walk.step(0), count);
          }
        });
  }
}
