package dev.staunch.bench.peer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds figures in the output of a program. */
final class Figures {
  private static final String NUMBER = "(-?[0-9]+(?:\\.[0-9]+)?)";

  private final Map<String, Pattern> wanted = new HashMap<>();
  private final Map<String, Double> found = new HashMap<>();

  /** A number that follows {@code text}, a regular expression. */
  Figures after(String name, String text) {
    wanted.put(name, Pattern.compile(text + "\\s*" + NUMBER));
    return this;
  }

  /** A number before {@code text}, a regular expression. */
  Figures before(String name, String text) {
    wanted.put(name, Pattern.compile(NUMBER + "\\s*" + text));
    return this;
  }

  /** 1 if {@code text}, a regular expression, was printed. */
  Figures flag(String name, String text) {
    wanted.put(name, Pattern.compile(text + "()"));
    return this;
  }

  /** Reads the last of {@code lines}; returns true once no figure is missing. */
  boolean complete(List<String> lines) {
    wanted.forEach((name, pattern) -> {
      Matcher matcher = pattern.matcher(lines.getLast());
      if (matcher.find()) {
        found.put(name, matcher.group(1).isEmpty() ? 1.0 : Double.parseDouble(matcher.group(1)));
      }
    });
    return found.size() == wanted.size();
  }

  Map<String, Double> found() {
    return Map.copyOf(found);
  }
}
