package dev.staunch.torchscript.source;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.regex.Pattern;

/**
 * Splits emitted TorchScript into tokens, indentation included, one at a time: what is held does
 * not grow with the text.
 */
final class Lexer {
  private static final int MAX_NESTING = 1_000;
  private static final String[] SYMBOLS = {
    "->", "(", ")", "[", "]", "{", "}", ",", ":", "=", ".", "-", "+", "@", "*"
  };
  private static final Pattern NUMBER =
      Pattern.compile("([0-9]++(\\.[0-9]*+)?+|\\.[0-9]++)([eE][+-]?+[0-9]++)?+j?+");

  private final SourceFile file;
  private final byte[] text;
  private final Queue<Token> ready = new ArrayDeque<>();
  private final List<Integer> indents = new ArrayList<>(List.of(0));
  private Token.Kind last = Token.Kind.NEWLINE;
  private boolean lineStarts = true;
  private int at;
  private int brackets;

  Lexer(SourceFile file) {
    this.file = file;
    this.text = file.bytes();
  }

  /** The next token; after the last one, the end of the file again and again. */
  Token next() {
    while (ready.isEmpty()) {
      if (at < text.length) {
        step();
      } else {
        finish();
      }
    }
    return ready.remove();
  }

  /**
   * Goes on behind the block of the definition at {@code position}, whatever is in there; false,
   * and nothing happens, if that is not what its line begins with.
   */
  boolean skipBlock(int position) {
    int line = position;
    while (line > 0 && isBlank(text[line - 1])) {
      line--;
    }
    if (line > 0 && text[line - 1] != '\n') {
      return false;
    }
    int indent = position - line;
    ready.clear();
    brackets = 0;
    lineStarts = true;
    last = Token.Kind.NEWLINE;
    at = position;
    do {
      skipLine();
      line = at;
    } while (at < text.length && (blanks() > indent || atLineEnd()));
    at = Math.min(line, text.length);
    while (indents.getLast() > indent) {
      indents.removeLast();
    }
    return true;
  }

  private void finish() {
    at = text.length;
    endLine();
    while (indents.size() > 1) {
      indents.removeLast();
      add(Token.Kind.DEDENT, "", at);
    }
    add(Token.Kind.END, "", at);
  }

  /** Reads one token, or the start or the end of a line. */
  private void step() {
    int indent = blanks();
    if (atLineEnd()) {
      if (brackets == 0) {
        endLine();
        lineStarts = true;
      }
      skipLine();
    } else if (lineStarts) {
      lineStarts = false;
      indentation(indent);
    } else {
      token();
    }
  }

  private int blanks() {
    int start = at;
    while (at < text.length && isBlank(text[at])) {
      at++;
    }
    return at - start;
  }

  private boolean atLineEnd() {
    return at >= text.length || text[at] == '\n' || text[at] == '#';
  }

  private void skipLine() {
    while (at < text.length && text[at] != '\n') {
      at++;
    }
    at++;
  }

  private void endLine() {
    if (last != Token.Kind.NEWLINE && last != Token.Kind.END) {
      add(Token.Kind.NEWLINE, "", at);
    }
  }

  private void indentation(int indent) {
    if (indent > indents.getLast()) {
      if (indents.size() > MAX_NESTING) {
        throw file.fault(at, "blocks are nested more than " + MAX_NESTING + " deep");
      }
      indents.add(indent);
      add(Token.Kind.INDENT, "", at);
    }
    while (indent < indents.getLast()) {
      indents.removeLast();
      add(Token.Kind.DEDENT, "", at);
    }
    if (indent != indents.getLast()) {
      throw file.fault(at, "the indentation matches no block around it");
    }
  }

  private void token() {
    int c = text[at];
    if (c == '"' || c == '\'') {
      string();
    } else if (isDigit(c) || (c == '.' && at + 1 < text.length && isDigit(text[at + 1]))) {
      number();
    } else if (isNamePart(c)) {
      name();
    } else {
      symbol();
    }
  }

  private void name() {
    int start = at;
    while (at < text.length && isNamePart(text[at])) {
      at++;
    }
    add(Token.Kind.NAME, slice(start), start);
  }

  private void number() {
    int start = at;
    while (at < text.length && (isNamePart(text[at]) || text[at] == '.' || exponentSign(start))) {
      at++;
    }
    String word = slice(start);
    if (!NUMBER.matcher(word).matches()) {
      throw file.fault(start, Token.quoted(word) + " is not a number");
    }
    if (word.endsWith("j")) {
      add(Token.Kind.IMAGINARY, word.substring(0, word.length() - 1), start);
    } else {
      add(isReal(word) ? Token.Kind.FLOAT : Token.Kind.INT, word, start);
    }
  }

  private static boolean isReal(String word) {
    return word.indexOf('.') >= 0 || word.indexOf('e') >= 0 || word.indexOf('E') >= 0;
  }

  private boolean exponentSign(int start) {
    boolean sign = text[at] == '-' || text[at] == '+';
    return sign && at > start && (text[at - 1] == 'e' || text[at - 1] == 'E');
  }

  private void string() {
    int start = at;
    byte quote = text[at++];
    int from = at;
    boolean escaped = false;
    while (at < text.length && text[at] != quote && text[at] != '\n') {
      escaped |= text[at] == '\\';
      boolean pair = text[at] == '\\' && at + 1 < text.length && text[at + 1] != '\n';
      at += pair ? 2 : 1;
    }
    if (at >= text.length || text[at] != quote) {
      throw file.fault(start, "the string does not end on its line");
    }
    String raw = new String(text, from, at - from, StandardCharsets.UTF_8);
    at++;
    add(Token.Kind.STRING, escaped ? StringEscapes.decode(raw, file, start) : raw, start);
  }

  private void symbol() {
    for (String symbol : SYMBOLS) {
      if (matches(symbol)) {
        switch (symbol) {
          case "(", "[", "{" -> open();
          case ")", "]", "}" -> brackets = Math.max(0, brackets - 1);
          default -> {}
        }
        add(Token.Kind.SYMBOL, symbol, at);
        at += symbol.length();
        return;
      }
    }
    throw file.fault(at, "unexpected character " + Token.quoted((char) text[at]));
  }

  private void open() {
    if (++brackets > MAX_NESTING) {
      throw file.fault(at, "brackets are nested more than " + MAX_NESTING + " deep");
    }
  }

  private boolean matches(String symbol) {
    if (at + symbol.length() > text.length) {
      return false;
    }
    for (int i = 0; i < symbol.length(); i++) {
      if (text[at + i] != symbol.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private String slice(int start) {
    return new String(text, start, at - start, StandardCharsets.UTF_8);
  }

  private void add(Token.Kind kind, String word, int position) {
    ready.add(new Token(kind, word, position));
    last = kind;
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNamePart(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c < 0;
  }
}
