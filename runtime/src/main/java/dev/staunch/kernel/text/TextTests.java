package dev.staunch.kernel.text;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import java.util.function.IntPredicate;

/** Tests of a string's characters: {@code isdigit} and the like. */
final class TextTests {
  private TextTests() {}

  static void addTo(Catalog.Builder catalog) {
    all(catalog, "isalnum", c -> isLetter(c) || isDigit(c));
    all(catalog, "isalpha", TextTests::isLetter);
    all(catalog, "isdecimal", TextTests::isDigit);
    all(catalog, "isdigit", TextTests::isDigit);
    all(catalog, "isnumeric", TextTests::isDigit);
    all(catalog, "isspace", TextTests::isSpace);
    catalog.one(
        "aten::isprintable(str self) -> bool",
        call -> call.string(0).isEmpty() ? true : every(call, c -> c >= ' ' && c < 0x7f));
    catalog.one(
        "aten::isidentifier(str self) -> bool",
        call ->
            !call.string(0).isEmpty() && isDigit(call.string(0).charAt(0))
                ? false
                : every(call, c -> isLetter(c) || isDigit(c)));
    cased(catalog, "islower", TextTests::isLower, TextTests::isUpper);
    cased(catalog, "isupper", TextTests::isUpper, TextTests::isLower);
    catalog.one("aten::istitle(str self) -> bool", TextTests::isTitle);
  }

  static boolean isUpper(int c) {
    return c >= 'A' && c <= 'Z';
  }

  static boolean isLower(int c) {
    return c >= 'a' && c <= 'z';
  }

  static boolean isLetter(int c) {
    return isUpper(c) || isLower(c);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean isSpace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static void all(Catalog.Builder catalog, String name, IntPredicate test) {
    catalog.one("aten::" + name + "(str self) -> bool", call -> every(call, test));
  }

  /** Whether the string is not empty and all its characters pass {@code test}. */
  private static Object every(Call call, IntPredicate test) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = call.string(0);
    return poll.orFault(!text.isEmpty() && find(poll, text, 0, test.negate()) == text.length());
  }

  /** The index of the first character from {@code from} on that passes; the length if none does. */
  static int find(CancellationPoll poll, String text, int from, IntPredicate test) {
    int at = from;
    while (at < text.length() && poll.mayContinue(1) && !test.test(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static void cased(
      Catalog.Builder catalog, String name, IntPredicate wanted, IntPredicate unwanted) {
    catalog.one(
        "aten::" + name + "(str self) -> bool",
        call -> {
          CancellationPoll poll = new CancellationPoll(call);
          String text = call.string(0);
          return poll.orFault(
              find(poll, text, 0, wanted) < text.length()
                  && find(poll, text, 0, unwanted) == text.length());
        });
  }

  /** Whether each run of letters starts with its only upper-case letter. */
  private static Object isTitle(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = call.string(0);
    boolean inWord = false;
    boolean any = false;
    for (int i = 0; i < text.length() && poll.mayContinue(1); i++) {
      char c = text.charAt(i);
      if (isLetter(c) && isUpper(c) == inWord) {
        return false;
      }
      inWord = isLetter(c);
      any |= inWord;
    }
    return poll.orFault(any);
  }
}
