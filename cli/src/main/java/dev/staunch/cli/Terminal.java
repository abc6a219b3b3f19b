package dev.staunch.cli;

import java.util.List;
import java.util.Map;

/**
 * Which of the two output streams goes to a terminal. Colour and progress are only for people:
 * output to a file or another program has neither.
 *
 * @param out standard output is a terminal
 * @param err standard error is a terminal
 * @param colour the user wants colour, and the terminal supports it
 */
record Terminal(boolean out, boolean err, boolean colour) {
  /** Neither stream is a terminal. */
  static final Terminal NONE = new Terminal(false, false, false);

  /** The property in which the launcher lists the streams that are terminals: {@code out,err}. */
  static final String PROPERTY = "staunch.terminal";

  /**
   * The JVM cannot check each stream separately, so the launcher does.
   *
   * @param property the launcher's list; empty if something else started this process
   */
  static Terminal of(String property, Map<String, String> environment) {
    List<String> streams = List.of(property.split(",", -1));
    String noColour = environment.getOrDefault("NO_COLOR", "");
    boolean dumb = "dumb".equals(environment.get("TERM"));
    return new Terminal(
        streams.contains("out"), streams.contains("err"), noColour.isEmpty() && !dumb);
  }

  /** Whether help and error messages, which may go to either stream, may be coloured. */
  boolean coloured() {
    return out && err && colour;
  }
}
