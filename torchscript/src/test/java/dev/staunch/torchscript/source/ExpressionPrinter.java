package dev.staunch.torchscript.source;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Prints expressions back to TorchScript. */
final class ExpressionPrinter {
  private ExpressionPrinter() {}

  static String print(Expression expression) {
    return switch (expression) {
      case Expression.IntLiteral literal -> Long.toString(literal.value());
      case Expression.FloatLiteral literal -> number(literal.value());
      case Expression.ComplexLiteral literal ->
          number(literal.re())
              + (literal.im() < 0 ? "-" : "+")
              + number(Math.abs(literal.im()))
              + "j";
      case Expression.StringLiteral literal -> string(literal.value());
      case Expression.BoolLiteral literal -> literal.value() ? "True" : "False";
      case Expression.NoneLiteral literal -> "None";
      case Expression.Name name -> name.name();
      case Expression.Attribute attribute -> object(attribute.object()) + "." + attribute.name();
      case Expression.Call call -> object(call.callee()) + "(" + arguments(call) + ")";
      case Expression.TypeExpression type -> type.type().toString();
      case Expression.Subscript subscript ->
          object(subscript.object()) + "[" + print(subscript.index()) + "]";
      case Expression.ListLiteral list -> "[" + elements(list.elements()) + "]";
      case Expression.DictLiteral dict -> dict(dict);
      case Expression.TupleLiteral tuple -> tuple(tuple);
    };
  }

  private static String object(Expression expression) {
    boolean bare = expression instanceof Expression.Name || isPath(expression);
    return bare ? print(expression) : "(" + print(expression) + ")";
  }

  private static boolean isPath(Expression expression) {
    return expression instanceof Expression.Attribute attribute
        && (attribute.object() instanceof Expression.Name || isPath(attribute.object()));
  }

  private static String arguments(Expression.Call call) {
    List<String> parts = new ArrayList<>(call.arguments().stream().map(e -> print(e)).toList());
    call.keywords().forEach(keyword -> parts.add(keyword.name() + "=" + print(keyword.value())));
    return String.join(", ", parts);
  }

  private static String elements(List<Expression> elements) {
    return String.join(", ", elements.stream().map(e -> print(e)).toList());
  }

  private static String tuple(Expression.TupleLiteral tuple) {
    return "(" + elements(tuple.elements()) + (tuple.elements().size() == 1 ? ",)" : ")");
  }

  private static String dict(Expression.DictLiteral dict) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < dict.keys().size(); i++) {
      parts.add(print(dict.keys().get(i)) + ": " + print(dict.values().get(i)));
    }
    return "{" + String.join(", ", parts) + "}";
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return Double.isInfinite(value) ? (value < 0 ? "-inf" : "inf") : Double.toString(value);
  }

  static String string(String value) {
    StringBuilder text = new StringBuilder("\"");
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      if (b < ' ' || b == '"' || b == '\\' || b == 0x7f) {
        text.append("\\%03o".formatted(b & 0xff));
      } else {
        text.append((char) b);
      }
    }
    return text.append('"').toString();
  }
}
