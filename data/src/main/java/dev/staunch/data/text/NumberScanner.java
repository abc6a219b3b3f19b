package dev.staunch.data.text;

import dev.staunch.data.row.DenseColumn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads decimal numbers from bytes in place: digits with an optional sign, point and exponent, such
 * that the float32 result is correctly rounded. Harder cases are left to {@link Numbers}: more than
 * eighteen digits, large exponents, results that might be rounded twice, and names such as {@code
 * nan}. Eight bytes must follow the number, the first of which belongs to no number.
 *
 * <p>For a float32 of up to eighteen digits, the digits as a long are converted to a double (an
 * error of at most half a unit in the last place). Scaling by a power of ten up to 10^22, which is
 * exact, adds another half. Rounding the result to a float is correct unless the double lies within
 * two units of the midpoint between two floats. The idea is Clinger's (1990).
 */
final class NumberScanner {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };
  private static final long[] TENS = {
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };
  private static final int MOST_DIGITS = 18;
  private static final int MOST_EXPONENT = 9999;

  /** The bits of a double that a float lacks, and the midpoint between two floats. */
  private static final long TAIL = (1L << 29) - 1;

  private static final long MIDDLE = 1L << 28;
  private static final long CLOSE = 2;
  private static final long EXACT = 1L << 53;

  private long digits;
  private int exponent;
  private boolean negative;
  private boolean whole;

  /**
   * Scans {@code count} numbers separated by a delimiter, and stores them as floats. The common
   * case, a number without an exponent and with at most sixteen digits after the point, has its
   * code inlined here, because this loop is where reading a file of numbers spends its time. Most
   * numbers fit in one word, as {@code 0.12345} does.
   *
   * @param to where the first number goes in {@code target}
   * @return the position after the last number, or -1 if one is not in a simple form
   */
  int floats(byte[] bytes, int at, byte delimiter, byte[] target, int to, int count) {
    int here = at;
    for (int i = 0; i < count; i++) {
      int start = here;
      boolean minus = bytes[here] == '-';
      if (minus) {
        here++;
      }
      long word = (long) LONGS.get(bytes, here);
      long others = others(word);
      long laterOthers = others & others - 1;
      int whole = first(others);
      here += whole;
      long sum;
      int behind = 0;
      if (bytes[here] != '.') {
        sum = number(word, whole);
      } else if (laterOthers != 0) {
        int length = first(laterOthers) - 1;
        sum = number(without(word, others), length);
        behind = length - whole;
        here += 1 + behind;
      } else {
        sum = number(word, whole);
        word = (long) LONGS.get(bytes, ++here);
        behind = first(others(word));
        sum = sum * TENS[behind] + number(word, behind);
        here += behind;
        if (behind == Long.BYTES) {
          word = (long) LONGS.get(bytes, here);
          int more = first(others(word));
          sum = sum * TENS[more] + number(word, more);
          here += more;
          behind += more;
        }
      }
      double magnitude = sum / POWERS[behind];
      float value = (float) (minus ? -magnitude : magnitude);
      byte next = bytes[here];
      boolean ended = next == delimiter || (i == count - 1 && (next == '\n' || next == '\r'));
      int all = whole + behind;
      if (!ended || all == 0 || all > MOST_DIGITS || isNearMiddle(magnitude)) {
        here = scan(bytes, start);
        value = here < 0 ? Float.NaN : float32();
        if (Float.isNaN(value) || (i < count - 1 && bytes[here] != delimiter)) {
          return -1;
        }
      }
      DenseColumn.putFloat(target, to + i * Float.BYTES, value);
      here++;
    }
    return here - 1;
  }

  /**
   * Scans the number that begins at {@code at}.
   *
   * @return the position after it, or -1 if it is not a number in a simple form
   */
  int scan(byte[] bytes, int at) {
    int here = at;
    byte c = bytes[here];
    negative = c == '-';
    if (negative || c == '+') {
      here++;
    }
    int start = here;
    long sum = 0;
    int digit = bytes[here] - '0';
    while (digit >= 0 && digit <= 9) {
      sum = sum * 10 + digit;
      digit = bytes[++here] - '0';
    }
    int count = here - start;
    int scale = 0;
    if (digit == '.' - '0') {
      int point = ++here;
      int run;
      do {
        long word = (long) LONGS.get(bytes, here);
        run = first(others(word));
        sum = sum * TENS[run] + number(word, run);
        here += run;
      } while (run == Long.BYTES && here - point <= MOST_DIGITS);
      scale = point - here;
      count -= scale;
    }
    if (count == 0 || count > MOST_DIGITS) {
      return -1;
    }
    digits = sum;
    exponent = scale;
    boolean powered = (bytes[here] | 0x20) == 'e';
    whole = digit != '.' - '0' && !powered;
    return powered ? power(bytes, here + 1) : here;
  }

  private int power(byte[] bytes, int at) {
    int here = at;
    byte c = bytes[here];
    if (c == '-' || c == '+') {
      here++;
    }
    int start = here;
    int sum = 0;
    int digit = bytes[here] - '0';
    while (digit >= 0 && digit <= 9 && sum <= MOST_EXPONENT) {
      sum = sum * 10 + digit;
      digit = bytes[++here] - '0';
    }
    if (here == start || sum > MOST_EXPONENT) {
      return -1;
    }
    exponent += c == '-' ? -sum : sum;
    return here;
  }

  /** Sets the highest bit of each of eight bytes that is not a digit. */
  private static long others(long word) {
    long value = word ^ 0x3030303030303030L;
    return ((value & 0x7f7f7f7f7f7f7f7fL) + 0x7676767676767676L | value) & 0x8080808080808080L;
  }

  /** The index of the first byte with a bit set, or the number of bytes if there is none. */
  private static int first(long bits) {
    return Long.numberOfTrailingZeros(bits) / Byte.SIZE;
  }

  /** Removes from a word the first of the bytes that {@code marks} names. */
  private static long without(long word, long marks) {
    long before = (marks ^ marks - 1) >>> Byte.SIZE;
    return (word & before) | (word >>> Byte.SIZE & ~before);
  }

  /**
   * The number formed by the first {@code run} bytes: combines pairs, then fours, then all eight.
   */
  private static long number(long word, int run) {
    int half = (Long.BYTES - run) * Byte.SIZE / 2; // a single shift by 64 would have no effect
    long ones = (word - 0x3030303030303030L) << half << half; // leading zeros
    long pairs = ones * 10 + (ones >>> 8);
    return ((pairs & 0x000000ff000000ffL) * 0x000f424000000064L
            + (pairs >>> 16 & 0x000000ff000000ffL) * 0x0000271000000001L)
        >>> 32;
  }

  /** Whether the scanned number is an integer, written without point and exponent. */
  boolean isInteger() {
    return whole;
  }

  /** The scanned integer. */
  long integer() {
    return negative ? -digits : digits;
  }

  /** The scanned number, correctly rounded; NaN if that cannot be determined here. */
  float float32() {
    int power = exponent < 0 ? -exponent : exponent;
    if (power >= POWERS.length) {
      return Float.NaN;
    }
    double magnitude = exponent < 0 ? digits / POWERS[power] : digits * POWERS[power];
    if (isNearMiddle(magnitude)
        || !(magnitude <= Float.MAX_VALUE)
        || (magnitude < Float.MIN_NORMAL && digits != 0)) {
      return Float.NaN;
    }
    return (float) (negative ? -magnitude : magnitude);
  }

  /** Whether a double may round to a different float than the exact number that it approximates. */
  private static boolean isNearMiddle(double magnitude) {
    long tail = Double.doubleToRawLongBits(magnitude) & TAIL;
    return Math.abs(tail - MIDDLE) <= CLOSE; // two comparisons would be mispredicted half the time
  }

  /** Like {@link #float32}, as a double. */
  double float64() {
    int power = exponent < 0 ? -exponent : exponent;
    if (power >= POWERS.length || digits > EXACT) {
      return Double.NaN;
    }
    double magnitude = exponent < 0 ? digits / POWERS[power] : digits * POWERS[power];
    return negative ? -magnitude : magnitude;
  }
}
