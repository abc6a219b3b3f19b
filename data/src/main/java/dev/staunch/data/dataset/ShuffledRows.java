package dev.staunch.data.dataset;

import dev.staunch.data.row.Field;
import dev.staunch.data.row.RowStream;
import dev.staunch.data.row.Rows;
import dev.staunch.data.row.Seeds;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Draws examples at random from a window that moves over a stream. With a window as large as the
 * epoch, every order is equally likely. Faults are not drawn: each is delivered as soon as it is
 * met.
 *
 * <p>Drawn rows stay in the store as garbage until they make up half of it, so rows of any kind are
 * moved twice at most on average.
 */
final class ShuffledRows implements RowStream {
  private static final int RUN = 256;
  private static final long RUN_BYTES = 1 << 18;
  private static final int FIRST = 256;

  /** With garbage included, this still fits into one array. */
  private static final long MOST_BYTES = 7L << 28;

  private final RowStream source;
  private final int window;
  private final long seed;
  private final long mostBytes;
  private final Rows run;
  private Rows store;
  private Rows spare;
  private int[] slots = new int[FIRST];
  private int filled;
  private @Nullable Rows coming;
  private int cursor;
  private boolean drained;
  private SplittableRandom random;

  ShuffledRows(RowStream source, int window, long seed) {
    this(source, window, seed, MOST_BYTES);
  }

  ShuffledRows(RowStream source, int window, long seed, long mostBytes) {
    this.source = source;
    this.window = window;
    this.seed = seed;
    this.mostBytes = mostBytes;
    this.run = new Rows(source.fields());
    this.store = new Rows(source.fields());
    this.spare = new Rows(source.fields());
    this.random = new SplittableRandom(Seeds.of(seed, 0, 1));
  }

  @Override
  public List<Field> fields() {
    return source.fields();
  }

  @Override
  public @Nullable Rows next() throws IOException, InterruptedException {
    run.clear();
    while (run.count() < RUN && run.bytes() < RUN_BYTES) {
      Rows here = coming();
      if (here == null) {
        if (filled == 0) {
          break;
        }
        draw();
      } else {
        take(here, cursor++);
      }
    }
    return run.count() == 0 ? null : run;
  }

  /** The rows from which to take next; null at the end. */
  private @Nullable Rows coming() throws IOException, InterruptedException {
    while (!drained && (coming == null || cursor == coming.count())) {
      coming = source.next();
      cursor = 0;
      drained = coming == null;
    }
    return drained ? null : coming;
  }

  private void take(Rows from, int at) {
    if (from.faultAt(at) != null) {
      run.add(from, at, 1);
      return;
    }
    if (filled == window) {
      draw();
    }
    if (store.count() >= 2 * Math.max(FIRST, filled)) {
      compact();
    }
    if (!hasRoom(from.bytes())) {
      run.fail(tooLarge());
      drained = true;
      return;
    }
    if (filled == slots.length) {
      slots = Arrays.copyOf(slots, Math.min(window, 2 * filled));
    }
    slots[filled++] = store.count();
    store.add(from, at, 1);
  }

  /**
   * Whether this many more bytes may be kept; an eighth may be garbage before the store is
   * compacted.
   */
  private boolean hasRoom(long bytes) {
    if (store.bytes() + bytes <= mostBytes + mostBytes / 8) {
      return true;
    }
    compact();
    return store.bytes() + bytes <= mostBytes;
  }

  private Fault tooLarge() {
    String text =
        "the rows to shuffle take more than %d bytes on the heap, %d rows so far;"
            + " choose a window of fewer";
    return Fault.unsupported(Message.of(text, mostBytes, filled));
  }

  private void draw() {
    int drawn = random.nextInt(filled);
    run.add(store, slots[drawn], 1);
    slots[drawn] = slots[--filled];
  }

  private void compact() {
    spare.clear();
    for (int i = 0; i < filled; i++) {
      spare.add(store, slots[i], 1);
      slots[i] = i;
    }
    Rows old = store;
    store = spare;
    spare = old;
  }

  @Override
  public void restart(long epoch) throws IOException, InterruptedException {
    store.clear();
    filled = 0;
    coming = null;
    cursor = 0;
    drained = false;
    random = new SplittableRandom(Seeds.of(seed, epoch, 1));
    source.restart(epoch);
  }

  @Override
  public long bytesRead() {
    return source.bytesRead();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
