package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Moves the rarer dtypes, one element at a time. */
record ElementGather(DType dtype) implements Gather {
  private static final int TILE = 1024;

  /** Moves an element. */
  private interface Move {
    void run(long from, long to);
  }

  @Override
  public @Nullable Fault gather(
      ExecutionContext context,
      MemorySegment from,
      Positions positions,
      long count,
      MemorySegment into,
      long to) {
    return scatter(context, from, positions, count, into, new Row(to));
  }

  @Override
  public @Nullable Fault scatter(
      ExecutionContext context,
      MemorySegment from,
      Positions sources,
      long count,
      MemorySegment into,
      Positions targets) {
    int bytes = dtype.bytes();
    return each(
        context,
        sources,
        targets,
        count,
        (source, target) -> Copying.element(from, source, into, target, bytes));
  }

  @Override
  public @Nullable Fault add(
      ExecutionContext context,
      MemorySegment from,
      Positions sources,
      long count,
      MemorySegment into,
      Positions targets) {
    return each(
        context,
        sources,
        targets,
        count,
        (source, target) -> {
          if (dtype.isFloating()) {
            double sum = Elements.asDouble(into, dtype, target);
            Elements.putDouble(into, dtype, target, sum + Elements.asDouble(from, dtype, source));
          } else {
            long sum = Elements.asLong(into, dtype, target);
            Elements.putLong(into, dtype, target, sum + Elements.asLong(from, dtype, source));
          }
        });
  }

  private static @Nullable Fault each(
      ExecutionContext context, Positions sources, Positions targets, long count, Move move) {
    int size = (int) Math.min(TILE, count);
    long[] from = new long[size];
    long[] to = new long[size];
    return new CancellationPoll(context)
        .inPieces(
            count,
            TILE,
            (first, part) -> {
              sources.load(first, part, from);
              targets.load(first, part, to);
              for (int i = 0; i < part; i++) {
                move.run(from[i], to[i]);
              }
            });
  }
}
