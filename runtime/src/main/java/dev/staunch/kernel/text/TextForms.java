package dev.staunch.kernel.text;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.scalar.ByteText;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** Operations that change the form of a string: case, padding, stripping. */
final class TextForms {
  private static final int MAX_WIDTH = 1 << 28;
  private static final String CHARS = "(str self, str chars=\" \\n\\t\\f\\v\") -> str";
  private static final String WIDTH = "(str self, int width, str fillchar=\" \") -> str";

  private TextForms() {}

  static void addTo(Catalog.Builder catalog) {
    cases(catalog);
    strips(catalog);
    paddings(catalog);
    catalog.one("aten::expandtabs(str self, int tabsize=8) -> str", TextForms::expanded);
  }

  private static void cases(Catalog.Builder catalog) {
    catalog.one("aten::lower(str self) -> str", call -> mapped(call, (at, c) -> toLower(c)));
    catalog.one("aten::upper(str self) -> str", call -> mapped(call, (at, c) -> toUpper(c)));
    catalog.one(
        "aten::swapcase(str self) -> str",
        call -> mapped(call, (at, c) -> TextTests.isLower(c) ? toUpper(c) : toLower(c)));
    catalog.one(
        "aten::capitalize(str self) -> str",
        call -> mapped(call, (at, c) -> at == 0 ? toUpper(c) : toLower(c)));
    catalog.one(
        "aten::title(str self) -> str",
        call -> {
          String text = call.string(0);
          return mapped(
              call,
              (at, c) ->
                  at > 0 && TextTests.isLetter(text.charAt(at - 1)) ? toLower(c) : toUpper(c));
        });
  }

  private static int toUpper(int c) {
    return TextTests.isLower(c) ? c - 'a' + 'A' : c;
  }

  private static int toLower(int c) {
    return TextTests.isUpper(c) ? c - 'A' + 'a' : c;
  }

  /** The string with {@code rule} applied to each character and its index. */
  private static Object mapped(Call call, IntBinaryOperator rule) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = call.string(0);
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length() && poll.mayContinue(1); i++) {
      out.append((char) rule.applyAsInt(i, text.charAt(i)));
    }
    return poll.orFault(out.toString());
  }

  private static void strips(Catalog.Builder catalog) {
    catalog.one("aten::strip" + CHARS, call -> stripped(call, true, true));
    catalog.one("aten::lstrip" + CHARS, call -> stripped(call, true, false));
    catalog.one("aten::rstrip" + CHARS, call -> stripped(call, false, true));
  }

  private static Object stripped(Call call, boolean front, boolean back) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = call.string(0);
    String chars = call.string(1);
    int start = 0;
    int end = text.length();
    while (front && start < end && poll.mayContinue(1) && chars.indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    while (back && end > start && poll.mayContinue(1) && chars.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return poll.orFault(text.substring(start, end));
  }

  private static void paddings(Catalog.Builder catalog) {
    catalog.one("aten::ljust" + WIDTH, call -> padded(call, gap -> 0));
    catalog.one("aten::rjust" + WIDTH, call -> padded(call, gap -> gap));
    catalog.one(
        "aten::center" + WIDTH,
        call -> padded(call, gap -> call.integer(1) % 2 == 0 ? gap / 2 : (gap + 1) / 2));
    catalog.one(
        "aten::zfill(str self, int width) -> str",
        call -> zeroFilled(call.string(0), call.integer(1)));
  }

  private static Object padded(Call call, IntUnaryOperator front) {
    String fill = call.string(2);
    if (ByteText.open(fill).length() != 1) {
      return Fault.value("the text to fill with must be one character, but it is '" + fill + "'");
    }
    long gap = call.integer(1) - ByteText.open(call.string(0)).length();
    if (gap > MAX_WIDTH) {
      return tooWide(call.integer(1));
    }
    int size = (int) Math.max(0, gap);
    int left = front.applyAsInt(size);
    return fill.repeat(left) + call.string(0) + fill.repeat(size - left);
  }

  private static Fault tooWide(long width) {
    return Fault.of(FaultType.OUT_OF_MEMORY, "a string cannot be padded to " + width + " bytes");
  }

  private static Object zeroFilled(String text, long width) {
    long gap = width - ByteText.open(text).length();
    if (gap > MAX_WIDTH) {
      return tooWide(width);
    }
    int sign = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    return text.substring(0, sign) + "0".repeat((int) Math.max(0, gap)) + text.substring(sign);
  }

  private static Object expanded(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = call.string(0);
    long tab = call.integer(1);
    StringBuilder out = new StringBuilder();
    int column = 0;
    for (int i = 0; i < text.length() && poll.mayContinue(1); i++) {
      char c = text.charAt(i);
      if (c == '\t') {
        int gap = tab <= 0 ? 0 : (int) (tab - column % tab);
        out.repeat(' ', gap);
        column += gap;
      } else {
        out.append(c);
        column = c == '\n' || c == '\r' ? 0 : column + 1;
      }
    }
    return poll.orFault(out.toString());
  }
}
