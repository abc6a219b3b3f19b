package dev.staunch.data.text;

import dev.staunch.data.decode.DecodedRows;
import dev.staunch.data.decode.Inputs;
import dev.staunch.data.decode.LineParts;
import dev.staunch.data.decode.TextRules;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * LibSVM's sparse rows: a label, then {@code index:value} for each given element, with ascending
 * indices; {@code #} begins a comment. The fields are {@code data}, sparse or dense, and {@code
 * label}, a float32. Explicit zeros remain elements of a sparse row. {@link Examples#zip} adds
 * labels from another file. Immutable and thread-safe.
 */
public final class LibSvm implements Examples {
  /** The most bytes of dense rows in a part, because the text names few of their elements. */
  private static final long PART_ROWS_BYTES = 4L << 20;

  private static final int MANY = Integer.MAX_VALUE;

  private final Inputs inputs;
  private final long width;
  private final boolean dense;
  private final boolean oneBased;
  private final boolean labelled;

  private LibSvm(Inputs inputs, long width, boolean dense, boolean oneBased, boolean labelled) {
    this.inputs = inputs;
    this.width = width;
    this.dense = dense;
    this.oneBased = oneBased;
    this.labelled = labelled;
  }

  /** Sparse rows of {@code width} elements, with indices counted from 0. */
  public static LibSvm of(long width, Path... files) {
    return of(width, Inputs.of(files));
  }

  public static LibSvm of(long width, Inputs inputs) {
    if (width < 1) {
      throw new IllegalArgumentException("a row has at least 1 element, not " + width);
    }
    return new LibSvm(inputs, width, false, false, true);
  }

  /** Makes rows dense, with zeros for elements that are not given. */
  public LibSvm dense() {
    return new LibSvm(inputs, width, true, oneBased, labelled);
  }

  /** Counts indices from 1, as in LibSVM's own data sets. */
  public LibSvm oneBased() {
    return new LibSvm(inputs, width, dense, true, labelled);
  }

  /** Checks the label and leaves it out. */
  public LibSvm withoutLabel() {
    return new LibSvm(inputs, width, dense, oneBased, false);
  }

  @Override
  public String name() {
    return inputs.name();
  }

  long width() {
    return width;
  }

  int base() {
    return oneBased ? 1 : 0;
  }

  boolean isLabelled() {
    return labelled;
  }

  @Override
  public RowStream open(ReadOptions how) throws IOException {
    int rows = dense ? (int) Math.max(1, PART_ROWS_BYTES / (width * Float.BYTES)) : MANY;
    LineParts parts = new LineParts(inputs, how.shard(), TextRules.LINES, null, rows);
    parts.restart(0);
    Field data =
        dense ? Field.of("data", DType.FLOAT32, width) : Field.sparse("data", DType.FLOAT32, width);
    Field label = Field.of("label", DType.FLOAT32);
    List<Field> fields = labelled ? List.of(data, label) : List.of(data);
    return new DecodedRows(name(), fields, parts, new LibSvmDecoder(this), how);
  }
}
