package dev.staunch.kernel.operand;

import dev.staunch.type.Layout;
import java.util.Arrays;

/**
 * The storage positions of a layout's elements, by their row-major number. Dimensions that are
 * adjacent in memory are joined first. Going from one number to the next is cheap; any other step
 * takes a division per dimension. Keeps its position: for one thread.
 */
public final class Places {
  private final long[] sizes;
  private final long[] steps;
  private final long offset;
  private final long[] index;
  private long number = -1;
  private long at;

  private Places(long[] sizes, long[] steps, long offset) {
    this.sizes = sizes;
    this.steps = steps;
    this.offset = offset;
    this.index = new long[sizes.length];
  }

  /** Positioned at the first element of {@code layout}. */
  public static Places of(Layout layout) {
    int rank = layout.shape().rank();
    long[] sizes = new long[Math.max(1, rank)];
    long[] steps = new long[sizes.length];
    int last = -1;
    for (int d = 0; d < rank; d++) {
      long size = layout.shape().size(d);
      if (size == 1) {
        continue;
      }
      boolean joins = last >= 0 && steps[last] == layout.stride(d) * size;
      last += joins ? 0 : 1;
      sizes[last] = joins ? sizes[last] * size : size;
      steps[last] = layout.stride(d);
    }
    if (last < 0) {
      return new Places(new long[] {1}, new long[1], layout.offset());
    }
    return new Places(
        Arrays.copyOf(sizes, last + 1), Arrays.copyOf(steps, last + 1), layout.offset());
  }

  /** The number of elements in a row, which are evenly spaced. */
  public long width() {
    return sizes[sizes.length - 1];
  }

  /** The distance from one element of a row to the next. */
  public long step() {
    return steps[steps.length - 1];
  }

  /** The position of element {@code i}, which must exist. */
  public long at(long i) {
    if (sizes.length == 1) {
      return offset + i * steps[0];
    }
    if (i != number) {
      if (i == number + 1 && number >= 0) {
        advance();
      } else {
        seek(i);
      }
      number = i;
    }
    return at;
  }

  /** Stores the positions of the elements {@code first} to {@code first + count} in an array. */
  public void load(long first, int count, long[] into) {
    long step = step();
    for (int done = 0; done < count; ) {
      long start = at(first + done);
      int run = run(first + done, count - done);
      if (step == 0) {
        Arrays.fill(into, done, done + run, start);
      } else {
        for (int i = 0; i < run; i++) {
          into[done + i] = start + i * step;
        }
      }
      done += run;
    }
  }

  /**
   * The number of evenly spaced elements from element {@code i} on, at most {@code most}. {@code i}
   * must be the argument of the last call of {@link #at}. The step to the element after them is
   * then cheap.
   */
  public int run(long i, int most) {
    int last = sizes.length - 1;
    if (last == 0) {
      return (int) Math.min(most, sizes[0] - i);
    }
    int run = (int) Math.min(most, sizes[last] - index[last]);
    index[last] += run - 1;
    at += (run - 1) * steps[last];
    number += run - 1;
    return run;
  }

  private void advance() {
    for (int d = sizes.length - 1; d >= 0; d--) {
      at += steps[d];
      if (++index[d] < sizes[d]) {
        return;
      }
      at -= steps[d] * sizes[d];
      index[d] = 0;
    }
  }

  private void seek(long i) {
    long left = i;
    at = offset;
    for (int d = sizes.length - 1; d >= 0; d--) {
      index[d] = left % sizes[d];
      left /= sizes[d];
      at += index[d] * steps[d];
    }
  }

  /** The number of elements from element {@code i} to the end of its row. */
  public long leftInRow(long i) {
    return width() - i % width();
  }
}
