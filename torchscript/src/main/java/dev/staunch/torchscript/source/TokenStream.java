package dev.staunch.torchscript.source;

import dev.staunch.fault.StaunchException;
import org.jspecify.annotations.Nullable;

/** The tokens of a text with a place in them, and bounds on how many and how deep they are. */
final class TokenStream {
  /** How deep blocks and brackets may nest together, and how high an expression may be. */
  static final int MAX_DEPTH = 200;

  /** Bounds the tree that is built, to some hundreds of megabytes at the worst. */
  private static final int MAX_TOKENS = 10_000_000;

  private final SourceFile file;
  private final Lexer lexer;
  private Token current;
  private @Nullable Token following;
  private int count;
  private int depth;

  TokenStream(SourceFile file) {
    this.file = file;
    this.lexer = new Lexer(file);
    this.current = lexer.next();
  }

  Token peek() {
    return current;
  }

  Token peekNext() {
    if (following == null) {
      following = lexer.next();
    }
    return following;
  }

  /** The token at this place, which moves on; it stays at the end of the file. */
  Token next() {
    Token token = current;
    if (token.kind() != Token.Kind.END) {
      if (++count > MAX_TOKENS) {
        throw fault(token.position(), "the code has more than " + MAX_TOKENS + " tokens");
      }
      Token seen = following;
      current = seen == null ? lexer.next() : seen;
      following = null;
    }
    return token;
  }

  /** How deep this place is nested. */
  int depth() {
    return depth;
  }

  /**
   * Goes on behind the block of the definition at {@code position}, at nesting {@code outer}; false
   * if its end cannot be told.
   */
  boolean skipBlock(int position, int outer) {
    if (!lexer.skipBlock(position)) {
      return false;
    }
    following = null;
    current = lexer.next();
    depth = outer;
    return true;
  }

  boolean accept(String symbol) {
    if (current.is(symbol)) {
      next();
      return true;
    }
    return false;
  }

  boolean accept(Token.Kind kind) {
    if (current.kind() == kind) {
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

  Token expect(Token.Kind kind, String words) {
    if (current.kind() != kind) {
      throw wrong(words);
    }
    return next();
  }

  String name() {
    return expect(Token.Kind.NAME, "a name").text();
  }

  StaunchException wrong(String wanted) {
    return fault(peek().position(), "expected " + wanted + " but found " + peek().describe());
  }

  StaunchException fault(int position, String message) {
    return file.fault(position, message);
  }

  void enter() {
    if (++depth > MAX_DEPTH) {
      throw tooDeep(peek().position());
    }
  }

  void leave() {
    depth--;
  }

  StaunchException tooDeep(int position) {
    return fault(position, "the code is nested more than " + MAX_DEPTH + " deep");
  }
}
