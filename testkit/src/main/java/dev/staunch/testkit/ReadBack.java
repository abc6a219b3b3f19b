package dev.staunch.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.ProgramPrinter;
import dev.staunch.ir.ProgramText;
import dev.staunch.ir.Value;
import dev.staunch.operation.OperationDefinition;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares a program with the one parsed from its printed text. */
public final class ReadBack {
  private final Map<Value, Value> values = new IdentityHashMap<>();

  private ReadBack() {}

  /** Fails unless the printed text of {@code program} is parsed as the same program. */
  public static void assertSameProgram(Program program) {
    ProgramPrinter.Printed printed = ProgramPrinter.print(program);
    Map<String, OperationDefinition> operations = new HashMap<>();
    program.functions().forEach(function -> collect(function.body(), operations));
    Program again =
        ProgramText.parse("printed.mlir", printed.text(), operations::get, printed.resources());
    assertEquals(program.functions().size(), again.functions().size());
    Iterator<Function> read = again.functions().iterator();
    for (Function function : program.functions()) {
      new ReadBack().function(function, read.next());
    }
  }

  private static void collect(Block block, Map<String, OperationDefinition> operations) {
    for (Operation operation : block.operations()) {
      if (operation.operator() instanceof Operator.Entry entry) {
        operations.put(entry.name(), entry.definition());
      }
      operation.blocks().forEach(inner -> collect(inner, operations));
    }
  }

  private void function(Function expected, Function actual) {
    assertEquals(expected.name(), actual.name());
    assertEquals(expected.discipline(), actual.discipline(), expected.name());
    assertEquals(expected.resultTypes(), actual.resultTypes(), expected.name());
    source(expected.source(), actual.source());
    block(expected.body(), actual.body(), expected.name());
  }

  private void block(Block expected, Block actual, String where) {
    define(expected.parameters(), actual.parameters(), where);
    assertEquals(expected.operations().size(), actual.operations().size(), where);
    for (int i = 0; i < expected.operations().size(); i++) {
      operation(expected.operations().get(i), actual.operations().get(i), where);
    }
    uses(expected.results(), actual.results(), where);
    source(expected.end(), actual.end());
  }

  private void operation(Operation expected, Operation actual, String function) {
    String where = expected.name() + " in " + function;
    assertEquals(expected.operator(), actual.operator(), where);
    uses(expected.operands(), actual.operands(), where);
    assertEquals(expected.blocks().size(), actual.blocks().size(), where);
    for (int i = 0; i < expected.blocks().size(); i++) {
      block(expected.blocks().get(i), actual.blocks().get(i), where);
    }
    define(expected.results(), actual.results(), where);
    source(expected.source(), actual.source());
  }

  private void define(List<Value> expected, List<Value> actual, String where) {
    assertEquals(
        expected.stream().map(Value::type).toList(),
        actual.stream().map(Value::type).toList(),
        where);
    for (int i = 0; i < expected.size(); i++) {
      values.put(expected.get(i), actual.get(i));
    }
  }

  private void uses(List<Value> expected, List<Value> actual, String where) {
    assertEquals(expected.size(), actual.size(), where);
    for (int i = 0; i < expected.size(); i++) {
      assertSame(values.get(expected.get(i)), actual.get(i), where);
    }
  }

  /** An element without its own source line gets one in the printed text. */
  private static void source(@Nullable SourceLocation expected, @Nullable SourceLocation actual) {
    if (expected != null && actual != null) {
      assertEquals(expected.place(), actual.place());
    }
  }
}
