package dev.staunch.cli;

import dev.staunch.data.array.Idx;
import dev.staunch.data.array.Npz;
import dev.staunch.data.decode.Inputs;
import dev.staunch.data.image.ImageForm;
import dev.staunch.data.image.Images;
import dev.staunch.data.row.Examples;
import dev.staunch.data.text.Csv;
import dev.staunch.data.text.LibSvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of data files, and how to open each without further options. */
enum DataFormat {
  CSV,
  TSV,
  LIBSVM,
  IDX,
  NPY,
  NPZ,
  REC,
  IMAGES;

  /** The largest width, for rows whose indices have no known bound. */
  private static final long ANY_WIDTH = Integer.MAX_VALUE;

  /** The format of a path, by its name; null if the name does not tell. */
  static @Nullable DataFormat of(String path) {
    String name = path.toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    for (DataFormat format : new DataFormat[] {CSV, TSV, NPY, NPZ, REC}) {
      if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
        return format;
      }
    }
    if (name.endsWith(".libsvm") || name.endsWith(".svm") || name.endsWith(".t")) {
      return LIBSVM;
    }
    if (name.contains("-idx") || name.endsWith(".idx")) {
      return IDX;
    }
    return null;
  }

  /**
   * Opens a path.
   *
   * @param labels a second file with labels, for idx
   * @param width the width of LibSVM's rows; 0 if not given
   * @param side of images
   */
  Examples open(String path, @Nullable Path labels, long width, int side) throws IOException {
    Path file = Path.of(path);
    ImageForm form = ImageForm.of(side, side);
    return switch (this) {
      case CSV -> Csv.inferred(Inputs.of(path), ',');
      case TSV -> Csv.inferred(Inputs.of(path), '\t');
      case LIBSVM -> LibSvm.of(width == 0 ? ANY_WIDTH : width, Inputs.of(path));
      case IDX -> labels == null ? Idx.of(file) : Idx.of(file).withLabels(labels);
      case NPY, NPZ -> Npz.of(file);
      case REC -> Images.ofRecords(file, null, 1, form);
      case IMAGES ->
          Files.isDirectory(file)
              ? Images.ofFolder(file, form)
              : Images.ofList(file, file.toAbsolutePath().resolveSibling(""), 1, form);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
