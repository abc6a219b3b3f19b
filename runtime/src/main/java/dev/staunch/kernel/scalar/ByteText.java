package dev.staunch.kernel.scalar;

import java.nio.charset.StandardCharsets;

/**
 * Strings as libtorch sees them: sequences of UTF-8 bytes. An opened text has one char for each
 * byte; for ASCII that is the string itself.
 */
public final class ByteText {
  private ByteText() {}

  /** The UTF-8 bytes of {@code text}, each as one char. */
  public static String open(String text) {
    return isAscii(text)
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** The string of opened bytes; invalid UTF-8 becomes U+FFFD. */
  public static String close(String bytes) {
    return isAscii(bytes)
        ? bytes
        : new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
