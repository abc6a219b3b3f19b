package dev.staunch.data.row;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Examples written by a user's function. A shard is every n-th of them. */
record OwnExamples(String name, List<Field> fields, Supplier<? extends RowReader> readers)
    implements Examples {
  private static final int MOST_ROWS = 256;
  private static final long MOST_BYTES = 1 << 18;

  @Override
  public RowStream open(ReadOptions how) {
    return new Stream(this, how.shard());
  }

  private static final class Stream implements RowStream {
    private final OwnExamples examples;
    private final Shard shard;
    private final Rows rows;
    private final RowWriter writer;
    private @Nullable RowReader reader;
    private long read;
    private boolean over;

    Stream(OwnExamples examples, Shard shard) {
      this.examples = examples;
      this.shard = shard;
      this.rows = new Rows(examples.fields);
      this.writer = new RowWriter(rows);
    }

    @Override
    public List<Field> fields() {
      return examples.fields;
    }

    @Override
    public @Nullable Rows next() throws InterruptedException {
      rows.clear();
      RowReader from = reader;
      if (from == null) {
        from = examples.readers.get();
        reader = from;
      }
      while (!over && rows.count() < MOST_ROWS && rows.bytes() < MOST_BYTES) {
        over = !one(from);
      }
      return rows.count() == 0 ? null : rows;
    }

    /** Writes the next example, or the fault of an exception; returns false at the end. */
    private boolean one(RowReader from) throws InterruptedException {
      boolean mine = read++ % shard.count() == shard.index();
      writer.begin();
      Object outcome = Guard.attempt(this::asked, from);
      if (outcome instanceof InterruptedException interrupt) {
        throw interrupt;
      }
      if (outcome instanceof Fault fault) {
        writer.fail(fault);
      }
      if (mine && !outcome.equals(false)) {
        writer.end();
      }
      return !outcome.equals(false);
    }

    private Object asked(RowReader from) {
      try {
        return from.next(writer);
      } catch (IOException e) {
        String text = "example %d of %s cannot be read: %s";
        return Fault.data(examples.name, Message.of(text, read, examples.name, e.getMessage()))
            .withCause(e);
      } catch (InterruptedException e) {
        return e;
      }
    }

    @Override
    public void restart(long epoch) throws IOException {
      close();
      read = 0;
      over = false;
    }

    @Override
    public void close() throws IOException {
      RowReader old = reader;
      reader = null;
      if (old instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (IOException | RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IOException("what reads " + examples.name + " failed to close", e);
        }
      }
    }
  }
}
