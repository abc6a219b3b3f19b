package dev.staunch.data.dataset;

import dev.staunch.data.row.Field;
import dev.staunch.data.row.RowStream;
import dev.staunch.data.row.RowWriter;
import dev.staunch.data.row.Rows;
import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts the user's examples in the places of those that could not be read. */
final class SubstitutedRows implements RowStream {
  /**
   * How to replace a fault.
   *
   * @param most how many faults of one epoch to replace
   * @param made writes the example; called on the producer's thread
   */
  record Substitution(long most, BiConsumer<? super Fault, ? super RowWriter> made) {
    Substitution {
      if (most < 0) {
        throw new IllegalArgumentException(
            "the number of examples to substitute is negative: " + most);
      }
    }
  }

  private final RowStream source;
  private final Substitution substitution;
  private final Consumer<Fault> substituted;
  private final Rows mended;
  private final RowWriter writer;
  private long left;

  /**
   * @param substituted receives each fault whose example was replaced
   */
  SubstitutedRows(RowStream source, Substitution substitution, Consumer<Fault> substituted) {
    this.source = source;
    this.substitution = substitution;
    this.substituted = substituted;
    this.mended = new Rows(source.fields());
    this.writer = new RowWriter(mended);
    this.left = substitution.most();
  }

  @Override
  public List<Field> fields() {
    return source.fields();
  }

  @Override
  public @Nullable Rows next() throws IOException, InterruptedException {
    Rows rows = source.next();
    return rows == null || rows.nextFlaw(0) == rows.count() ? rows : mend(rows);
  }

  private Rows mend(Rows rows) {
    mended.clear();
    int at = 0;
    while (at < rows.count()) {
      Fault fault = left > 0 ? rows.faultAt(at) : null;
      if (fault != null) {
        substitute(fault);
        at++;
      } else {
        int end = left > 0 ? rows.nextFlaw(at) : rows.count();
        mended.add(rows, at, end - at);
        at = end;
      }
    }
    return mended;
  }

  /** Writes the replacement; if that fails, the new fault takes the place. */
  private void substitute(Fault fault) {
    left--;
    writer.begin();
    Fault thrown = Guard.run(made -> made.accept(fault, writer), substitution.made());
    if (thrown != null) {
      writer.fail(thrown);
    } else {
      substituted.accept(fault);
    }
    writer.end();
  }

  @Override
  public void restart(long epoch) throws IOException, InterruptedException {
    left = substitution.most();
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
