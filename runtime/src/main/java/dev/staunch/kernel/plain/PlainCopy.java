package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Strides;
import dev.staunch.kernel.operand.Halves;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Copies row by row, after joining dimensions where both layouts allow it. */
record PlainCopy(Request request) implements Copy {
  private static final int TILE = 1024;

  /** Bytes of short rows that are copied between two polls. */
  private static final int RUNS = 1 << 13;

  /** Runs of at most this many bytes are copied as longs. */
  private static final int SHORT = 4 * Long.BYTES;

  /** Shorter rows do not pay for arrays of their own. */
  private static final int MANY = 64;

  /** Elements with at most this stride are read together with the elements between them. */
  private static final int CLOSE = 16;

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
    int[] order = Strides.memoryOrder(request.target());
    Layout to = ordered(request.target(), order);
    Layout from = ordered(request.source(), order);
    boolean same = source.dtype() == target.dtype();
    TransposingCopy turned = same ? TransposingCopy.of(poll, source, from, target, to) : null;
    if (turned != null) {
      turned.run();
      return poll.fault();
    }
    Strides walk = Strides.of(to, from);
    if (same) {
      copyRows(poll, source, target, walk);
    } else if (ComplexCast.takes(source.dtype(), target.dtype())) {
      ComplexCast.run(poll, source, target, walk);
    } else {
      castRows(poll, Operand.of(source), Operand.of(target), walk);
    }
    return poll.fault();
  }

  private static Layout ordered(Layout layout, int[] order) {
    long[] sizes = new long[order.length];
    long[] strides = new long[order.length];
    for (int d = 0; d < order.length; d++) {
      sizes[d] = layout.shape().size(order[d]);
      strides[d] = layout.stride(order[d]);
    }
    return new Layout(Shape.of(sizes), strides, layout.offset());
  }

  private static void copyRows(
      CancellationPoll poll, DenseTensor source, DenseTensor target, Strides walk) {
    if (walk.step(0) == 1 && walk.step(1) == 1) {
      copyRuns(poll, source, target, walk);
      return;
    }
    long[] at = walk.start();
    long[] index = walk.index();
    int bytes = source.dtype().bytes();
    boolean apart =
        (bytes == Integer.BYTES || bytes == Long.BYTES)
            && walk.step(0) == 1
            && walk.step(1) >= 0
            && walk.step(1) <= CLOSE
            && walk.step(1) != 1
            && (walk.step(1) > 1 || walk.width() >= MANY);
    StridedCopy strided = apart ? new StridedCopy(source.dtype()) : null;
    do {
      if (strided == null) {
        copyRow(poll, source, target, walk, at);
      } else {
        gatherRow(poll, strided, source, target, walk, at);
      }
    } while (poll.fault() == null && walk.next(index, at));
  }

  /** Copies rows without gaps. Many may be short, so those of one plane are copied in one loop. */
  private static void copyRuns(
      CancellationPoll poll, DenseTensor source, DenseTensor target, Strides walk) {
    int bytes = source.dtype().bytes();
    MemorySegment in = source.segment();
    MemorySegment out = target.segment();
    long length = walk.width() * bytes;
    long step = walk.rowStep(1) * bytes;
    long stepTo = walk.rowStep(0) * bytes;
    long[] at = walk.start();
    long[] index = walk.index();
    int most = (int) Math.max(1, RUNS / length);
    do {
      poll.inPieces(
          walk.rows(),
          most,
          (first, count) -> {
            long from = at[1] * bytes + first * step;
            long to = at[0] * bytes + first * stepTo;
            if (count == 1) {
              poll.copy(in, from, out, to, length);
            } else {
              copyRuns(in, from, step, out, to, stepTo, length, count);
              poll.mayContinue(count * length / Long.BYTES);
            }
          });
    } while (poll.fault() == null && walk.nextRows(index, at));
  }

  private static void copyRuns(
      MemorySegment from,
      long at,
      long step,
      MemorySegment into,
      long to,
      long stepTo,
      long length,
      int count) {
    if (length < Long.BYTES || length > SHORT) {
      for (int i = 0; i < count; i++) {
        MemorySegment.copy(from, at + i * step, into, to + i * stepTo, length);
      }
      return;
    }
    for (long k = 0; 2 * k < length; k += Long.BYTES) {
      copyEnds(from, at + k, step, into, to + k, stepTo, length - 2 * k, count);
    }
  }

  /** Copies the first eight bytes of each run and the last eight, which may be the same in part. */
  private static void copyEnds(
      MemorySegment from,
      long at,
      long step,
      MemorySegment into,
      long to,
      long stepTo,
      long length,
      int count) {
    long last = length - Long.BYTES;
    for (int i = 0; i < count; i++) {
      long start = at + i * step;
      long end = to + i * stepTo;
      into.set(JAVA_LONG_UNALIGNED, end, from.get(JAVA_LONG_UNALIGNED, start));
      into.set(JAVA_LONG_UNALIGNED, end + last, from.get(JAVA_LONG_UNALIGNED, start + last));
    }
  }

  private static void gatherRow(
      CancellationPoll poll,
      StridedCopy strided,
      DenseTensor source,
      DenseTensor target,
      Strides walk,
      long[] at) {
    int step = (int) walk.step(1);
    for (long done = 0; done < walk.width() && poll.fault() == null; ) {
      int left = (int) Math.min(Integer.MAX_VALUE, walk.width() - done);
      int count =
          strided.copy(
              source.segment(), at[1] + done * step, step, left, target.segment(), at[0] + done);
      poll.mayContinue(count);
      done += count;
    }
  }

  private static void castRows(
      CancellationPoll poll, Operand source, Operand target, Strides walk) {
    long[] at = walk.start();
    long[] index = walk.index();
    boolean rows = walk.step(0) == 1 && walk.step(1) == 1 && walk.width() >= MANY;
    boolean widens = Halves.are(source.dtype()) && target.dtype() == DType.FLOAT32;
    boolean narrows = Halves.are(target.dtype()) && source.dtype() == DType.FLOAT32;
    if (rows && (widens || narrows)) {
      Halves halves = new Halves(widens ? source.dtype() : target.dtype(), TILE);
      MemorySegment from = source.segment();
      MemorySegment into = target.segment();
      do {
        poll.inPieces(
            walk.width(),
            TILE,
            (done, count) -> {
              if (widens) {
                halves.widen(from, at[1] + done, into, at[0] + done, count);
              } else {
                halves.narrow(from, at[1] + done, into, at[0] + done, count);
              }
            });
      } while (poll.fault() == null && walk.next(index, at));
      return;
    }
    if (rows && CastTile.takes(source.dtype(), target.dtype())) {
      int size = (int) Math.min(TILE, walk.width());
      CastTile tile = new CastTile(source.dtype(), target.dtype(), size);
      do {
        poll.inPieces(
            walk.width(),
            TILE,
            (done, count) ->
                tile.cast(source.segment(), at[1] + done, target.segment(), at[0] + done, count));
      } while (poll.fault() == null && walk.next(index, at));
      return;
    }
    int tile = (int) Math.min(TILE, walk.width());
    double[] reals = new double[source.dtype().isFloating() ? tile : 0];
    long[] integers = new long[source.dtype().isFloating() ? 0 : tile];
    do {
      castRow(poll, source, target, walk, at, reals, integers);
    } while (poll.fault() == null && walk.next(index, at));
  }

  /** Whether all elements are contiguous on both sides, in the same order. */
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
    long step = walk.step(1);
    long stepTo = walk.step(0);
    poll.inPieces(
        walk.width(),
        (first, count) -> {
          long from = at[1] + first * step;
          long to = at[0] + first * stepTo;
          switch (bytes) {
            case Integer.BYTES -> copyInts(in, from, step, out, to, stepTo, count);
            case Long.BYTES -> copyLongs(in, from, step, out, to, stepTo, count);
            default -> {
              for (long i = 0; i < count; i++) {
                Copying.element(in, from + i * step, out, to + i * stepTo, bytes);
              }
            }
          }
        });
  }

  private static void copyInts(
      MemorySegment from, long at, long step, MemorySegment into, long to, long stepTo, int count) {
    for (int i = 0; i < count; i++) {
      into.setAtIndex(JAVA_INT, to + i * stepTo, from.getAtIndex(JAVA_INT, at + i * step));
    }
  }

  private static void copyLongs(
      MemorySegment from, long at, long step, MemorySegment into, long to, long stepTo, int count) {
    for (int i = 0; i < count; i++) {
      into.setAtIndex(JAVA_LONG, to + i * stepTo, from.getAtIndex(JAVA_LONG, at + i * step));
    }
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
