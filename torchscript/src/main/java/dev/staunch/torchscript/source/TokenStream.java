package dev.staunch.torchscript.source;

import dev.staunch.fault.StaunchException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of emitted TorchScript, indentation included, one at a time: what is held does not
 * grow with the text. How many there are and how deep they are nested is bounded.
 */
final class TokenStream {
  /** How deep blocks and brackets may nest together, and how high an expression may be. */
  static final int MAX_DEPTH = 200;

  /** Bounds the tree that is built, to some hundreds of megabytes at the worst. */
  private static final int MAX_TOKENS = 10_000_000;

  private static final int MAX_NESTING = 1_000;

  /** Symbols of one character, each where its character's number says. */
  private static final @Nullable String[] SYMBOLS = new String[0x80];

  private static final byte BLANK = 1;
  private static final byte LINE_END = 2;
  private static final byte DIGIT = 3;
  private static final byte LETTER = 4;

  /** What each byte is, those of characters beyond ASCII included: they are letters of names. */
  private static final byte[] CLASSES = new byte[0x100];

  static {
    for (String symbol : "( ) [ ] { } , : = . - + @ *".split(" ", -1)) {
      SYMBOLS[symbol.charAt(0)] = symbol;
    }
    for (int c = 0; c < CLASSES.length; c++) {
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
      CLASSES[c] = letter ? LETTER : c >= '0' && c <= '9' ? DIGIT : 0;
    }
    for (char c : " \t\r\f".toCharArray()) {
      CLASSES[c] = BLANK;
    }
    CLASSES['\n'] = LINE_END;
    CLASSES['#'] = LINE_END;
  }

  private static final Pattern NUMBER =
      Pattern.compile("([0-9]++(\\.[0-9]*+)?+|\\.[0-9]++)([eE][+-]?+[0-9]++)?+j?+");

  private final SourceFile file;
  private final byte[] text;
  private final List<Integer> indents = new ArrayList<>(List.of(0));
  private boolean lineStarts = true;
  private int at;
  private int brackets;

  /** Ends of blocks at this place that are still to come. */
  private int dedents;

  private Token kind = Token.NEWLINE;
  private String word = "";
  private int position;
  private int count;
  private int depth;

  TokenStream(SourceFile file) {
    this.file = file;
    this.text = file.bytes();
    next();
  }

  /** What the token at this place is. */
  Token kind() {
    return kind;
  }

  /** The token's text as written; strings are decoded. */
  String text() {
    return word;
  }

  /** Where the token starts, in bytes of the UTF-8 text. */
  int position() {
    return position;
  }

  boolean is(String symbol) {
    return (kind == Token.SYMBOL || kind == Token.NAME) && word.equals(symbol);
  }

  boolean accept(String symbol) {
    if ((kind == Token.SYMBOL || kind == Token.NAME) && word.equals(symbol)) {
      next();
      return true;
    }
    return false;
  }

  boolean accept(Token wanted) {
    if (kind == wanted) {
      next();
      return true;
    }
    return false;
  }

  void expect(String symbol) {
    if (!accept(symbol)) {
      throw wrong("'" + symbol + "'");
    }
  }

  /** The text of the token at this place, which moves on. */
  String expect(Token wanted, String words) {
    if (kind != wanted) {
      throw wrong(words);
    }
    String text = word;
    next();
    return text;
  }

  String name() {
    if (kind != Token.NAME) {
      throw wrong("a name");
    }
    String name = word;
    next();
    return name;
  }

  /** The symbol at this place; empty if it is none. */
  String symbol() {
    return kind == Token.SYMBOL ? word : "";
  }

  /** How messages name the token at this place. */
  String describe() {
    return kind.describe(word);
  }

  StaunchException wrong(String wanted) {
    return fault(position, "expected " + wanted + " but found " + describe());
  }

  StaunchException fault(int position, String message) {
    return file.fault(position, message);
  }

  /** How deep this place is nested. */
  int depth() {
    return depth;
  }

  void enter() {
    if (++depth > MAX_DEPTH) {
      throw tooDeep();
    }
  }

  void leave() {
    depth--;
  }

  StaunchException tooDeep() {
    return fault(position, "the code is nested more than " + MAX_DEPTH + " deep");
  }

