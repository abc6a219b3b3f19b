package dev.staunch.execute;

import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.OperationDefinition;
import dev.staunch.kernel.Schema;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which values can be released before the request ends, and after which operation.
 *
 * <p>A value is released early if an operation of the catalog made it and every use only borrows
 * it: as an operand of an operation of the catalog whose schema takes a tensor (or a resource)
 * there. What is put into a container or an object, passed to a function, or handed out of a block
 * lives until the scope closes. A use inside a nested block counts as a use by the operation around
 * it.
 */
final class Liveness {
  private final Catalog catalog;
  private final Map<Value, Operation> lastUse = new IdentityHashMap<>();
  private final Map<Value, Block> home = new IdentityHashMap<>();
  private final Set<Value> candidates = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Operation, List<Value>> ending = new IdentityHashMap<>();

  private Liveness(Catalog catalog) {
    this.catalog = catalog;
  }

  static Liveness of(Function function, Catalog catalog) {
    Liveness liveness = new Liveness(catalog);
    liveness.scan(function.body(), List.of());
    liveness.lastUse.forEach((value, operation) -> {
      if (liveness.candidates.contains(value)) {
        liveness.ending.computeIfAbsent(operation, o -> new ArrayList<>()).add(value);
      }
    });
    return liveness;
  }

  List<Value> endingAt(Operation operation) {
    return ending.getOrDefault(operation, List.of());
  }

  /**
   * {@code around}: the operations whose blocks enclose this one, with the block each stands in.
   */
  private void scan(Block block, List<Place> around) {
    block.parameters().forEach(value -> home.put(value, block));
    for (Operation operation : block.operations()) {
      List<Place> here = new ArrayList<>(around);
      here.add(new Place(block, operation));
      for (int i = 0; i < operation.operands().size(); i++) {
        use(operation.operands().get(i), here, borrows(operation, i));
      }
      operation.blocks().forEach(inner -> scan(inner, here));
      for (Value result : operation.results()) {
        home.put(result, block);
        if (Structure.of(operation.name()) == null) {
          candidates.add(result);
        }
      }
    }
    block.results().forEach(candidates::remove);
  }

  private record Place(Block block, Operation operation) {}

  @SuppressWarnings("ReferenceEquality") // blocks with equal content are different places
  private void use(Value value, List<Place> places, boolean borrowed) {
    if (!borrowed) {
      candidates.remove(value);
    }
    Block definedIn = home.get(value);
    for (Place place : places) {
      if (place.block() == definedIn) {
        lastUse.put(value, place.operation());
        return;
      }
    }
  }

  private boolean borrows(Operation operation, int operand) {
    OperationDefinition definition = catalog.find(operation.name());
    if (definition == null) {
      return false;
    }
    List<Schema.Parameter> parameters = definition.schema().parameters();
    return operand < parameters.size() && isResource(parameters.get(operand).type());
  }

  private static boolean isResource(Type type) {
    return type == Type.Plain.TENSOR
        || type instanceof Type.Named
        || (type instanceof Type.Optional optional && isResource(optional.element()));
  }
}
