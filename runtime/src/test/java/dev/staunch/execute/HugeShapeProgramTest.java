package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A program that asks for more elements than can be counted gets a fault at that operation alone
 * (F2, F8).
 */
class HugeShapeProgramTest {
  private static final List<Object> HUGE = List.of(1L << 32, 1L << 32);
  private static final Type SIZES = new Type.ListOf(Type.Plain.INT);

  private final List<Operation> operations = new ArrayList<>();

  private Value constant(Type type, Object value) {
    return emitted(new Structure.Constant(new Attribute.Loaded(value)), type);
  }

  private Value emitted(Operator operator, Type type, Value... operands) {
    Value result = new Value("v" + operations.size(), type);
    operations.add(new Operation(operator, List.of(operands), List.of(result)));
    return result;
  }

  private Value tensor(String name, Value... operands) {
    return emitted(Entries.named(name), Type.Plain.TENSOR, operands);
  }

  @Test
  void theGoodResultsStayAndTheOthersNameTheirOperation() {
    Value x = new Value("x", Type.Plain.TENSOR);
    Value sizes = constant(SIZES, HUGE);
    Value no = constant(Type.Plain.BOOL, false);
    Value none = constant(Type.Plain.NONE, None.NONE);
    Value expanded = tensor("aten::expand", x, sizes, no);
    Value made = tensor("aten::zeros", sizes, none, none, none, none);
    Value after = tensor("aten::relu", expanded);
    Value good = tensor("aten::relu", x);
    List<Value> results = List.of(after, made, good);
    Function function =
        new Function(
            "f",
            new Block(List.of(x), operations, results),
            List.of(Type.Plain.TENSOR, Type.Plain.TENSOR, Type.Plain.TENSOR),
            Function.Discipline.DATAFLOW,
            null);
    Program program = new Program(List.of(function));
    assertNull(Verifier.verify(program, operation -> null));
    Plan plan = Plan.prepare(program, StandardOperations.catalog());
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor input = (DenseTensor) HostTensors.floats(scope, Shape.of(1), 3);
      List<Object> values = plan.run("f", List.of(input), RunOptions.in(scope));
      assertTold(FaultType.SHAPE, "aten::expand", values.get(0));
      assertTold(FaultType.OUT_OF_MEMORY, "aten::zeros", values.get(1));
      assertTrue(values.get(2) instanceof DenseTensor, "F2");
    }
    assertEquals(0, memory.account().bytes());
  }

  private static void assertTold(FaultType type, String operation, Object value) {
    Fault fault = assertInstanceOf(Fault.class, value);
    assertEquals(type, fault.type(), fault::toString);
    assertEquals(operation, fault.operation());
  }
}
