package dev.staunch.ir;

import dev.staunch.type.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The operations of {@link Structure} in text form: a keyword and named attributes. */
final class StructureText {
  private static final Map<String, Structure.Plain> PLAIN =
      Arrays.stream(Structure.Plain.values())
          .collect(Collectors.toUnmodifiableMap(Structure::word, Function.identity()));

  private StructureText() {}

  /** The attributes from which {@link #of} recreates {@code structure}. */
  static Map<String, Attribute> attributes(Structure structure) {
    return switch (structure) {
      case Structure.Constant constant -> Map.of("value", constant.value());
      case Structure.With with -> {
        Map<String, Attribute> functions = new LinkedHashMap<>();
        functions.put("enter", new Attribute.Symbol(with.enter()));
        functions.put("exit", new Attribute.Symbol(with.exit()));
        yield functions;
      }
      case Structure.CallFunction call -> Map.of("callee", new Attribute.Symbol(call.function()));
      case Structure.CallMethod call -> Map.of("name", new Attribute.Text(call.method()));
      case Structure.GetAttribute get -> Map.of("name", new Attribute.Text(get.attribute()));
      case Structure.SetAttribute set -> Map.of("name", new Attribute.Text(set.attribute()));
      case Structure.CreateObject create -> {
        Map<String, Attribute> object = new LinkedHashMap<>();
        object.put("type", new Attribute.Text(create.type()));
        List<Attribute> slots =
            create.slots().stream().<Attribute>map(Attribute.Text::new).toList();
        object.put("slots", new Attribute.Array(slots));
        yield object;
      }
      case Structure.TupleIndex tuple ->
          Map.of("index", new Attribute.Int(tuple.index(), Type.Plain.INT));
      case Structure.IsInstance test ->
          Map.of(
              "types",
              new Attribute.Array(
                  test.types().stream().<Attribute>map(Attribute.OfType::new).toList()));
      case Structure.CheckedCast cast ->
          Map.of("types", new Attribute.Array(List.of(new Attribute.OfType(cast.wanted()))));
      case Structure.Plain plain -> Map.of();
    };
  }

  /** The operation with this keyword and these attributes, or null if there is none. */
  static @Nullable Structure of(String word, Map<String, Attribute> attributes) {
    Structure.Plain plain = PLAIN.get(word);
    if (plain != null) {
      return attributes.isEmpty() ? plain : null;
    }
    return new Given(attributes).structure(word);
  }

  /** Attributes by name; a lookup of a missing one makes the result null. */
  private record Given(Map<String, Attribute> attributes) {
    @Nullable Structure structure(String word) {
      Attribute value = attributes.get("value");
      String name = attributes.get("name") instanceof Attribute.Text text ? text.value() : null;
      return switch (word) {
        case "prim::Constant" -> value == null ? null : new Structure.Constant(value);
        case "prim::CallFunction" ->
            attributes.get("callee") instanceof Attribute.Symbol callee
                ? new Structure.CallFunction(callee.name())
                : null;
        case "prim::CallMethod" -> name == null ? null : new Structure.CallMethod(name);
        case "prim::GetAttr" -> name == null ? null : new Structure.GetAttribute(name);
        case "prim::SetAttr" -> name == null ? null : new Structure.SetAttribute(name);
        case "prim::With" ->
            attributes.get("enter") instanceof Attribute.Symbol enter
                    && attributes.get("exit") instanceof Attribute.Symbol exit
                ? new Structure.With(enter.name(), exit.name())
                : null;
        case "prim::TupleIndex" ->
            attributes.get("index") instanceof Attribute.Int index
                ? new Structure.TupleIndex(index.value())
                : null;
        case "prim::CreateObject" ->
            attributes.get("type") instanceof Attribute.Text type
                ? new Structure.CreateObject(type.value(), texts("slots"))
                : null;
        case "prim::isinstance" -> new Structure.IsInstance(types("types"));
        case "prim::CheckedCast" ->
            types("types").size() == 1 ? new Structure.CheckedCast(types("types").get(0)) : null;
        default -> null;
      };
    }

    private List<Attribute> elements(String key) {
      return attributes.get(key) instanceof Attribute.Array array ? array.elements() : List.of();
    }

    private List<String> texts(String key) {
      return elements(key).stream()
          .filter(Attribute.Text.class::isInstance)
          .map(each -> ((Attribute.Text) each).value())
          .toList();
    }

    private List<Type> types(String key) {
      return elements(key).stream()
          .filter(Attribute.OfType.class::isInstance)
          .map(each -> ((Attribute.OfType) each).value())
          .toList();
    }
  }
}
