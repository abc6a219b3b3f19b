package dev.staunch.ir;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses programs in MLIR text: functions in dataflow discipline, generic operations, and the
 * custom syntax {@code ns.name operands}, whose result types follow from the operation's schema.
 *
 * <p>The operation {@code tfrt.add.i32} becomes {@code tfrt::add.i32}; constants, calls and {@code
 * tfrt.if} become operations of {@link Structure}. Errors are data format faults with line and
 * column.
 */
public final class ProgramText {
  /** The most characters of a program; far beyond what people and generators write. */
  public static final int MAX_LENGTH = 1 << 26;

  private static final int MAX_DEPTH = 100;

  /** Supplies the operations that a program may contain. */
  @FunctionalInterface
  public interface Operations {
    /** The operation {@code ns::name}, or null if there is none. */
    @Nullable OperationDefinition find(String name);
  }

  private final ProgramTokens tokens;
  private final ProgramTypes types;
  private final ProgramAttributes attributes;
  private final Operations known;

  /** Whether the current function is a script's. */
  private boolean script;

  private int depth;

  private ProgramText(ProgramTokens tokens, Operations known, Map<String, Attribute> resources) {
    this.tokens = tokens;
    this.types = new ProgramTypes(tokens);
    this.attributes = new ProgramAttributes(tokens, types, resources);
    this.known = known;
  }

  /**
   * Parses a program in time and memory linear in the text.
   *
   * @param file the text's name in source locations
   * @throws StaunchException of type data format or unknown operation, with the place
   */
  public static Program parse(String file, CharSequence text, Operations known) {
    return parse(file, text, known, Map.of());
  }

  /**
   * As {@link #parse(String, CharSequence, Operations)}.
   *
   * @param resources attributes that the text only refers to by name, as {@link ProgramPrinter}
   *     returns them
   */
  public static Program parse(
      String file, CharSequence text, Operations known, Map<String, Attribute> resources) {
    if (text.length() > MAX_LENGTH) {
      String message = "the program has " + text.length() + " characters; at most " + MAX_LENGTH;
      throw Fault.data(file, message + " are read")
          .withSource(SourceLocation.of(file.isEmpty() ? "program" : file, 1, 1))
          .toException();
    }
    ProgramText reader = new ProgramText(new ProgramTokens(file, text), known, resources);
    Map<String, Function> functions = new LinkedHashMap<>();
    while (!reader.tokens.atEnd()) {
      Function function = reader.function(functions);
      functions.put(function.name(), function);
    }
    return new Program(functions.values());
  }

  private Function function(Map<String, Function> earlier) {
    SourceLocation source = tokens.location();
    if (!tokens.accept("func.func") && !tokens.accept("func")) {
      throw tokens.wrong("'func'");
    }
    tokens.accept("private");
    String name = tokens.peek().startsWith("@") ? tokens.peek().substring(1) : "";
    if (earlier.containsKey(name)) {
      throw tokens.fault("there is a function @" + ProgramTokens.shown(name) + " before");
    }
    tokens.symbol();
    ValueNames names = new ValueNames();
    List<Value> parameters = parameters(names);
    List<Type> results = tokens.accept("->") ? types.several() : List.of();
    script = false;
    if (tokens.accept("attributes")) {
      functionAttributes();
    }
    if (!tokens.accept("{")) {
      throw at(source, "external functions are not allowed: @" + name + " has no body");
    }
    Block body = block(names, parameters);
    SourceLocation given = trailingLocation();
    Discipline discipline = script ? Discipline.SEQUENTIAL : Discipline.DATAFLOW;
    return new Function(name, body, results, discipline, given == null ? source : given);
  }

  private List<Value> parameters(ValueNames names) {
    List<Value> parameters = new ArrayList<>();
    tokens.expect("(");
    if (tokens.accept(")")) {
      return parameters;
    }
    do {
      String name = newName(names);
      tokens.expect(":");
      Value value = new Value(name, types.one());
      tokens.add(parameters, value);
      names.define(value);
    } while (tokens.accept(","));
    tokens.expect(")");
    return parameters;
  }

  /** Hints to a scheduler are ignored; an attribute that would change the meaning is refused. */
  private void functionAttributes() {
    tokens.expect("{");
    while (!tokens.accept("}")) {
      if (tokens.accept(ProgramPrinter.SCRIPT)) {
        script = true;
        tokens.accept(",");
        continue;
      }
      if (!tokens.peek().equals("tfrt.cost_threshold")) {
        String name = ProgramTokens.shown(tokens.peek());
        throw tokens.fault("functions with the attribute " + name + " are not supported yet");
      }
      tokens.word();
      tokens.expect("=");
      attributes.number();
      tokens.accept(",");
    }
  }

  /** The name of a value that is defined at the current place. */
  private String newName(ValueNames names) {
    String wrong = tokens.isValue() ? names.refusal(tokens.peek().substring(1)) : null;
    if (wrong != null) {
      throw tokens.fault(wrong);
    }
    return tokens.value();
  }

