package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A tensor with the indices of each dimension rearranged independently: each of {@code dimensions}
 * says where its indices are in the storage.
 */
public record Rearranged(Dimension... dimensions) {
  /** From this many elements on, it pays to copy lines one by one. */
  private static final int WIDE = 64;

  /** Runs of at least this many elements, on average, are copied one by one. */
  private static final int RUN = 16;

  /**
   * The position of index {@code i} of a dimension, relative to the first element of the tensor.
   */
  @FunctionalInterface
  public interface Place {
    long of(long i);
  }

  /** One dimension of the result. */
  public record Dimension(long size, Place place) {

    /** The positions of all its indices. */
    public Integers offsets(CancellationPoll poll) {
      return new Integers(
          poll,
          size,
          (first, count, into) -> {
            for (int i = 0; i < count; i++) {
              into[i] = place.of(first + i);
            }
          });
    }
  }

  /** The dimensions in their original order. */
  public static Dimension[] plain(DenseTensor self) {
    Dimension[] dimensions = new Dimension[self.rank()];
    for (int d = 0; d < dimensions.length; d++) {
      dimensions[d] = picked(self, d, self.shape().size(d), i -> i);
    }
    return dimensions;
  }

  /** {@code size} indices of a dimension, chosen by {@code index}. */
  public static Dimension picked(DenseTensor self, int dim, long size, Place index) {
    long stride = self.layout().stride(dim);
    return new Dimension(size, i -> index.of(i) * stride);
  }

  /** The tensor with those slices of one dimension that {@code indices} names, in that order. */
  public static Rearranged along(DenseTensor self, int dim, Integers indices) {
    Dimension[] dimensions = plain(self);
    dimensions[dim] = picked(self, dim, indices.size(), indices::at);
    return new Rearranged(dimensions);
  }

  /** A new row-major tensor with the rearranged elements; or a fault. */
  public Object copied(Call call, DenseTensor self) {
    return copied(call, new CancellationPoll(call), self);
  }

