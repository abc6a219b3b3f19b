package dev.staunch.torchscript.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parses expressions: literals, names, calls, subscripts and displays. There are no operators. */
final class ExpressionParser {
  /** Functions whose arguments may be types. */
  private static final Set<String> TYPED =
      Set.of("annotate", "unchecked_cast", "uninitialized", "isinstance");

  private final TokenStream tokens;

  /**
   * The height of the expression parsed last. Chains such as {@code a.b.c} grow without nesting in
   * the text, and code that walks the tree needs a bounded height.
   */
  private int height;

  ExpressionParser(TokenStream tokens) {
    this.tokens = tokens;
  }

  /** Parses an expression, or several separated by commas as a tuple. */
  Expression tuple() {
    int position = tokens.position;
    Expression first = expression();
    return tokens.symbol == ',' ? tuple(position, first) : first;
  }

  /**
   * The rest of a tuple that begins at {@code position} and whose {@code first} element has been
   * read.
   */
  private Expression tuple(int position, Expression first) {
    List<Expression> elements = new ArrayList<>(List.of(first));
    while (tokens.accept(',') && startsExpression()) {
      elements.add(expression());
    }
    return new Expression.TupleLiteral(position, elements);
  }

  private boolean startsExpression() {
    return tokens.kind != Token.NEWLINE && tokens.symbol != '=' && tokens.symbol != ')';
  }

  Expression expression() {
    int position = tokens.position;
    tokens.enter();
    height = 1;
    boolean bracket = tokens.symbol == '(';
    Expression atom = atom(position);
    Expression expression = postfix(bracket ? atom.position() : position, atom);
    tokens.depth--;
    return expression;
  }

  /** The rest of an expression whose first {@code name}, at {@code position}, has been read. */
  private Expression from(int position, String name) {
    tokens.enter();
    height = 1;
    Expression expression = postfix(position, named(position, name));
    tokens.depth--;
    return expression;
  }

  /** Like {@link #tuple()}, when its first {@code name}, at {@code position}, has been read. */
  Expression tupleFrom(int position, String name) {
    Expression first = from(position, name);
    return tokens.symbol == ',' ? tuple(position, first) : first;
  }

  private Expression postfix(int position, Expression start) {
    Expression expression = start;
    while (tokens.symbol == '.' || tokens.symbol == '(' || tokens.symbol == '[') {
      char symbol = tokens.symbol;
      int below = height;
      tokens.next();
      if (symbol == '.') {
        expression = new Expression.Attribute(position, expression, tokens.name());
      } else if (symbol == '(') {
        expression = call(position, expression);
      } else {
        Expression index = expression();
        tokens.expect(']');
        expression = new Expression.Subscript(position, expression, index);
      }
      above(Math.max(below, height));
    }
    return expression;
  }

  /** Records that the expression parsed last is one level above others of height {@code below}. */
  private void above(int below) {
    height = below + 1;
    if (height > TokenStream.MAX_DEPTH) {
      throw tokens.tooDeep();
    }
  }

  private Expression call(int position, Expression callee) {
    boolean typed = callee instanceof Expression.Name name && TYPED.contains(name.name());
    List<Expression> arguments = new ArrayList<>();
    List<Expression.Keyword> keywords = new ArrayList<>();
    int highest = 0;
    while (!tokens.accept(')')) {
      if (typed && isTypePlace((Expression.Name) callee, arguments.size())) {
        arguments.add(typeArgument());
      } else if (tokens.kind == Token.NAME) {
        argument(arguments, keywords);
      } else {
        arguments.add(expression());
      }
      highest = Math.max(highest, height);
      tokens.separator(')');
    }
    height = highest;
    return new Expression.Call(position, callee, arguments, keywords);
  }

  /** Parses an argument that begins with a name, which may be its parameter's name. */
  private void argument(List<Expression> arguments, List<Expression.Keyword> keywords) {
    int position = tokens.position;
    String name = tokens.name();
    if (tokens.accept('=')) {
      keywords.add(new Expression.Keyword(name, expression()));
    } else {
      arguments.add(from(position, name));
    }
  }

  private static boolean isTypePlace(Expression.Name callee, int index) {
    return callee.name().equals("isinstance") ? index == 1 : index == 0;
  }

