package dev.staunch.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The demo's archive, requests and recorded answers, which ship with the command. */
final class DemoFiles {
  private DemoFiles() {}

  /** Returns a copy of the archive, which the caller deletes. */
  static Path archive() throws IOException {
    Path folder = Files.createTempDirectory("staunch-demo");
    folder.toFile().deleteOnExit();
    Path copy = folder.resolve("ranker.pt");
    try (InputStream resource = open("ranker.pt")) {
      Files.copy(resource, copy, StandardCopyOption.REPLACE_EXISTING);
    }
    return copy;
  }

  static List<String> lines(String name) throws IOException {
    try (InputStream resource = open(name)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static InputStream open(String name) throws IOException {
    InputStream resource = DemoFiles.class.getResourceAsStream("demo/" + name);
    if (resource == null) {
      throw new IOException("the demo's " + name + " is missing from the program");
    }
    return resource;
  }
}
