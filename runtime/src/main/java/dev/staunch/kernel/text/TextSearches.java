package dev.staunch.kernel.text;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.scalar.ByteText;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches in strings. Negative positions count from the end and are clamped to the string; a
 * negative {@code end} counts from past the last byte, so that the default -1 means the whole
 * string. As in libtorch, a search may not start beyond the string, except that {@code find} and
 * the like accept it for an empty range, and {@code count} finds nothing there. For {@code
 * startswith} and {@code endswith}, an end before the start stands for the end of the string.
 */
final class TextSearches {
  private static final String RANGE = "(str self, str substr, int start=0, int end=-1)";

  /** The number of characters whose reading costs as much as finding one match. */
  private static final int COST = 8;

  private TextSearches() {}

  static void addTo(Catalog.Builder catalog) {
    searches(catalog, "find", (call, range) -> find(range));
    searches(catalog, "rfind", (call, range) -> findLast(range));
    searches(catalog, "index.str", (call, range) -> found(call, find(range)));
    searches(catalog, "rindex", (call, range) -> found(call, findLast(range)));
    catalog.one("aten::count" + RANGE + " -> int", TextSearches::count);
    tests(catalog, "startswith", TextSearches::starts);
    tests(catalog, "endswith", TextSearches::ends);
    catalog.one(
        "aten::replace(str self, str old, str new, int max=-1) -> str", TextSearches::replaced);
  }

  private interface Search {
    Object in(Call call, Range range);
  }

  private static void searches(Catalog.Builder catalog, String name, Search search) {
    catalog.one(
        "aten::" + name + RANGE + " -> int",
        call -> {
          Range range = new Range(call);
          Fault outside = range.start < range.stop ? range.outside() : null;
          return outside == null ? search.in(call, range) : outside;
        });
  }

  private static void tests(Catalog.Builder catalog, String name, Predicate<Range> test) {
    catalog.one(
        "aten::" + name + RANGE + " -> bool",
        call -> {
          Range given = new Range(call);
          Range range = given.stop < given.start ? given.toTheEnd() : given;
          Fault outside = range.outside();
          return outside == null ? range.fits() && test.test(range) : outside;
        });
  }

  /**
   * Where to search.
   *
   * @param stop the end of the range, which may be beyond the string
   */
  private record Range(String text, String wanted, long start, long stop) {
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
      stop = stop < 0 ? Math.max(0, size + stop + 1) : stop;
    }

    Range toTheEnd() {
      return new Range(text, wanted, start, text.length());
    }

    long end() {
      return Math.min(text.length(), stop);
    }

    boolean fits() {
      return start <= end() && wanted.length() <= end() - start;
    }

    @Nullable Fault outside() {
      String length = Message.count(text.length(), "byte");
      return start <= text.length()
          ? null
          : Fault.index(Message.of("the search starts at %d in a text of %s", start, length))
              .withExpected("a start of at most " + text.length(), Long.toString(start));
    }
  }

  private static long find(Range range) {
    if (range.start >= range.stop) {
      return range.wanted.isEmpty() ? range.start : -1;
    }
    long at = range.fits() ? range.text.indexOf(range.wanted, (int) range.start) : -1;
    return at + range.wanted.length() > range.end() ? -1 : at;
  }

  private static long findLast(Range range) {
    if (range.start >= range.stop) {
      return range.wanted.isEmpty() ? range.start : -1;
    }
    if (!range.fits()) {
      return -1;
    }
    long at = range.text.lastIndexOf(range.wanted, (int) range.end() - range.wanted.length());
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
      return range.end() - range.start + 1;
    }
    long count = 0;
    int size = range.wanted.length();
    int at = range.text.indexOf(range.wanted, (int) range.start);
    while (at >= 0 && at + size <= range.end() && poll.mayContinue(COST)) {
      count++;
      at = range.text.indexOf(range.wanted, at + size);
    }
    return poll.orFault(count);
  }

  private static boolean starts(Range range) {
    return range.text.startsWith(range.wanted, (int) range.start);
  }

  private static boolean ends(Range range) {
    return range.text.startsWith(range.wanted, (int) range.end() - range.wanted.length());
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
