package dev.staunch.data.image;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.DecodedRows;
import dev.staunch.data.decode.PartReader;
import dev.staunch.data.record.RecordIndex;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Images with labels: {@code data}, channels by rows by columns, and {@code label}, float32.
 * Immutable and thread-safe.
 */
public final class Images implements Examples {
  /** Opens the reader of encoded images. */
  private interface Opening {
    PartReader open(ReadOptions how) throws IOException;
  }

  private final String name;
  private final ImageForm form;
  private final int labels;
  private final boolean indexed;
  private final Opening opening;

  private Images(String name, ImageForm form, int labels, boolean indexed, Opening opening) {
    this.name = name;
    this.form = form;
    this.labels = labels;
    this.indexed = indexed;
    this.opening = opening;
  }

  /**
   * The files in a folder's subfolders. The subfolders, sorted by name, are the classes, numbered
   * from 0.
   */
  public static Images ofFolder(Path folder, ImageForm form) {
    return new Images(
        ByteInput.name(folder),
        form,
        1,
        true,
        how -> new FileParts(ImageList.ofFolder(folder), how));
  }

  /** The files of a list in im2rec's format: a number, labels, and a path below {@code root}. */
  public static Images ofList(Path list, Path root, int labels, ImageForm form) {
    return new Images(
        ByteInput.name(list),
        form,
        labels,
        true,
        how -> new FileParts(ImageList.read(list, root, labels), how));
  }

  /**
   * The records of a RecordIO file as im2rec writes it.
   *
   * @param index the file's index, which allows epochs to be permuted; or null
   */
  public static Images ofRecords(Path file, @Nullable Path index, int labels, ImageForm form) {
    return new Images(
        ByteInput.name(file),
        form,
        labels,
        index != null,
        how -> new RecordParts(file, index == null ? null : RecordIndex.read(index), labels, how));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isIndexed() {
    return indexed;
  }

  @Override
  public RowStream open(ReadOptions how) throws IOException {
    Field label =
        labels == 1 ? Field.of("label", DType.FLOAT32) : Field.of("label", DType.FLOAT32, labels);
    return new DecodedRows(
        name, List.of(form.field(), label), opening.open(how), new ImageDecoder(form), how);
  }
}
