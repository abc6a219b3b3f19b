package dev.staunch.torchscript.source;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Splits emitted TorchScript into tokens, indentation included; linear in the text. */
final class Lexer {
  private static final int MAX_NESTING = 1_000;
  private static final String[] SYMBOLS = {
    "->", "(", ")", "[", "]", "{", "}", ",", ":", "=", ".", "-", "+", "@", "*"
  };

  private final SourceFile file;
  private final byte[] text;
  private final List<Token> tokens = new ArrayList<>();
  private final List<Integer> indents = new ArrayList<>(List.of(0));
  private int at;
  private int brackets;

  Lexer(SourceFile file, byte[] text) {
    this.file = file;
    this.text = text;
  }

  List<Token> tokens() {
    while (at < text.length) {
      line();
    }
    endLine();
    while (indents.size() > 1) {
      indents.removeLast();
      add(Token.Kind.DEDENT, "", at);
    }
    add(Token.Kind.END, "", at);
    return tokens;
  }

  private void line() {
    int indent = blanks();
    if (brackets == 0) {
      if (atLineEnd()) {
        skipLine();
        return;
      }
      indentation(indent);
    }
    while (at < text.length && !atLineEnd()) {
      token();
      blanks();
    }
    if (brackets == 0) {
      endLine();
    }
    skipLine();
  }

  private int blanks() {
    int start = at;
    while (at < text.length && (text[at] == ' ' || text[at] == '\t')) {
      at++;
    }
    return at - start;
  }

  private boolean atLineEnd() {
    return at >= text.length || text[at] == '\n' || text[at] == '\r' || text[at] == '#';
  }

  private void skipLine() {
    while (at < text.length && text[at] != '\n') {
      at++;
    }
    at++;
  }

  private void endLine() {
    if (!tokens.isEmpty() && tokens.getLast().kind() != Token.Kind.NEWLINE) {
      add(Token.Kind.NEWLINE, "", Math.min(at, text.length));
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
    boolean real = false;
    while (at < text.length && (isNamePart(text[at]) || text[at] == '.' || exponentSign(start))) {
      real |= text[at] == '.' || text[at] == 'e' || text[at] == 'E';
      at++;
    }
    String word = slice(start);
    if (word.endsWith("j")) {
      add(Token.Kind.IMAGINARY, word.substring(0, word.length() - 1), start);
    } else {
      add(real ? Token.Kind.FLOAT : Token.Kind.INT, word, start);
    }
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
      at += text[at] == '\\' ? 2 : 1;
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
          case "(", "[", "{" -> brackets++;
          case ")", "]", "}" -> brackets = Math.max(0, brackets - 1);
          default -> {}
        }
        add(Token.Kind.SYMBOL, symbol, at);
        at += symbol.length();
        return;
      }
    }
    throw file.fault(at, "unexpected character '" + (char) (text[at] & 0xff) + "'");
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
    tokens.add(new Token(kind, word, position));
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNamePart(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c < 0;
  }
}
