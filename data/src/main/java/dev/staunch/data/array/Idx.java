package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.DecodedRows;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.fault.Fault;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The idx files of MNIST and similar data sets, compressed or not: {@code data}, and optionally
 * {@code label} from a second file. Magic numbers, counts and lengths are checked: a truncated file
 * yields its whole examples and then the fault, and two files with different counts yield none.
 * Immutable and thread-safe.
 *
 * <p>Source: the format's description in LeCun, Cortes and Burges, "The MNIST database".
 */
public final class Idx implements Examples {
  private final Path images;
  private final @Nullable Path labels;
  private final OptionalDouble scale;

  private Idx(Path images, @Nullable Path labels, OptionalDouble scale) {
    this.images = images;
    this.labels = labels;
    this.scale = scale;
  }

  /** Examples of one file, with the file's dtype. */
  public static Idx of(Path images) {
    return new Idx(images, null, OptionalDouble.empty());
  }

  /** Adds the examples of another file as {@code label}; a single label per example is an int64. */
  public Idx withLabels(Path file) {
    return new Idx(images, file, scale);
  }

  /** Converts the data to float32 and multiplies it by {@code factor}, such as 1 / 255. */
  public Idx withScale(double factor) {
    return new Idx(images, labels, OptionalDouble.of(factor));
  }

  @Override
  public String name() {
    return ByteInput.name(images);
  }

  @Override
  public boolean isIndexed() {
    return !ByteInput.isPacked(images) && (labels == null || !ByteInput.isPacked(labels));
  }

  /**
   * @throws dev.staunch.fault.StaunchException.DataFormatException if a file cannot be read or does
   *     not begin with a valid header
   */
  @Override
  public RowStream open(ReadOptions how) throws IOException {
    List<ArrayFile> files = new ArrayList<>();
    try {
      files.add(ArrayFile.open(ByteInput.open(images), IdxHeader::read));
      if (labels != null) {
        files.add(ArrayFile.open(ByteInput.open(labels), IdxHeader::read));
        checkCounts(files.getFirst().header(), files.getLast().header());
      }
      ArrayParts parts = new ArrayParts(List.copyOf(files), how);
      files.clear(); // the parts own them now
      return new DecodedRows(
          name(), fields(parts.headers()), parts, new ArrayDecoder(parts.headers(), scale), how);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("opening " + name() + " was interrupted", e);
    } finally {
      for (ArrayFile file : files) {
        file.close();
      }
    }
  }

  private List<Field> fields(List<ArrayHeader> headers) {
    List<Field> fields = new ArrayList<>();
    DType dtype = scale.isPresent() ? DType.FLOAT32 : headers.getFirst().dtype();
    fields.add(Field.of("data", dtype, headers.getFirst().shape().toArray()));
    if (headers.size() > 1) {
      ArrayHeader label = headers.getLast();
      DType kind = label.dtype().isFloating() ? label.dtype() : DType.INT64;
      fields.add(Field.of("label", kind, label.shape().toArray()));
    }
    return fields;
  }

  private static void checkCounts(ArrayHeader data, ArrayHeader label) {
    if (data.count() != label.count()) {
      String text = data.file() + " has " + data.count() + " examples, but " + label.file();
      throw Fault.data(label.file() + ", byte 4", text + " has " + label.count() + " labels")
          .withExpected(data.count() + " labels", label.count() + " labels")
          .toException();
    }
  }
}
