package dev.staunch.operation;

import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses operation schemas in libtorch's notation: {@code aten::add_.Tensor(Tensor(a!) self, Tensor
 * other, *, Scalar alpha=1) -> Tensor(a!)}.
 */
public final class SchemaText {
  private static final int MOST_DIGITS = 9;

  private final String text;
  private int at;

  private SchemaText(String text) {
    this.text = text;
  }

  /**
   * @throws IllegalArgumentException naming the position if {@code text} is not a schema
   */
  public static Schema parse(String text) {
    return new SchemaText(text).schema();
  }

  /** The qualified name in {@code text}, without parsing the rest. */
  public static String name(String text) {
    int end = text.indexOf('(');
    return end < 0 ? text : text.substring(0, end);
  }

  private record TypeWithAlias(
      Type type, int broadcastSize, @Nullable String alias, boolean mutated) {}

  private Schema schema() {
    String name = word();
    expect("::");
    name = name + "::" + word();
    String overload = accept(".") ? word() : "";
    expect("(");
    List<Schema.Parameter> parameters = new ArrayList<>();
    boolean keywordOnly = false;
    boolean variadic = false;
    while (!accept(")")) {
      if (accept("...")) {
        variadic = true;
      } else if (accept("*")) {
        keywordOnly = true;
      } else {
        parameters.add(parameter(keywordOnly));
      }
      if (!accept(",") && !peek(")")) {
        throw wrong("',' or ')'");
      }
    }
    expect("->");
    boolean variadicResults = accept("...");
    List<Schema.Result> results = variadicResults ? List.of() : results();
    space();
    if (at != text.length()) {
      throw wrong("the end");
    }
    return new Schema(name, overload, parameters, results, variadic, variadicResults);
  }

  private Schema.Parameter parameter(boolean keywordOnly) {
    TypeWithAlias type = type();
    String name = word();
    Object defaultValue = accept("=") ? literal(type.type()) : null;
    return new Schema.Parameter(
        name,
        type.type(),
        type.broadcastSize(),
        defaultValue,
        keywordOnly,
        type.mutated(),
        type.alias());
  }

  private List<Schema.Result> results() {
    if (!accept("(")) {
      return List.of(result());
    }
    List<Schema.Result> results = new ArrayList<>();
    while (!accept(")")) {
      results.add(result());
      if (!accept(",") && !peek(")")) {
        throw wrong("',' or ')'");
      }
    }
    return results;
  }

  private Schema.Result result() {
    TypeWithAlias type = type();
    space();
    boolean named = at < text.length() && Character.isJavaIdentifierStart(text.charAt(at));
    return new Schema.Result(type.type(), type.alias(), type.mutated(), named ? word() : null);
  }

  private TypeWithAlias type() {
    Type type = simpleType();
    String alias = aliasText();
    boolean mutated = alias != null && alias.indexOf('!') >= 0;
    int broadcast = 0;
    while (true) {
      if (accept("[")) {
        broadcast = peek("]") ? 0 : number();
        expect("]");
        type = new Type.ListOf(type);
        String outer = aliasText();
        alias = outer == null ? alias : outer;
        mutated |= outer != null && outer.indexOf('!') >= 0;
      } else if (accept("?")) {
        type = new Type.Optional(type);
      } else {
        String set = alias == null ? null : alias.replace("!", "").trim();
        return new TypeWithAlias(type, broadcast, set, mutated);
      }
    }
  }

  /** {@code (a!)}, {@code (a -> *)}, {@code (*)}; not to be confused with {@code Dict(K, V)}. */
  private @Nullable String aliasText() {
    if (at >= text.length() || text.charAt(at) != '(') {
      return null;
    }
    int end = text.indexOf(')', at);
    if (end < 0) {
      throw wrong("')'");
    }
    String alias = text.substring(at + 1, end);
    at = end + 1;
    return alias;
  }

  private Type simpleType() {
    if (accept("(")) {
      List<Type> elements = new ArrayList<>();
      while (!accept(")")) {
        elements.add(type().type());
        accept(",");
      }
      return new Type.Tuple(elements);
    }
    String word = dotted();
    return switch (word) {
      case "Tensor" -> Type.Plain.TENSOR;
      case "int", "SymInt", "ScalarType", "Layout", "MemoryFormat", "QScheme" -> Type.Plain.INT;
      case "float", "SymFloat" -> Type.Plain.FLOAT;
      case "bool", "SymBool" -> Type.Plain.BOOL;
      case "str", "Dimname" -> Type.Plain.STRING;
      case "complex" -> Type.Plain.COMPLEX;
      case "Scalar", "number" -> Type.Plain.NUMBER;
      case "NoneType" -> Type.Plain.NONE;
      case "Any" -> Type.Plain.ANY;
      case "Device" -> Type.Plain.DEVICE;
      case "Generator" -> Type.Plain.GENERATOR;
      case "Storage" -> Type.Plain.STORAGE;
      case "Stream" -> Type.Plain.STREAM;
      case "QUANTIZER", "Quantizer", "ConstQuantizerPtr" -> Type.Plain.QUANTIZER;
      case "list" -> Type.Plain.ANY_LIST;
      case "tuple" -> Type.Plain.ANY_TUPLE;
      case "AnyEnumType" -> Type.Plain.ANY_ENUM;
      case "AnyClassType" -> Type.Plain.ANY_CLASS;
      case "Dict" -> dict();
      case "Future" -> new Type.Future(parenthesised());
      case "Await" -> new Type.Class("Await");
      case "RRef" -> new Type.Class("RRef[" + parenthesised() + "]");
      default -> freeOrClass(word);
    };
  }

