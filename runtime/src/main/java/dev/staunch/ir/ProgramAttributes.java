package dev.staunch.ir;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the attributes in a program text. */
final class ProgramAttributes {
  private final ProgramTokens tokens;
  private final ProgramTypes types;
  private final Map<String, Attribute> resources;

  /**
   * @param resources attributes that a text only refers to by name
   */
  ProgramAttributes(ProgramTokens tokens, ProgramTypes types, Map<String, Attribute> resources) {
    this.tokens = tokens;
    this.types = types;
    this.resources = resources;
  }

  /** Parses {@code {name = value, ...}}, whose opening brace was already read. */
  Map<String, Attribute> all() {
    Map<String, Attribute> attributes = new LinkedHashMap<>();
    if (tokens.accept("}")) {
      return attributes;
    }
    do {
      if (attributes.containsKey(tokens.peek())) {
        throw tokens.fault("the attribute " + tokens.peek() + " is given twice");
      }
      if (attributes.size() == ProgramTokens.MAX_LIST) {
        throw tokens.fault("there are more than " + ProgramTokens.MAX_LIST + " attributes");
      }
      String name = tokens.word();
      tokens.expect("=");
      attributes.put(name, one());
    } while (tokens.accept(","));
    tokens.expect("}");
    return attributes;
  }

  private Attribute one() {
    if (tokens.isString()) {
      return new Attribute.Text(tokens.string());
    }
    if (tokens.peek().startsWith("@")) {
      return new Attribute.Symbol(tokens.symbol());
    }
    if (tokens.accept("[")) {
      return new Attribute.Array(elements("]"));
    }
    if (tokens.accept("#")) {
      return ofScript();
    }
    return types.begins() ? new Attribute.OfType(types.one()) : number();
  }

  private List<Attribute> elements(String end) {
    List<Attribute> elements = new ArrayList<>();
    if (!tokens.accept(end)) {
      do {
        tokens.add(elements, one());
      } while (tokens.accept(","));
      tokens.expect(end);
    }
    return elements;
  }

  /** Attributes that only scripts have: {@code #none}, {@code #tuple<...>} and the like. */
  private Attribute ofScript() {
    SourceLocation place = tokens.location();
    String kind = tokens.word();
    if (kind.equals("none")) {
      return new Attribute.None();
    }
    tokens.expect("<");
    List<Attribute> parts = elements(">");
    Attribute read = ofScript(kind, parts);
    if (read == null) {
      throw Fault.data(place.file(), "there is no attribute #" + ProgramTokens.shown(kind))
          .withSource(place)
          .toException();
    }
    return read;
  }

  private @Nullable Attribute ofScript(String kind, List<Attribute> parts) {
    return switch (kind + parts.size()) {
      case "complex2" ->
          parts.get(0) instanceof Attribute.Real re && parts.get(1) instanceof Attribute.Real im
              ? new Attribute.Complex(re.value(), im.value())
              : null;
      case "member3" ->
          parts.get(0) instanceof Attribute.Text owner
                  && parts.get(1) instanceof Attribute.Text name
              ? new Attribute.Member(owner.value(), name.value(), parts.get(2))
              : null;
      case "resource1" ->
          parts.get(0) instanceof Attribute.Text name ? resources.get(name.value()) : null;
      default -> kind.equals("tuple") ? new Attribute.Tuple(parts) : null;
    };
  }

  /** A number with or without its type. */
  Attribute number() {
    SourceLocation place = tokens.location();
    String text = tokens.number();
    Type type = ProgramTypes.builtIn(Literal.typeOf(text));
    if (tokens.accept(":")) {
      String name = tokens.peek();
      if (!Literal.isOf(name) && !name.equals("int") && !name.equals("float")) {
        throw tokens.fault("numbers of type " + ProgramTokens.shown(name) + " are not supported");
      }
      type = types.one();
    }
    return number(type, place, text);
  }

  /** The number of {@code type} written as {@code text}. */
  static Attribute number(Type type, SourceLocation place, String text) {
    Attribute value = Literal.read(type, text);
    if (value == null) {
      throw Fault.data(place.file(), "'" + ProgramTokens.shown(text) + "' is no " + type)
          .withSource(place)
          .toException();
    }
    return value;
  }
}
