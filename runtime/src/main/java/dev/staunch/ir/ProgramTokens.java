package dev.staunch.ir;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;

/** The tokens of a program text, one at a time: words, values, symbols, strings and signs. */
final class ProgramTokens {
  private final String file;
  private final String text;
  private int at;
  private int start;
  private boolean startsLine;
  private String token = "";

  ProgramTokens(String file, String text) {
    this.file = file.isEmpty() ? "program" : file;
    this.text = text;
    advance();
  }

  String peek() {
    return token;
  }

  boolean atEnd() {
    return token.isEmpty();
  }

  boolean accept(String wanted) {
    if (!token.equals(wanted)) {
      return false;
    }
    advance();
    return true;
  }

  void expect(String wanted) {
    if (!accept(wanted)) {
      throw wrong("'" + wanted + "'");
    }
  }

  private String take() {
    String taken = token;
    advance();
    return taken;
  }

  String word() {
    if (atEnd() || !isWordPart(token.charAt(0))) {
      throw wrong("a name");
    }
    return take();
  }

  /** The name behind {@code @}. */
  String symbol() {
    if (!token.startsWith("@") || token.length() == 1) {
      throw wrong("a name with @");
    }
    return take().substring(1);
  }

  /** The name behind {@code %}. */
  String value() {
    if (!token.startsWith("%") || token.length() == 1) {
      throw wrong("a value with %");
    }
    return take().substring(1);
  }

  String string() {
    if (!token.startsWith("\"")) {
      throw wrong("a string");
    }
    return take().substring(1);
  }

  String number() {
    String sign = accept("-") ? "-" : "";
    return sign + word();
  }

  int integer() {
    try {
      return Integer.parseInt(token.isEmpty() ? "end" : take());
    } catch (NumberFormatException e) {
      throw fault("expected an integer");
    }
  }

  /** Skips <code>{ ... }</code> without looking. */
  void skipBraces() {
    expect("{");
    while (!accept("}")) {
      if (atEnd()) {
        throw wrong("'}'");
      }
      advance();
    }
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '$';
  }

  /** Whether the current token is the first of its line: custom syntax ends with its line. */
  boolean startsLine() {
    return startsLine;
  }

  private void advance() {
    int end = at;
    skipBlanks();
    startsLine = text.substring(end, at).indexOf('\n') >= 0;
    start = at;
    if (at >= text.length()) {
      token = "";
      return;
    }
    char c = text.charAt(at);
    if (c == '"') {
      int quote = text.indexOf('"', at + 1);
      if (quote < 0) {
        throw fault("the string does not end");
      }
      token = text.substring(at, quote);
      at = quote + 1;
    } else if (text.startsWith("->", at)) {
      token = "->";
      at += 2;
    } else if (isWordPart(c) || c == '%' || c == '@') {
      at++;
      while (at < text.length() && (isWordPart(text.charAt(at)) || isResultMark(c))) {
        at++;
      }
      token = text.substring(start, at);
    } else {
      token = String.valueOf(c);
      at++;
    }
  }

  /** {@code %a#0}: the number of a result belongs to the value's name. */
  private boolean isResultMark(char first) {
    return first == '%' && text.charAt(at) == '#';
  }

  private void skipBlanks() {
    while (at < text.length()) {
      if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else {
        return;
      }
    }
  }

  /** Where the current token starts. */
  SourceLocation location() {
    int lineStart = text.lastIndexOf('\n', start - 1) + 1;
    int lineEnd = text.indexOf('\n', start);
    String line = text.substring(lineStart, lineEnd < 0 ? text.length() : lineEnd).strip();
    int number = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
    return new SourceLocation(file, number, start - lineStart + 1, line, null);
  }

  StaunchException wrong(String wanted) {
    String found = atEnd() ? "the end of the program" : "'" + token + "'";
    return fault("expected " + wanted + " but found " + found);
  }

  StaunchException fault(String message) {
    return Fault.data(file, message).withSource(location()).toException();
  }
}