  /** Parses a type, or for {@code isinstance} several types in brackets. */
  private Expression typeArgument() {
    int position = tokens.position;
    boolean round = tokens.accept('(');
    if (!round && !tokens.accept('[')) {
      return new Expression.TypeExpression(position, new TypeParser(tokens).type());
    }
    char end = round ? ')' : ']';
    List<Expression> types = new ArrayList<>();
    while (!tokens.accept(end)) {
      int at = tokens.position;
      types.add(new Expression.TypeExpression(at, new TypeParser(tokens).type()));
      tokens.separator(end);
    }
    return new Expression.TupleLiteral(position, types);
  }

  private Expression atom(int position) {
    return switch (tokens.kind) {
      case SYMBOL -> symbol(position, tokens.symbol);
      case NAME -> named(position, tokens.name());
      case STRING -> string(position);
      default -> number(position, "", "an expression");
    };
  }

  private Expression string(int position) {
    StringBuilder value = new StringBuilder();
    while (tokens.kind == Token.STRING) {
      value.append(tokens.text);
      tokens.next();
    }
    return new Expression.StringLiteral(position, value.toString());
  }

  private Expression named(int position, String name) {
    return switch (name) {
      case "True" -> new Expression.BoolLiteral(position, true);
      case "False" -> new Expression.BoolLiteral(position, false);
      case "None" -> new Expression.NoneLiteral(position);
      case "inf" -> real(position, Double.POSITIVE_INFINITY);
      case "nan" -> real(position, Double.NaN);
      case "class", "def", "if", "else", "while", "for", "in", "with", "pass", "return" ->
          throw tokens.fault(
              position, "expected an expression but found " + Token.NAME.describe(name));
      default -> new Expression.Name(position, name);
    };
  }

  private Expression symbol(int position, char symbol) {
    if (symbol != '-' && symbol != '(' && symbol != '[' && symbol != '{') {
      throw tokens.wrong("an expression");
    }
    tokens.next();
    return switch (symbol) {
      case '-' -> negative(position);
      case '(' -> parenthesised(position);
      case '[' -> new Expression.ListLiteral(position, elements(']'));
      default -> dict(position);
    };
  }

  private Expression negative(int position) {
    if (tokens.accept("inf")) {
      return real(position, Double.NEGATIVE_INFINITY);
    }
    return tokens.accept("nan")
        ? real(position, Double.NaN)
        : number(position, "-", "a number after '-'");
  }

  private Expression number(int position, String sign, String wanted) {
    String word = sign + tokens.text;
    Token kind = tokens.kind;
    switch (kind) {
      case INT, FLOAT, IMAGINARY -> tokens.next();
      default ->
          throw tokens.fault(position, "expected " + wanted + " but found " + tokens.describe());
    }
    return switch (kind) {
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
    return tokens.symbol == '+' || tokens.symbol == '-';
  }

  /** A float, or a complex number if an imaginary part follows. */
  private Expression real(int position, double re) {
    if (!startsImaginary()) {
      return new Expression.FloatLiteral(position, re);
    }
    boolean negative = tokens.accept('-');
    if (!negative) {
      tokens.expect('+');
    }
    double im =
        tokens.accept("infj")
            ? Double.POSITIVE_INFINITY
            : tokens.accept("nanj")
                ? Double.NaN
                : Double.parseDouble(tokens.expect(Token.IMAGINARY, "an imaginary part"));
    return new Expression.ComplexLiteral(position, re, negative ? -im : im);
  }

  private Expression parenthesised(int position) {
    if (tokens.symbol == ')') {
      tokens.next();
      return new Expression.TupleLiteral(position, List.of());
    }
    Expression first = expression();
    if (tokens.accept(')')) {
      return first;
    }
    int below = height;
    tokens.expect(',');
    List<Expression> elements = new ArrayList<>(List.of(first));
    elements.addAll(elements(')'));
    height = Math.max(height, below + 1);
    return new Expression.TupleLiteral(position, elements);
  }

  /** Parses expressions up to {@code end}; sets the height of the expression that contains them. */
  private List<Expression> elements(char end) {
    List<Expression> elements = new ArrayList<>();
    int highest = 0;
    while (!tokens.accept(end)) {
      elements.add(expression());
      highest = Math.max(highest, height);
      tokens.separator(end);
    }
    above(highest);
    return elements;
  }

  private Expression dict(int position) {
    List<Expression> keys = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    int highest = 0;
    while (!tokens.accept('}')) {
      keys.add(expression());
      highest = Math.max(highest, height);
      tokens.expect(':');
      values.add(expression());
      highest = Math.max(highest, height);
      tokens.separator('}');
    }
    above(highest);
    return new Expression.DictLiteral(position, keys, values);
  }
}
