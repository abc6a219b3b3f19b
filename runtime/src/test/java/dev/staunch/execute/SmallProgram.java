package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A function of tensors, written operation by operation, and what a request returns. */
class SmallProgram {
  final OffHeap memory = OffHeap.withBudget(1 << 20);
  final ResourceScope caller = ResourceScope.open(memory, "caller");
  final Value x = new Value("x", Type.Plain.TENSOR);
  final Value y = new Value("y", Type.Plain.TENSOR);
  final List<Operation> operations = new ArrayList<>();
  private final Random random = new Random(3);

  @AfterEach
  void everyByteGoesBack() {
    caller.close();
    assertEquals(0, memory.account().bytes());
  }

  Value call(String name, Value... operands) {
    Value result = new Value("v", Type.Plain.TENSOR);
    operations.add(new Operation(Entries.named(name), List.of(operands), List.of(result)));
    return result;
  }

  Value integer(long value) {
    return constant(new Attribute.Int(value, Type.Plain.INT), Type.Plain.INT);
  }

  Value constant(Attribute attribute, Type type) {
    Value result = new Value("constant", type);
    operations.add(new Operation(new Structure.Constant(attribute), List.of(), List.of(result)));
    return result;
  }

  Plan plan(KernelSet kernels, List<Value> parameters, Value... results) {
    Block body = new Block(parameters, operations, List.of(results));
    List<Type> types = List.of(results).stream().map(Value::type).toList();
    Function run = new Function("run", body, types, Function.Discipline.SEQUENTIAL, null);
    Program program = new Program(List.of(run));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, StandardOperations.catalog().with(kernels));
  }

  /** Random numbers in the caller's scope; reals include NaN. */
  DenseTensor filled(DType dtype, long... sizes) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(caller, dtype, Shape.of(sizes));
    for (long i = 0; i < tensor.elements(); i++) {
      if (dtype == DType.FLOAT32) {
        float element = i % 17 == 5 ? Float.NaN : (float) (4 * random.nextGaussian());
        tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, element);
      } else {
        tensor.segment().setAtIndex(ValueLayout.JAVA_LONG, i, random.nextInt(5));
      }
    }
    return tensor;
  }

  private static Object elements(Object result) {
    if (!(result instanceof DenseTensor tensor)) {
      return result;
    }
    float[] elements = new float[(int) tensor.elements()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] =
          tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, tensor.layout().offset() + i);
    }
    return elements;
  }

  /** What the function returns, with elements in place of tensors. */
  List<Object> run(Plan plan, UnaryOperator<RunOptions> how, DenseTensor... given) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      RunOptions options = how.apply(RunOptions.in(scope));
      return plan.run("run", List.of((Object[]) given), options).stream()
          .map(SmallProgram::elements)
          .toList();
    }
  }

  List<Object> asWritten(Plan plan, DenseTensor... given) {
    return run(plan, options -> options.withOperationsAsWritten(true), given);
  }

  /** The plain kernels, which get a loop of their own for {@code tanh} with the next version. */
  static final class Improving extends LayeredKernelSet {
    /** How often that loop ran. */
    int runs;

    private int version = 1;

    Improving() {
      super("improving", StandardOperations.plainKernels());
    }

    void improve() {
      version++;
    }

    @Override
    public int version() {
      return version;
    }

    @Override
    public @Nullable RowFormula rowFormula(DType dtype, String name, double... constants) {
      return version > 1 && name.equals("tanh")
          ? new Counted()
          : super.rowFormula(dtype, name, constants);
    }

    private final class Counted implements RowFormula {
      @Override
      public void run(
          MemorySegment a,
          long fromA,
          MemorySegment b,
          long fromB,
          MemorySegment out,
          long to,
          int count) {
        runs++;
      }

      @Override
      public void run(
          MemorySegment a, long fromA, double b, MemorySegment out, long to, int count) {
        runs++;
      }
    }
  }
}
