package dev.staunch.torchscript.source;

import java.util.HexFormat;

/** The kind of a token. */
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

  /** How messages describe a token with {@code text}. */
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

  /** {@code text} in quotes, truncated if it is too long for a message. */
  static String quoted(String text) {
    return text.length() <= SHOWN ? "'" + text + "'" : "'" + text.substring(0, SHOWN) + "...'";
  }

  /** A character as messages show it: in quotes, or as its number if it is not printable. */
  static String quoted(char c) {
    return c > ' ' && c < 0x7f
        ? "'" + c + "'"
        : "U+" + HexFormat.of().withUpperCase().toHexDigits(c);
  }
}
