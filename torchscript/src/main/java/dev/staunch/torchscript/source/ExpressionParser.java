package dev.staunch.torchscript.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads expressions: literals, names, calls, subscripts and displays. There are no operators. */
final class ExpressionParser {
  /** Functions whose arguments may be types. */
  private static final Set<String> TYPED =
      Set.of("annotate", "unchecked_cast", "uninitialized", "isinstance");

  private final TokenStream tokens;

  ExpressionParser(TokenStream tokens) {
    this.tokens = tokens;
  }

  /** An expression, or several with commas between as a tuple. */
  Expression tuple() {
    int position = tokens.peek().position();
    Expression first = expression();
    if (!tokens.peek().is(",")) {
      return first;
    }
    List<Expression> elements = new ArrayList<>(List.of(first));
    while (tokens.accept(",") && startsExpression()) {
      elements.add(expression());
    }
    return new Expression.TupleLiteral(position, elements);
  }

  private boolean startsExpression() {
    Token token = tokens.peek();
    return token.kind() != Token.Kind.NEWLINE && !token.is("=") && !token.is(")");
  }

  Expression expression() {
    tokens.enter();
    Expression expression = postfix(atom());
    tokens.leave();
    return expression;
  }

  private Expression postfix(Expression start) {
    Expression expression = start;
    while (true) {
      int position = expression.position();
      if (tokens.accept(".")) {
        expression = new Expression.Attribute(position, expression, tokens.name());
      } else if (tokens.accept("(")) {
        expression = call(position, expression);
      } else if (tokens.accept("[")) {
        Expression index = expression();
        tokens.expect("]");
        expression = new Expression.Subscript(position, expression, index);
      } else {
        return expression;
      }
    }
  }

  private Expression call(int position, Expression callee) {
    boolean typed = callee instanceof Expression.Name name && TYPED.contains(name.name());
    List<Expression> arguments = new ArrayList<>();
    List<Expression.Keyword> keywords = new ArrayList<>();
    while (!tokens.accept(")")) {
      if (tokens.peek().kind() == Token.Kind.NAME && tokens.peekNext().is("=")) {
        String name = tokens.name();
        tokens.expect("=");
        keywords.add(new Expression.Keyword(name, expression()));
      } else if (typed && isTypePlace((Expression.Name) callee, arguments.size())) {
        arguments.add(typeArgument());
      } else {
        arguments.add(expression());
      }
      if (!tokens.accept(",") && !tokens.peek().is(")")) {
        throw tokens.wrong("',' or ')'");
      }
    }
    return new Expression.Call(position, callee, arguments, keywords);
  }

  private static boolean isTypePlace(Expression.Name callee, int index) {
    return callee.name().equals("isinstance") ? index == 1 : index == 0;
  }

  /** A type, or in {@code isinstance} several in brackets. */
  private Expression typeArgument() {
    int position = tokens.peek().position();
    boolean round = tokens.accept("(");
    if (!round && !tokens.accept("[")) {
      return new Expression.TypeExpression(position, new TypeParser(tokens).type());
    }
    String end = round ? ")" : "]";
    List<Expression> types = new ArrayList<>();
    while (!tokens.accept(end)) {
      int at = tokens.peek().position();
      types.add(new Expression.TypeExpression(at, new TypeParser(tokens).type()));
      if (!tokens.accept(",") && !tokens.peek().is(end)) {
        throw tokens.wrong("',' or '" + end + "'");
      }
    }
    return new Expression.TupleLiteral(position, types);
  }

  private Expression atom() {
    Token token = tokens.next();
    int position = token.position();
    return switch (token.kind()) {
      case NAME -> name(token);
      case INT, FLOAT, IMAGINARY -> number(token, false);
      case STRING -> string(token);
      case SYMBOL -> symbol(token, position);
      case NEWLINE, INDENT, DEDENT, END ->
          throw tokens.fault(position, "expected an expression but found " + token.describe());
    };
  }

