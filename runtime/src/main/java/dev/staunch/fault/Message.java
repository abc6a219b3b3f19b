package dev.staunch.fault;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Formats messages as {@link String#format} does for {@code %s} and {@code %d}, for messages that
 * must read the same wherever the process runs.
 *
 * <p>{@code String.formatted} writes numbers in the digits of the default locale, such as Arabic
 * ones in Egypt, but programs read these messages too. It also takes a microsecond, and thirty on
 * first use, which is much of what a fault costs.
 */
public final class Message {
  private static final char SIGN = '%';

  /** How many elements of a list a message shows. */
  private static final int MOST_LISTED = 8;

  private Message() {}

  /**
   * Puts values into {@code pattern} in the form of {@link String#valueOf}: the next value for each
   * {@code %s} or {@code %d}, the third for {@code %3$s} or {@code %3$d}, and a percent sign for
   * {@code %%}. Everything else stays as it is, and so does a placeholder without a value: an
   * imperfect message is better than an exception on the way to a fault.
   */
  public static String of(String pattern, @Nullable Object... values) {
    StringBuilder text = new StringBuilder(pattern.length() + 16 * values.length);
    int done = 0;
    int next = 0;
    for (int at = pattern.indexOf(SIGN); at >= 0; at = pattern.indexOf(SIGN, done)) {
      text.append(pattern, done, at);
      int end = end(pattern, at);
      if (end - at == 2 && pattern.charAt(at + 1) == SIGN) {
        text.append(SIGN);
      } else {
        int index = end - at == 4 ? pattern.charAt(at + 1) - '1' : end - at == 2 ? next++ : -1;
        append(text, pattern, at, end, index, values);
      }
      done = end;
    }
    return text.append(pattern, done, pattern.length()).toString();
  }

  /** A count with its noun: {@code 1 group}, {@code 2 groups}. */
  public static String count(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  /** The first few of {@code values} in brackets, with the total count if there are more. */
  public static String listed(List<?> values) {
    int shown = Math.min(values.size(), MOST_LISTED);
    StringBuilder text = new StringBuilder("[");
    for (Object value : values.subList(0, shown)) {
      text.append(text.length() == 1 ? "" : ", ").append(value);
    }
    String rest = shown < values.size() ? ", and so on, " + values.size() + " in all]" : "]";
    return text.append(rest).toString();
  }

  private static void append(
      StringBuilder text, String pattern, int at, int end, int index, @Nullable Object[] values) {
    if (index >= 0 && index < values.length) {
      text.append(values[index]);
    } else {
      text.append(pattern, at, end);
    }
  }

  /**
   * The end of the placeholder that begins at {@code at}; just past the percent sign if it begins
   * none.
   */
  private static int end(String pattern, int at) {
    if (isKind(pattern, at + 1) || isAt(pattern, at + 1, SIGN)) {
      return at + 2;
    }
    boolean numbered =
        at + 3 < pattern.length()
            && pattern.charAt(at + 1) >= '1'
            && pattern.charAt(at + 1) <= '9'
            && isAt(pattern, at + 2, '$')
            && isKind(pattern, at + 3);
    return numbered ? at + 4 : at + 1;
  }

  private static boolean isKind(String pattern, int at) {
    return isAt(pattern, at, 's') || isAt(pattern, at, 'd');
  }

  private static boolean isAt(String pattern, int at, char wanted) {
    return at < pattern.length() && pattern.charAt(at) == wanted;
  }
}
