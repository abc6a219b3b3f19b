package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/**
 * A hash set of a tensor's elements: a table of keys with open addressing, at least half of whose
 * slots stay free. Equal elements share one key; NaN has none.
 */
final class KeySet {
  /** The cost of one lookup in the table, in elements read. */
  private static final int LOOK = 4;

  /** Marks free slots. {@link #holdsFree} tells whether the set holds this value as a key. */
  private static final long FREE = Long.MIN_VALUE;

  private static final long NAN = Double.doubleToLongBits(Double.NaN);
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final MemorySegment table;
  private final int shift;
  private boolean holdsFree;

  private KeySet(DenseTensor table) {
    this.table = table.segment();
    this.shift = 1 + Long.numberOfLeadingZeros(table.elements());
  }

  /** A {@link KeySet} of all elements, in the scope of {@code call}; or a fault. */
  static Object of(Call call, CancellationPoll poll, DenseTensor elements) {
    long most = Long.highestOneBit(Math.max(1, elements.elements()));
    long room = most > 1L << 60 ? Long.MAX_VALUE : most * 4; // more than any memory
    Object made = call.allocate(DType.INT64, Shape.of(room));
    if (!(made instanceof DenseTensor table)) {
      return made;
    }
    KeySet set = new KeySet(table);
    set.clear(poll, room);
    Integers keys = keys(poll, elements);
    boolean floating = elements.dtype().isFloating();
    for (long i = 0; i < keys.size() && poll.mayContinue(LOOK); i++) {
      if (!floating || keys.at(i) != NAN) {
        set.add(keys.at(i));
      }
    }
    Fault stop = poll.fault();
    return stop == null ? set : stop;
  }

  /** Writes for each element whether the set holds it, or lacks it if {@code inverted}. */
  void holdsEach(
      CancellationPoll poll, DenseTensor elements, DenseTensor target, boolean inverted) {
    Integers keys = keys(poll, elements);
    boolean floating = elements.dtype().isFloating();
    for (long i = 0; i < keys.size() && poll.mayContinue(LOOK); i++) {
      long key = keys.at(i);
      boolean held = !(floating && key == NAN) && holds(key);
      target.segment().set(JAVA_BYTE, i, (byte) (held != inverted ? 1 : 0));
    }
  }

  /** A number for each element; equal elements have equal numbers. */
  private static Integers keys(CancellationPoll poll, DenseTensor elements) {
    if (!elements.dtype().isFloating()) {
      return Integers.of(poll, elements);
    }
    Reals reals = Reals.of(poll, elements);
    return new Integers(
        poll,
        elements.elements(),
        (first, count, into) -> {
          for (int i = 0; i < count; i++) {
            into[i] = Double.doubleToLongBits(reals.at(first + i) + 0.0);
          }
        });
  }

  private void clear(CancellationPoll poll, long room) {
    poll.inPieces(
        room,
        (first, count) -> {
          for (long i = first; i < first + count; i++) {
            table.setAtIndex(JAVA_LONG, i, FREE);
          }
        });
  }

  private void add(long key) {
    holdsFree |= key == FREE;
    table.setAtIndex(JAVA_LONG, place(key), key);
  }

  private boolean holds(long key) {
    return key == FREE ? holdsFree : table.getAtIndex(JAVA_LONG, place(key)) == key;
  }

  /** The slot of a key, or the free slot where it would be added. */
  private long place(long key) {
    long last = -1L >>> shift;
    long at = (key * MIX) >>> shift;
    while (true) {
      long found = table.getAtIndex(JAVA_LONG, at);
      if (found == key || found == FREE) {
        return at;
      }
      at = (at + 1) & last;
    }
  }
}
