package dev.staunch.torchscript;

import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.DTypeTrials;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the dtypes of a program's values before it runs: those of weights, of what has a
 * dtype whatever goes in, as casts and comparisons, and of what is computed of these. Nothing is
 * known of arguments and of what functions return.
 */
final class DTypeFlow {
  private final Catalog catalog;

  /** The dtypes of an attribute in all objects of a class. */
  private final Map<Slot, Set<DType>> weights = new HashMap<>();

  private final Map<String, Optional<DTypeTrials>> trials = new HashMap<>();

  /** Of a tensor, or of a list of them, the {@link DType}; of a constant the value. */
  private final Map<Value, Object> known = new IdentityHashMap<>();

  private record Slot(String type, String attribute) {}

  DTypeFlow(Program program, ObjectValue root, Catalog catalog) {
    this.catalog = catalog;
    addWeights(root, Collections.newSetFromMap(new IdentityHashMap<>()));
    Set<String> stored = new HashSet<>();
    for (Function function : program.functions()) {
      addStored(function.body(), stored);
    }
    weights.keySet().removeIf(slot -> stored.contains(slot.attribute()));
  }

  private void addWeights(ObjectValue object, Set<Object> seen) {
    if (!seen.add(object)) {
      return;
    }
    List<String> slots = object.layout().slots();
    for (int i = 0; i < slots.size(); i++) {
      if (object.get(i) instanceof DenseTensor tensor) {
        Slot slot = new Slot(object.layout().name(), slots.get(i));
        weights.computeIfAbsent(slot, any -> EnumSet.noneOf(DType.class)).add(tensor.dtype());
      } else if (object.get(i) instanceof ObjectValue part) {
        addWeights(part, seen);
      }
    }
  }

  private static void addStored(Block block, Set<String> stored) {
    for (Operation operation : block.operations()) {
      if (operation.operator() instanceof Structure.SetAttribute set) {
        stored.add(set.attribute());
      }
      operation.blocks().forEach(inner -> addStored(inner, stored));
    }
  }

  /**
   * Notes what follows from {@code operation}, before which those that it depends on and those of
   * its blocks were noted.
   *
   * @return the dtype of its operands, if there is no kernel for that; else null
   */
  @Nullable DType refused(Operation operation) {
    switch (operation.operator()) {
      case Structure.Constant constant -> note(operation, value(constant.value()));
      case Structure.GetAttribute get -> {
        String type = operation.operands().getFirst().type().toString();
        Set<DType> dtypes = weights.getOrDefault(new Slot(type, get.attribute()), Set.of());
        note(operation, dtypes.size() == 1 ? dtypes.iterator().next() : null);
      }
      case Structure.Plain plain -> {
        switch (plain) {
          case LIST_CONSTRUCT -> note(operation, common(operation.operands()));
          case CAST -> note(operation, known.get(operation.operands().getFirst()));
          case IF -> joined(operation);
          default -> {}
        }
      }
      case Structure other -> {}
      case Operator.Entry entry -> {
        return computed(operation);
      }
    }
    return null;
  }

  private void note(Operation operation, @Nullable Object what) {
    if (what != null && !operation.results().isEmpty()) {
      known.put(operation.results().getFirst(), what);
    }
  }

  private static @Nullable Object value(Attribute constant) {
    return switch (constant) {
      case Attribute.Int number -> number.value();
      case Attribute.Real number -> number.value();
      case Attribute.Bool flag -> flag.value();
      case Attribute.None none -> None.NONE;
      case Attribute.Dense dense -> dense.tensor().dtype();
      default -> null;
    };
  }

  /** The dtype of all these; null if they have none in common, or it is not known. */
  private @Nullable Object common(List<Value> values) {
    Object first = values.isEmpty() ? null : known.get(values.getFirst());
    boolean alike = values.stream().allMatch(value -> Objects.equals(first, known.get(value)));
    return alike && first instanceof DType ? first : null;
  }

  private void joined(Operation branches) {
    for (int i = 0; i < branches.results().size(); i++) {
      int at = i;
      Object dtype =
          common(branches.blocks().stream().map(block -> block.results().get(at)).toList());
      if (dtype != null) {
        known.put(branches.results().get(i), dtype);
      }
    }
  }

  private @Nullable DType computed(Operation operation) {
    DTypeTrials trial =
        trials
            .computeIfAbsent(
                operation.name(),
                name -> Optional.ofNullable(catalog.find(name)).map(DTypeFlow::trials))
            .orElse(null);
    List<@Nullable Object> operands = new ArrayList<>();
    operation.operands().forEach(operand -> operands.add(known.get(operand)));
    if (trial == null || operands.size() != trial.size()) {
      return null;
    }
    DTypeTrials.Answer answer = trial.answer(operands);
    for (int i = 0; i < answer.results().size(); i++) {
      DType dtype = answer.results().get(i);
      if (dtype != null) {
        known.put(operation.results().get(i), dtype);
      }
    }
    return answer.refused();
  }

  private static @Nullable DTypeTrials trials(CatalogEntry operation) {
    return operation.kernel() == null ? null : DTypeTrials.of(operation);
  }
}
