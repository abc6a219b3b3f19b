package dev.staunch.data.image;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Part;
import dev.staunch.data.decode.PartReader;
import dev.staunch.data.decode.Place;
import dev.staunch.data.record.ImageRecord;
import dev.staunch.data.record.RecordIndex;
import dev.staunch.data.record.RecordReader;
import dev.staunch.data.row.IndexOrder;
import dev.staunch.data.row.Mark;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.Seeds;
import dev.staunch.data.row.Shard;
import dev.staunch.fault.Fault;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads image records, one per part. With an index, a shard is a contiguous run of records; without
 * one, it is every n-th record.
 */
final class RecordParts implements PartReader {
  private final Path file;
  private final @Nullable RecordIndex index;
  private final @Nullable IndexOrder order;
  private final Shard shard;
  private final int labels;
  private final long seed;
  private @Nullable RecordReader reader;

  /** Whether opening the file was attempted in this epoch, with or without success. */
  private boolean tried;

  private long epoch;
  private long bytesBefore;

  RecordParts(Path file, @Nullable RecordIndex index, int labels, ReadOptions how) {
    this.file = file;
    this.index = index;
    this.order = index == null ? null : new IndexOrder(how, index.count());
    this.shard = how.shard();
    this.labels = labels;
    this.seed = how.seed();
  }

  @Override
  public boolean next(Part part) throws IOException, InterruptedException {
    RecordReader from = reader;
    if (from == null) {
      if (tried) {
        return false; // it could not be opened, as already reported
      }
      tried = true;
      from = RecordReader.open(file);
      reader = from;
    }
    IndexOrder wanted = order;
    Mark mark = wanted == null ? null : wanted.mark();
    RecordReader.Entry entry = entry(from);
    if (entry == null) {
      return false;
    }
    String name = ByteInput.name(file);
    part.begin(name, entry.offset(), entry.number(), false);
    part.setMark(mark != null ? mark : new Mark(0, entry.offset(), entry.number()));
    Place place = Place.record(name, "record", entry.number() + 1, entry.offset());
    Object read = entry.fault() == null ? image(entry.bytes(), place) : entry.fault();
    if (!(read instanceof ImageRecord image)) {
      part.setTrouble(lines -> (Fault) read);
      return true;
    }
    int length = image.image().length;
    System.arraycopy(image.image(), 0, part.room(length), 0, length);
    part.setLength(length);
    part.setNote(new Encoded(place, image.labels(), Seeds.of(seed, epoch, entry.number())));
    return true;
  }

  private Object image(byte[] record, Place place) {
    ImageRecord image = ImageRecord.of(record);
    if (image == null) {
      return place.fault("the record has no image header", "labels and an image", "other bytes");
    }
    String found = image.labels().length + " labels";
    return image.labels().length == labels
        ? image
        : place.fault("the record has " + found, labels + " labels", found);
  }

  private RecordReader.@Nullable Entry entry(RecordReader from)
      throws IOException, InterruptedException {
    IndexOrder wanted = order;
    RecordIndex places = index;
    if (wanted != null && places != null) {
      if (wanted.left() == 0) {
        return null;
      }
      int number = (int) wanted.index(0);
      wanted.pass(1);
      if (wanted.isPermuted() || from.bytesRead() == 0) {
        from.seek(places.offset(number), number);
      }
      return from.next();
    }
    RecordReader.Entry entry = from.next();
    while (entry != null && entry.number() % shard.count() != shard.index()) {
      entry = from.next();
    }
    return entry;
  }

  @Override
  public void restart(long number) throws IOException {
    close();
    epoch = number;
    if (order != null) {
      order.restart(number);
    }
  }

  @Override
  public void restart(long number, Mark mark) throws IOException, InterruptedException {
    restart(number);
    if (order != null) {
      order.restart(number, mark);
    } else {
      RecordReader from = RecordReader.open(file);
      reader = from;
      from.seek(mark.at(), mark.lines());
    }
  }

  @Override
  public long bytesRead() {
    RecordReader open = reader;
    return bytesBefore + (open == null ? 0 : open.bytesRead());
  }

  @Override
  public void close() throws IOException {
    RecordReader open = reader;
    reader = null;
    tried = false;
    if (open != null) {
      bytesBefore += open.bytesRead();
      open.close();
    }
  }
}