  private static Type freeOrClass(String word) {
    boolean dotted = word.indexOf('.') >= 0;
    return !dotted && Character.isLowerCase(word.charAt(0)) && word.length() <= 4
        ? new Type.Variable(word)
        : new Type.Class(word);
  }

  private Type dict() {
    expect("(");
    Type key = type().type();
    expect(",");
    Type value = type().type();
    expect(")");
    return new Type.Dict(key, value);
  }

  private Type parenthesised() {
    expect("(");
    Type inner = type().type();
    expect(")");
    return inner;
  }

  private Object literal(Type type) {
    space();
    if (at == text.length()) {
      throw wrong("a default value");
    }
    char c = text.charAt(at);
    if (c == '[') {
      return listLiteral(type);
    }
    if (c == '"' || c == '\'') {
      return stringLiteral(c);
    }
    int start = at;
    while (at < text.length() && ",)".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return plainLiteral(text.substring(start, at).trim(), type);
  }

  private String stringLiteral(char quote) {
    StringBuilder value = new StringBuilder();
    for (at++; at < text.length() && text.charAt(at) != quote; at++) {
      boolean escaped = text.charAt(at) == '\\' && at + 1 < text.length();
      value.append(escaped ? unescaped(text.charAt(++at)) : text.charAt(at));
    }
    expect(Character.toString(quote));
    return value.toString();
  }

  private static char unescaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'f' -> '\f';
      case 'v' -> '\u000b';
      default -> c;
    };
  }

  private List<Object> listLiteral(Type type) {
    expect("[");
    Type inner = type instanceof Type.Optional optional ? optional.element() : type;
    Type element = inner instanceof Type.ListOf list ? list.element() : inner;
    List<Object> values = new ArrayList<>();
    while (!accept("]")) {
      int start = at;
      while (at < text.length() && ",]".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      values.add(plainLiteral(text.substring(start, at).trim(), element));
      accept(",");
    }
    return List.copyOf(values);
  }

  private Object plainLiteral(String word, Type type) {
    return switch (word) {
      case "None" -> None.NONE;
      case "True" -> true;
      case "False" -> false;
      case "strided", "contiguous_format" -> 0L;
      case "Mean" -> 1L;
      case "per_tensor_affine" -> 0L;
      default -> numberLiteral(word, type);
    };
  }

  private Object numberLiteral(String word, Type type) {
    Type inner = type instanceof Type.Optional optional ? optional.element() : type;
    if (inner instanceof Type.ListOf list) {
      inner = list.element();
    }
    try {
      if (isInteger(word) && inner != Type.Plain.FLOAT) {
        return Long.valueOf(word);
      }
      return Double.valueOf(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "expected a default value, not '" + word + "', before column " + at + " of: " + text, e);
    }
  }

  /** Digits, after a sign if there is one. */
  private static boolean isInteger(String word) {
    int first = word.startsWith("-") ? 1 : 0;
    for (int i = first; i < word.length(); i++) {
      if (word.charAt(i) < '0' || word.charAt(i) > '9') {
        return false;
      }
    }
    return word.length() > first;
  }

  private int number() {
    space();
    int start = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    if (at == start || at - start > MOST_DIGITS) {
      at = start;
      throw wrong("a number of up to " + MOST_DIGITS + " digits");
    }
    return Integer.parseInt(text, start, at, 10);
  }

  private String dotted() {
    StringBuilder name = new StringBuilder(word());
    while (at < text.length() && text.charAt(at) == '.') {
      at++;
      name.append('.').append(word());
    }
    return name.toString();
  }

  private String word() {
    space();
    int start = at;
    while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
      at++;
    }
    if (start == at) {
      throw wrong("a name");
    }
    return text.substring(start, at);
  }

  private boolean peek(String token) {
    space();
    return text.startsWith(token, at);
  }

  private boolean accept(String token) {
    if (!peek(token)) {
      return false;
    }
    at += token.length();
    return true;
  }

  private void expect(String token) {
    if (!accept(token)) {
      throw wrong("'" + token + "'");
    }
  }

  private void space() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private IllegalArgumentException wrong(String wanted) {
    return new IllegalArgumentException("expected " + wanted + " at column " + at + " of: " + text);
  }
}
