package dev.staunch.torchscript.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The tokens of emitted TorchScript, including indentation, one at a time: memory does not grow
 * with the text. The number of tokens and their nesting are bounded.
 */
final class TokenStream {
  /** The most levels of blocks and brackets together, and the largest height of an expression. */
  static final int MAX_DEPTH = 200;

  /** Bounds the size of the tree, in the worst case some hundreds of megabytes. */
  private static final int MAX_TOKENS = 10_000_000;

  private static final int MAX_NESTING = 1_000;

  private static final byte BLANK = 1;
  private static final byte LINE_END = 2;
  private static final byte SYMBOL = 3;
  private static final byte QUOTE = 4;
  private static final byte DIGIT = 5;
  private static final byte LETTER = 6;

  /** The class of each byte. Bytes of non-ASCII characters count as letters of names. */
  private static final byte[] CLASSES = new byte[0x100];

  static {
    for (int c = 0; c < CLASSES.length; c++) {
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
      CLASSES[c] = letter ? LETTER : c >= '0' && c <= '9' ? DIGIT : 0;
    }
    classify(" \t\r\f", BLANK);
    classify("\n#", LINE_END);
    classify("\"'", QUOTE);
    classify("()[]{},:=.-+@*", SYMBOL);
  }

  private static void classify(String characters, byte as) {
    for (int i = 0; i < characters.length(); i++) {
      CLASSES[characters.charAt(i)] = as;
    }
  }

  private static final Pattern NUMBER =
      Pattern.compile("([0-9]++(\\.[0-9]*+)?+|\\.[0-9]++)([eE][+-]?+[0-9]++)?+j?+");

  /** The kind of the current token. */
  Token kind = Token.NEWLINE;

  /** The name or number as written, or the decoded string; empty for other tokens. */
  String text = "";

  /** The last character of a symbol; 0 for other tokens. */
  char symbol;

  /** Where the current token starts, in bytes of the UTF-8 text. */
  int position;

  /** The nesting depth of the current token. */
  int depth;

  private final SourceFile file;
  private final byte[] bytes;
  private final List<Integer> indents = new ArrayList<>(List.of(0));
  private boolean lineStarts = true;
  private int at;
  private int brackets;

  /** Block ends that are still to be returned at this place. */
  private int dedents;

  private int count;

  TokenStream(SourceFile file) {
    this.file = file;
    this.bytes = file.bytes();
    next();
  }

  boolean is(String word) {
    return kind == Token.NAME && text.equals(word);
  }

  boolean accept(String word) {
    boolean found = kind == Token.NAME && text.equals(word);
    if (found) {
      next();
    }
    return found;
  }

  boolean accept(char wanted) {
    boolean found = symbol == wanted;
    if (found) {
      next();
    }
    return found;
  }

  boolean accept(Token wanted) {
    boolean found = kind == wanted;
    if (found) {
      next();
    }
    return found;
  }

  void expect(char wanted) {
    if (symbol != wanted) {
      throw wrong("'" + wanted + "'");
    }
    next();
  }

  /** Consumes the current token and returns its text. */
  String expect(Token wanted, String words) {
    if (kind != wanted) {
      throw wrong(words);
    }
    String text = this.text;
    next();
    return text;
  }

  String name() {
    if (kind != Token.NAME) {
      throw wrong("a name");
    }
    String name = text;
    next();
    return name;
  }

  /** After one of several elements, consumes the separator, unless {@code end} follows. */
  void separator(char end) {
    if (!accept(',') && symbol != end) {
      throw wrong("',' or '" + end + "'");
    }
  }

  /** How messages describe the current token. */
  String describe() {
    boolean sign = kind == Token.SYMBOL;
    return kind.describe(sign ? new String(bytes, position, at - position, US_ASCII) : text);
  }

  StaunchException wrong(String wanted) {
    return fault(position, "expected " + wanted + " but found " + describe());
  }

  StaunchException fault(int position, String message) {
    return file.fault(position, message);
  }

  void enter() {
    if (++depth > MAX_DEPTH) {
      throw tooDeep();
    }
  }

  StaunchException tooDeep() {
    return fault(position, "the code is nested more than " + MAX_DEPTH + " deep");
  }

  /**
   * Skips the block of the definition at {@code start}, whatever it contains, and continues after
   * it at nesting {@code outer}. Does nothing and returns false if the definition is not the first
   * thing on its line.
   */
  boolean skipBlock(int start, int outer) {
    int line = start;
    while (line > 0 && CLASSES[bytes[line - 1] & 0xff] == BLANK) {
      line--;
    }
    if (line > 0 && bytes[line - 1] != '\n') {
      return false;
    }
    int indent = start - line;
    at = start;
    do {
      while (at < bytes.length && bytes[at] != '\n') {
        at++;
      }
      line = Math.min(at + 1, bytes.length);
      at = line;
      while (at < bytes.length && CLASSES[bytes[at] & 0xff] == BLANK) {
        at++;
      }
    } while (at < bytes.length && (at - line > indent || CLASSES[bytes[at] & 0xff] == LINE_END));
    at = line;
    while (indents.getLast() > indent) {
      indents.removeLast();
    }
    dedents = 0;
    brackets = 0;
    lineStarts = true;
    depth = outer;
    kind = Token.NEWLINE;
    next();
    return true;
  }

