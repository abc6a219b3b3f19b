package dev.staunch.data.row;

import dev.staunch.fault.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two sets of examples, side by side. A shard is every n-th pair. */
record ZippedExamples(Examples left, Examples right) implements Examples {
  @Override
  public String name() {
    return left.name();
  }

  @Override
  public RowStream open(ReadOptions how) throws IOException {
    ReadOptions whole = how.withShard(Shard.WHOLE).withPermuted(false);
    RowStream first = left.open(whole);
    try {
      return new Stream(this, first, right.open(whole), how.shard());
    } catch (IOException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  /** One of the two streams, and how far it has been taken. */
  private static final class Half {
    final RowStream stream;
    @Nullable Rows rows;
    int cursor;

    Half(RowStream stream) {
      this.stream = stream;
    }

    /** How many rows can be taken now; 0 at the end. */
    int available() throws IOException, InterruptedException {
      Rows now = rows;
      if (now == null || cursor == now.count()) {
        now = stream.next();
        rows = now;
        cursor = 0;
      }
      return now == null ? 0 : now.count() - cursor;
    }

    void restart(long epoch) throws IOException, InterruptedException {
      rows = null;
      cursor = 0;
      stream.restart(epoch);
    }
  }

  private static final class Stream implements RowStream {
    private final ZippedExamples examples;
    private final Half left;
    private final Half right;
    private final Shard shard;
    private final List<Field> fields;
    private final Rows rows;
    private long taken;
    private boolean over;

    Stream(ZippedExamples examples, RowStream left, RowStream right, Shard shard) {
      this.examples = examples;
      this.left = new Half(left);
      this.right = new Half(right);
      this.shard = shard;
      List<Field> all = new ArrayList<>(left.fields());
      all.addAll(right.fields());
      this.fields = List.copyOf(all);
      this.rows = new Rows(fields);
    }

    @Override
    public List<Field> fields() {
      return fields;
    }

    @Override
    public @Nullable Rows next() throws IOException, InterruptedException {
      rows.clear();
      while (!over && rows.count() == 0) {
        int number = Math.min(left.available(), right.available());
        Rows one = left.rows;
        Rows other = right.rows;
        if (one == null || other == null) {
          over = true;
          if (one != null || other != null) {
            rows.fail(unequal(one == null));
          }
        } else {
          add(one, other, number);
        }
      }
      return rows.count() == 0 ? null : rows;
    }

    private void add(Rows one, Rows other, int number) {
      if (shard.isWhole()) {
        rows.addBeside(one, left.cursor, other, right.cursor, number);
      } else {
        for (int i = 0; i < number; i++) {
          if ((taken + i) % shard.count() == shard.index()) {
            rows.addBeside(one, left.cursor + i, other, right.cursor + i, 1);
          }
        }
      }
      left.cursor += number;
      right.cursor += number;
      taken += number;
    }

    private Fault unequal(boolean leftEnded) {
      String ended = leftEnded ? examples.left.name() : examples.right.name();
      String going = leftEnded ? examples.right.name() : examples.left.name();
      return Fault.data(
              ended, ended + " ends after " + taken + " examples, but " + going + " has more")
          .withExpected("as many examples in both", "more in " + going);
    }

    @Override
    public void restart(long epoch) throws IOException, InterruptedException {
      left.restart(epoch);
      right.restart(epoch);
      taken = 0;
      over = false;
    }

    @Override
    public long bytesRead() {
      return left.stream.bytesRead() + right.stream.bytesRead();
    }

    @Override
    public void close() throws IOException {
      try {
        left.stream.close();
      } finally {
        right.stream.close();
      }
    }
  }
}
