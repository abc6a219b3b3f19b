package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Preparation;
import dev.staunch.operation.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns one function into {@link Code}: a register for each value, an action for each operation.
 * What is known before the function runs takes no step: constants, what known objects hold, and the
 * choice of an if between its blocks.
 */
final class Compiler {
  private final Program program;
  private final Catalog catalog;
  private final Ownership ownership;
  private final KnownValues known;
  private final Map<Value, Integer> registers = new IdentityHashMap<>();
  private final Map<Integer, Object> constants = new HashMap<>();
  private final Map<String, Door> doors = new HashMap<>();

  private final ModelConstants tensors;
  private int size;
  private int steps;

  /**
   * @param known what values are known to be
   * @param tensors those that a module holds
   */
  Compiler(
      Program program,
      Catalog catalog,
      Ownership ownership,
      KnownValues known,
      ModelConstants tensors) {
    this.program = program;
    this.catalog = catalog;
    this.ownership = ownership;
    this.known = known;
    this.tensors = tensors;
  }

  Code compile(Function function, Variant variant, int number) {
    Liveness liveness = Liveness.of(function, catalog, ownership);
    for (int i = 0; i < function.parameters().size(); i++) {
      Object what = variant.known(i);
      known.know(function.parameters().get(i), what instanceof ObjectValue ? what : null);
    }
    int[] parameters = registers(function.parameters());
    Code.Body body = body(function.body(), liveness, null);
    int[] results = registers(function.body().results());
    Object[] template = new Object[size];
    constants.forEach((register, value) -> template[register] = value);
    Preparation[] preparations = new Preparation[steps];
    Arrays.setAll(preparations, step -> new Preparation(tensors::find));
    return new Code(
        number,
        function.name(),
        function.discipline(),
        template,
        parameters,
        body,
        results,
        steps,
        preparations);
  }

  /** Whether {@code function} runs only when all its arguments are there and good. */
  boolean isScript(String function) {
    Function called = program.find(function);
    return called != null && called.discipline() == Discipline.SEQUENTIAL;
  }

  /** The function called {@code name} for the operands of {@code call}, as far as it is known. */
  Variant variant(String name, Operation call) {
    List<@Nullable Object> arguments = new ArrayList<>();
    call.operands().forEach(operand -> arguments.add(known.of(operand)));
    return Variant.of(name, arguments);
  }

  /** The object that {@code value} is, or null if that is not known. */
  @Nullable ObjectValue object(Value value) {
    return known.of(value) instanceof ObjectValue object ? object : null;
  }

  int register(Value value) {
    return registers.computeIfAbsent(value, fresh -> size++);
  }

  int[] registers(List<Value> values) {
    return values.stream().mapToInt(this::register).toArray();
  }

  /** The steps of a block, which is {@code region} of another step or a function's body. */
  Code.Body body(Block block, Liveness liveness, Site.@Nullable Region region) {
    List<Step> list = new ArrayList<>();
    add(block, liveness, region, list);
    return new Code.Body(list);
  }

  private void add(Block block, Liveness liveness, Site.@Nullable Region region, List<Step> list) {
    for (Operation operation : block.operations()) {
      Object result = known.result(operation);
      if (result != null) {
        Value value = operation.results().get(0);
        known.know(value, result);
        constants.put(register(value), result);
      } else if (operation.operator() == Structure.Plain.IF
          && known.of(operation.operands().get(0)) instanceof Boolean taken) {
        addBlock(operation, taken, liveness, region, list);
      } else {
        list.add(step(operation, liveness, region));
      }
    }
  }

  /** The block of an if that is always taken, as if it stood in place of the if. */
  private void addBlock(
      Operation branch,
      boolean taken,
      Liveness liveness,
      Site.@Nullable Region around,
      List<Step> list) {
    Site site = new Site(steps++, branch.source(), around);
    Block block = branch.blocks().get(taken ? 0 : 1);
    for (int i = 0; i < block.parameters().size(); i++) {
      same(block.parameters().get(i), branch.operands().get(i + 1));
    }
    add(block, liveness, ControlActions.region(site, taken), list);
    for (int i = 0; i < branch.results().size(); i++) {
      same(branch.results().get(i), block.results().get(i));
    }
    int[] ending = registers(liveness.endingAt(branch));
    if (ending.length > 0) {
      list.add(Step.releasing(site, ending));
    }
  }

  /** {@code value} is what {@code other} is. */
  private void same(Value value, Value other) {
    registers.put(value, register(other));
    known.know(value, known.of(other));
  }

  private Step step(Operation operation, Liveness liveness, Site.@Nullable Region region) {
    Site site = new Site(steps++, operation.source(), region);
    int[] operands = registers(operation.operands());
    int[] results = registers(operation.results());
    int[] ending = registers(liveness.endingAt(operation));
    return switch (operation.operator()) {
      case Structure structure -> {
        Action action = StructureActions.of(structure, operation, site, this, liveness);
        yield new Step(operation.name(), site, action, operands, results, ending);
      }
      case Operator.Entry entry -> {
        Door door = doors.computeIfAbsent(entry.name(), this::door);
        int[] arguments = withAttributes(operands, entry, door.definition().schema());
        yield new Step(entry.name(), site, new KernelAction(door), arguments, results, ending);
      }
    };
  }

  /** Attributes stand where the schema has their parameters, as constants. */
  private int[] withAttributes(int[] operands, Operator.Entry entry, Schema schema) {
    if (entry.attributes().isEmpty()) {
      return operands;
    }
    int[] arguments = new int[operands.length + entry.attributes().size()];
    int given = 0;
    int next = 0;
    for (Schema.Parameter parameter : schema.parameters()) {
      Attribute attribute = entry.attributes().get(parameter.name());
      arguments[next++] = attribute == null ? operands[given++] : constant(attribute);
    }
    System.arraycopy(operands, given, arguments, next, operands.length - given);
    return arguments;
  }

  private int constant(Attribute attribute) {
    constants.put(size, Constants.valueOf(attribute));
    return size++;
  }

  private Door door(String name) {
    CatalogEntry definition = catalog.find(name);
    return Door.to(definition == null ? MissingKernel.named(name) : definition);
  }
}