  /** Advances to the next token; stays at the end of the file. */
  void next() {
    if (kind == Token.END) {
      return;
    }
    if (count++ > MAX_TOKENS) {
      throw fault(position, "the code has more than " + MAX_TOKENS + " tokens");
    }
    int line = at;
    while (at < bytes.length && dedents == 0) {
      int what = CLASSES[bytes[at] & 0xff];
      if (what == BLANK) {
        at++;
      } else if (what == LINE_END) {
        if (brackets == 0 && !lineStarts) {
          break;
        }
        while (at < bytes.length && bytes[at++] != '\n') {}
        line = at;
      } else if (lineStarts) {
        lineStarts = false;
        if (indented(at - line)) {
          found(Token.INDENT);
          return;
        }
      } else {
        position = at;
        symbol = 0;
        switch (what) {
          case LETTER -> word();
          case SYMBOL -> symbol(bytes[at]);
          case DIGIT -> number();
          case QUOTE -> string();
          default -> throw file.fault(at, "unexpected character " + Token.quoted((char) bytes[at]));
        }
        return;
      }
    }
    found(layout());
  }

  /** The layout token for the end of a line or of the text. */
  private Token layout() {
    if (dedents > 0) {
      dedents--;
      return Token.DEDENT;
    }
    if (!lineStarts) {
      lineStarts = true;
      return Token.NEWLINE;
    }
    if (indents.size() > 1) {
      indents.removeLast();
      return Token.DEDENT;
    }
    return Token.END;
  }

  private void found(Token layout) {
    kind = layout;
    text = "";
    symbol = 0;
    position = at;
  }

  /** Returns whether a block begins here; otherwise counts how many blocks end. */
  private boolean indented(int indent) {
    if (indent > indents.getLast()) {
      if (indents.size() > MAX_NESTING) {
        throw file.fault(at, "blocks are nested more than " + MAX_NESTING + " deep");
      }
      indents.add(indent);
      return true;
    }
    while (indent < indents.getLast()) {
      indents.removeLast();
      dedents++;
    }
    if (indent != indents.getLast()) {
      throw file.fault(at, "the indentation matches no block around it");
    }
    return false;
  }

  private void word() {
    do {
      at++;
    } while (at < bytes.length && CLASSES[bytes[at] & 0xff] >= DIGIT);
    kind = Token.NAME;
    text = new String(bytes, position, at - position, UTF_8);
  }

  private void number() {
    while (at < bytes.length
        && (CLASSES[bytes[at] & 0xff] >= DIGIT || bytes[at] == '.' || exponentSign())) {
      at++;
    }
    text = new String(bytes, position, at - position, UTF_8);
    if (!NUMBER.matcher(text).matches()) {
      throw file.fault(position, Token.quoted(text) + " is not a number");
    }
    if (text.endsWith("j")) {
      kind = Token.IMAGINARY;
      text = text.substring(0, text.length() - 1);
    } else {
      boolean real = text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
      kind = real ? Token.FLOAT : Token.INT;
    }
  }

  private boolean exponentSign() {
    boolean sign = bytes[at] == '-' || bytes[at] == '+';
    return sign && at > position && (bytes[at - 1] == 'e' || bytes[at - 1] == 'E');
  }

  private void string() {
    byte quote = bytes[at++];
    int from = at;
    boolean escaped = false;
    while (at < bytes.length && bytes[at] != quote && bytes[at] != '\n') {
      escaped |= bytes[at] == '\\';
      boolean pair = bytes[at] == '\\' && at + 1 < bytes.length && bytes[at + 1] != '\n';
      at += pair ? 2 : 1;
    }
    if (at >= bytes.length || bytes[at] != quote) {
      throw file.fault(position, "the string does not end on its line");
    }
    String raw = new String(bytes, from, at - from, UTF_8);
    at++;
    kind = Token.STRING;
    text = escaped ? StringEscapes.decode(raw, file, position) : raw;
  }

  private void symbol(byte c) {
    byte next = at + 1 < bytes.length ? bytes[at + 1] : 0;
    boolean arrow = c == '-' && next == '>';
    if (c == '.' && CLASSES[next & 0xff] == DIGIT) {
      number();
      return;
    }
    if (c == '(' || c == '[' || c == '{') {
      if (++brackets > MAX_NESTING) {
        throw file.fault(at, "brackets are nested more than " + MAX_NESTING + " deep");
      }
    } else if (c == ')' || c == ']' || c == '}') {
      brackets = Math.max(0, brackets - 1);
    }
    kind = Token.SYMBOL;
    symbol = arrow ? '>' : (char) c;
    text = "";
    at += arrow ? 2 : 1;
  }
}
