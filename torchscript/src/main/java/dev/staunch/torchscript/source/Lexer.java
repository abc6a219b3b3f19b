package dev.staunch.torchscript.source;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits emitted TorchScript into tokens, indentation included, one at a time: what is held does
 * not grow with the text.
 */
final class Lexer {
  private static final int MAX_NESTING = 1_000;

  /** Symbols of one character, each where its character's number says. */
  private static final @Nullable String[] SYMBOLS = new String[0x80];

  private static final byte BLANK = 1;
  private static final byte DIGIT = 2;
  private static final byte LETTER = 3;

  /** What each byte is, those of characters beyond ASCII included: they are letters of names. */
  private static final byte[] CLASSES = new byte[0x100];

  static {
    for (String symbol : "( ) [ ] { } , : = . - + @ *".split(" ", -1)) {
      SYMBOLS[symbol.charAt(0)] = symbol;
    }
    for (int c = 0; c < CLASSES.length; c++) {
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
      boolean blank = c == ' ' || c == '\t' || c == '\r' || c == '\f';
      CLASSES[c] = letter ? LETTER : c >= '0' && c <= '9' ? DIGIT : blank ? BLANK : 0;
    }
  }

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
    while (line > 0 && CLASSES[text[line - 1] & 0xff] == BLANK) {
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
    while (at < text.length && CLASSES[text[at] & 0xff] == BLANK) {
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
    int what = CLASSES[c & 0xff];
    if (what == LETTER) {
      name();
    } else if (what == DIGIT || (c == '.' && isDigitNext())) {
      number();
    } else if (c == '"' || c == '\'') {
      string();
    } else {
      symbol(c);
    }
  }

  private boolean isDigitNext() {
    return at + 1 < text.length && CLASSES[text[at + 1] & 0xff] == DIGIT;
  }

  private void name() {
    int start = at;
    while (at < text.length && CLASSES[text[at] & 0xff] >= DIGIT) {
      at++;
    }
    add(Token.Kind.NAME, slice(start), start);
  }

  private void number() {
    int start = at;
    while (at < text.length
        && (CLASSES[text[at] & 0xff] >= DIGIT || text[at] == '.' || exponentSign(start))) {
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

  private void symbol(int c) {
    String symbol = SYMBOLS[c]; // beyond ASCII there are names only
    if (symbol == null) {
      throw file.fault(at, "unexpected character " + Token.quoted((char) c));
    }
    if (c == '-' && at + 1 < text.length && text[at + 1] == '>') {
      symbol = "->";
    } else if (c == '(' || c == '[' || c == '{') {
      open();
    } else if (c == ')' || c == ']' || c == '}') {
      brackets = Math.max(0, brackets - 1);
    }
    add(Token.Kind.SYMBOL, symbol, at);
    at += symbol.length();
  }

  private void open() {
    if (++brackets > MAX_NESTING) {
      throw file.fault(at, "brackets are nested more than " + MAX_NESTING + " deep");
    }
  }

  private String slice(int start) {
    return new String(text, start, at - start, StandardCharsets.UTF_8);
  }

  private void add(Token.Kind kind, String word, int position) {
    ready.add(new Token(kind, word, position));
    last = kind;
  }
}
