package dev.staunch.data.image;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Part;
import dev.staunch.data.decode.PartReader;
import dev.staunch.data.decode.Place;
import dev.staunch.data.row.IndexOrder;
import dev.staunch.data.row.Mark;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.Seeds;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.util.List;

/** Reads image files, one per part. */
final class FileParts implements PartReader {
  /** Larger image files are rejected. */
  private static final long MOST_BYTES = 1 << 28;

  private final List<ImageList.Member> members;
  private final IndexOrder order;
  private final long seed;
  private long epoch;
  private long bytesRead;

  FileParts(ImageList list, ReadOptions how) {
    this.members = list.members();
    this.order = new IndexOrder(how, members.size());
    this.seed = how.seed();
  }

  @Override
  public boolean next(Part part) throws IOException, InterruptedException {
    if (order.left() == 0) {
      return false;
    }
    int index = (int) order.index(0);
    Mark mark = order.mark();
    order.pass(1);
    ImageList.Member member = members.get(index);
    part.begin(member.name(), 0, index, false);
    part.setMark(mark);
    Place place = Place.of(member.name());
    part.setNote(new Encoded(place, member.labels(), Seeds.of(seed, epoch, index)));
    try (ByteInput input = ByteInput.open(member.file())) {
      long size = input.fileSize();
      if (size > MOST_BYTES) {
        String text = "%s is too large for an image: %d bytes";
        throw Fault.data(member.name(), Message.of(text, member.name(), size)).toException();
      }
      byte[] bytes = part.room((int) size);
      part.setLength(input.read(bytes, 0, (int) size));
      bytesRead += part.length();
    } catch (StaunchException e) {
      Fault fault = e.fault();
      part.begin(member.name(), 0, index, false);
      part.setMark(mark);
      part.setTrouble(lines -> fault.withInput(member.name()));
    }
    return true;
  }

  @Override
  public void restart(long number) {
    epoch = number;
    order.restart(number);
  }

  @Override
  public void restart(long number, Mark mark) {
    epoch = number;
    order.restart(number, mark);
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() {}
}
