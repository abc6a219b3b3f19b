package dev.staunch.torchscript.source;

import java.util.HexFormat;

/** What a token is. */
enum Token {
  NAME,
  INT,
  FLOAT,
  IMAGINARY,
  STRING,
  SYMBOL,
  NEWLINE,
  INDENT,
  DEDENT,
  END;

  private static final int SHOWN = 40;

  /** How messages name one with {@code text}. */
  String describe(String text) {
    return switch (this) {
      case NEWLINE -> "the end of the line";
      case INDENT -> "a deeper indentation";
      case DEDENT -> "the end of the block";
      case END -> "the end of the file";
      case STRING -> "a string";
      case NAME, INT, FLOAT, IMAGINARY, SYMBOL -> quoted(text);
    };
  }

  /** {@code text} in quotes, cut off where a message would get too long. */
  static String quoted(String text) {
    return text.length() <= SHOWN ? "'" + text + "'" : "'" + text.substring(0, SHOWN) + "...'";
  }

  /** A character as messages show it: in quotes, or by its number if it would not print. */
  static String quoted(char c) {
    return c > ' ' && c < 0x7f
        ? "'" + c + "'"
        : "U+" + HexFormat.of().withUpperCase().toHexDigits(c);
  }
}
