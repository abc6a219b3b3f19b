package dev.staunch.kernel.scalar;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Strings as libtorch sees them: sequences of UTF-8 bytes. An opened text has one char for each
 * byte; for ASCII that is the string itself. In a closed text, a byte that is no part of a
 * character is the half character U+DC00 + byte, as in Python's {@code surrogateescape}, so nothing
 * is lost when a script takes a text apart and puts it together again.
 */
public final class ByteText {
  private ByteText() {}

  /** The UTF-8 bytes of {@code text}, each as one char. */
  public static String open(String text) {
    if (isAscii(text)) {
      return text;
    }
    if (!hasLoneBytes(text)) {
      return encoded(text);
    }
    StringBuilder bytes = new StringBuilder();
    text.codePoints()
        .forEach(code -> {
          if (isLoneByte(code)) {
            bytes.append((char) (code - Character.MIN_LOW_SURROGATE));
          } else {
            bytes.append(encoded(Character.toString(code)));
          }
        });
    return bytes.toString();
  }

  /** The string of opened bytes. */
  public static String close(String bytes) {
    if (isAscii(bytes)) {
      return bytes;
    }
    byte[] utf8 = bytes.getBytes(StandardCharsets.ISO_8859_1);
    String text = new String(utf8, StandardCharsets.UTF_8);
    return text.indexOf('\uFFFD') < 0 ? text : decoded(utf8);
  }

  /** The text of one string after the other: bytes that make a character together become it. */
  public static String joined(String first, String second) {
    String both = first.concat(second);
    boolean apart =
        first.isEmpty()
            || second.isEmpty()
            || !isLoneByte(first.charAt(first.length() - 1))
            || !isLoneByte(second.charAt(0));
    return apart ? both : whole(both);
  }

  /** The text in which bytes that make a character together have become it. */
  public static String whole(String text) {
    return hasLoneBytes(text) ? close(open(text)) : text;
  }

  private static String encoded(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static String decoded(byte[] utf8) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer out = CharBuffer.allocate(utf8.length);
    CoderResult result = decoder.decode(in, out, true);
    while (result.isMalformed()) {
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (Character.MIN_LOW_SURROGATE + (in.get() & 0xff)));
      }
      result = decoder.decode(in, out, true);
    }
    return out.flip().toString();
  }

  private static boolean hasLoneBytes(String text) {
    return text.codePoints().anyMatch(ByteText::isLoneByte);
  }

  private static boolean isLoneByte(int code) {
    return code >= Character.MIN_LOW_SURROGATE + 0x80 && code <= Character.MIN_LOW_SURROGATE + 0xff;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