  /**
   * Goes on behind the block of the definition at {@code start}, at nesting {@code outer}, whatever
   * is in there; false, and nothing happens, if that is not what its line begins with.
   */
  boolean skipBlock(int start, int outer) {
    int line = start;
    while (line > 0 && CLASSES[text[line - 1] & 0xff] == BLANK) {
      line--;
    }
    if (line > 0 && text[line - 1] != '\n') {
      return false;
    }
    int indent = start - line;
    at = start;
    do {
      while (at < text.length && text[at] != '\n') {
        at++;
      }
      line = Math.min(at + 1, text.length);
      at = line;
      while (at < text.length && CLASSES[text[at] & 0xff] == BLANK) {
        at++;
      }
    } while (at < text.length && (at - line > indent || CLASSES[text[at] & 0xff] == LINE_END));
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

  /** Moves on to the next token; stays at the end of the file. */
  void next() {
    if (kind == Token.END) {
      return;
    }
    if (count++ > MAX_TOKENS) {
      throw fault(position, "the code has more than " + MAX_TOKENS + " tokens");
    }
    int line = at;
    while (at < text.length && dedents == 0) {
      int what = CLASSES[text[at] & 0xff];
      if (what == BLANK) {
        at++;
      } else if (what == LINE_END) {
        if (brackets == 0 && !lineStarts) {
          endLine();
          return;
        }
        while (at < text.length && text[at++] != '\n') {}
        line = at;
      } else if (lineStarts) {
        lineStarts = false;
        if (indented(at - line)) {
          return;
        }
      } else {
        token(what);
        return;
      }
    }
    position = at;
    if (dedents > 0) {
      dedents--;
      found(Token.DEDENT, "");
    } else {
      finish();
    }
  }

  private void found(Token token, String text) {
    kind = token;
    word = text;
  }

  private void endLine() {
    lineStarts = true;
    position = at;
    found(Token.NEWLINE, "");
  }

  private void finish() {
    if (!lineStarts) {
      endLine();
    } else if (indents.size() > 1) {
      indents.removeLast();
      found(Token.DEDENT, "");
    } else {
      found(Token.END, "");
    }
  }

  /** Whether a block begins here; notes how many end. */
  private boolean indented(int indent) {
    if (indent > indents.getLast()) {
      if (indents.size() > MAX_NESTING) {
        throw file.fault(at, "blocks are nested more than " + MAX_NESTING + " deep");
      }
      indents.add(indent);
      position = at;
      found(Token.INDENT, "");
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

  private void token(int what) {
    position = at;
    int c = text[at];
    if (what == LETTER) {
      do {
        at++;
      } while (at < text.length && CLASSES[text[at] & 0xff] >= DIGIT);
      kind = Token.NAME;
      word = new String(text, position, at - position, StandardCharsets.UTF_8);
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

  private void number() {
    while (at < text.length
        && (CLASSES[text[at] & 0xff] >= DIGIT || text[at] == '.' || exponentSign())) {
      at++;
    }
    String number = new String(text, position, at - position, StandardCharsets.UTF_8);
    if (!NUMBER.matcher(number).matches()) {
      throw file.fault(position, Token.quoted(number) + " is not a number");
    }
    if (number.endsWith("j")) {
      found(Token.IMAGINARY, number.substring(0, number.length() - 1));
    } else {
      found(isReal(number) ? Token.FLOAT : Token.INT, number);
    }
  }

  private static boolean isReal(String number) {
    return number.indexOf('.') >= 0 || number.indexOf('e') >= 0 || number.indexOf('E') >= 0;
  }

  private boolean exponentSign() {
    boolean sign = text[at] == '-' || text[at] == '+';
    return sign && at > position && (text[at - 1] == 'e' || text[at - 1] == 'E');
  }

  private void string() {
    byte quote = text[at++];
    int from = at;
    boolean escaped = false;
    while (at < text.length && text[at] != quote && text[at] != '\n') {
      escaped |= text[at] == '\\';
      boolean pair = text[at] == '\\' && at + 1 < text.length && text[at + 1] != '\n';
      at += pair ? 2 : 1;
    }
    if (at >= text.length || text[at] != quote) {
      throw file.fault(position, "the string does not end on its line");
    }
    String raw = new String(text, from, at - from, StandardCharsets.UTF_8);
    at++;
    found(Token.STRING, escaped ? StringEscapes.decode(raw, file, position) : raw);
  }

  private void symbol(int c) {
    String symbol = SYMBOLS[c]; // beyond ASCII there are names only
    if (symbol == null) {
      throw file.fault(at, "unexpected character " + Token.quoted((char) c));
    }
    if (c == '-' && at + 1 < text.length && text[at + 1] == '>') {
      symbol = "->";
    } else if (c == '(' || c == '[' || c == '{') {
      if (++brackets > MAX_NESTING) {
        throw file.fault(at, "brackets are nested more than " + MAX_NESTING + " deep");
      }
    } else if (c == ')' || c == ']' || c == '}') {
      brackets = Math.max(0, brackets - 1);
    }
    kind = Token.SYMBOL;
    word = symbol;
    at += symbol.length();
  }
}
