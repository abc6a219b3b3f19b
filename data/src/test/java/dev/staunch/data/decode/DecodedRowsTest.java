package dev.staunch.data.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.Mark;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.Rows;
import dev.staunch.type.DType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading ahead of the batches is bounded by bytes, too (D5). */
@Timeout(60)
class DecodedRowsTest {
  private static final int MIB = 1 << 20;

  /** Parts of 1 MiB; counts the parts that were read but not handed out yet. */
  private static final class Counting implements PartReader {
    private final int parts;
    private int read;
    private int given;
    private int mostAhead;

    Counting(int parts) {
      this.parts = parts;
    }

    @Override
    public boolean next(Part part) {
      if (read == parts) {
        return false;
      }
      part.begin("counted", (long) read * MIB, read, false);
      part.room(MIB)[0] = (byte) read++;
      part.setLength(MIB);
      mostAhead = Math.max(mostAhead, read - given);
      return true;
    }

    @Override
    public void restart(long epoch, Mark mark) {
      restart(epoch);
    }

    @Override
    public void restart(long epoch) {
      read = 0;
      given = 0;
    }

    @Override
    public long bytesRead() {
      return (long) read * MIB;
    }

    @Override
    public void close() {}
  }

  /** Three rows of 1 MiB per part; the first byte of each is the number of the part. */
  private static void decode(Part part, Rows rows) {
    for (int i = 0; i < 3; i++) {
      rows.begin();
      DenseColumn column = (DenseColumn) rows.columns().getFirst();
      column.bytes()[rows.count() * MIB] = part.bytes()[0];
      rows.end();
    }
  }

  private static List<Integer> read(DecodedRows stream, Counting parts)
      throws IOException, InterruptedException {
    List<Integer> numbers = new ArrayList<>();
    for (Rows rows = stream.next(); rows != null; rows = stream.next()) {
      parts.given++;
      numbers.add((int) ((DenseColumn) rows.columns().getFirst()).bytes()[2 * MIB]);
    }
    return numbers;
  }

  /** The most parts ahead of the taker in two epochs; checks that all parts come in order. */
  private static int mostAhead(long bytes, int decoders) throws IOException, InterruptedException {
    Counting parts = new Counting(20);
    List<Field> fields = List.of(Field.of("data", DType.UINT8, MIB));
    ReadOptions how = ReadOptions.PLAIN.withDecoders(decoders).withBytes(bytes);
    List<Integer> inOrder = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      inOrder.add(i);
    }
    try (DecodedRows stream =
        new DecodedRows("counted", fields, parts, DecodedRowsTest::decode, how)) {
      assertEquals(inOrder, read(stream, parts));
      stream.restart(1);
      assertEquals(inOrder, read(stream, parts));
    }
    return parts.mostAhead;
  }

  @Test
  void noMorePartsAreUnderWayThanFitWithTheirRows() throws IOException, InterruptedException {
    assertEquals(2, mostAhead(11L * MIB, 8), "of 4 MiB each");
    assertEquals(4, mostAhead(16L * MIB, 8));
  }

  @Test
  void onePartMayAlwaysBeUnderWay() throws IOException, InterruptedException {
    assertEquals(1, mostAhead(1, 8));
  }

  @Test
  void whatFitsIsReadAheadForEachDecoder() throws IOException, InterruptedException {
    assertEquals(6, mostAhead(1L << 30, 3));
    assertEquals(1, mostAhead(1L << 30, 1));
  }
}
