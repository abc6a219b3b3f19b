package dev.staunch.torchscript.lower;

import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sorts of lists of objects: functions of the program, which call the class's {@code __lt__}. */
final class ObjectSort {
  private static final String FUNCTION = "ordered";

  private ObjectSort() {}

  /**
   * The results of sorting the first operand, in place if a second one says whether in reverse;
   * null if no {@code __lt__} orders its elements.
   */
  static @Nullable List<Value> emit(
      Lowering lowering, Scope scope, List<Value> operands, SourceLocation source) {
    boolean inPlace = operands.size() > 1;
    if (!(operands.get(0).type() instanceof Type.ListOf list)
        || !(list.element() instanceof Type.Class element)) {
      return null;
    }
    ArchiveCode.Found type = lowering.code.findClass(element.name());
    if (type == null || type.method("__lt__") == null) {
      return null;
    }
    String text = ArchiveCode.text("sort.py").replace("ELEMENT", element.name());
    ArchiveCode.Unit unit = ArchiveCode.Unit.of("staunch/sort.py", text);
    Definition definition = Objects.requireNonNull(unit.definitions.get(FUNCTION));
    String name =
        lowering.request(
            "staunch.sort." + element.name(),
            unit,
            (Definition.FunctionDef) definition,
            scope.autocast());
    Value values = operands.get(0);
    Value reverse = inPlace ? operands.get(1) : scope.constant(false, Type.Plain.BOOL);
    List<Value> sorted =
        scope.emit(
            new Structure.CallFunction(name), List.of(values, reverse), List.of(list), source);
    if (!inPlace) {
      return sorted;
    }
    scope.emit(lowering.operator("aten::clear.t"), List.of(values), List.of(), source);
    return scope.emit(
        lowering.operator("aten::extend.t"), List.of(values, sorted.get(0)), List.of(), source);
  }
}
