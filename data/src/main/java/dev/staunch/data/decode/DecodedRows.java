package dev.staunch.data.decode;

import dev.staunch.data.row.Field;
import dev.staunch.data.row.Mark;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.Rows;
import dev.staunch.data.row.SeekableRows;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of parts, in the order of the parts, however many threads decode them. With one decoder, the
 * calling thread does everything; with more, the calling thread reads ahead and the decoders decode
 * what it has read.
 */
public final class DecodedRows implements SeekableRows {
  /** Parts in flight for each decoder: one being decoded and one waiting. */
  private static final int AHEAD = 2;

  /** A part, its rows, and the signal that the rows are ready. */
  private static final class Slot {
    final Part part = new Part();
    final Rows rows;
    @Nullable Pending decoded;

    Slot(List<Field> fields) {
      rows = new Rows(fields);
    }
  }

  private final List<Field> fields;
  private final PartReader reader;
  private final Decoder decoder;
  private final @Nullable Workers workers;
  private final CancelScope waits = CancelScope.open();
  private final ArrayDeque<Slot> free = new ArrayDeque<>();
  private final ArrayDeque<Slot> underWay = new ArrayDeque<>();
  private @Nullable Slot given;
  private boolean readAll;
  private @Nullable IOException unreadable;
  private final long mostBytes;
  private long largest;
  private long linesBefore;
  private @Nullable Mark mark;

  /**
   * @param how supplies the number of decoders, and the most bytes that they hold
   */
  public DecodedRows(
      String name, List<Field> fields, PartReader reader, Decoder decoder, ReadOptions how) {
    int decoders = how.decoders();
    this.fields = List.copyOf(fields);
    this.reader = reader;
    this.decoder = decoder;
    this.mostBytes = how.bytes();
    this.workers = decoders == 1 ? null : Workers.of(decoders, "staunch-decode-" + name);
    int slots = decoders == 1 ? 1 : decoders * AHEAD;
    for (int i = 0; i < slots; i++) {
      free.add(new Slot(this.fields));
    }
  }

  @Override
  public List<Field> fields() {
    return fields;
  }

  @Override
  public @Nullable Rows next() throws IOException, InterruptedException {
    while (true) {
      recycle();
      readAhead();
      Slot slot = underWay.poll();
      if (slot == null) {
        IOException why = unreadable;
        unreadable = null;
        if (why != null) {
          throw why;
        }
        return null;
      }
      given = slot;
      await(slot);
      largest = Math.max(largest, slot.part.length() + slot.rows.bytes());
      number(slot);
      if (slot.rows.count() > 0) {
        return slot.rows;
      }
    }
  }

  private void recycle() {
    if (given != null) {
      free.push(given); // the one used last, so that no more slots grow than needed
      given = null;
    }
  }

  /** Reads parts and hands them to the decoders while there is room. */
  private void readAhead() throws InterruptedException {
    while (!readAll && !free.isEmpty() && hasRoom()) {
      Slot slot = free.element();
      slot.rows.clear();
      if (!read(slot)) {
        readAll = true;
        return;
      }
      free.remove();
      if (workers != null) {
        slot.decoded = workers.submit(() -> decode(slot));
      }
      underWay.add(slot);
    }
  }

  /**
   * Whether another part as large as the largest so far, with its rows, would fit. The first part
   * is read alone, because its size is not known.
   */
  private boolean hasRoom() {
    return underWay.isEmpty() || (largest > 0 && underWay.size() < mostBytes / largest);
  }

  /** Reads a part; a failure to read is reported after the parts before it. */
  private boolean read(Slot slot) throws InterruptedException {
    try {
      return reader.next(slot.part);
    } catch (IOException e) {
      unreadable = e;
      return false;
    }
  }

  private Object decode(Slot slot) {
    decoder.decode(slot.part, slot.rows);
    return slot;
  }

  private void await(Slot slot) throws InterruptedException {
    Pending decoded = slot.decoded;
    Object outcome = decoded == null ? Guard.attempt(this::decode, slot) : decoded.await(waits);
    if (outcome instanceof Fault fault) {
      if (Thread.interrupted()) {
        throw new InterruptedException(fault.message());
      }
      slot.rows.clear();
      slot.rows.fail(fault);
    }
    Rows.Telling trouble = slot.part.trouble();
    if (trouble != null) {
      long lines = slot.rows.lines();
      slot.rows.fail(before -> trouble.fault(before + lines));
    }
  }

  @Override
  public @Nullable Mark mark() {
    return mark;
  }

  /**
   * Tells the rows how many lines came before them; this is known only here, where the rows are in
   * order.
   */
  private void number(Slot slot) {
    if (slot.part.startsFile()) {
      linesBefore = 0;
    }
    linesBefore += slot.part.linesSkipped();
    slot.rows.setLinesBefore(linesBefore);
    Mark place = slot.part.mark();
    mark = place == null ? null : new Mark(place.file(), place.at(), place.lines() + linesBefore);
    linesBefore += slot.rows.lines();
  }

  @Override
  public void restart(long epoch) throws IOException {
    forget();
    reader.restart(epoch);
  }

  @Override
  public void restart(long epoch, Mark place) throws IOException, InterruptedException {
    forget();
    reader.restart(epoch, place);
  }

  /** Discards everything that was read ahead. */
  private void forget() {
    if (workers != null) {
      workers.quiesce();
    }
    recycle();
    free.addAll(underWay);
    underWay.clear();
    readAll = false;
    unreadable = null;
    linesBefore = 0;
    mark = null;
  }

  @Override
  public long bytesRead() {
    return reader.bytesRead();
  }

  @Override
  public void close() throws IOException {
    try {
      reader.close();
    } finally {
      if (workers != null) {
        workers.close();
      }
    }
  }
}
