package dev.staunch.data.dataset;

import dev.staunch.data.Item;
import dev.staunch.data.Source;
import dev.staunch.data.row.Mark;
import dev.staunch.data.row.RowStream;
import dev.staunch.data.row.Rows;
import dev.staunch.data.row.SeekableRows;
import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches from rows. A fault is delivered in its place among them. The examples already read
 * for the unfinished batch stay in it, so a caller that continues misses only the bad example.
 */
final class Batcher implements Source<TensorBatch> {
  private final Dataset dataset;
  private final OffHeap memory;
  private final Counts counts;
  private @Nullable RowStream stream;
  private @Nullable Rows rows;
  private @Nullable Rows head;
  private @Nullable Filling filling;
  private int cursor;
  private long epoch;
  private long batches;
  private long places;
  private long toSkip;
  private Position.@Nullable Entry entry;
  private boolean ended;

  Batcher(Dataset dataset, OffHeap memory, Counts counts, @Nullable Position start) {
    this.dataset = dataset;
    this.memory = memory;
    this.counts = counts;
    if (start != null) {
      this.epoch = start.epoch();
      this.batches = start.batches();
      this.toSkip = start.places();
      this.entry = start.entry();
    }
    counts.begin(epoch);
  }

  @Override
  public String name() {
    return dataset.name();
  }

  @Override
  public Item<TensorBatch> next() throws IOException, InterruptedException {
    if (ended) {
      return new Item.End<>();
    }
    RowStream from = opened();
    while (true) {
      if (rows == null || cursor == rows.count()) {
        rows = from.next();
        cursor = 0;
        counts.read(from.bytesRead());
        Mark mark = rows != null && from instanceof SeekableRows seekable ? seekable.mark() : null;
        entry = mark == null ? entry : new Position.Entry(places, mark);
      }
      Rows here = rows;
      if (here == null) {
        return tail();
      }
      Item<TensorBatch> item = toSkip > 0 ? pass(here) : take(from, here);
      if (item != null) {
        return item;
      }
    }
  }

  /**
   * Opens the stream on the first call rather than earlier, so that a missing file is a fault in
   * its place.
   */
  private RowStream opened() throws IOException, InterruptedException {
    RowStream open = stream;
    if (open == null) {
      ended = true; // if opening fails, nothing follows until a reset
      open = dataset.stream(this::substituted);
      stream = open;
      if (epoch > 0) {
        open.restart(epoch);
      }
      if (entry != null && entry.places() > 0 && open instanceof SeekableRows seekable) {
        enter(seekable, entry);
      }
      ended = false;
    }
    return open;
  }

  /**
   * Seeks to the mark near the start position, after reading the examples that may be needed to pad
   * the last batch.
   */
  private void enter(SeekableRows open, Position.Entry near)
      throws IOException, InterruptedException {
    Rows here = lacksHead() ? open.next() : null;
    while (here != null) {
      keepGood(here, 0, here.count());
      here = lacksHead() ? open.next() : null;
    }
    open.restart(epoch, near.mark());
    places = near.places();
    toSkip -= near.places();
  }

  private void substituted(Fault fault) {
    counts.fault(name(), fault);
    Guard.run(reports -> reports.accept(fault), dataset.reports());
  }

  /**
   * Skips the places before the position at which this source starts, or those of a batch for which
   * there was no memory.
   */
  private @Nullable Item<TensorBatch> pass(Rows here) {
    int number = (int) Math.min(toSkip, here.count() - cursor);
    keepGood(here, cursor, number);
    toSkip -= number;
    places += number;
    cursor += number;
    return null;
  }