  private static StaunchException at(SourceLocation place, String message) {
    return Fault.data(place.file(), message).withSource(place).toException();
  }

  /** Operations up to the return, and the closing brace. */
  private Block block(ValueNames names, List<Value> parameters) {
    if (++depth > MAX_DEPTH) {
      throw tokens.fault("regions are nested more than " + MAX_DEPTH + " deep");
    }
    List<Operation> operations = new ArrayList<>();
    while (true) {
      SourceLocation end = tokens.location();
      if (tokens.accept("tfrt.return") || tokens.accept("return")) {
        List<Value> results = operands(names, false);
        matching(results, tokens.accept(":") ? types.list() : List.of(), "tfrt.return", end);
        SourceLocation given = trailingLocation();
        tokens.expect("}");
        depth--;
        return new Block(parameters, operations, results, given == null ? end : given);
      }
      operations.add(operation(names));
    }
  }

  private Operation operation(ValueNames names) {
    Map<String, Integer> results = new LinkedHashMap<>();
    if (tokens.peek().startsWith("%")) {
      do {
        String name = newName(names);
        if (results.containsKey(name)) {
          throw tokens.fault("%" + name + " is defined twice by one operation");
        }
        results.put(name, tokens.accept(":") ? count() : 1);
        if (results.size() > ProgramTokens.MAX_LIST) {
          throw tokens.fault("there are more than " + ProgramTokens.MAX_LIST + " results");
        }
      } while (tokens.accept(","));
      tokens.expect("=");
    }
    Draft draft = new Draft(names, tokens.location(), tokens.peek());
    body(draft);
    SourceLocation given = trailingLocation();
    List<Value> values = results(draft, results);
    if (!results.isEmpty()) {
      values.forEach(names::define);
    }
    SourceLocation source = given == null ? draft.source : given;
    return new Operation(draft.operator(), draft.operands, values, draft.blocks, source);
  }

  private int count() {
    if (tokens.peek().equals("0")) {
      throw tokens.fault("a value stands for at least one result");
    }
    return tokens.integer();
  }

  /** The results of an operation, with the names in the text: {@code %a:2} are a#0 and a#1. */
  private static List<Value> results(Draft draft, Map<String, Integer> named) {
    List<Type> types = draft.types;
    long count = named.values().stream().mapToLong(Integer::longValue).sum();
    if (!named.isEmpty() && count != types.size()) {
      String name = ProgramTokens.shown(draft.written).replace("\"", "");
      String gives = types.size() == 1 ? " gives 1 result, not " : " gives %d results, not ";
      throw at(draft.source, name + Message.of(gives, types.size()) + count);
    }
    List<Value> values = new ArrayList<>(types.size());
    named.forEach((name, results) -> {
      for (int i = 0; i < results; i++) {
        values.add(new Value(results == 1 ? name : name + "#" + i, types.get(values.size())));
      }
    });
    while (values.size() < types.size()) {
      values.add(new Value(ValueNames.NOBODY, types.get(values.size())));
    }
    return values;
  }

  /** An operation that is being parsed. */
  private static final class Draft {
    final ValueNames names;
    final SourceLocation source;
    final String written;
    String name = "";
    @Nullable Structure structure;
    @Nullable OperationDefinition definition;
    List<Value> operands = List.of();
    List<Type> types = List.of();
    Map<String, Attribute> attributes = Map.of();
    final List<Block> blocks = new ArrayList<>();

    Draft(ValueNames names, SourceLocation source, String written) {
      this.names = names;
      this.source = source;
      this.written = written;
    }

    Operator operator() {
      return structure == null
          ? new Operator.Entry(Objects.requireNonNull(definition), attributes)
          : structure;
    }
  }

