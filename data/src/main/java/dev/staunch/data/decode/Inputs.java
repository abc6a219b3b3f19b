package dev.staunch.data.decode;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files to read, in order: as given, or those of a folder or a pattern sorted by name. A folder or
 * pattern is resolved when a stream is opened.
 */
public final class Inputs {
  /** Finds the files. */
  private interface Lookup {
    List<Path> files() throws IOException;
  }

  private final String name;
  private final Lookup lookup;

  private Inputs(String name, Lookup lookup) {
    this.name = name;
    this.lookup = lookup;
  }

  /** These files; the name is that of the first. */
  public static Inputs of(Path... files) {
    if (files.length == 0) {
      throw new IllegalArgumentException("there must be a file to read");
    }
    List<Path> all = List.of(files);
    return new Inputs(ByteInput.name(files[0]), () -> all);
  }

  /**
   * Resolves a path as a user gives it: a file, a folder (its files, by name, except those whose
   * names begin with a dot or an underscore), or, if neither exists, a pattern such as {@code
   * day-*.csv} for the files of one folder.
   */
  public static Inputs of(String path) {
    Path given = Path.of(path);
    if (Files.isDirectory(given)) {
      return new Inputs(ByteInput.name(given), () -> listed(given, file -> isVisible(file)));
    }
    boolean pattern = path.indexOf('*') >= 0 || path.indexOf('?') >= 0 || path.indexOf('{') >= 0;
    return pattern && !Files.exists(given) ? glob(given) : of(given);
  }

  private static Inputs glob(Path given) {
    Path parent = given.getParent();
    Path folder = parent == null ? Path.of("") : parent;
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + ByteInput.name(given));
    return new Inputs(
        ByteInput.name(given), () -> listed(folder, file -> matcher.matches(file.getFileName())));
  }

  private static boolean isVisible(Path file) {
    String name = ByteInput.name(file);
    return !name.startsWith(".") && !name.startsWith("_");
  }

  private static List<Path> listed(Path folder, Predicate<Path> wanted) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> files =
          new ArrayList<>(entries.filter(Files::isRegularFile).filter(wanted).toList());
      Collections.sort(files);
      return files;
    }
  }

  /** The name used in messages. */
  public String name() {
    return name;
  }

  /**
   * Returns the files.
   *
   * @throws dev.staunch.fault.StaunchException.DataFormatException if there are none
   */
  public List<Path> files() throws IOException {
    List<Path> files = lookup.files();
    if (files.isEmpty()) {
      throw Fault.data(name, Message.of("there is no file to read in %s", name))
          .withExpected("at least one file", "none")
          .toException();
    }
    return files;
  }
}
