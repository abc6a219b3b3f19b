package dev.staunch.torchscript.source;

import dev.staunch.fault.Message;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;

/** Parses type annotations such as {@code Optional[List[int]]}. */
final class TypeParser {
  private final TokenStream tokens;

  TypeParser(TokenStream tokens) {
    this.tokens = tokens;
  }

  Type type() {
    tokens.enter();
    int position = tokens.position;
    String name = dotted();
    Type type =
        switch (name) {
          case "Tensor" -> Type.Plain.TENSOR;
          case "int" -> Type.Plain.INT;
          case "float" -> Type.Plain.FLOAT;
          case "bool" -> Type.Plain.BOOL;
          case "str" -> Type.Plain.STRING;
          case "complex" -> Type.Plain.COMPLEX;
          case "number", "Scalar" -> Type.Plain.NUMBER;
          case "NoneType", "None" -> Type.Plain.NONE;
          case "Any" -> Type.Plain.ANY;
          case "Device" -> Type.Plain.DEVICE;
          case "QScheme" -> Type.Plain.INT;
          case "Generator" -> Type.Plain.GENERATOR;
          case "Stream" -> Type.Plain.STREAM;
          case "Storage" -> Type.Plain.STORAGE;
          case "list" -> Type.Plain.ANY_LIST;
          case "tuple" -> Type.Plain.ANY_TUPLE;
          case "AnyClassType" -> Type.Plain.ANY_CLASS;
          case "AnyEnumType" -> Type.Plain.ANY_ENUM;
          case "Optional", "List", "Future", "Final", "Dict", "Tuple", "Union", "RRef", "Await" ->
              parameterised(name, position);
          default -> new Type.Class(name);
        };
    tokens.depth--;
    return type;
  }

  private Type parameterised(String name, int position) {
    List<Type> inner = arguments(name);
    int wanted =
        switch (name) {
          case "Dict" -> 2;
          case "Tuple", "Union" -> -1;
          default -> 1;
        };
    if (wanted >= 0 && inner.size() != wanted) {
      String text = "%s takes %d types, got %d";
      throw tokens.fault(position, Message.of(text, name, wanted, inner.size()));
    }
    return switch (name) {
      case "Optional" -> new Type.Optional(inner.get(0));
      case "List" -> new Type.ListOf(inner.get(0));
      case "Future", "Await" -> new Type.Future(inner.get(0));
      case "Dict" -> new Type.Dict(inner.get(0), inner.get(1));
      case "Tuple" -> new Type.Tuple(inner);
      case "Union" -> new Type.Union(inner);
      case "RRef" -> new Type.Class("RRef[" + inner.get(0) + "]");
      default -> inner.get(0); // Final
    };
  }

  private List<Type> arguments(String name) {
    List<Type> inner = new ArrayList<>();
    tokens.expect('[');
    if (name.equals("Tuple") && tokens.accept('(')) {
      tokens.expect(')');
      tokens.expect(']');
      return inner;
    }
    do {
      inner.add(type());
      tokens.separator(']');
    } while (!tokens.accept(']'));
    return inner;
  }

  private String dotted() {
    StringBuilder name = new StringBuilder(tokens.name());
    while (tokens.symbol == '.') {
      tokens.next();
      name.append('.').append(tokens.name());
    }
    return name.toString();
  }
}
