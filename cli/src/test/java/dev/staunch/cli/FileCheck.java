package dev.staunch.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks output against the CHECK lines of a program in MLIR text, as LLVM's FileCheck does: {@code
 * CHECK}, {@code -LABEL}, {@code -NEXT}, {@code -SAME} and {@code -NOT}, with expressions in <code>
 * {{...}}</code> and variables in {@code [[NAME:...]]}. Also reads its {@code expected-error}
 * notes.
 */
final class FileCheck {
  private static final Pattern CHECK =
      Pattern.compile("//\\s*CHECK(-NEXT|-LABEL|-SAME|-NOT)?:(.*)");
  private static final Pattern EXPECTED =
      Pattern.compile("// *expected-error *(@[+-]\\d+)? *\\{\\{(.*)}}");
  private static final Pattern PART =
      Pattern.compile("\\{\\{(.*?)}}|\\[\\[(\\w+):(.*?)]]|\\[\\[(\\w+)]]");

  private final List<String> output;
  private final Map<String, String> variables = new HashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final List<Pattern> forbidden = new ArrayList<>();
  private int line = -1;
  private int column;

  private FileCheck(List<String> output) {
    this.output = output.stream().map(FileCheck::narrow).toList();
  }

  /** The lines of {@code program} that do not hold; empty if all do. */
  static List<String> complaints(List<String> program, List<String> output) {
    FileCheck check = new FileCheck(output);
    int found = 0;
    for (String text : program) {
      Matcher matcher = CHECK.matcher(text);
      if (matcher.find()) {
        found++;
        check.apply(matcher.group(1) == null ? "" : matcher.group(1), matcher.group(2).strip());
      }
    }
    check.rejectForbidden(check.output.size());
    if (found == 0) {
      check.complaints.add("the program expects nothing");
    }
    return check.complaints;
  }

  /** The lines where {@code program} expects errors, each with a part of the message. */
  static Map<Integer, String> expectedErrors(List<String> program) {
    Map<Integer, String> expected = new HashMap<>();
    for (int i = 0; i < program.size(); i++) {
      Matcher matcher = EXPECTED.matcher(program.get(i));
      if (matcher.find()) {
        int offset = matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1).substring(1));
        expected.put(i + 1 + offset, matcher.group(2).replace("runtime error: ", ""));
      }
    }
    return expected;
  }

  private static String narrow(String text) {
    return text.replaceAll("[ \t]+", " ");
  }

  private void apply(String kind, String text) {
    Pattern wanted = pattern(narrow(text));
    switch (kind) {
      case "-NOT" -> forbidden.add(wanted);
      case "-SAME" -> found(wanted, text, line, line, column);
      case "-NEXT" -> found(wanted, text, line + 1, line + 1, 0);
      default -> found(wanted, text, line + 1, output.size() - 1, 0);
    }
  }

  private void found(Pattern wanted, String text, int from, int to, int start) {
    for (int i = from; i <= to && i < output.size(); i++) {
      Matcher matcher = wanted.matcher(output.get(i));
      if (matcher.find(i == line ? start : 0)) {
        rejectForbidden(i);
        line = i;
        column = matcher.end();
        matcher.namedGroups().keySet().forEach(name -> variables.put(name, matcher.group(name)));
        return;
      }
    }
    complaints.add("no '" + text + "' in lines " + from + " to " + to);
  }

  private void rejectForbidden(int to) {
    for (Pattern each : forbidden) {
      for (int i = line + 1; i < to; i++) {
        if (each.matcher(output.get(i)).find()) {
          complaints.add("'" + each + "' in line " + i);
        }
      }
    }
    forbidden.clear();
  }

  private Pattern pattern(String text) {
    StringBuilder pattern = new StringBuilder();
    Matcher part = PART.matcher(text);
    int end = 0;
    while (part.find()) {
      pattern.append(Pattern.quote(text.substring(end, part.start())));
      if (part.group(1) != null) {
        pattern.append("(?:").append(part.group(1)).append(')');
      } else if (part.group(2) != null) {
        pattern.append("(?<").append(part.group(2)).append('>').append(part.group(3)).append(')');
      } else {
        pattern.append(Pattern.quote(String.valueOf(variables.get(part.group(4)))));
      }
      end = part.end();
    }
    return Pattern.compile(pattern.append(Pattern.quote(text.substring(end))).toString());
  }
}
