package dev.staunch.ir;

import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.type.Type;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints programs as the text that {@link ProgramText} reads back: one operation per line, with
 * indented blocks. Dataflow functions are printed in the syntax of TensorFlow Runtime, those of
 * scripts in MLIR's generic form.
 */
public final class ProgramPrinter {
  /** The attribute that marks a function as a script's. */
  static final String SCRIPT = "script";

  /**
   * A program's text.
   *
   * @param resources what the text only refers to by name: tensors, and what was loaded with the
   *     program
   */
  public record Printed(String text, Map<String, Attribute> resources) {}

  /** For characters that must be escaped in a string. */
  private static final HexFormat HEXADECIMAL = HexFormat.of().withUpperCase();

  private final StringBuilder text = new StringBuilder();
  private final Map<String, Attribute> resources = new LinkedHashMap<>();
  private Map<Value, String> names = new IdentityHashMap<>();
  private Set<String> taken = new HashSet<>();

  /** How many numbers each name was given. */
  private final Map<String, Integer> counts = new HashMap<>();

  private boolean script;

  private ProgramPrinter() {}

  public static Printed print(Program program) {
    ProgramPrinter printer = new ProgramPrinter();
    program.functions().forEach(printer::function);
    return new Printed(printer.text.toString(), printer.resources);
  }

  /** The text of one function alone, for people. */
  public static String print(Function function) {
    ProgramPrinter printer = new ProgramPrinter();
    printer.function(function);
    return printer.text.toString();
  }

  private void function(Function function) {
    names = new IdentityHashMap<>();
    taken = new HashSet<>();
    counts.clear();
    script = function.discipline() == Discipline.SEQUENTIAL;
    text.append("func.func @").append(function.name()).append('(');
    text.append(typed(function.parameters())).append(") -> ");
    text.append(bracketed(function.resultTypes())).append(' ');
    text.append(script ? "attributes {" + SCRIPT + "} {" : "{").append('\n');
    block(function.body(), 1);
    text.append('}').append(location(function.source())).append('\n');
  }

  /** The lines of a block, without the braces around it. */
  private void block(Block block, int depth) {
    for (Operation operation : block.operations()) {
      text.append("  ".repeat(depth));
      operation(operation, depth);
      text.append('\n');
    }
    text.append("  ".repeat(depth)).append(script ? "return" : "tfrt.return");
    if (!block.results().isEmpty()) {
      text.append(' ').append(listed(block.results())).append(" : ");
      text.append(types(block.results()));
    }
    text.append(location(block.end())).append('\n');
  }

  private void operation(Operation operation, int depth) {
    if (!operation.results().isEmpty()) {
      text.append(listed(operation.results())).append(" = ");
    }
    switch (operation.operator()) {
      case Operator.Entry entry -> generic(operation, entry.attributes(), depth);
      case Structure structure when script ->
          generic(operation, StructureText.attributes(structure), depth);
      case Structure.Constant constant -> {
        text.append("tfrt.constant.").append(operation.results().get(0).type());
        text.append(' ').append(number(constant.value()));
      }
      case Structure.CallFunction call -> {
        text.append("tfrt.call @").append(call.function());
        text.append('(').append(listed(operation.operands())).append(") : ");
        text.append(signature(operation.operands(), operation));
      }
      case Structure branch -> branch(operation, depth);
    }
    text.append(location(operation.source()));
  }

  private void generic(Operation operation, Map<String, Attribute> attributes, int depth) {
    text.append('"').append(operation.name().replaceFirst("::", ".")).append("\"(");
    text.append(listed(operation.operands())).append(')');
    if (!operation.blocks().isEmpty()) {
      String before = " (";
      for (Block block : operation.blocks()) {
        text.append(before).append("{\n");
        if (!block.parameters().isEmpty()) {
          text.append("  ".repeat(depth)).append("^bb(");
          text.append(typed(block.parameters())).append("):\n");
        }
        block(block, depth + 1);
        text.append("  ".repeat(depth)).append('}');
        before = ", ";
      }
      text.append(')');
    }
    if (!attributes.isEmpty()) {
      text.append(
          attributes.entrySet().stream()
              .map(attribute -> attribute.getKey() + " = " + printed(attribute.getValue()))
              .collect(Collectors.joining(", ", " {", "}")));
    }
    text.append(" : ").append(signature(operation.operands(), operation));
  }

