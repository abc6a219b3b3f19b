package dev.staunch.torchscript.source;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Decodes the escapes of a string literal. The exporter writes each byte of a text that is not
 * plain ASCII as an octal escape, so escapes give bytes, and the whole is read as UTF-8.
 */
final class StringEscapes {
  private StringEscapes() {}

  static String decode(String raw, SourceFile file, int position) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int i = 0;
    while (i < raw.length()) {
      int c = raw.codePointAt(i);
      if (c != '\\') {
        bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(c);
      } else {
        i = escape(raw, i + 1, bytes, file, position);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int escape(
      String raw, int i, ByteArrayOutputStream bytes, SourceFile file, int position) {
    char c = raw.charAt(i);
    int simple = "nrtabfv\\'\"".indexOf(c);
    if (simple >= 0) {
      bytes.write("\n\r\t\u0007\b\f\u000b\\'\"".charAt(simple));
      return i + 1;
    }
    return switch (c) {
      case 'x' -> number(raw, i + 1, i + 3, 16, bytes, false, file, position);
      case 'u' -> number(raw, i + 1, i + 5, 16, bytes, true, file, position);
      case 'U' -> number(raw, i + 1, i + 9, 16, bytes, true, file, position);
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        int end = i;
        while (end < raw.length()
            && end < i + 3
            && raw.charAt(end) >= '0'
            && raw.charAt(end) <= '7') {
          end++;
        }
        yield number(raw, i, end, 8, bytes, false, file, position);
      }
      default -> throw file.fault(position, "the string has the unknown escape \\" + c);
    };
  }

  private static int number(
      String raw,
      int from,
      int to,
      int radix,
      ByteArrayOutputStream bytes,
      boolean codePoint,
      SourceFile file,
      int position) {
    try {
      int value = Integer.parseInt(raw.substring(from, to), radix);
      if (codePoint) {
        bytes.writeBytes(Character.toString(value).getBytes(StandardCharsets.UTF_8));
      } else {
        bytes.write(value);
      }
      return to;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw file.fault(position, "the string has a damaged escape");
    }
  }
}