  private Expression string(Token first) {
    StringBuilder value = new StringBuilder(first.text());
    while (tokens.peek().kind() == Token.Kind.STRING) {
      value.append(tokens.next().text());
    }
    return new Expression.StringLiteral(first.position(), value.toString());
  }

  private static Expression name(Token token) {
    int position = token.position();
    return switch (token.text()) {
      case "True" -> new Expression.BoolLiteral(position, true);
      case "False" -> new Expression.BoolLiteral(position, false);
      case "None" -> new Expression.NoneLiteral(position);
      case "inf" -> new Expression.FloatLiteral(position, Double.POSITIVE_INFINITY);
      case "nan" -> new Expression.FloatLiteral(position, Double.NaN);
      default -> new Expression.Name(position, token.text());
    };
  }

  private Expression symbol(Token token, int position) {
    return switch (token.text()) {
      case "-" -> negative(position);
      case "(" -> parenthesised(position);
      case "[" -> new Expression.ListLiteral(position, elements("]"));
      case "{" -> dict(position);
      default ->
          throw tokens.fault(position, "expected an expression but found " + token.describe());
    };
  }

  private Expression negative(int position) {
    Token token = tokens.next();
    return switch (token.kind()) {
      case INT, FLOAT, IMAGINARY -> number(token, true);
      case NAME -> {
        if (token.text().equals("inf")) {
          yield new Expression.FloatLiteral(position, Double.NEGATIVE_INFINITY);
        }
        if (token.text().equals("nan")) {
          yield new Expression.FloatLiteral(position, Double.NaN);
        }
        throw tokens.fault(position, "expected a number after '-' but found " + token.describe());
      }
      case STRING, SYMBOL, NEWLINE, INDENT, DEDENT, END ->
          throw tokens.fault(position, "expected a number after '-' but found " + token.describe());
    };
  }

  private Expression number(Token token, boolean negative) {
    String word = negative ? "-" + token.text() : token.text();
    try {
      if (token.kind() == Token.Kind.INT) {
        Expression whole = new Expression.IntLiteral(token.position(), Long.parseLong(word));
        return tokens.peek().is("+") || tokens.peek().is("-") ? complex(token, word) : whole;
      }
      double value = Double.parseDouble(word);
      if (token.kind() == Token.Kind.IMAGINARY) {
        return new Expression.ComplexLiteral(token.position(), 0, value);
      }
      return tokens.peek().is("+") || tokens.peek().is("-")
          ? complex(token, word)
          : new Expression.FloatLiteral(token.position(), value);
    } catch (NumberFormatException e) {
      throw tokens.fault(token.position(), "the number " + word + " cannot be represented");
    }
  }

  private Expression complex(Token first, String re) {
    String sign = tokens.next().text();
    Token imaginary = tokens.expect(Token.Kind.IMAGINARY, "an imaginary part");
    double im = Double.parseDouble(imaginary.text());
    return new Expression.ComplexLiteral(
        first.position(), Double.parseDouble(re), sign.equals("-") ? -im : im);
  }

  private Expression parenthesised(int position) {
    if (tokens.accept(")")) {
      return new Expression.TupleLiteral(position, List.of());
    }
    Expression first = expression();
    if (tokens.accept(")")) {
      return first;
    }
    tokens.expect(",");
    List<Expression> elements = new ArrayList<>(List.of(first));
    elements.addAll(elements(")"));
    return new Expression.TupleLiteral(position, elements);
  }

  private List<Expression> elements(String end) {
    List<Expression> elements = new ArrayList<>();
    while (!tokens.accept(end)) {
      elements.add(expression());
      if (!tokens.accept(",") && !tokens.peek().is(end)) {
        throw tokens.wrong("',' or '" + end + "'");
      }
    }
    return elements;
  }

  private Expression dict(int position) {
    List<Expression> keys = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    while (!tokens.accept("}")) {
      keys.add(expression());
      tokens.expect(":");
      values.add(expression());
      if (!tokens.accept(",") && !tokens.peek().is("}")) {
        throw tokens.wrong("',' or '}'");
      }
    }
    return new Expression.DictLiteral(position, keys, values);
  }
}
