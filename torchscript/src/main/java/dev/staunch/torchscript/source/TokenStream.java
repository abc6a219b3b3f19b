package dev.staunch.torchscript.source;

import dev.staunch.fault.StaunchException;
import java.util.List;

/** Tokens with a place in them, and a bound on how deep what is read may nest. */
final class TokenStream {
  private static final int MAX_DEPTH = 200;
  private final SourceFile file;
  private final List<Token> tokens;
  private int at;
  private int depth;

  TokenStream(SourceFile file, List<Token> tokens) {
    this.file = file;
    this.tokens = tokens;
  }

  Token peek() {
    return tokens.get(at);
  }

  Token peekNext() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  Token next() {
    Token token = tokens.get(at);
    if (at < tokens.size() - 1) {
      at++;
    }
    return token;
  }

  boolean accept(String symbol) {
    if (peek().is(symbol)) {
      next();
      return true;
    }
    return false;
  }

  boolean accept(Token.Kind kind) {
    if (peek().kind() == kind) {
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
    if (peek().kind() != kind) {
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
      throw fault(peek().position(), "the code is nested more than " + MAX_DEPTH + " deep");
    }
  }

  void leave() {
    depth--;
  }
}
