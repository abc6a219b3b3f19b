package dev.staunch.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Java sources of all modules, for rules that class files cannot show. */
final class SourceTree {
  private static final Path ROOT = root();

  private SourceTree() {}

  /** A source file, with its path relative to the root of the repository. */
  record Source(Path path, List<String> lines) {
    boolean isMain() {
      return path.toString().replace('\\', '/').contains("src/main/java/");
    }

    String text() {
      return String.join("\n", lines);
    }
  }

  static boolean hasSource(String module, String packageName) {
    return Files.isDirectory(
        ROOT.resolve(module).resolve("src/main/java").resolve(packageName.replace('.', '/')));
  }

  static List<Source> sources() {
    return sources("src");
  }

  /** What the program consists of, with the sources that the build generates. */
  static List<Source> mainSources() {
    return Stream.concat(sources("src/main").stream(), sources("target/generated-sources").stream())
        .toList();
  }

  private static List<Source> sources(String folder) {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve(folder))
          .filter(Files::isDirectory)
          .flatMap(SourceTree::javaFiles)
          .sorted()
          .map(SourceTree::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Source read(Path file) {
    try {
      return new Source(ROOT.relativize(file), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("no .mvn folder above " + Path.of("").toAbsolutePath());
      }
    }
    return folder;
  }
}
