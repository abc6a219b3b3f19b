package dev.staunch.torchscript.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads expressions: literals, names, calls, subscripts and displays. There are no operators. */
final class ExpressionParser {
  /** Functions whose arguments may be types. */
  private static final Set<String> TYPED =
      Set.of("annotate", "unchecked_cast", "uninitialized", "isinstance");

  private static final Set<String> RESERVED =
      Set.of("class", "def", "if", "else", "while", "for", "in", "with", "pass", "return");

  private final TokenStream tokens;

  /**
   * How many levels the expression read last has. Chains such as {@code a.b.c} grow without nesting
   * in the text, and who walks the tree needs its height bounded.
   */
  private int height;

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
    height = 1;
    Expression expression = postfix(atom());
    tokens.leave();
    return expression;
  }

  private Expression postfix(Expression start) {
    Expression expression = start;
    while (true) {
      int position = expression.position();
      int below = height;
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
      above(Math.max(below, height));
    }
  }

  /** Notes that the expression read last stands above others that have {@code below} levels. */
  private void above(int below) {
    height = below + 1;
    if (height > TokenStream.MAX_DEPTH) {
      throw tokens.tooDeep(tokens.peek().position());
    }
  }

  private Expression call(int position, Expression callee) {
    boolean typed = callee instanceof Expression.Name name && TYPED.contains(name.name());
    List<Expression> arguments = new ArrayList<>();
    List<Expression.Keyword> keywords = new ArrayList<>();
    int highest = 0;
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
      highest = Math.max(highest, height);
      if (!tokens.accept(",") && !tokens.peek().is(")")) {
        throw tokens.wrong("',' or ')'");
      }
    }
    height = highest;
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
      case INT, FLOAT, IMAGINARY -> number(token, position, "");
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

  private Expression name(Token token) {
    int position = token.position();
    if (RESERVED.contains(token.text())) {
      throw tokens.fault(position, "expected an expression but found " + token.describe());
    }
    return switch (token.text()) {
      case "True" -> new Expression.BoolLiteral(position, true);
      case "False" -> new Expression.BoolLiteral(position, false);
      case "None" -> new Expression.NoneLiteral(position);
      case "inf" -> real(position, Double.POSITIVE_INFINITY);
      case "nan" -> real(position, Double.NaN);
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
      case INT, FLOAT, IMAGINARY -> number(token, position, "-");
      case NAME -> {
        if (token.text().equals("inf")) {
          yield real(position, Double.NEGATIVE_INFINITY);
        }
        if (token.text().equals("nan")) {
          yield real(position, Double.NaN);
        }
        throw tokens.fault(position, "expected a number after '-' but found " + token.describe());
      }
      case STRING, SYMBOL, NEWLINE, INDENT, DEDENT, END ->
          throw tokens.fault(position, "expected a number after '-' but found " + token.describe());
    };
  }

  private Expression number(Token token, int position, String sign) {
    String word = sign + token.text();
    return switch (token.kind()) {
      case FLOAT -> real(position, Double.parseDouble(word));
      case IMAGINARY -> new Expression.ComplexLiteral(position, 0, Double.parseDouble(word));
      default -> whole(position, word);
    };
  }

  private Expression whole(int position, String word) {
    if (startsImaginary()) {
      return real(position, Double.parseDouble(word));
    }
    try {
      return new Expression.IntLiteral(position, Long.parseLong(word));
    } catch (NumberFormatException e) {
      throw tokens.fault(position, "the int " + Token.quoted(word) + " has more than 64 bits");
    }
  }

  private boolean startsImaginary() {
    return tokens.peek().is("+") || tokens.peek().is("-");
  }

  /** A float, or a complex number if an imaginary part follows. */
  private Expression real(int position, double re) {
    if (!startsImaginary()) {
      return new Expression.FloatLiteral(position, re);
    }
    boolean negative = tokens.next().is("-");
    double im =
        tokens.accept("infj")
            ? Double.POSITIVE_INFINITY
            : tokens.accept("nanj")
                ? Double.NaN
                : Double.parseDouble(
                    tokens.expect(Token.Kind.IMAGINARY, "an imaginary part").text());
    return new Expression.ComplexLiteral(position, re, negative ? -im : im);
  }

  private Expression parenthesised(int position) {
    if (tokens.accept(")")) {
      return new Expression.TupleLiteral(position, List.of());
    }
    Expression first = expression();
    if (tokens.accept(")")) {
      return first;
    }
    int below = height;
    tokens.expect(",");
    List<Expression> elements = new ArrayList<>(List.of(first));
    elements.addAll(elements(")"));
    height = Math.max(height, below + 1);
    return new Expression.TupleLiteral(position, elements);
  }

  /** Expressions up to {@code end}; leaves the height of what contains them. */
  private List<Expression> elements(String end) {
    List<Expression> elements = new ArrayList<>();
    int highest = 0;
    while (!tokens.accept(end)) {
      elements.add(expression());
      highest = Math.max(highest, height);
      if (!tokens.accept(",") && !tokens.peek().is(end)) {
        throw tokens.wrong("',' or '" + end + "'");
      }
    }
    above(highest);
    return elements;
  }

  private Expression dict(int position) {
    List<Expression> keys = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    int highest = 0;
    while (!tokens.accept("}")) {
      keys.add(expression());
      highest = Math.max(highest, height);
      tokens.expect(":");
      values.add(expression());
      highest = Math.max(highest, height);
      if (!tokens.accept(",") && !tokens.peek().is("}")) {
        throw tokens.wrong("',' or '}'");
      }
    }
    above(highest);
    return new Expression.DictLiteral(position, keys, values);
  }
}
