package dev.staunch.torchscript.schema;

import dev.staunch.kernel.Schema;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the overload of an operator for a call and says how each parameter is filled, by the
 * rules of libtorch's schema matching: overloads in order, first without implicit conversions, then
 * with them. Archives do not name overloads, so an archive's meaning depends on this.
 */
public final class OverloadResolver {
  private static final Set<String> BLOCKED = Set.of("aten::view.dtype");
  private final OperatorTable table;
  private final TypeRelations relations;

  public OverloadResolver(OperatorTable table, TypeRelations relations) {
    this.table = table;
    this.relations = relations;
  }

  /** The types of a call's arguments. */
  public record Arguments(List<Type> positional, Map<String, Type> keywords) {
    public Arguments {
      positional = List.copyOf(positional);
      keywords = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(keywords));
    }
  }

  /** How a parameter gets its value. */
  public sealed interface Filling {
    /** Positional argument {@code index}, or keyword argument {@code keyword}. */
    record Argument(int index, @Nullable String keyword, Conversion conversion)
        implements Filling {}

    /** The positional arguments from {@code from} on, as a list. */
    record Trailing(int from) implements Filling {}

    record Default(Object value) implements Filling {}
  }

  /** What happens to an argument on its way. */
  public enum Conversion {
    NONE,
    /** A single value repeats to a list of the parameter's broadcast size. */
    REPEAT,
    /** A tuple of equal types becomes a list. */
    TUPLE_TO_LIST,
    TENSOR_TO_INT,
    TENSOR_TO_FLOAT,
    TENSOR_TO_COMPLEX,
    TENSOR_TO_NUMBER,
    NUMBER_TO_INT,
    NUMBER_TO_FLOAT
  }

  /**
   * @param fillings one for each parameter of the schema
   * @param extra positional arguments beyond the parameters, for variadic operators
   */
  public record Match(
      Schema schema, List<Filling> fillings, List<Integer> extra, List<Type> results) {}

  /** What was tried: a match, or why each overload does not fit (none: the name is unknown). */
  public record Resolution(@Nullable Match match, List<String> refusals) {}

  public Resolution resolve(String name, Arguments arguments) {
    List<String> refusals = new ArrayList<>();
    for (boolean conversions : new boolean[] {false, true}) {
      refusals.clear();
      for (Schema schema : table.overloads(name)) {
        if (!BLOCKED.contains(schema.qualifiedName())) {
          Attempt attempt = new Attempt(schema, arguments, conversions);
          Match match = attempt.match();
          if (match != null) {
            return new Resolution(match, List.of());
          }
          refusals.add(schema + ": " + attempt.refusal);
        }
      }
    }
    return new Resolution(null, refusals);
  }

  /** One overload against one call. */
  private final class Attempt {
    private final Schema schema;
    private final Arguments arguments;
    private final boolean conversions;
    private final Map<String, Type> bound = new HashMap<>();
    private final Set<String> usedKeywords = new HashSet<>();
    private int next;
    String refusal = "";

    Attempt(Schema schema, Arguments arguments, boolean conversions) {
      this.schema = schema;
      this.arguments = arguments;
      this.conversions = conversions;
    }

    @Nullable Match match() {
      List<Filling> fillings = new ArrayList<>();
      for (int i = 0; i < schema.parameters().size(); i++) {
        Filling filling = fill(i);
        if (filling == null) {
          return null;
        }
        fillings.add(filling);
      }
      List<Integer> extra = new ArrayList<>();
      while (next < arguments.positional().size()) {
        if (!schema.variadic()) {
          int taken = schema.parameters().size();
          refuse("takes %d arguments, got %d".formatted(taken, arguments.positional().size()));
          return null;
        }
        extra.add(next++);
      }
      for (String keyword : arguments.keywords().keySet()) {
        if (!usedKeywords.contains(keyword)) {
          refuse("has no parameter '" + keyword + "'");
          return null;
        }
      }
      return new Match(schema, List.copyOf(fillings), extra, results());
    }

    private List<Type> results() {
      return schema.results().stream()
          .map(result -> TypeRelations.substitute(result.type(), bound))
          .toList();
    }

    private @Nullable Filling refuse(String why) {
      refusal = why;
      return null;
    }

    private @Nullable Filling fill(int i) {
      Schema.Parameter parameter = schema.parameters().get(i);
      String keyword = keyword(parameter.name());
      if (next < arguments.positional().size() && !parameter.keywordOnly()) {
        if (keyword != null) {
          return refuse("gets '" + keyword + "' twice");
        }
        return positional(i, parameter);
      }
      if (keyword != null) {
        usedKeywords.add(keyword);
        Type type = arguments.keywords().getOrDefault(keyword, Type.Plain.ANY);
        Conversion conversion = convert(parameter, type);
        return conversion == null
            ? refuse(mismatch(parameter, type))
            : new Filling.Argument(-1, keyword, conversion);
      }
      Object defaultValue = parameter.defaultValue();
      return defaultValue == null
          ? refuse("needs a value for '" + parameter.name() + "'")
          : new Filling.Default(defaultValue);
    }

    /** The keyword argument for a parameter; {@code input} stands for {@code self} as well. */
    private @Nullable String keyword(String parameter) {
      if (arguments.keywords().containsKey(parameter)) {
        return parameter;
      }
      boolean input = parameter.equals("self") && arguments.keywords().containsKey("input");
      return input ? "input" : null;
    }

    private @Nullable Filling positional(int i, Schema.Parameter parameter) {
      Type type = arguments.positional().get(next);
      if (takesTrailing(i, parameter, type)) {
        int from = next;
        next = arguments.positional().size();
        return new Filling.Trailing(from);
      }
      Conversion conversion = convert(parameter, type);
      return conversion == null
          ? refuse(mismatch(parameter, type))
          : new Filling.Argument(next++, null, conversion);
    }

    /** {@code zeros(1, 2)}: trailing ints fit a list that is the last positional parameter. */
    private boolean takesTrailing(int i, Schema.Parameter parameter, Type first) {
      List<Schema.Parameter> parameters = schema.parameters();
      boolean last = i + 1 == parameters.size() || parameters.get(i + 1).keywordOnly();
      return last
          && parameter.broadcastSize() == 0
          && parameter.type() instanceof Type.ListOf list
          && list.element() == Type.Plain.INT
          && first == Type.Plain.INT
          && arguments.positional().subList(next, arguments.positional().size()).stream()
              .allMatch(type -> type == Type.Plain.INT);
    }

    private String mismatch(Schema.Parameter parameter, Type type) {
      return "'%s' is %s, got %s".formatted(parameter.name(), parameter.type(), type);
    }

    private @Nullable Conversion convert(Schema.Parameter parameter, Type actual) {
      Type formal = parameter.type();
      Map<String, Type> before = new HashMap<>(bound);
      if (fits(formal, actual)) {
        return Conversion.NONE;
      }
      bound.clear();
      bound.putAll(before);
      Type inner = formal instanceof Type.Optional optional ? optional.element() : formal;
      if (inner instanceof Type.ListOf list) {
        if (parameter.broadcastSize() > 0 && fits(list.element(), actual)) {
          return Conversion.REPEAT;
        }
        if (actual instanceof Type.Tuple tuple
            && tuple.elements().stream().allMatch(element -> fits(list.element(), element))) {
          return Conversion.TUPLE_TO_LIST;
        }
      }
      return conversions ? implicit(inner, actual) : null;
    }

    private boolean fits(Type formal, Type actual) {
      if (!relations.bind(formal, actual, bound)) {
        return false;
      }
      Type wanted = TypeRelations.substitute(formal, bound);
      return relations.isSubtype(actual, wanted);
    }

    private @Nullable Conversion implicit(Type formal, Type actual) {
      boolean tensor = actual == Type.Plain.TENSOR;
      boolean number = actual == Type.Plain.NUMBER;
      if (formal == Type.Plain.INT) {
        return tensor ? Conversion.TENSOR_TO_INT : number ? Conversion.NUMBER_TO_INT : null;
      }
      if (formal == Type.Plain.FLOAT) {
        return tensor ? Conversion.TENSOR_TO_FLOAT : number ? Conversion.NUMBER_TO_FLOAT : null;
      }
      if (formal == Type.Plain.COMPLEX) {
        return tensor ? Conversion.TENSOR_TO_COMPLEX : null;
      }
      if (formal == Type.Plain.NUMBER) {
        boolean bool = actual == Type.Plain.BOOL;
        return tensor ? Conversion.TENSOR_TO_NUMBER : bool ? Conversion.NONE : null;
      }
      return formal == Type.Plain.DEVICE && actual == Type.Plain.STRING ? Conversion.NONE : null;
    }
  }
}
