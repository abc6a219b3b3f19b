package dev.staunch.torchscript.source;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Decodes the escapes in a string literal. The exporter writes each byte of non-ASCII text as an
 * octal escape. Octal and hexadecimal escapes therefore denote bytes, and the whole is decoded as
 * UTF-8.
 */
final class StringEscapes {
  private final String raw;
  private final SourceFile file;
  private final int position;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int at;

  private StringEscapes(String raw, SourceFile file, int position) {
    this.raw = raw;
    this.file = file;
    this.position = position;
  }

  /** Decodes {@code raw}; faults name {@code position} in {@code file}. */
  static String decode(String raw, SourceFile file, int position) {
    return new StringEscapes(raw, file, position).decoded();
  }

  private String decoded() {
    while (at < raw.length()) {
      int c = raw.codePointAt(at);
      at += Character.charCount(c);
      if (c == '\\') {
        escape(raw.charAt(at++));
      } else {
        character(c);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void character(int codePoint) {
    bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
  }

  private void escape(char c) {
    int simple = "nrtabfv\\'\"".indexOf(c);
    if (simple >= 0) {
      bytes.write("\n\r\t\u0007\b\f\u000b\\'\"".charAt(simple));
      return;
    }
    switch (c) {
      case 'x' -> bytes.write(digits(2, 16, 0xff));
      case 'u' -> character(codePoint(4));
      case 'U' -> character(codePoint(8));
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        at--;
        bytes.write(digits(octals(), 8, 0xff));
      }
      default ->
          throw file.fault(
              position, "the string has an unknown escape, a backslash and " + Token.quoted(c));
    }
  }

  private int octals() {
    int count = 1;
    while (count < 3 && at + count < raw.length() && isOctal(raw.charAt(at + count))) {
      count++;
    }
    return count;
  }

  private static boolean isOctal(char c) {
    return c >= '0' && c <= '7';
  }

  private int codePoint(int count) {
    int value = digits(count, 16, Character.MAX_CODE_POINT);
    if (value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE) {
      throw damaged();
    }
    return value;
  }

  private int digits(int count, int radix, int most) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      char c = at < raw.length() ? raw.charAt(at++) : ' ';
      int digit = c < 0x80 ? Character.digit(c, radix) : -1;
      if (digit < 0) {
        throw damaged();
      }
      value = value * radix + digit;
    }
    if (value > most) {
      throw damaged();
    }
    return (int) value;
  }

  private RuntimeException damaged() {
    return file.fault(position, "the string has a damaged escape");
  }
}
