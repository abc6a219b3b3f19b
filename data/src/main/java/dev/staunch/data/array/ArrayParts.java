package dev.staunch.data.array;

import dev.staunch.data.decode.Part;
import dev.staunch.data.decode.PartReader;
import dev.staunch.data.row.IndexOrder;
import dev.staunch.data.row.Mark;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.fault.Fault;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the same examples from several files. Within a part, the examples of one file come before
 * those of the next.
 */
final class ArrayParts implements PartReader {
  private static final int PART_BYTES = 1 << 18;
  private static final int MOST_EXAMPLES = 4096;

  /**
   * The contents of a part.
   *
   * @param examples how many examples of each file it holds
   * @param room how many examples of a file fit before the next file's begin
   */
  record Content(int examples, int room) {}

  private final List<ArrayFile> files;
  private final List<ArrayHeader> headers;
  private final IndexOrder order;
  private final int run;
  private final int width;
  private boolean over;
  private long bytesRead;

  ArrayParts(List<ArrayFile> files, ReadOptions how) {
    this.files = files;
    this.headers = files.stream().map(ArrayFile::header).toList();
    this.order = new IndexOrder(how, headers.getFirst().count());
    this.width = headers.stream().mapToInt(ArrayHeader::rowBytes).reduce(0, Math::addExact);
    this.run = Math.clamp(PART_BYTES / Math.max(1, width), 1, MOST_EXAMPLES);
  }

  List<ArrayHeader> headers() {
    return headers;
  }

  @Override
  public boolean next(Part part) throws IOException, InterruptedException {
    if (over) {
      return false;
    }
    ArrayHeader data = headers.getFirst();
    int wanted = (int) Math.min(run, order.left());
    long first = wanted == 0 ? data.count() : order.index(0);
    part.begin(data.file(), data.bytes() + first * data.rowBytes(), first, false);
    part.setMark(order.mark());
    if (wanted == 0) {
      over = true;
      Fault rest = order.hasLast(data.count()) ? rest() : null;
      if (rest != null) {
        part.setTrouble(lines -> rest);
      }
      return rest != null;
    }
    byte[] bytes = part.room(run * width);
    int whole = order.isPermuted() ? scattered(part, bytes, wanted) : together(part, bytes, wanted);
    order.pass(wanted);
    bytesRead += (long) whole * width;
    part.setLength(whole * width);
    part.setNote(new Content(whole, run));
    return true;
  }

  private int together(Part part, byte[] bytes, int wanted)
      throws IOException, InterruptedException {
    int whole = wanted;
    int offset = 0;
    for (ArrayFile file : files) {
      file.seek(order.index(0));
      int read = file.read(bytes, offset, wanted);
      if (read < wanted && !over) {
        over = true;
        Fault cut = file.cut();
        part.setTrouble(lines -> cut);
      }
      whole = Math.min(whole, read);
      offset += run * file.header().rowBytes();
    }
    return whole;
  }

  /**
   * Reads one example at a time; a truncated file yields a fault for the first example it lacks.
   */
  private int scattered(Part part, byte[] bytes, int wanted)
      throws IOException, InterruptedException {
    for (int i = 0; i < wanted; i++) {
      int offset = 0;
      for (ArrayFile file : files) {
        int each = file.header().rowBytes();
        file.seek(order.index(i));
        if (file.read(bytes, offset + i * each, 1) == 0) {
          over = true;
          Fault cut = file.cut();
          part.setTrouble(lines -> cut);
          return i;
        }
        offset += run * each;
      }
    }
    return wanted;
  }

  private @Nullable Fault rest() throws IOException, InterruptedException {
    for (ArrayFile file : files) {
      file.seek(file.header().count());
      Fault rest = file.rest();
      if (rest != null) {
        return rest;
      }
    }
    return null;
  }

  @Override
  public void restart(long epoch) {
    order.restart(epoch);
    over = false;
  }

  @Override
  public void restart(long epoch, Mark mark) {
    order.restart(epoch, mark);
    over = false;
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() throws IOException {
    for (ArrayFile file : files) {
      file.close();
    }
  }
}