  private void body(Draft draft) {
    String word = tokens.peek();
    if (tokens.isString()) {
      generic(draft);
    } else if (word.startsWith("tfrt.constant.")) {
      constant(draft);
    } else if (tokens.accept("tfrt.call")) {
      draft.structure = new Structure.CallFunction(tokens.symbol());
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
    draft.name = qualified(word(true));
    boolean ofScript = script && draft.name.startsWith("prim::");
    if (!ofScript) {
      draft.definition = known(draft);
    }
    draft.operands = operands(draft.names, true);
    if (ofScript && tokens.accept("(")) {
      regions(draft);
    }
    attributes(draft);
    tokens.expect(":");
    draft.types = functionType(draft.operands, draft.name.replaceFirst("::", "."), draft.source);
    draft.structure = ofScript ? StructureText.of(draft.name, draft.attributes) : null;
    if (ofScript && draft.structure == null) {
      draft.definition = known(draft); // the language also has functions of that name
    }
  }

  private void regions(Draft draft) {
    do {
      tokens.expect("{");
      ValueNames names = new ValueNames();
      List<Value> parameters = tokens.accept("^") ? header(names) : List.of();
      draft.blocks.add(block(names, parameters));
    } while (tokens.accept(","));
    tokens.expect(")");
  }

  /** {@code bb(%x: T):} */
  private List<Value> header(ValueNames names) {
    tokens.word();
    List<Value> parameters = parameters(names);
    tokens.expect(":");
    return parameters;
  }

  private void custom(Draft draft) {
    draft.name = qualified(word(false));
    draft.definition = known(draft);
    draft.types = draft.definition.schema().results().stream().map(Schema.Result::type).toList();
    draft.operands = operands(draft.names, false);
    attributes(draft);
    if (tokens.accept(":")) {
      matching(draft.operands, types.list(), draft.name.replaceFirst("::", "."), draft.source);
    }
  }

  private OperationDefinition known(Draft draft) {
    OperationDefinition found = known.find(draft.name);
    if (found == null) {
      throw Fault.of(
              FaultType.UNKNOWN_OPERATION,
              "there is no operation " + ProgramTokens.shown(draft.name.replaceFirst("::", ".")))
          .withSource(draft.source)
          .withOperation(draft.name, List.of())
          .toException();
    }
    return found;
  }

  /** The name of an operation; {@code quoted} in generic syntax. */
  private String word(boolean quoted) {
    if (tokens.peek().indexOf('.') < 0) {
      throw tokens.wrong("an operation");
    }
    return quoted ? tokens.string() : tokens.word();
  }

  /** {@code tfrt.add.i32} under its name in the catalog. */
  private static String qualified(String name) {
    int dot = name.indexOf('.');
    return name.substring(0, dot) + "::" + name.substring(dot + 1);
  }

  private void constant(Draft draft) {
    String type = tokens.peek().substring("tfrt.constant.".length());
    if (!Literal.isOf(type)) {
      throw tokens.fault(
          "constants of type " + ProgramTokens.shown(type) + " are not supported yet");
    }
    tokens.word();
    Type number = ProgramTypes.builtIn(type);
    draft.types = List.of(number);
    SourceLocation place = tokens.location();
    draft.structure =
        new Structure.Constant(ProgramAttributes.number(number, place, tokens.number()));
  }

  /** The blocks see only the values that the operation passes to them, under the same names. */
  private void branch(Draft draft) {
    List<Value> operands = operands(draft.names, false);
    if (operands.isEmpty()) {
      throw at(draft.source, "tfrt.if needs a condition");
    }
    List<Value> handed = operands.subList(1, operands.size());
    tokens.expect(":");
    draft.types = functionType(handed, "tfrt.if", draft.source);
    draft.structure = Structure.Plain.IF;
    draft.operands = operands;
    tokens.expect("{");
    draft.blocks.add(branch(handed));
    if (draft.types.isEmpty() && !tokens.peek().equals("else")) {
      draft.blocks.add(new Block(renamed(handed), List.of(), List.of()));
      return;
    }
    tokens.expect("else");
    tokens.expect("{");
    draft.blocks.add(branch(handed));
  }

  private Block branch(List<Value> handed) {
    List<Value> parameters = renamed(handed);
    return block(new ValueNames(parameters), parameters);
  }

  /** New values for a block, named like those that it is passed. */
  private static List<Value> renamed(List<Value> handed) {
    return handed.stream().map(value -> new Value(value.name(), value.type())).toList();
  }

  private List<Value> operands(ValueNames names, boolean bracketed) {
    List<Value> operands = new ArrayList<>();
    if (bracketed) {
      tokens.expect("(");
    }
    if (tokens.peek().startsWith("%") && (bracketed || !tokens.startsLine())) {
      do {
        tokens.add(operands, operand(names));
      } while (tokens.accept(","));
    }
    if (bracketed) {
      tokens.expect(")");
    }
    return operands;
  }

  private Value operand(ValueNames names) {
    Value value = tokens.isValue() ? names.find(tokens.peek().substring(1)) : null;
    if (value == null && tokens.isValue()) {
      throw tokens.fault(ProgramTokens.shown(tokens.peek()) + " is not defined here");
    }
    tokens.value();
    return Objects.requireNonNull(value);
  }

  private void attributes(Draft draft) {
    if (tokens.accept("{")) {
      draft.attributes = attributes.all();
    }
  }

  /** The types of the results, after those of the operands, which must match. */
  private List<Type> functionType(List<Value> operands, String user, SourceLocation place) {
    tokens.expect("(");
    List<Type> given = tokens.accept(")") ? List.of() : types.list();
    if (!given.isEmpty()) {
      tokens.expect(")");
    }
    matching(operands, given, user, place);
    tokens.expect("->");
    return types.several();
  }

  private static void matching(
      List<Value> values, List<Type> types, String user, SourceLocation place) {
    Fault fault = ExactTypes.written(values, types, user);
    if (fault != null) {
      throw fault.withSource(place).toException();
    }
  }

  /** {@code loc("file":3:5)} after an operation, or null. */
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
