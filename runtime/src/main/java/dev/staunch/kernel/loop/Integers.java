package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/**
 * A row of integers that a kernel reads, ideally in ascending order. Whatever their number, one
 * tile of them at a time is in an array. A step out of the tile reads another one and polls for
 * cancellation; values read after a cancellation are still correct. Keeps its position: for one
 * thread.
 */
public final class Integers implements Gather.Positions {
  /** The most integers in an array at a time. */
  public static final int TILE = 1 << 12;

  /** Makes some of the integers. */
  @FunctionalInterface
  public interface Source {
    /** Stores the integers {@code first} to {@code first + count} at the start of an array. */
    void load(long first, int count, long[] into);
  }

  /** Uses some of the integers. */
  @FunctionalInterface
  public interface Use {
    /** Reads the integers {@code first} to {@code first + count} from the start of an array. */
    void of(long first, int count, long[] values);
  }

  private final CancellationPoll poll;
  private final long size;
  private final Source source;

  /** Empty until an integer is asked for by {@link #at}. */
  private long[] tile = {};

  private long start;
  private int loaded;

  /** {@code size} integers that {@code source} makes, one tile at a time. */
  public Integers(CancellationPoll poll, long size, Source source) {
    this.poll = poll;
    this.size = size;
    this.source = source;
  }

  /** The elements of a tensor, row-major, read without copying the tensor. */
  public static Integers of(CancellationPoll poll, DenseTensor tensor) {
    return of(poll, tensor, tensor.layout());
  }

  /**
   * As {@link #of(CancellationPoll, DenseTensor)}, in the order of another layout of its storage.
   */
  public static Integers of(CancellationPoll poll, DenseTensor tensor, Layout layout) {
    Operand elements = Operand.of(tensor);
    long size = layout.shape().elements();
    if (layout.isContiguous()) {
      long start = layout.offset();
      return new Integers(
          poll, size, (first, count, into) -> elements.load(into, start + first, 1, count));
    }
    Places places = Places.of(layout);
    return new Integers(
        poll, size, (first, count, into) -> elements.load(into, places, first, count));
  }

  /** The storage positions of a layout's elements, row-major. */
  public static Integers positions(CancellationPoll poll, Layout layout) {
    Places places = Places.of(layout);
    return new Integers(poll, layout.shape().elements(), places::load);
  }

  /** The number of integers. */
  public long size() {
    return size;
  }

  /** Integer {@code i}, which must exist. */
  public long at(long i) {
    long from = i - start;
    return from >= 0 && from < loaded ? tile[(int) from] : turnTo(i);
  }

  @Override
  public void load(long first, int count, long[] into) {
    source.load(first, count, into);
  }

  /** Stores the integers {@code first} to {@code first + count} in an array, from {@code to} on. */
  public void copy(long first, int count, long[] into, int to) {
    for (int done = 0; done < count; ) {
      at(first + done);
      int from = (int) (first + done - start);
      int run = Math.min(loaded - from, count - done);
      System.arraycopy(tile, from, into, to + done, run);
      done += run;
    }
  }

  /** Uses all integers, tile by tile; returns the fault of a cancellation, or null. */
  public @Nullable Fault each(Use use) {
    for (long first = 0; first < size && poll.fault() == null; first += TILE) {
      at(first);
      use.of(first, loaded, tile);
    }
    return poll.fault();
  }

  /**
   * The fault for the first integer that is not an index of dimension {@code dim} with {@code
   * size}, or for a cancellation; else null.
   *
   * @param parameter the operation's parameter that holds the integers
   * @param least the least index that is accepted
   */
  public @Nullable Fault outside(String parameter, int dim, long least, long size) {
    for (long first = 0; first < size() && poll.fault() == null; first += TILE) {
      at(first);
      int wrong = firstOutside(tile, loaded, least, size);
      if (wrong < loaded) {
        return outOfBounds(parameter, tile[wrong], first + wrong, dim, least, size);
      }
    }
    return poll.fault();
  }

  /** The fault for an index that dimension {@code dim} of that size does not have. */
  public static Fault outOfBounds(
      String parameter, long index, long position, int dim, long least, long size) {
    String text = "index %d at position %d is out of bounds for dimension %d with size %d";
    return Fault.index(Message.of(text, index, position, dim, size))
        .withExpected(Message.of("an index from %d to %d", least, size - 1), "" + index)
        .withInput(parameter);
  }

  /**
   * The index of the first of {@code count} numbers that is below {@code least} or not below {@code
   * end}; {@code count} if there is none.
   */
  public static int firstOutside(long[] numbers, int count, long least, long end) {
    long signs = 0;
    for (int i = 0; i < count; i++) {
      // one difference overflows only if the other is negative
      signs |= (numbers[i] - least) | (end - 1 - numbers[i]);
    }
    int i = signs < 0 ? 0 : count;
    while (i < count && numbers[i] >= least && numbers[i] < end) {
      i++;
    }
    return i;
  }

  private long turnTo(long i) {
    tile = tile.length == 0 ? new long[(int) Math.min(TILE, size)] : tile;
    start = i - i % TILE;
    loaded = (int) Math.min(TILE, size - start);
    source.load(start, loaded, tile);
    poll.mayContinue(loaded);
    return tile[(int) (i - start)];
  }
}
