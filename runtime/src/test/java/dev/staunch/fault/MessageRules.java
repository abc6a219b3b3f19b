package dev.staunch.fault;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parts of F9 that a machine can check in a message. */
public final class MessageRules {
  private static final int MOST_CHARACTERS = 300;

  private static final Pattern QUOTED = Pattern.compile("(?<!\\w)'[^']*'|`[^`]*`");

  private record Rule(Pattern forbidden, String complaint) {}

  private static final List<Rule> RULES =
      List.of(
          rule("^\\s*$", "is empty"),
          rule("^\\p{Lu}(?!\\w*Error: )", "begins with a capital"),
          rule("[.!?:,;]\\s*$", "ends in a mark"),
          rule("\\. \\p{Lu}", "is several sentences"),
          rule("!|\\b\\p{Lu}{5,}\\b", "shouts"),
          rule("\\R", "has several lines"),
          rule("\\bnull\\b", "says null"),
          rule("(java|jdk|dev\\.staunch)\\.\\w", "names a package"),
          rule("\\w@[0-9a-f]{5,}|\\[[JDFIZB]@|\\w\\$\\w", "prints an object's identity"),
          rule("[a-z](Exception|Error)\\b(?!: )", "names a Java exception"),
          rule("%[ds]|\\$\\{", "has a place that nothing filled"),
          rule("\\(s\\)|  ", "reads badly aloud"),
          rule("(; [^;]+)\\1", "repeats itself"),
          rule(
              "is supposed to be|doesn't|can't|isn't|has to be|should be|[Ee]xpected .* to be",
              "is somebody else's sentence"),
          rule(
              "numel\\(|\\.size\\(|TensorList|std::|c10::|_cpu\\b|\\b[A-Z][a-z]+Tensor\\b",
              "has names of somebody else's code"));

  private MessageRules() {}

  private static Rule rule(String forbidden, String complaint) {
    return new Rule(Pattern.compile(forbidden), complaint);
  }

  /**
   * What a reader would complain about; empty if nothing. Quoted text is the program's own and is
   * not checked; nor is a {@code KeyError}, whose wording programs know.
   */
  public static List<String> complaints(String message) {
    if (message.startsWith("KeyError: ")) {
      return List.of();
    }
    String own = QUOTED.matcher(message).replaceAll("_");
    Stream<String> found =
        RULES.stream().filter(rule -> rule.forbidden().matcher(own).find()).map(Rule::complaint);
    Stream<String> length =
        message.length() <= MOST_CHARACTERS
            ? Stream.empty()
            : Stream.of("has " + message.length() + " characters");
    return Stream.concat(found, length).toList();
  }
}
