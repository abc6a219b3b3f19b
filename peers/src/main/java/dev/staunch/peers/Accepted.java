package dev.staunch.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The differences that have a reason, {@code accepted.txt}: a line for each, with patterns of the
 * operation's name and of the difference with its call; the reason is the comment above.
 */
final class Accepted {
  private record Line(Pattern operation, Pattern difference) {}

  private final List<Line> lines = new ArrayList<>();

  Accepted() throws IOException {
    try (InputStream in = Accepted.class.getResourceAsStream("accepted.txt");
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      for (String line : reader.lines().toList()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] words = line.split(" ", 2);
          lines.add(new Line(Pattern.compile(words[0]), Pattern.compile(words[1])));
        }
      }
    }
  }

  boolean contains(String operation, String difference) {
    return lines.stream()
        .anyMatch(line ->
            line.operation().matcher(operation).matches()
                && line.difference().matcher(difference).find());
  }
}