  /**
   * As {@link #copied(Call, DenseTensor)}.
   *
   * @param poll also polled where the elements' places are read from a tensor
   */
  public Object copied(Call call, CancellationPoll poll, DenseTensor self) {
    long[] sizes = new long[dimensions.length];
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] = dimensions[d].size();
    }
    Object shape = Filling.shape(sizes);
    Object made = shape instanceof Shape known ? call.allocate(self.dtype(), known) : shape;
    return made instanceof DenseTensor target
        ? CancellationPoll.finished(target, into(call, poll, self, target))
        : made;
  }

  /** Writes {@code target}, a row-major tensor with the sizes of these dimensions. */
  public @Nullable Fault into(Call call, DenseTensor self, DenseTensor target) {
    return into(call, new CancellationPoll(call), self, target);
  }

  private @Nullable Fault into(
      Call call, CancellationPoll poll, DenseTensor self, DenseTensor target) {
    return target.elements() == 0 ? poll.fault() : copy(call, poll, self, target);
  }

  private @Nullable Fault copy(
      Call call, CancellationPoll poll, DenseTensor self, DenseTensor target) {
    int whole = wholeFrom(poll);
    long block = 1;
    for (int d = whole; d < dimensions.length; d++) {
      block *= dimensions[d].size();
    }
    int lines = Math.max(0, whole - 1);
    Dimension line = whole == 0 ? new Dimension(1, i -> 0) : dimensions[lines];
    Integers offsets = line.offsets(poll);
    long[] index = new long[lines];
    long[] at = new long[lines + 1];
    at[0] = self.layout().offset();
    place(index, at, 0);
    if (block == 1) {
      return line.size() >= WIDE && line.size() <= Integers.TILE
          ? copyLines(call, poll, self, target, offsets, index, at)
          : gathered(call, poll, self, target, offsets, index, at);
    }
    long width = line.size() * block;
    for (long to = 0; to < target.elements() && poll.fault() == null; to += width) {
      copyBlocks(poll, self, at[lines], offsets, target, to, block);
      advance(index, at);
    }
    return poll.fault();
  }

  private @Nullable Fault gathered(
      Call call,
      CancellationPoll poll,
      DenseTensor self,
      DenseTensor target,
      Integers offsets,
      long[] index,
      long[] at) {
    Gather gather = call.environment().kernels().gather(self.dtype());
    Gather.Positions positions =
        (first, count, into) -> load(first, count, into, offsets, index, at);
    gather.gather(poll.shared(), self.segment(), positions, target.elements(), target.segment(), 0);
    return poll.fault();
  }

  /** Copies lines whose elements are in the same places of each: as runs if these are long. */
  private @Nullable Fault copyLines(
      Call call,
      CancellationPoll poll,
      DenseTensor self,
      DenseTensor target,
      Integers offsets,
      long[] index,
      long[] at) {
    long[] places = new long[(int) offsets.size()];
    offsets.load(0, places.length, places);
    int[] ends = ends(places);
    long lines = target.elements() / places.length;
    int bytes = self.dtype().bytes();
    if (isReversed(places) && ReversedLine.takes(self.dtype())) {
      ReversedLine reversed = new ReversedLine(self.dtype(), places.length);
      long length = (long) places.length * bytes;
      for (long line = 0; line < lines && poll.mayContinue(places.length); line++) {
        long from = (at[at.length - 1] + places[places.length - 1]) * bytes;
        reversed.copy(self.segment(), from, target.segment(), line * length, length);
        advance(index, at);
      }
      return poll.fault();
    }
    if (ends.length > places.length / RUN) {
      long[] number = new long[1];
      Gather.Positions starts =
          (line, count, into) -> {
            for (; number[0] < line; number[0]++) {
              advance(index, at);
            }
            into[0] = at[at.length - 1];
          };
      Gather gather = call.environment().kernels().gather(self.dtype());
      gather.gatherRows(poll.shared(), self.segment(), starts, lines, places, target.segment(), 0);
      return poll.fault();
    }
    for (long line = 0; line < lines && poll.fault() == null; line++) {
      int first = 0;
      for (int end : ends) {
        long from = (at[at.length - 1] + places[first]) * bytes;
        long to = (line * places.length + first) * bytes;
        poll.copy(self.segment(), from, target.segment(), to, (long) (end - first) * bytes);
        first = end;
      }
      advance(index, at);
    }
    return poll.fault();
  }

  private static boolean isReversed(long[] places) {
    boolean reversed = places.length > 1;
    for (int i = 1; i < places.length; i++) {
      reversed &= places[i] == places[i - 1] - 1;
    }
    return reversed;
  }

  /** The ends of the runs of neighbouring places. */
  private static int[] ends(long[] places) {
    int[] ends = new int[places.length];
    int runs = 0;
    for (int i = 1; i <= places.length; i++) {
      if (i == places.length || places[i] != places[i - 1] + 1) {
        ends[runs++] = i;
      }
    }
    return Arrays.copyOf(ends, runs);
  }

  /**
   * The positions of elements that are requested in order, line by line; {@code index} is the index
   * of the next line.
   */
  private void load(long first, int count, long[] into, Integers offsets, long[] index, long[] at) {
    long width = offsets.size();
    for (int done = 0; done < count; ) {
      long inLine = (first + done) % width;
      int run = (int) Math.min(width - inLine, count - done);
      offsets.copy(inLine, run, into, done);
      long start = at[at.length - 1];
      for (int i = done; i < done + run; i++) {
        into[i] += start;
      }
      done += run;
      if (inLine + run == width) {
        advance(index, at);
      }
    }
  }

  private static void copyBlocks(
      CancellationPoll poll,
      DenseTensor self,
      long from,
      Integers offsets,
      DenseTensor target,
      long to,
      long block) {
    long length = block * self.dtype().bytes();
    long start = from * self.dtype().bytes();
    for (long i = 0; i < offsets.size() && poll.fault() == null; i++) {
      long at = start + offsets.at(i) * self.dtype().bytes();
      long into = to * self.dtype().bytes() + i * length;
      poll.copy(self.segment(), at, target.segment(), into, length);
    }
  }

  /** The first of the trailing dimensions whose layout in the storage equals that of the copy. */
  private int wholeFrom(CancellationPoll poll) {
    long step = 1;
    int dim = dimensions.length;
    while (dim > 0 && isEven(poll, dimensions[dim - 1], step)) {
      step *= dimensions[dim - 1].size();
      dim--;
    }
    return dim;
  }

  private static boolean isEven(CancellationPoll poll, Dimension dimension, long step) {
    for (long i = 0; i < dimension.size(); i++) {
      if (!poll.mayContinue(1) || dimension.place().of(i) != i * step) {
        return false;
      }
    }
    return true;
  }

  /** Adds up the positions of the indices, from dimension {@code first} on. */
  private void place(long[] index, long[] at, int first) {
    for (int d = first; d < index.length; d++) {
      at[d + 1] = at[d] + dimensions[d].place().of(index[d]);
    }
  }

  private void advance(long[] index, long[] at) {
    for (int d = index.length - 1; d >= 0; d--) {
      if (++index[d] < dimensions[d].size()) {
        place(index, at, d);
        return;
      }
      index[d] = 0;
    }
  }
}
