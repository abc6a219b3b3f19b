package dev.staunch.torchscript.source;

import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The code of every recorded archive. */
final class Recordings {
  private Recordings() {}

  /** The code by the names of archive and member. */
  static Map<String, byte[]> sources() throws IOException {
    Path root = Conformance.torchscript();
    Map<String, byte[]> sources = new TreeMap<>();
    for (String folder : List.of("archives", "resaved", "java")) {
      try (Stream<Path> files = Files.list(root.resolve(folder))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".pt")).toList()) {
          read(folder, file, sources);
        }
      }
    }
    return sources;
  }

  private static void read(String folder, Path archive, Map<String, byte[]> sources)
      throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().contains("/code/") && entry.getName().endsWith(".py")) {
          String name = folder + "/" + archive.getFileName() + "!" + entry.getName();
          sources.put(name, zip.getInputStream(entry).readAllBytes());
        }
      }
    }
  }
}
