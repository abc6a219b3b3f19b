package dev.staunch.data.decode;

import dev.staunch.data.row.Mark;
import dev.staunch.data.row.Rows.Telling;
import dev.staunch.data.row.Shard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits text files into parts of whole rows. A shard is a range of the bytes of all files
 * together, and has the rows that begin in it. A compressed file belongs entirely to the shard in
 * which it begins. If a shard begins in the middle of a file, the front of the file is read,
 * because its lines are counted and its quotes matched, but not decoded.
 */
public final class LineParts implements PartReader {
  /** Interprets the first row of a file for a format. */
  @FunctionalInterface
  public interface Header {
    /** Returns what the decoder needs to know, or a fault that makes the file unreadable. */
    Object read(String file, String row);
  }

  /** Fits in the second-level cache together with the rows made from it. */
  public static final int PART_BYTES = 1 << 18;

  /**
   * No row is longer. Anything that looks like a longer row has a quote that was never closed, or
   * is not text.
   */
  public static final int LONGEST_ROW = 1 << 22;

  /** A file, and the byte range in which this shard's rows begin. */
  private record Range(Path file, long from, long to) {}

  private final Inputs inputs;
  private final Shard shard;
  private final TextRules rules;
  private final @Nullable Header header;
  private final int mostRows;
  private List<Range> ranges = List.of();
  private int next;
  private @Nullable TextFile open;
  private long bytesBefore;

  /**
   * @param header reads the first row of each file; null if the first row is like the others
   */
  public LineParts(Inputs inputs, Shard shard, TextRules rules, @Nullable Header header) {
    this(inputs, shard, rules, header, Integer.MAX_VALUE);
  }

  /**
   * @param header reads the first row of each file; null if the first row is like the others
   * @param mostRows the most rows of a part, for formats whose rows may be much larger than their
   *     text
   */
  public LineParts(
      Inputs inputs, Shard shard, TextRules rules, @Nullable Header header, int mostRows) {
    this.inputs = inputs;
    this.shard = shard;
    this.rules = rules;
    this.header = header;
    this.mostRows = mostRows;
  }

  @Override
  public void restart(long epoch) throws IOException {
    close();
    ranges = ranges();
    next = 0;
  }

  @Override
  public void restart(long epoch, Mark mark) throws IOException, InterruptedException {
    restart(epoch);
    if (mark.file() >= ranges.size()) {
      String text = "there are only %d files now, fewer than when the position was saved";
      throw Fault.data(inputs.name(), Message.of(text, ranges.size())).toException();
    }
    next = (int) mark.file() + 1;
    Part entered = new Part();
    begin(ranges.get(next - 1), entered, mark);
    Telling hindrance = entered.trouble();
    if (hindrance != null) {
      throw hindrance.fault(0).toException();
    }
  }

  /** The byte ranges of files that belong to this shard. */
  private List<Range> ranges() throws IOException {
    List<Path> files = inputs.files();
    List<Range> all = new ArrayList<>();
    if (shard.isWhole()) {
      files.forEach(file -> all.add(new Range(file, 0, Long.MAX_VALUE)));
      return all;
    }
    long total = 0;
    for (Path file : files) {
      total += size(file);
    }
    long begin = 0;
    for (Path file : files) {
      long size = size(file);
      long from = Math.max(0, shard.from(total) - begin);
      long to = shard.to(total) - begin;
      if (ByteInput.isPacked(file) || size == 0) {
        if (from == 0 && to > 0) {
          all.add(new Range(file, 0, Long.MAX_VALUE));
        }
      } else if (from < Math.min(to, size)) {
        all.add(new Range(file, from, to >= size ? Long.MAX_VALUE : to));
      }
      begin += size;
    }
    return all;
  }

  /**
   * The size of a file, 0 if it is missing; the shard with the first byte reports a missing file.
   */
  private static long size(Path file) throws IOException {
    return Files.isRegularFile(file) ? Files.size(file) : 0;
  }

  @Override
  public boolean next(Part part) throws IOException, InterruptedException {
    while (true) {
      if (open == null) {
        if (next == ranges.size()) {
          return false;
        }
        part.begin("", 0, 0, true);
        if (!begin(ranges.get(next++), part, null)) {
          return true;
        }
      }
      if (continued(part)) {
        if (open != null && !ByteInput.isPacked(ranges.get(next - 1).file)) {
          part.setMark(new Mark(next - 1, part.offset(), 0));
        }
        return true;
      }
    }
  }

  private boolean continued(Part part) throws IOException, InterruptedException {
    TextFile file = open;
    if (file == null || file.next(part)) {
      return true;
    }
    bytesBefore += file.bytesRead();
    file.close();
    open = null;
    return false;
  }

  /**
   * Opens a file, at a mark if one is given. Returns false if nothing can be read from it, with the
   * reason in the part.
   */
  private boolean begin(Range range, Part part, @Nullable Mark entry)
      throws IOException, InterruptedException {
    String name = ByteInput.name(range.file);
    TextFile file = null;
    Fault fault;
    try {
      file = new TextFile(ByteInput.open(range.file), rules, range.from, range.to, mostRows);
      fault = file.begin();
      if (fault == null && header != null) {
        fault = readHeader(name, file, header);
      }
      if (fault == null && entry != null) {
        fault = file.enter(entry);
      }
    } catch (StaunchException e) {
      fault = e.fault();
    }
    if (fault == null) {
      open = file;
      return true;
    }
    if (file != null) {
      file.close();
    }
    Fault told = fault;
    part.begin(name, 0, 0, true);
    part.setTrouble(lines -> told);
    return false;
  }

  private static @Nullable Fault readHeader(String name, TextFile file, Header header)
      throws IOException, InterruptedException {
    byte[] row = file.firstRow();
    if (row == null) {
      String text = "the header of %s never ends: no row is longer than %d bytes";
      return Place.record(name, "row", 1, 0)
          .fault(Message.of(text, name, LONGEST_ROW), "names of columns", "no end of a row");
    }
    Object note = header.read(name, new String(row, StandardCharsets.UTF_8));
    if (note instanceof Fault fault) {
      return fault;
    }
    file.setNote(note);
    return null;
  }

  @Override
  public long bytesRead() {
    TextFile file = open;
    return bytesBefore + (file == null ? 0 : file.bytesRead());
  }

  @Override
  public void close() throws IOException {
    TextFile file = open;
    open = null;
    if (file != null) {
      bytesBefore += file.bytesRead();
      file.close();
    }
  }
}
