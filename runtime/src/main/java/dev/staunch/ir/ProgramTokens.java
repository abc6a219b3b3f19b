package dev.staunch.ir;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import java.util.List;

/**
 * The tokens of a program text, one at a time: words, numbers, values, symbols, strings and
 * punctuation. Each character is examined a bounded number of times.
 */
final class ProgramTokens {
  /** The most characters of a name. */
  private static final int MAX_NAME = 1024;

  /** The most characters of a string, which may be an attribute. */
  private static final int MAX_STRING = 1 << 20;

  /** The most operands, results, parameters, types or attributes in one list. */
  static final int MAX_LIST = 1 << 16;

  /** How many characters of a line a location shows, and how many of those precede its place. */
  private static final int SHOWN_LINE = 200;

  private static final int SHOWN_BEFORE = 100;

  /** How many characters of a token a message shows. */
  private static final int SHOWN_TOKEN = 60;

  private final String file;
  private final CharSequence text;
  private int at;
  private int start;
  private int line = 1;
  private int lineStart;
  private boolean startsLine;
  private String token = "";

  ProgramTokens(String file, CharSequence text) {
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

  /** The name after {@code @}. */
  String symbol() {
    if (!token.startsWith("@") || token.length() == 1) {
      throw wrong("a name with @");
    }
    return take().substring(1);
  }

  boolean isValue() {
    return token.startsWith("%") && token.length() > 1;
  }

  /** The name after {@code %}. */
  String value() {
    if (!isValue()) {
      throw wrong("a value with %");
    }
    return take().substring(1);
  }

  boolean isString() {
    return token.startsWith("\"");
  }

  String string() {
    if (!isString()) {
      throw wrong("a string");
    }
    return take().substring(1);
  }

  /** A number, or one of the words that stand for one, as written. */
  String number() {
    String sign = accept("-") ? "-" : "";
    if (atEnd() || !isWordPart(token.charAt(0))) {
      throw wrong("a number");
    }
    return sign + take();
  }

  int integer() {
    boolean digits = !atEnd() && token.chars().allMatch(ProgramTokens::isDigit);
    try {
      if (digits) {
        int number = Integer.parseInt(token);
        advance();
        return number;
      }
    } catch (NumberFormatException e) {
      throw fault("the number " + shown(token) + " is too large");
    }
    throw wrong("an integer");
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '$';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Whether the current token is the first of its line: custom syntax ends at the end of the line.
   */
  boolean startsLine() {
    return startsLine;
  }

  private void advance() {
    skipBlanks();
    start = at;
    if (at >= text.length()) {
      token = "";
      return;
    }
    char c = text.charAt(at);
    if (c == '"') {
      token = quoted();
      return;
    }
    at++;
    if (c == '-' && isAt('>')) {
      at++;
    } else if (isWordPart(c) || c == '%' || c == '@') {
      while (at < text.length() && continues(c)) {
        at++;
      }
    }
    boolean long_ = at - start > MAX_NAME;
    token = text.subSequence(start, long_ ? start + SHOWN_TOKEN : at).toString();
    if (long_) {
      throw fault("the name " + token + "... is longer than " + MAX_NAME + " characters");
    }
  }

  private boolean isAt(char wanted) {
    return at < text.length() && text.charAt(at) == wanted;
  }

  /** Whether the current character belongs to the token that begins with {@code first}. */
  private boolean continues(char first) {
    char c = text.charAt(at);
    boolean exponent = isDigit(first) && (c == '-' || c == '+');
    return isWordPart(c)
        || (first == '%' && c == '#') // the number of a result is part of the value's name
        || (exponent && (text.charAt(at - 1) == 'e' || text.charAt(at - 1) == 'E'));
  }

  /** The content of a string after its quotation mark, which determines the kind of token. */
  private String quoted() {
    StringBuilder content = new StringBuilder("\"");
    for (at++; at < text.length() && text.charAt(at) != '\n'; at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return content.toString();
      }
      content.append(c == '\\' ? escaped() : c);
      if (content.length() > MAX_STRING) {
        throw fault("the string is longer than " + MAX_STRING + " characters");
      }
    }
    throw fault("the string does not end in its line");
  }

  /**
   * The character that the current escape sequence stands for; leaves the position on the last of
   * it.
   */
  private char escaped() {
    at++;
    char c = at < text.length() ? text.charAt(at) : '\n';
    int high = Character.digit(c, 16);
    int low = at + 1 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
    if (high >= 0 && low >= 0) {
      at++;
      return (char) (high << 4 | low);
    }
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case '"', '\\' -> c;
      default -> throw fault("the string has a backslash that stands for nothing");
    };
  }

  private void skipBlanks() {
    startsLine = at == 0;
    boolean comment = false;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\n') {
        comment = false;
        startsLine = true;
        line++;
        lineStart = at + 1;
      } else if (!comment && !Character.isWhitespace(c)) {
        comment = c == '/' && at + 1 < text.length() && text.charAt(at + 1) == '/';
        if (!comment) {
          return;
        }
      }
    }
  }

  /** The start of the current token, with its line; of a long line, only the surrounding part. */
  SourceLocation location() {
    int from = start - lineStart > SHOWN_BEFORE ? start - SHOWN_BEFORE : lineStart;
    int to = from;
    while (to < text.length() && to < from + SHOWN_LINE && text.charAt(to) != '\n') {
      to++;
    }
    String shown = text.subSequence(from, to).toString().strip();
    return new SourceLocation(file, line, start - lineStart + 1, shown, null);
  }

  /** An error that names the current token where {@code wanted} was expected. */
  StaunchException wrong(String wanted) {
    String found = isString() ? "a string" : "'" + shown(token) + "'";
    found = atEnd() ? "the end of the program" : found;
    return fault("expected " + wanted + " but found " + found);
  }

  /** Adds a parsed element to a list of bounded size. */
  <T> void add(List<T> list, T element) {
    if (list.size() == MAX_LIST) {
      throw fault("there are more than " + MAX_LIST + " elements in one list");
    }
    list.add(element);
  }

  static String shown(String token) {
    return token.length() > SHOWN_TOKEN ? token.substring(0, SHOWN_TOKEN) + "..." : token;
  }

  /** A fault at the current token. */
  StaunchException fault(String message) {
    return Fault.data(file, message).withSource(location()).toException();
  }
}
