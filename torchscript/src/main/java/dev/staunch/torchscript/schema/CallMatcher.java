package dev.staunch.torchscript.schema;

import dev.staunch.fault.Message;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.schema.OverloadResolver.Arguments;
import dev.staunch.torchscript.schema.OverloadResolver.Conversion;
import dev.staunch.torchscript.schema.OverloadResolver.Filling;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Matches one schema with one call: how each parameter is filled, or why it cannot be. Used once.
 */
final class CallMatcher {
  private final Schema schema;
  private final List<Schema.Parameter> parameters;
  private final Arguments arguments;
  private final TypeRelations relations;
  private final boolean conversions;
  private final Map<String, Type> bound = new HashMap<>();
  private final Set<String> usedKeywords = new HashSet<>();
  private final List<Integer> extra = new ArrayList<>();
  private int next;
  private Supplier<String> refusal = () -> "";

  /**
   * @param conversions whether arguments may be converted, as libtorch allows if no overload fits
   *     without
   */
  CallMatcher(Schema schema, Arguments arguments, TypeRelations relations, boolean conversions) {
    this.schema = schema;
    this.parameters = schema.parameters();
    this.arguments = arguments;
    this.relations = relations;
    this.conversions = conversions;
  }

  /** Returns a filling for each parameter, or null; {@link #refusal} then says why. */
  @Nullable List<Filling> fillings() {
    List<Filling> fillings = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      Filling filling = fill(i);
      if (filling == null) {
        return null;
      }
      fillings.add(filling);
    }
    int given = arguments.positional().size();
    while (schema.variadic() && next < given) {
      extra.add(next++);
    }
    if (next < given) {
      refuse(() ->
          Message.of("takes %s, got %d", Message.count(parameters.size(), "argument"), given));
      return null;
    }
    for (String keyword : arguments.keywords().keySet()) {
      if (!usedKeywords.contains(keyword)) {
        refuse(() -> "has no parameter '" + keyword + "'");
        return null;
      }
    }
    return fillings;
  }

  /** Positional arguments beyond the parameters of a variadic operator. */
  List<Integer> extra() {
    return extra;
  }

  String refusal() {
    return refusal.get();
  }

  /** The types of the results, with the free types replaced by their bindings. */
  List<Type> results() {
    List<Type> types = new ArrayList<>();
    for (Schema.Result result : schema.results()) {
      types.add(TypeRelations.substitute(result.type(), bound));
    }
    return Collections.unmodifiableList(types);
  }

  /** Most refusals are of overloads that nobody meant, so the message is built only on request. */
  private @Nullable Filling refuse(Supplier<String> why) {
    refusal = why;
    return null;
  }

  private @Nullable Filling fill(int i) {
    Schema.Parameter parameter = parameters.get(i);
    if (next < arguments.positional().size() && !parameter.keywordOnly()) {
      return positional(i, parameter);
    }
    String keyword = keyword(parameter.name());
    if (keyword != null) {
      usedKeywords.add(keyword);
      Type type = arguments.keywords().getOrDefault(keyword, Type.Plain.ANY);
      Conversion conversion = convert(parameter, type);
      return conversion == null
          ? mismatch(parameter, type)
          : new Filling.Argument(-1, keyword, conversion);
    }
    Object defaultValue = parameter.defaultValue();
    return defaultValue == null
        ? refuse(() -> "needs a value for '" + parameter.name() + "'")
        : new Filling.Default(defaultValue);
  }

  /** The keyword argument for a parameter; {@code input} also stands for {@code self}. */
  private @Nullable String keyword(String parameter) {
    if (arguments.keywords().containsKey(parameter)) {
      return parameter;
    }
    boolean input = parameter.equals("self") && arguments.keywords().containsKey("input");
    return input ? "input" : null;
  }

  private @Nullable Filling positional(int i, Schema.Parameter parameter) {
    Type type = arguments.positional().get(next);
    if (conversions && takesTrailing(i, parameter, type)) {
      return trailing(parameter);
    }
    Conversion conversion = convert(parameter, type);
    return conversion == null
        ? mismatch(parameter, type)
        : new Filling.Argument(next++, null, conversion);
  }

  /**
   * As in {@code zeros(1, 2)}: the remaining arguments fill a list that is the last positional
   * parameter.
   */
  private boolean takesTrailing(int i, Schema.Parameter parameter, Type first) {
    boolean last = i + 1 == parameters.size() || parameters.get(i + 1).keywordOnly();
    return last
        && parameter.broadcastSize() == 0
        && parameter.type() instanceof Type.ListOf list
        && !(list.element() instanceof Type.Variable)
        && !(first instanceof Type.ListOf)
        && !isListOfSome(first, list);
  }

  private @Nullable Filling trailing(Schema.Parameter parameter) {
    Type element = ((Type.ListOf) parameter.type()).element();
    List<Conversion> parts = new ArrayList<>();
    int from = next;
    for (; next < arguments.positional().size(); next++) {
      Type type = arguments.positional().get(next);
      Conversion conversion = convert(element, type);
      if (conversion == null) {
        return mismatch(parameter, type);
      }
      parts.add(conversion);
    }
    return new Filling.Trailing(from, parts);
  }

  private @Nullable Filling mismatch(Schema.Parameter parameter, Type type) {
    return refuse(() -> Message.of("'%s' is %s, got %s", parameter.name(), parameter.type(), type));
  }

  private @Nullable Conversion convert(Schema.Parameter parameter, Type actual) {
    Type formal = withoutOptional(parameter.type());
    boolean repeats =
        parameter.broadcastSize() > 0
            && (actual == Type.Plain.INT || actual == Type.Plain.FLOAT)
            && formal.equals(new Type.ListOf(actual));
    return repeats ? Conversion.REPEAT : convert(parameter.type(), actual);
  }

  private @Nullable Conversion convert(Type formal, Type actual) {
    if (!relations.bind(formal, actual, bound)) {
      return null;
    }
    Type wanted = TypeRelations.substitute(formal, bound);
    if (relations.isSubtype(actual, wanted)) {
      return Conversion.NONE;
    }
    Type inner = actual instanceof Type.Optional ? wanted : withoutOptional(wanted);
    if (actual instanceof Type.Tuple
        && inner instanceof Type.ListOf list
        && isListOfSome(actual, list)) {
      return Conversion.TUPLE_TO_LIST;
    }
    return conversions ? implicit(inner, actual) : null;
  }

  /** Whether {@code actual} is a tuple whose elements all fit {@code list}. */
  private boolean isListOfSome(Type actual, Type.ListOf list) {
    return actual instanceof Type.Tuple tuple
        && tuple.elements().stream().allMatch(e -> relations.isSubtype(e, list.element()));
  }

  private static Type withoutOptional(Type type) {
    return type instanceof Type.Optional optional ? optional.element() : type;
  }

  private static @Nullable Conversion implicit(Type formal, Type actual) {
    boolean tensor = actual == Type.Plain.TENSOR;
    boolean number = actual == Type.Plain.NUMBER;
    if (actual == Type.Plain.BOOL) {
      return ofBool(formal);
    }
    if (formal == Type.Plain.INT) {
      return tensor ? Conversion.TENSOR_TO_INT : number ? Conversion.NUMBER_TO_INT : null;
    }
    if (formal == Type.Plain.FLOAT) {
      return tensor ? Conversion.TENSOR_TO_FLOAT : number ? Conversion.NUMBER_TO_FLOAT : null;
    }
    if (formal == Type.Plain.COMPLEX) {
      return tensor ? Conversion.TENSOR_TO_COMPLEX : number ? Conversion.NUMBER_TO_COMPLEX : null;
    }
    if (formal == Type.Plain.NUMBER) {
      return tensor ? Conversion.TENSOR_TO_NUMBER : null;
    }
    return formal == Type.Plain.DEVICE && actual == Type.Plain.STRING ? Conversion.NONE : null;
  }

  private static @Nullable Conversion ofBool(Type formal) {
    if (formal == Type.Plain.FLOAT) {
      return Conversion.BOOL_TO_FLOAT;
    }
    boolean counts = formal == Type.Plain.INT || formal == Type.Plain.NUMBER;
    return counts ? Conversion.BOOL_TO_INT : null;
  }
}
