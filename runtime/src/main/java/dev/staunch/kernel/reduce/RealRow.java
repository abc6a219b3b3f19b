package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of one group of a {@link Reduction} in order, as doubles, a chunk at a time:
 *
 * <pre>{@code for (row.rewind(); row.advance(); ) ... row.count() ... row.values() ... }</pre>
 *
 * Polls for cancellation in between. After a cancellation the passes end early, and the {@link
 * CancellationPoll} has the fault.
 */
public final class RealRow {
  static final int CHUNK = 4096;

  private final Reduction group;
  private final CancellationPoll poll;

  /** The current group's elements, if they are kept and exceed a chunk; else null. */
  private final @Nullable MemorySegment kept;

  private final boolean keeps;
  private final double[] values;
  private int number;
  private int start;
  private int loaded;

  /** The number of elements of the current group that are kept. */
  private int ready;

  private RealRow(Reduction group, CancellationPoll poll, @Nullable MemorySegment kept) {
    this.group = group;
    this.poll = poll;
    this.kept = kept;
    this.keeps = kept != null || group.count <= CHUNK;
    this.values = new double[Math.min(CHUNK, group.count)];
  }

  /** Reads the elements again in each pass. */
  public static RealRow of(Reduction group, CancellationPoll poll) {
    return new RealRow(group, poll, null);
  }

  /**
   * A {@link RealRow} that keeps the elements of a whole group, and whatever a pass writes over
   * them, for its next pass; or a fault. The memory that {@code made} holds for it must live as
   * long.
   */
  public static Object kept(
      ExecutionContext context, CancellationPoll poll, Temporaries made, Reduction group) {
    if (group.count <= CHUNK) {
      return of(group, poll);
    }
    Shape shape = Shape.of(group.count);
    Object room = made.note(DenseTensor.allocate(context.scope(), DType.FLOAT64, shape));
    return room instanceof DenseTensor tensor ? new RealRow(group, poll, tensor.segment()) : room;
  }

  /** Moves to another group; returns this. */
  public RealRow of(int other) {
    number = other;
    ready = 0;
    return this;
  }

  /** Starts a pass. */
  public void rewind() {
    keep();
    start = 0;
    loaded = 0;
  }

  /** Reads the next chunk; returns false after the last, and after a cancellation. */
  public boolean advance() {
    keep();
    start += loaded;
    loaded = Math.min(CHUNK, group.count - start);
    if (loaded <= 0 || !poll.mayContinue(loaded)) {
      loaded = 0;
      return false;
    }
    if (!keeps || start >= ready) {
      group.load(number, start, loaded, values);
      ready = start + loaded;
    } else if (kept != null) {
      MemorySegment.copy(kept, JAVA_DOUBLE, (long) start * Double.BYTES, values, 0, loaded);
    }
    return true;
  }

  private void keep() {
    if (kept != null && start < ready) {
      MemorySegment.copy(values, 0, kept, JAVA_DOUBLE, (long) start * Double.BYTES, loaded);
    }
  }

  /** The number of elements of the chunk. */
  public int count() {
    return loaded;
  }

  /** The elements of the chunk, from index 0 on. */
  public double[] values() {
    return values;
  }

  /** The index within the group of the chunk's first element. */
  public int start() {
    return start;
  }

  /** Any element of the group, read on its own. */
  double element(int i) {
    return Elements.asDouble(group.self.segment(), group.self.dtype(), group.at(number, i));
  }
}
