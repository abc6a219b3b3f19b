package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Prints functions as text for people: one operation a line, blocks indented, source at the end.
 */
public final class IrPrinter {
  private final StringBuilder text = new StringBuilder();
  private final Map<Value, String> names = new IdentityHashMap<>();
  private final Map<String, Integer> taken = new HashMap<>();

  private IrPrinter() {}

  public static String print(Function function) {
    IrPrinter printer = new IrPrinter();
    printer.function(function);
    return printer.text.toString();
  }

  private void function(Function function) {
    text.append("func ").append(function.name()).append('(').append(typed(function.parameters()));
    text.append(") -> (");
    text.append(function.resultTypes().stream().map(Object::toString).collect(joining()));
    text.append(") {\n");
    block(function.body(), "return", 1);
    text.append("}\n");
  }

  private void block(Block block, String end, int depth) {
    for (Operation operation : block.operations()) {
      operation(operation, depth);
    }
    indent(depth).append(end);
    text.append(block.results().isEmpty() ? "" : " ").append(listed(block.results())).append('\n');
  }

  private void operation(Operation operation, int depth) {
    indent(depth);
    if (!operation.results().isEmpty()) {
      text.append(typed(operation.results())).append(" = ");
    }
    text.append(operation.name());
    if (!operation.attributes().isEmpty()) {
      text.append(operation.attributes());
    }
    text.append('(').append(listed(operation.operands())).append(')');
    SourceLocation source = operation.source();
    text.append(source == null ? "" : "  # " + source.place()).append('\n');
    for (Block inner : operation.blocks()) {
      indent(depth).append("block(").append(typed(inner.parameters())).append("):\n");
      block(inner, "yield", depth + 1);
    }
  }

  private StringBuilder indent(int depth) {
    return text.append("  ".repeat(depth));
  }

  private String listed(List<Value> values) {
    return values.stream().map(this::name).collect(joining());
  }

  private String typed(List<Value> values) {
    return values.stream().map(value -> name(value) + " : " + value.type()).collect(joining());
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(", ");
  }

  private String name(Value value) {
    return names.computeIfAbsent(
        value,
        fresh -> {
          int count = taken.merge(fresh.name(), 1, Integer::sum);
          return "%" + fresh.name() + (count == 1 ? "" : "." + count);
        });
  }
}
