package dev.staunch.torchscript.source;

import dev.staunch.type.Type;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A parsed tree as text without positions, to compare trees of different texts. */
final class TreeText {
  private TreeText() {}

  static SourceFile parse(String text) {
    return new SourceFile("code/__torch__.py", text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The statements of a function whose body is {@code lines}; each line comes without indentation.
   */
  static List<Statement> statements(String... lines) {
    String body = String.join("\n", lines).indent(2);
    SourceFile file = parse("def f(x: Tensor) -> Tensor:\n" + body);
    return ((Definition.FunctionDef) Parser.definitions(file).getFirst()).body();
  }

  static Expression expression(String text) {
    return ((Statement.ExpressionStatement) statements(text).getFirst()).expression();
  }

  static String of(Object node) {
    return switch (node) {
      case Type type -> type.toString();
      case String text -> '"' + text + '"';
      case List<?> list ->
          list.stream().map(TreeText::of).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> entry.getKey() + "=" + of(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case Record record -> record(record);
      default -> node.toString();
    };
  }

  private static String record(Record record) {
    List<String> parts = new ArrayList<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      if (!component.getName().equals("position")) {
        parts.add(part(record, component));
      }
    }
    return record.getClass().getSimpleName() + "(" + String.join(", ", parts) + ")";
  }

  private static String part(Record record, RecordComponent component) {
    try {
      Object value = component.getAccessor().invoke(record);
      return value == null ? "nothing" : of(value);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a record hides its component " + component, e);
    }
  }
}
