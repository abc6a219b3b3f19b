package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Preparation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns one function into {@link Code}: a register for each value, an action for each operation.
 */
final class Compiler {
  private final Program program;
  private final Catalog catalog;
  private final Map<Value, Integer> registers = new IdentityHashMap<>();
  private final Map<Integer, Object> constants = new HashMap<>();
  private final Map<String, Door> doors = new HashMap<>();

  private final Ownership ownership;
  private final ModelConstants known;
  private int steps;

  Compiler(Program program, Catalog catalog, Ownership ownership, ModelConstants known) {
    this.program = program;
    this.catalog = catalog;
    this.ownership = ownership;
    this.known = known;
  }

  Code compile(Function function, int number) {
    Liveness liveness = Liveness.of(function, catalog, ownership);
    int[] parameters = registers(function.parameters());
    Code.Body body = body(function.body(), liveness, null);
    int[] results = registers(function.body().results());
    Object[] template = new Object[registers.size()];
    constants.forEach((register, value) -> template[register] = value);
    Preparation[] preparations = new Preparation[steps];
    Arrays.setAll(preparations, step -> new Preparation(known::find));
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

  int register(Value value) {
    return registers.computeIfAbsent(value, fresh -> registers.size());
  }

  int[] registers(List<Value> values) {
    return values.stream().mapToInt(this::register).toArray();
  }

  /** The steps of a block, which is {@code region} of another step or a function's body. */
  Code.Body body(Block block, Liveness liveness, Site.@Nullable Region region) {
    List<Step> steps = new ArrayList<>();
    for (Operation operation : block.operations()) {
      if (Structure.of(operation.name()) == Structure.CONSTANT) {
        constants.put(register(operation.results().get(0)), operation.attribute("value"));
      } else {
        steps.add(step(operation, liveness, region));
      }
    }
    return new Code.Body(steps);
  }

  private Step step(Operation operation, Liveness liveness, Site.@Nullable Region region) {
    Site site = new Site(steps++, operation.source(), region);
    int[] operands = registers(operation.operands());
    Action action = action(operation, site, liveness);
    int[] results = registers(operation.results());
    int[] ending = registers(liveness.endingAt(operation));
    return new Step(operation.name(), site, action, operands, results, ending);
  }

  private Action action(Operation operation, Site site, Liveness liveness) {
    @Nullable Structure structure = Structure.of(operation.name());
    if (structure != null) {
      return StructureActions.of(structure, operation, site, this, liveness);
    }
    Door door = doors.computeIfAbsent(operation.name(), this::door);
    return new KernelAction(door);
  }

  private Door door(String name) {
    CatalogEntry definition = catalog.find(name);
    return Door.to(definition == null ? MissingKernel.named(name) : definition);
  }
}
