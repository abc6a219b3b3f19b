package dev.staunch.kernel.text;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Taking strings apart and joining them. */
final class TextSplits {
  private static final String LINE_ENDS = "\n\r\u000b\f\u001c\u001d\u001e";

  private TextSplits() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::split.str(str self, str? separator=None, int max=-1) -> str[]",
        call ->
            call.isNone(1)
                ? words(call.string(0), call.integer(2))
                : split(call.string(0), call.string(1), call.integer(2)));
    catalog.one(
        "aten::rsplit(str self, str separator=\" \", int max=-1) -> str[]",
        call -> splitFromEnd(call.string(0), call.string(1), call.integer(2)));
    catalog.one(
        "aten::splitlines(str self, bool keepends=False) -> str[]",
        call -> lines(call.string(0), call.bool(1)));
    catalog.many(
        "aten::partition(str self, str separator) -> (str, str, str)",
        call -> {
          int at = call.string(0).indexOf(call.string(1));
          return at < 0
              ? new Object[] {call.string(0), "", ""}
              : around(call.string(0), call.string(1), at);
        });
    catalog.many(
        "aten::rpartition(str self, str separator) -> (str, str, str)",
        call -> {
          int at = call.string(0).lastIndexOf(call.string(1));
          return at < 0
              ? new Object[] {"", "", call.string(0)}
              : around(call.string(0), call.string(1), at);
        });
    catalog.one(
        "aten::join(str self, str[] values) -> str",
        call ->
            call.list(1).stream()
                .map(String.class::cast)
                .collect(Collectors.joining(call.string(0))));
  }

  private static Object[] around(String text, String separator, int at) {
    return new Object[] {text.substring(0, at), separator, text.substring(at + separator.length())};
  }

  private static Object split(String text, String separator, long max) {
    if (separator.isEmpty()) {
      return Fault.value("the separator of a split must not be empty");
    }
    List<Object> parts = new ArrayList<>();
    int done = 0;
    int at = text.indexOf(separator);
    while (at >= 0 && (max < 0 || parts.size() < max)) {
      parts.add(text.substring(done, at));
      done = at + separator.length();
      at = text.indexOf(separator, done);
    }
    parts.add(text.substring(done));
    return parts;
  }

  private static Object splitFromEnd(String text, String separator, long max) {
    if (separator.isEmpty()) {
      return Fault.value("the separator of a split must not be empty");
    }
    List<Object> parts = new ArrayList<>();
    int end = text.length();
    int at = text.lastIndexOf(separator);
    while (at >= 0 && (max < 0 || parts.size() < max)) {
      parts.add(text.substring(at + separator.length(), end));
      end = at;
      at = at < separator.length() ? -1 : text.lastIndexOf(separator, at - separator.length());
    }
    parts.add(text.substring(0, end));
    Collections.reverse(parts);
    return parts;
  }

  /** The runs between white space; after {@code max} of them the rest in one piece. */
  private static List<Object> words(String text, long max) {
    List<Object> words = new ArrayList<>();
    int at = 0;
    while (true) {
      while (at < text.length() && TextTests.isSpace(text.charAt(at))) {
        at++;
      }
      if (at == text.length()) {
        return words;
      }
      if (max >= 0 && words.size() == max) {
        words.add(text.substring(at));
        return words;
      }
      int start = at;
      while (at < text.length() && !TextTests.isSpace(text.charAt(at))) {
        at++;
      }
      words.add(text.substring(start, at));
    }
  }

  /** As libtorch: each line end counts for itself, and kept ones are elements of their own. */
  private static List<Object> lines(String text, boolean keepEnds) {
    List<Object> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (LINE_ENDS.indexOf(text.charAt(i)) >= 0) {
        lines.add(text.substring(start, i));
        if (keepEnds) {
          lines.add(text.substring(i, i + 1));
        }
        start = i + 1;
      }
    }
    if (start < text.length()) {
      lines.add(text.substring(start));
    }
    return lines;
  }
}
