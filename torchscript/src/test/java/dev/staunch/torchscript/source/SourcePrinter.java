package dev.staunch.torchscript.source;

import java.util.List;
import java.util.stream.Collectors;

/** Prints a parsed file back to TorchScript, to compare the result of parsing it again. */
final class SourcePrinter {
  private final StringBuilder text = new StringBuilder();
  private int indent;

  private SourcePrinter() {}

  static String print(SourceFile file) {
    SourcePrinter printer = new SourcePrinter();
    Parser.definitions(file).forEach(printer::definition);
    return printer.text.toString();
  }

  private void line(String content) {
    text.append("  ".repeat(indent)).append(content).append('\n');
  }

  private void definition(Definition definition) {
    switch (definition) {
      case Definition.ClassDef type -> type(type);
      case Definition.FunctionDef function -> function(function);
    }
  }

  private void type(Definition.ClassDef type) {
    line("class " + type.name() + base(type.kind()) + ":");
    indent++;
    type.lists().forEach((name, names) -> line(name + " = " + strings(names)));
    for (Definition.AttributeDef attribute : type.attributes()) {
      boolean plain = attribute.name().matches("[A-Za-z_][A-Za-z_0-9]*");
      String name = ExpressionPrinter.string(attribute.name());
      line(
          plain
              ? attribute.name() + " : " + attribute.type()
              : "__annotations__[" + name + "] = " + attribute.type());
    }
    type.constants().forEach((name, value) -> line(name + " = " + ExpressionPrinter.print(value)));
    type.methods().forEach(this::function);
    indent--;
  }

  private static String base(Definition.Kind kind) {
    return switch (kind) {
      case PLAIN -> "";
      case MODULE -> "(Module)";
      case NAMED_TUPLE -> "(NamedTuple)";
      case ENUM -> "(Enum)";
      case INTERFACE -> "(Interface)";
      case MODULE_INTERFACE -> "(ModuleInterface)";
    };
  }

  private static String strings(List<String> values) {
    return values.stream()
        .map(ExpressionPrinter::string)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private void function(Definition.FunctionDef function) {
    String parameters =
        function.parameters().stream()
            .map(SourcePrinter::parameter)
            .collect(Collectors.joining(",\n    "));
    line("def " + function.name() + "(" + parameters + ") -> " + function.returnType() + ":");
    block(function.body());
  }

  private static String parameter(Definition.ParameterDef parameter) {
    Expression value = parameter.defaultValue();
    String start = parameter.name() + ": " + parameter.type();
    return value == null ? start : start + "=" + ExpressionPrinter.print(value);
  }

  private void block(List<Statement> statements) {
    indent++;
    statements.forEach(this::statement);
    indent--;
  }

  private void statement(Statement statement) {
    switch (statement) {
      case Statement.Assign assign ->
          line(targets(assign) + " = " + ExpressionPrinter.print(assign.value()));
      case Statement.AnnotatedAssign assign ->
          line(
              assign.name()
                  + " : "
                  + assign.type()
                  + " = "
                  + ExpressionPrinter.print(assign.value()));
      case Statement.ExpressionStatement call -> line(ExpressionPrinter.print(call.expression()));
      case Statement.If branch -> branch(branch);
      case Statement.While loop ->
          headed("while " + ExpressionPrinter.print(loop.condition()), loop.body());
      case Statement.For loop ->
          headed(
              "for " + loop.variable() + " in " + ExpressionPrinter.print(loop.iterable()),
              loop.body());
      case Statement.With with ->
          headed(
              "with "
                  + ExpressionPrinter.print(with.object())
                  + (with.name() == null ? "" : " as " + with.name()),
              with.body());
      case Statement.Pass pass -> line("pass");
      case Statement.Unreadable unreadable -> line("# " + unreadable.why().message());
      case Statement.Return end -> {
        Expression value = end.value();
        line(value == null ? "return" : "return " + ExpressionPrinter.print(value));
      }
      case Statement.Nested nested -> nested(nested.function());
    }
  }

  /**
   * As in exported code, the nested function of a fork declares neither parameters nor a result.
   */
  private void nested(Definition.FunctionDef function) {
    headed("def " + function.name() + "()", function.body());
  }

  private static String targets(Statement.Assign assign) {
    String targets =
        assign.targets().stream().map(ExpressionPrinter::print).collect(Collectors.joining(", "));
    return assign.unpacks() ? targets + "," : targets;
  }

  private void branch(Statement.If branch) {
    headed("if " + ExpressionPrinter.print(branch.condition()), branch.thenBody());
    if (!branch.elseBody().isEmpty()) {
      headed("else", branch.elseBody());
    }
  }

  private void headed(String head, List<Statement> body) {
    line(head + ":");
    block(body);
  }
}