  /** A {@code tfrt.if}: in its blocks, passed values have the names that they have outside. */
  private void branch(Operation operation, int depth) {
    List<Value> handed = operation.operands().subList(1, operation.operands().size());
    text.append("tfrt.if ").append(listed(operation.operands())).append(" : ");
    text.append(signature(handed, operation));
    String before = " {\n";
    for (Block block : operation.blocks()) {
      for (int i = 0; i < handed.size(); i++) {
        names.put(block.parameters().get(i), name(handed.get(i)));
      }
      text.append(before);
      block(block, depth + 1);
      text.append("  ".repeat(depth)).append('}');
      before = " else {\n";
    }
  }

  private String printed(Attribute attribute) {
    return switch (attribute) {
      case Attribute.None none -> "#none";
      case Attribute.Bool flag -> flag.toString();
      case Attribute.Int number -> number(number) + " : " + number.type();
      case Attribute.Real number -> number(number) + " : " + number.type();
      case Attribute.Complex number ->
          "#complex<" + real(number.re()) + ", " + real(number.im()) + ">";
      case Attribute.Text string -> quoted(string.value());
      case Attribute.Symbol symbol -> "@" + symbol.name();
      case Attribute.OfType type -> type.toString();
      case Attribute.Array array -> "[" + printed(array.elements()) + "]";
      case Attribute.Tuple tuple -> "#tuple<" + printed(tuple.elements()) + ">";
      case Attribute.Member member ->
          Message.of(
              "#member<%s, %s, %s>",
              quoted(member.owner()), quoted(member.name()), printed(member.value()));
      case Attribute.Dense dense -> resource(dense);
      case Attribute.Loaded loaded -> resource(loaded);
    };
  }

  private String printed(List<Attribute> elements) {
    return elements.stream().map(this::printed).collect(Collectors.joining(", "));
  }

  private String resource(Attribute attribute) {
    String name = "c" + resources.size();
    resources.put(name, attribute);
    return "#resource<" + quoted(name) + ">";
  }

  private static String number(Attribute number) {
    return number instanceof Attribute.Real real ? Literal.write(real) : number.toString();
  }

  private static String real(double value) {
    return Literal.write(new Attribute.Real(value, Type.Plain.FLOAT)) + " : float";
  }

  private static String quoted(String string) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append('\\').append(HEXADECIMAL.toHexDigits((byte) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static String location(@Nullable SourceLocation source) {
    return source == null
        ? ""
        : " loc(" + quoted(source.file()) + ":" + source.line() + ":" + source.column() + ")";
  }

  private static String signature(List<Value> operands, Operation operation) {
    List<Type> results = operation.results().stream().map(Value::type).toList();
    return "(" + types(operands) + ") -> " + bracketed(results);
  }

  private static String types(List<Value> values) {
    return values.stream().map(value -> value.type().toString()).collect(Collectors.joining(", "));
  }

  private static String bracketed(Collection<Type> types) {
    return types.stream().map(Type::toString).collect(Collectors.joining(", ", "(", ")"));
  }

  private String listed(List<Value> values) {
    return values.stream().map(value -> "%" + name(value)).collect(Collectors.joining(", "));
  }

  private String typed(List<Value> values) {
    return values.stream()
        .map(value -> "%" + name(value) + ": " + value.type())
        .collect(Collectors.joining(", "));
  }

  /** The printed name of a value: its own, with a number if another value has the same. */
  private String name(Value value) {
    return names.computeIfAbsent(value, this::fresh);
  }

  private String fresh(Value value) {
    String name = value.name().replaceAll("[^A-Za-z0-9_.$]", "_");
    String free = name;
    while (free.isEmpty() || !taken.add(free)) {
      free = name + "." + counts.merge(name, 1, Integer::sum);
    }
    return free;
  }
}
