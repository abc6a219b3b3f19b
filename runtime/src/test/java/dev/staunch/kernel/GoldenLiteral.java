package dev.staunch.kernel;

import dev.staunch.kernel.operand.Scalars;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads run-time values as the golden files write them: {@code 1}, {@code 1.5}, {@code True},
 * {@code "text"}, {@code c(re, im)}, {@code [list]}, {@code (tuple)}, {@code {key: value}}, {@code
 * tensor(float32,[2],[1.0, 2.0])}.
 */
public final class GoldenLiteral {
  private final String text;
  private final ResourceScope scope;
  private int at;

  private GoldenLiteral(String text, ResourceScope scope) {
    this.text = text;
    this.scope = scope;
  }

  public static Object parse(String text, ResourceScope scope) {
    GoldenLiteral literal = new GoldenLiteral(text, scope);
    Object value = literal.value();
    if (literal.at != text.length()) {
      throw new IllegalArgumentException("trailing text at " + literal.at + " of " + text);
    }
    return value;
  }

  private Object value() {
    space();
    char c = text.charAt(at);
    return switch (c) {
      case '[' -> list('[', ']');
      case '(' -> new TupleValue(list('(', ')'));
      case '{' -> dict();
      case '"' -> string();
      default -> word();
    };
  }

  private Object word() {
    int start = at;
    while (at < text.length() && " ,:()[]{}".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    return switch (word) {
      case "None" -> None.NONE;
      case "True" -> true;
      case "False" -> false;
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      case "c" -> complex();
      case "tensor" -> tensor();
      default ->
          word.matches("-?\\d+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    };
  }

  private ComplexNumber complex() {
    List<Object> parts = list('(', ')');
    return new ComplexNumber((Double) parts.get(0), (Double) parts.get(1));
  }

  private Object tensor() {
    expect('(');
    int comma = text.indexOf(',', at);
    DType dtype = DType.valueOf(text.substring(at, comma).toUpperCase(Locale.ROOT));
    at = comma + 1;
    long[] sizes = list('[', ']').stream().mapToLong(size -> (Long) size).toArray();
    expect(',');
    List<Object> values = list('[', ']');
    expect(')');
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(sizes));
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      if (value instanceof Double real) {
        Elements.putDouble(tensor.segment(), dtype, i, real);
      } else {
        Elements.putLong(tensor.segment(), dtype, i, Scalars.integer(value));
      }
    }
    return tensor;
  }

  private List<Object> list(char open, char close) {
    expect(open);
    List<Object> values = new ArrayList<>();
    while (!peek(close)) {
      values.add(value());
      if (peek(',')) {
        at++;
      }
    }
    at++;
    return values;
  }

  private Map<Object, Object> dict() {
    expect('{');
    Map<Object, Object> values = new LinkedHashMap<>();
    while (!peek('}')) {
      Object key = value();
      expect(':');
      values.put(key, value());
      if (peek(',')) {
        at++;
      }
    }
    at++;
    return values;
  }

  private String string() {
    StringBuilder value = new StringBuilder();
    for (at++; text.charAt(at) != '"'; at++) {
      char c = text.charAt(at);
      value.append(c == '\\' ? escape() : c);
    }
    at++;
    return value.toString();
  }

  private char escape() {
    char c = text.charAt(++at);
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'f' -> '\f';
      case 'b' -> '\b';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
      }
      default -> c;
    };
  }

  private boolean peek(char c) {
    space();
    return text.charAt(at) == c;
  }

  private void expect(char c) {
    if (!peek(c)) {
      throw new IllegalArgumentException("expected " + c + " at " + at + " of " + text);
    }
    at++;
  }

  private void space() {
    while (text.charAt(at) == ' ') {
      at++;
    }
  }
}
