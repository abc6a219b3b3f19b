package dev.staunch.kernel.text;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.scalar.ByteText;
import java.util.function.IntPredicate;

/** What strings are made of: {@code isdigit} and its kin. */
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
        call -> ByteText.open(call.string(0)).chars().allMatch(c -> c >= ' ' && c < 0x7f));
    catalog.one(
        "aten::isidentifier(str self) -> bool",
        call -> call.string(0).matches("[A-Za-z][A-Za-z0-9]*"));
    cased(catalog, "islower", TextTests::isLower, TextTests::isUpper);
    cased(catalog, "isupper", TextTests::isUpper, TextTests::isLower);
    catalog.one("aten::istitle(str self) -> bool", call -> isTitle(call.string(0)));
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
    catalog.one(
        "aten::" + name + "(str self) -> bool",
        call -> !call.string(0).isEmpty() && call.string(0).chars().allMatch(test));
  }

  private static void cased(
      Catalog.Builder catalog, String name, IntPredicate wanted, IntPredicate unwanted) {
    catalog.one(
        "aten::" + name + "(str self) -> bool",
        call ->
            call.string(0).chars().anyMatch(wanted) && call.string(0).chars().noneMatch(unwanted));
  }

  /** Whether each run of letters starts with its only upper-case one. */
  private static boolean isTitle(String text) {
    boolean inWord = false;
    boolean any = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isLetter(c) && isUpper(c) == inWord) {
        return false;
      }
      inWord = isLetter(c);
      any |= inWord;
    }
    return any;
  }
}
