package dev.staunch.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the expressions of formulas: Java's expressions over numbers. */
final class ExpressionText {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(\\d+\\.\\d+|\\d+|[A-Za-z_][\\w.]*|<<|>>|<=|>=|==|!=|&&|\\|\\||[-+*/%<>&|^~!?:(),])");

  /** Binary operators; each level binds more tightly than those before it. */
  private static final List<List<String>> LEVELS =
      List.of(
          List.of("||"),
          List.of("&&"),
          List.of("|"),
          List.of("^"),
          List.of("&"),
          List.of("==", "!="),
          List.of("<", "<=", ">", ">="),
          List.of("<<", ">>"),
          List.of("+", "-"),
          List.of("*", "/", "%"));

  private static final String END = "";

  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int next;

  ExpressionText(String text) {
    this.text = text;
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      tokens.add(matcher.group(1));
      end = matcher.end();
    }
    if (end < text.stripTrailing().length()) {
      throw new IllegalArgumentException("not an expression from character " + end + ": " + text);
    }
    tokens.add(END);
  }

  Expression whole() {
    Expression expression = choice();
    return tokens.get(next).equals(END) ? expression : failed();
  }

  private Expression choice() {
    Expression condition = binary(0);
    if (!take("?")) {
      return condition;
    }
    Expression yes = choice();
    expect(":");
    return new Expression.Choice(condition, yes, choice());
  }

  private Expression binary(int level) {
    if (level == LEVELS.size()) {
      return unary();
    }
    Expression left = binary(level + 1);
    while (LEVELS.get(level).contains(tokens.get(next))) {
      String operator = tokens.get(next++);
      left = new Expression.Binary(operator, left, binary(level + 1));
    }
    return left;
  }

  private Expression unary() {
    for (String operator : List.of("-", "~", "!")) {
      if (take(operator)) {
        return new Expression.Unary(operator, unary());
      }
    }
    if (!take("(")) {
      return primary();
    }
    String type = tokens.get(next);
    if ((type.equals("double") || type.equals("long")) && tokens.get(next + 1).equals(")")) {
      next += 2;
      return new Expression.Unary("(" + type + ")", unary());
    }
    Expression inner = choice();
    expect(")");
    return inner;
  }

  private Expression primary() {
    String token = tokens.get(next++);
    if (token.equals("true") || token.equals("false")) {
      return new Expression.Literal(Boolean.valueOf(token));
    }
    if (!token.isEmpty() && Character.isDigit(token.charAt(0))) {
      boolean real = token.contains(".");
      return new Expression.Literal(real ? (Object) Double.valueOf(token) : Long.valueOf(token));
    }
    if (token.isEmpty() || !Character.isJavaIdentifierStart(token.charAt(0))) {
      return failed();
    }
    return take("(") ? new Expression.Function(token, arguments()) : new Expression.Name(token);
  }

  private List<Expression> arguments() {
    List<Expression> arguments = new ArrayList<>();
    do {
      arguments.add(choice());
    } while (take(","));
    expect(")");
    return arguments;
  }

  private boolean take(String token) {
    boolean found = tokens.get(next).equals(token);
    next += found ? 1 : 0;
    return found;
  }

  private void expect(String token) {
    if (!take(token)) {
      failed();
    }
  }

  private Expression failed() {
    throw new IllegalArgumentException("not an expression: " + text);
  }
}
