package dev.staunch.ir;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads programs in MLIR text: functions in dataflow discipline, generic operations, and the custom
 * syntax {@code ns.name operands} whose result types the operation's schema tells.
 *
 * <p>Operation {@code tfrt.add.i32} becomes {@code tfrt::add.i32}; constants, calls and {@code
 * tfrt.if} become operations of {@link Structure}. Errors are data format faults with line and
 * column.
 */
public final class ProgramText {
  private static final int MAX_DEPTH = 100;

  /** What the reader has to know of an operation written in custom syntax. */
  @FunctionalInterface
  public interface ResultTypes {
    /** The types of the results of {@code ns::name}, or null if there is no such operation. */
    @Nullable List<Type> of(String operation);
  }

  private final ProgramTokens tokens;
  private final ResultTypes resultTypes;
  private int depth;

  private ProgramText(ProgramTokens tokens, ResultTypes resultTypes) {
    this.tokens = tokens;
    this.resultTypes = resultTypes;
  }

  /**
   * @param file the text's name in source locations
   * @throws StaunchException of type data format or unknown operation, with the place
   */
  public static Program parse(String file, String text, ResultTypes resultTypes) {
    ProgramText reader = new ProgramText(new ProgramTokens(file, text), resultTypes);
    List<Function> functions = new ArrayList<>();
    while (!reader.tokens.atEnd()) {
      functions.add(reader.function());
    }
    try {
      return new Program(functions);
    } catch (IllegalArgumentException e) {
      throw Fault.data(file, String.valueOf(e.getMessage())).toException();
    }
  }

  private Function function() {
    SourceLocation source = tokens.location();
    if (!tokens.accept("func.func") && !tokens.accept("func")) {
      throw tokens.wrong("'func'");
    }
    tokens.accept("private");
    String name = tokens.symbol();
    Map<String, Value> names = new HashMap<>();
    List<Value> parameters = new ArrayList<>();
    tokens.expect("(");
    while (!tokens.accept(")")) {
      String parameter = tokens.value();
      tokens.expect(":");
      Value value = new Value(parameter, type());
      parameters.add(value);
      names.put(parameter, value);
      tokens.accept(",");
    }
    List<Type> results = tokens.accept("->") ? types() : List.of();
    if (tokens.accept("attributes")) {
      tokens.skipBraces();
    }
    if (!tokens.accept("{")) {
      String message = "external functions are not allowed: @" + name + " has no body";
      throw Fault.data(source.file(), message).withSource(source).toException();
    }
    Block body = block(names, parameters);
    trailingLocation();
    return new Function(name, body, results, Function.Discipline.DATAFLOW, source);
  }

  /** Operations up to the return, and the closing brace. */
  private Block block(Map<String, Value> outer, List<Value> parameters) {
    if (++depth > MAX_DEPTH) {
      throw tokens.fault("regions are nested more than " + MAX_DEPTH + " deep");
    }
    Map<String, Value> names = new HashMap<>(outer);
    List<Operation> operations = new ArrayList<>();
    while (true) {
      SourceLocation end = tokens.location();
      if (tokens.accept("tfrt.return") || tokens.accept("return")) {
        List<Value> results = operands(names, false);
        matching(results, tokens.accept(":") ? typeList() : List.of(), "tfrt.return", end);
        SourceLocation given = trailingLocation();
        tokens.expect("}");
        depth--;
        return new Block(parameters, operations, results, given == null ? end : given);
      }
      operations.addAll(operation(names));
    }
  }

