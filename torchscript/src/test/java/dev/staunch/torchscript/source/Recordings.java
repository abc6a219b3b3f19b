package dev.staunch.torchscript.source;

import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The code of every recorded archive; what several have in common, such as layers, once. */
final class Recordings {
  private Recordings() {}

  /** The code by the names of archive and member. */
  static Map<String, byte[]> sources() throws IOException {
    Path root = Conformance.torchscript();
    Map<String, byte[]> sources = new TreeMap<>();
    Set<ByteBuffer> seen = new HashSet<>();
    for (String folder : List.of("archives", "resaved", "java")) {
      try (Stream<Path> files = Files.list(root.resolve(folder))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".pt")).toList()) {
          read(folder, file, sources, seen);
        }
      }
    }
    return sources;
  }

  private static void read(
      String folder, Path archive, Map<String, byte[]> sources, Set<ByteBuffer> seen)
      throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().contains("/code/") && entry.getName().endsWith(".py")) {
          String name = folder + "/" + archive.getFileName() + "!" + entry.getName();
          byte[] text = zip.getInputStream(entry).readAllBytes();
          if (seen.add(ByteBuffer.wrap(text))) {
            sources.put(name, text);
          }
        }
      }
    }
  }
}