  /**
   * Takes rows up to the next fault, or the fault itself; returns null if the batch is not full
   * yet.
   */
  private @Nullable Item<TensorBatch> take(RowStream from, Rows here) {
    Fault flaw = here.faultAt(cursor);
    if (flaw != null) {
      cursor++;
      places++;
      counts.fault(name(), flaw);
      return new Item.Bad<>(flaw);
    }
    Filling target = filling;
    if (target == null) {
      Object begun = Filling.begin(memory, "batch of " + name(), from.fields(), dataset.batch());
      if (!(begun instanceof Filling fresh)) {
        toSkip =
            dataset.batch(); // a caller that continues does not ask for the same batch for ever
        return refused((Fault) begun);
      }
      target = fresh;
      filling = target;
    }
    int number = Math.min(here.nextFlaw(cursor) - cursor, target.room());
    Fault closed = target.add(here, cursor, number);
    if (closed != null) {
      drop();
      return refused(closed);
    }
    keep(here, cursor, number);
    cursor += number;
    places += number;
    counts.examples(number);
    return target.room() == 0 ? finish(target, 0) : null;
  }

  /**
   * Reports that there is no memory for a batch; if the memory is closed, no batch will ever
   * follow.
   */
  private Item<TensorBatch> refused(Fault fault) {
    ended |= fault.type() == FaultType.CLOSED;
    return new Item.Bad<>(fault);
  }

  private boolean lacksHead() {
    return dataset.last() == LastBatch.PAD_REPEAT
        && (head == null || head.count() < dataset.batch());
  }

  private void keepGood(Rows here, int first, int number) {
    for (int at = first; at < first + number; at = here.nextFlaw(at) + 1) {
      keep(here, at, Math.min(here.nextFlaw(at), first + number) - at);
    }
  }

  /** Keeps the first examples of the epoch if they may be needed to pad its last batch. */
  private void keep(Rows here, int first, int number) {
    if (dataset.last() != LastBatch.PAD_REPEAT) {
      return;
    }
    Rows kept = head;
    if (kept == null) {
      kept = new Rows(here.columns().stream().map(column -> column.field()).toList());
      head = kept;
    }
    int missing = Math.min(number, dataset.batch() - kept.count());
    if (missing > 0) {
      kept.add(here, first, missing);
    }
  }

  private Item<TensorBatch> finish(Filling full, int pad) {
    filling = null;
    batches++;
    counts.batch();
    Position behind = new Position(epoch, batches, places, dataset.settings(), entry);
    Object batch = full.finish(pad, behind);
    return batch instanceof TensorBatch made
        ? new Item.Good<>(made)
        : new Item.Bad<>((Fault) batch);
  }

  /** Returns the last item of the epoch. */
  private Item<TensorBatch> tail() {
    ended = true;
    counts.epochRead(name());
    Filling left = filling;
    if (left == null) {
      return new Item.End<>();
    }
    return switch (dataset.last()) {
      case PAD_REPEAT -> padded(left, this::repeat);
      case PAD_ZERO -> padded(left, Filling::addZeros);
      case DISCARD -> {
        drop();
        yield new Item.End<>();
      }
      case ROLL_OVER -> new Item.End<>();
    };
  }

  private Item<TensorBatch> padded(Filling left, Function<Filling, @Nullable Fault> padding) {
    int pad = left.room();
    Fault closed = padding.apply(left);
    if (closed != null) {
      drop();
      return refused(closed);
    }
    return finish(left, pad);
  }

  private @Nullable Fault repeat(Filling target) {
    Rows kept = head;
    Fault closed = null;
    while (closed == null && kept != null && kept.count() > 0 && target.room() > 0) {
      closed = target.add(kept, 0, Math.min(kept.count(), target.room()));
    }
    return closed;
  }

  private void drop() {
    Filling left = filling;
    filling = null;
    if (left != null) {
      left.close();
    }
  }

  /** Starts the next epoch. Only what was left when this epoch was read to its end rolls over. */
  @Override
  public @Nullable Fault reset() throws IOException, InterruptedException {
    if (!ended || dataset.last() != LastBatch.ROLL_OVER) {
      drop();
    }
    rows = null;
    head = null;
    ended = false;
    cursor = 0;
    batches = 0;
    places = 0;
    toSkip = 0;
    entry = null;
    epoch++;
    counts.begin(epoch);
    RowStream open = stream;
    if (open != null) {
      open.restart(epoch);
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    drop();
    RowStream open = stream;
    if (open != null) {
      open.close();
    }
  }
}
