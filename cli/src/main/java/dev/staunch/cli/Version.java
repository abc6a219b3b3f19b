package dev.staunch.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The version number that the build has recorded. */
final class Version implements IVersionProvider {
  Version() {}

  @Override
  public String[] getVersion() throws IOException {
    try (InputStream text = Version.class.getResourceAsStream("version.txt")) {
      String number =
          text == null
              ? "(not built by Maven)"
              : new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
      return new String[] {"staunch " + number};
    }
  }
}
