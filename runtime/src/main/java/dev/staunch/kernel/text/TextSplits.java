package dev.staunch.kernel.text;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.scalar.ByteText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;

/** Splits strings and joins them. */
final class TextSplits {
  private static final String LINE_ENDS = "\n\r\u000b\f\u001c\u001d\u001e";

  /** The number of characters whose reading costs as much as making one part. */
  private static final int COST = 8;

  private TextSplits() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::split.str(str self, str? separator=None, int max=-1) -> str[]",
        call ->
            call.isNone(1)
                ? words(call, call.string(0))
                : split(call, call.string(0), call.string(1), call.integer(2)));
    catalog.one(
        "aten::rsplit(str self, str separator=\" \", int max=-1) -> str[]",
        call -> splitFromEnd(call, call.string(0), call.string(1), call.integer(2)));
    catalog.one(
        "aten::splitlines(str self, bool keepends=False) -> str[]",
        call -> lines(call, call.string(0), call.bool(1)));
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
    catalog.one("aten::join(str self, str[] values) -> str", TextSplits::join);
  }

  private static Object join(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    StringJoiner joined = new StringJoiner(call.string(0));
    for (Object part : call.list(1)) {
      if (!poll.mayContinue(COST + ((String) part).length())) {
        break;
      }
      joined.add((String) part);
    }
    return poll.orFault(ByteText.whole(joined.toString()));
  }

  private static Object[] around(String text, String separator, int at) {
    return new Object[] {text.substring(0, at), separator, text.substring(at + separator.length())};
  }

  private static Object split(Call call, String text, String separator, long max) {
    if (separator.isEmpty()) {
      return Fault.value("the separator of a split must not be empty");
    }
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> parts = new ArrayList<>();
    int done = 0;
    int at = text.indexOf(separator);
    while (at >= 0 && (max < 0 || parts.size() < max) && poll.mayContinue(COST + at - done)) {
      parts.add(text.substring(done, at));
      done = at + separator.length();
      at = text.indexOf(separator, done);
    }
    parts.add(text.substring(done));
    return poll.orFault(parts);
  }

  private static Object splitFromEnd(Call call, String text, String separator, long max) {
    if (separator.isEmpty()) {
      return Fault.value("the separator of a split must not be empty");
    }
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> parts = new ArrayList<>();
    int end = text.length();
    int at = text.lastIndexOf(separator);
    while (at >= 0 && (max < 0 || parts.size() < max) && poll.mayContinue(COST + end - at)) {
      parts.add(text.substring(at + separator.length(), end));
      end = at;
      at = at < separator.length() ? -1 : text.lastIndexOf(separator, at - separator.length());
    }
    parts.add(text.substring(0, end));
    Collections.reverse(parts);
    return poll.orFault(parts);
  }

  /** The words between white space: all of them, as libtorch ignores the maximum here. */
  private static Object words(Call call, String text) {
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> words = new ArrayList<>();
    int at = TextTests.find(poll, text, 0, c -> !TextTests.isSpace(c));
    while (at < text.length() && poll.mayContinue(COST)) {
      int end = TextTests.find(poll, text, at, TextTests::isSpace);
      words.add(text.substring(at, end));
      at = TextTests.find(poll, text, end, c -> !TextTests.isSpace(c));
    }
    return poll.orFault(words);
  }

  /**
   * As in libtorch, each line end counts separately, and kept line ends are elements of their own.
   */
  private static Object lines(Call call, String text, boolean keepEnds) {
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length() && poll.mayContinue(1); i++) {
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
    return poll.orFault(lines);
  }
}