  /** An operation, behind the constants that its attributes become. */
  private List<Operation> operation(Map<String, Value> names) {
    SourceLocation source = tokens.location();
    List<String> results = new ArrayList<>();
    if (tokens.peek().startsWith("%")) {
      do {
        String name = tokens.value();
        int count = tokens.accept(":") ? tokens.integer() : 1;
        for (int i = 0; i < count; i++) {
          results.add(count == 1 ? name : name + "#" + i);
        }
      } while (tokens.accept(","));
      tokens.expect("=");
      source = tokens.location();
    }
    Draft draft = new Draft(names, source);
    body(draft);
    SourceLocation given = trailingLocation();
    if (!results.isEmpty() && results.size() != draft.types.size()) {
      throw tokens.fault(
          Message.of(
              "%s gives %d results, not %d", draft.name, draft.types.size(), results.size()));
    }
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < draft.types.size(); i++) {
      String name = results.isEmpty() ? "unused" : results.get(i);
      Value value = new Value(name, draft.types.get(i));
      values.add(value);
      if (!results.isEmpty()) {
        names.put(name, value);
      }
    }
    List<Operation> read = new ArrayList<>();
    List<Value> operands = new ArrayList<>();
    boolean structure = Structure.of(draft.name) != null;
    if (!structure) {
      draft.attributes.forEach((name, value) -> operands.add(attribute(read, name, value)));
    }
    operands.addAll(draft.operands);
    read.add(
        new Operation(
            draft.name,
            operands,
            values,
            structure ? draft.attributes : Map.of(),
            draft.blocks,
            given == null ? draft.source : given));
    return read;
  }

  private static Value attribute(List<Operation> before, String name, Object value) {
    Value constant = new Value(name, new Type.Named("attribute"));
    before.add(
        new Operation(
            Structure.CONSTANT.word(),
            List.of(),
            List.of(constant),
            Map.of("value", value),
            List.of(),
            null));
    return constant;
  }

  /** An operation while it is read. */
  private static final class Draft {
    final Map<String, Value> names;
    final SourceLocation source;
    String name = "";
    List<Value> operands = List.of();
    List<Type> types = List.of();
    final Map<String, Object> attributes = new LinkedHashMap<>();
    final List<Block> blocks = new ArrayList<>();

    Draft(Map<String, Value> names, SourceLocation source) {
      this.names = names;
      this.source = source;
    }
  }

  private void body(Draft draft) {
    String word = tokens.peek();
    if (word.startsWith("\"")) {
      generic(draft);
    } else if (word.startsWith("tfrt.constant.")) {
      constant(draft);
    } else if (tokens.accept("tfrt.call")) {
      draft.name = Structure.CALL_FUNCTION.word();
      draft.attributes.put("function", tokens.symbol());
      draft.operands = operands(draft.names, true);
      tokens.expect(":");
      draft.types = functionType(draft.operands, "tfrt.call", draft.source);
    } else if (tokens.accept("tfrt.if")) {
      branch(draft);
    } else {
      custom(draft);
    }
  }

  private void generic(Draft draft) {
    draft.name = qualified(tokens.string());
    draft.operands = operands(draft.names, true);
    if (tokens.accept("{")) {
      attributes(draft);
    }
    tokens.expect(":");
    draft.types = functionType(draft.operands, draft.name.replaceFirst("::", "."), draft.source);
    known(draft);
  }

  private void custom(Draft draft) {
    draft.name = qualified(tokens.word());
    draft.operands = operands(draft.names, false);
    if (tokens.accept("{")) {
      attributes(draft);
    }
    if (tokens.accept(":")) {
      typeList();
    }
    draft.types = known(draft);
  }

  private List<Type> known(Draft draft) {
    List<Type> types = resultTypes.of(draft.name);
    if (types == null) {
      throw Fault.of(
              FaultType.UNKNOWN_OPERATION,
              "there is no operation " + draft.name.replaceFirst("::", "."))
          .withSource(draft.source)
          .withOperation(draft.name, List.of())
          .toException();
    }
    return types;
  }

  /** {@code tfrt.add.i32} as the catalog names it. */
  private String qualified(String name) {
    int dot = name.indexOf('.');
    if (dot < 0) {
      throw tokens.fault("expected an operation but found '" + name + "'");
    }
    return name.substring(0, dot) + "::" + name.substring(dot + 1);
  }

  private void constant(Draft draft) {
    String type = tokens.word().substring("tfrt.constant.".length());
    String text = tokens.number();
    draft.name = Structure.CONSTANT.word();
    draft.types = List.of(new Type.Named(type));
    try {
      Object value =
          switch (type) {
            case "i1" -> !text.equals("0") && !text.equals("false");
            case "i32" -> Integer.valueOf(text);
            case "i64" -> Long.valueOf(text);
            case "f32" -> Float.valueOf(text);
            case "f64" -> Double.valueOf(text);
            default -> throw tokens.fault("constants of type " + type + " are not supported yet");
          };
      draft.attributes.put("value", value);
    } catch (NumberFormatException e) {
      throw tokens.fault("'" + text + "' is no " + type);
    }
  }

  /** The blocks see nothing but the values that the operation hands them, under their names. */
  private void branch(Draft draft) {
    List<Value> operands = operands(draft.names, false);
    if (operands.isEmpty()) {
      throw tokens.fault("tfrt.if needs a condition");
    }
    List<Value> handed = operands.subList(1, operands.size());
    Map<String, Value> names = new HashMap<>();
    handed.forEach(value -> names.put(value.name(), value));
    tokens.expect(":");
    draft.types = functionType(handed, "tfrt.if", draft.source);
    draft.name = Structure.IF.word();
    draft.operands = List.of(operands.get(0));
    draft.attributes.put("arguments", (long) handed.size());
    tokens.expect("{");
    draft.blocks.add(block(names, List.of()));
    if (draft.types.isEmpty() && !tokens.peek().equals("else")) {
      draft.blocks.add(new Block(List.of(), List.of(), List.of()));
      return;
    }
    tokens.expect("else");
    tokens.expect("{");
    draft.blocks.add(block(names, List.of()));
  }

  private List<Value> operands(Map<String, Value> names, boolean bracketed) {
    List<Value> operands = new ArrayList<>();
    if (bracketed) {
      tokens.expect("(");
    }
    boolean more = bracketed || !tokens.startsLine();
    while (more && tokens.peek().startsWith("%")) {
      SourceLocation place = tokens.location();
      String name = tokens.value();
      Value value = names.get(name);
      if (value == null) {
        throw Fault.data(place.file(), "%" + name + " is not defined here")
            .withSource(place)
            .toException();
      }
      operands.add(value);
      if (!tokens.accept(",")) {
        break;
      }
    }
    if (bracketed) {
      tokens.expect(")");
    }
    return operands;
  }

  private void attributes(Draft draft) {
    while (!tokens.accept("}")) {
      String name = tokens.word();
      tokens.expect("=");
      draft.attributes.put(
          name, tokens.peek().startsWith("\"") ? tokens.string() : tokens.number());
      if (tokens.accept(":")) {
        type();
      }
      tokens.accept(",");
    }
  }

  /** The types of the results, behind those of the operands, which must be what they are. */
  private List<Type> functionType(List<Value> operands, String user, SourceLocation place) {
    tokens.expect("(");
    List<Type> types = tokens.accept(")") ? List.of() : typeList();
    if (!types.isEmpty()) {
      tokens.expect(")");
    }
    matching(operands, types, user, place);
    tokens.expect("->");
    return types();
  }

  private static void matching(
      List<Value> values, List<Type> types, String user, SourceLocation place) {
    Fault fault = ExactTypes.written(values, types, user);
    if (fault != null) {
      throw fault.withSource(place).toException();
    }
  }

  private List<Type> types() {
    if (!tokens.accept("(")) {
      return List.of(type());
    }
    if (tokens.accept(")")) {
      return List.of();
    }
    List<Type> types = typeList();
    tokens.expect(")");
    return types;
  }

  private List<Type> typeList() {
    List<Type> types = new ArrayList<>(List.of(type()));
    while (tokens.accept(",")) {
      types.add(type());
    }
    return types;
  }

  private Type type() {
    return new Type.Named(tokens.accept("!") ? "!" + tokens.word() : tokens.word());
  }

  /** {@code loc("file":3:5)} behind an operation, or null. */
  private @Nullable SourceLocation trailingLocation() {
    if (!tokens.accept("loc")) {
      return null;
    }
    tokens.expect("(");
    if (tokens.accept("unknown")) {
      tokens.expect(")");
      return null;
    }
    String file = tokens.string();
    tokens.expect(":");
    int line = tokens.integer();
    tokens.expect(":");
    int column = tokens.integer();
    tokens.expect(")");
    return SourceLocation.of(file.isEmpty() ? "unknown" : file, line, column);
  }
}
