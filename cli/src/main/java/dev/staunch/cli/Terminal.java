package dev.staunch.cli;

import java.util.List;
import java.util.Map;

/**
 * Which of the two output streams a person looks at. Colour and progress are for people only: what
 * goes to a file or another program has neither.
 *
 * @param out standard output is a terminal
 * @param err standard error is a terminal
 * @param colour the person wants colour, and the terminal has it
 */
record Terminal(boolean out, boolean err, boolean colour) {
  /** Neither stream is a terminal. */
  static final Terminal NONE = new Terminal(false, false, false);

  /** The property by which the launcher says which streams are terminals: {@code out,err}. */
  static final String PROPERTY = "staunch.terminal";

  /**
   * The JVM cannot tell for each stream, so the launcher looks.
   *
   * @param property what the launcher says; empty if something else started this process
   */
  static Terminal of(String property, Map<String, String> environment) {
    List<String> streams = List.of(property.split(",", -1));
    String noColour = environment.getOrDefault("NO_COLOR", "");
    boolean dumb = "dumb".equals(environment.get("TERM"));
    return new Terminal(
        streams.contains("out"), streams.contains("err"), noColour.isEmpty() && !dumb);
  }

  /** Whether help and complaints, which go to either stream, may be coloured. */
  boolean coloured() {
    return out && err && colour;
  }
}
