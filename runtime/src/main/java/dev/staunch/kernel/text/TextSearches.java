package dev.staunch.kernel.text;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.scalar.ByteText;

/**
 * Searches in strings. {@code start} and {@code end} are clamped to the string; a negative {@code
 * end} counts from past its last byte, so that the default -1 means the whole string.
 */
final class TextSearches {
  private static final String RANGE = "(str self, str substr, int start=0, int end=-1)";

  /** The number of characters whose reading costs as much as finding one match. */
  private static final int COST = 8;

  private TextSearches() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one("aten::find" + RANGE + " -> int", call -> find(new Range(call)));
    catalog.one("aten::rfind" + RANGE + " -> int", call -> findLast(new Range(call)));
    catalog.one("aten::index.str" + RANGE + " -> int", call -> found(call, find(new Range(call))));
    catalog.one("aten::rindex" + RANGE + " -> int", call -> found(call, findLast(new Range(call))));
    catalog.one("aten::count" + RANGE + " -> int", TextSearches::count);
    catalog.one(
        "aten::startswith" + RANGE + " -> bool",
        call -> new Range(call).fits() && starts(new Range(call)));
    catalog.one(
        "aten::endswith" + RANGE + " -> bool",
        call -> new Range(call).fits() && ends(new Range(call)));
    catalog.one(
        "aten::replace(str self, str old, str new, int max=-1) -> str", TextSearches::replaced);
  }

  private record Range(String text, String wanted, long start, long end) {
    Range(Call call) {
      this(
          ByteText.open(call.string(0)),
          ByteText.open(call.string(1)),
          call.integer(2),
          call.integer(3));
    }

    private Range {
      int size = text.length();
      start = start < 0 ? Math.max(0, size + start) : start;
      end = Math.min(size, end < 0 ? Math.max(0, size + end + 1) : end);
    }

    boolean fits() {
      return start <= end && wanted.length() <= end - start;
    }
  }

  private static long find(Range range) {
    long at = range.fits() ? range.text.indexOf(range.wanted, (int) range.start) : -1;
    return at + range.wanted.length() > range.end ? -1 : at;
  }

  private static long findLast(Range range) {
    if (!range.fits()) {
      return -1;
    }
    long at = range.text.lastIndexOf(range.wanted, (int) range.end - range.wanted.length());
    return at < range.start ? -1 : at;
  }

  private static Object found(Call call, long at) {
    return at < 0
        ? Fault.value("the text does not contain '" + call.string(1) + "' in its range")
        : (Object) at;
  }

  private static Object count(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    Range range = new Range(call);
    if (!range.fits()) {
      return 0L;
    }
    if (range.wanted.isEmpty()) {
      return range.end - range.start + 1;
    }
    long count = 0;
    int size = range.wanted.length();
    int at = range.text.indexOf(range.wanted, (int) range.start);
    while (at >= 0 && at + size <= range.end && poll.mayContinue(COST)) {
      count++;
      at = range.text.indexOf(range.wanted, at + size);
    }
    return poll.orFault(count);
  }

  private static boolean starts(Range range) {
    return range.text.startsWith(range.wanted, (int) range.start);
  }

  private static boolean ends(Range range) {
    return range.text.startsWith(range.wanted, (int) range.end - range.wanted.length());
  }

  private static Object replaced(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = ByteText.open(call.string(0));
    String old = ByteText.open(call.string(1));
    String replacement = ByteText.open(call.string(2));
    long left = call.integer(3) < 0 ? Long.MAX_VALUE : call.integer(3);
    StringBuilder out = new StringBuilder();
    int done = 0;
    for (int at = text.indexOf(old); at >= 0 && left > 0 && poll.mayContinue(COST); left--) {
      out.append(text, done, at).append(replacement);
      done = at + old.length();
      if (old.isEmpty() && at == text.length()) {
        break;
      }
      at = text.indexOf(old, old.isEmpty() ? at + 1 : done);
    }
    return poll.orFault(ByteText.close(out.append(text, done, text.length()).toString()));
  }
}
