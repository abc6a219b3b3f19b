package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Preparation;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A function during compilation: what its steps, those of its blocks and those inlined into it
 * share.
 */
final class Draft {
  private final ModelConstants tensors;
  private final Map<Integer, Object> constants = new HashMap<>();
  private final Map<Integer, FoldedValue> folded = new HashMap<>();
  private final Map<Integer, Integer> reads = new HashMap<>();
  private final Map<Integer, Integer> uses = new HashMap<>();
  private final Map<String, Door> doors = new HashMap<>();
  private final List<Step> listed = new ArrayList<>();
  private int registers;
  private int steps;
  private int tried;

  /**
   * @param tensors the tensors of a module
   */
  Draft(ModelConstants tensors) {
    this.tensors = tensors;
  }

  ModelConstants tensors() {
    return tensors;
  }

  /** A new register. */
  int register() {
    return registers++;
  }

  /** A new step number; each is one more than the last. */
  int number() {
    return steps++;
  }

  /** The number of steps, including those that were replaced. */
  int steps() {
    return steps;
  }

  /** Counts a step that replaces a call, and may be taken {@linkplain #back back}. */
  void tryStep() {
    tried++;
  }

  /** How many such steps there were. */
  int tried() {
    return tried;
  }

  Door door(String operation, Function<String, Door> made) {
    return doors.computeIfAbsent(operation, made);
  }

  /** Records that a register holds {@code value} in every request. */
  void hold(int register, Object value) {
    constants.put(register, value);
  }

  /** What a register holds in every request; null if that is not known. */
  @Nullable Object constant(int register) {
    return constants.get(register);
  }

  boolean isConstant(int register) {
    return constants.containsKey(register);
  }

  /** The constant operands of a step; null in place of all others. */
  Operands constants(Step step) {
    Object[] known = new Object[step.operands.length];
    for (int i = 0; i < known.length; i++) {
      Object value = constants.get(step.operands[i]);
      if (value != null) {
        known[i] = value;
      }
    }
    return Operands.of(known);
  }

  /** Whether a register holds a tensor of the module, or something immutable. */
  boolean isGiven(int register) {
    Object value = constants.get(register);
    return Constants.isImmutable(value) || isOfModule(value);
  }

  private boolean isOfModule(@Nullable Object value) {
    return value instanceof DenseTensor tensor && tensors.find(tensor) != null;
  }

  /** Records that the value of a register is computed from the module's tensors alone. */
  void fold(int register, FoldedValue value) {
    folded.put(register, value);
  }

  boolean isFolded(int register) {
    return folded.containsKey(register);
  }

  /**
   * The result of an operation if all its operands are known and at least one is a tensor; else
   * null.
   */
  @Nullable FoldedValue folded(int[] operands) {
    List<DenseTensor> given = new ArrayList<>();
    List<FoldedValue> others = new ArrayList<>();
    for (int operand : operands) {
      FoldedValue other = folded.get(operand);
      if (other != null) {
        others.add(other);
      } else if (!isGiven(operand)) {
        return null;
      } else if (constants.get(operand) instanceof DenseTensor tensor) {
        given.add(tensor);
      }
    }
    boolean any = !given.isEmpty() || !others.isEmpty();
    return any ? new FoldedValue(tensors, given, others) : null;
  }

  /** Counts what an operation reads, unless it reveals nothing about the layout of its operands. */
  void read(CatalogEntry operation, int[] operands) {
    if (!operation.definition().has(Trait.LAYOUT_AGNOSTIC)
        || operation.definition().has(Trait.SHARES)) {
      read(operands);
    } else {
      use(operands);
    }
  }

  /** Counts reads that may reveal a layout, by a step or as a block's result. */
  void read(int... from) {
    for (int register : from) {
      reads.merge(register, 1, Integer::sum);
    }
    use(from);
  }

  private void use(int... from) {
    for (int register : from) {
      uses.merge(register, 1, Integer::sum);
    }
  }

  /** How often {@code register} is read in this way. */
  int reads(int register) {
    return reads.getOrDefault(register, 0);
  }

  /** How often {@code register} is read at all, including by steps that were taken back. */
  int uses(int register) {
    return uses.getOrDefault(register, 0);
  }

  /** Adds a step that calls a kernel or a function. */
  void add(Step step) {
    listed.add(step);
  }

  /**
   * Another step replaces {@code step}, or does its work: applies {@code known} to the recorded
   * step.
   */
  @SuppressWarnings("ReferenceEquality") // a step keeps its site, whatever it releases
  void replace(Step step, UnaryOperator<Step> known) {
    for (int i = 0; i < listed.size(); i++) {
      Step each = listed.get(i);
      if (each.site == step.site) {
        listed.set(i, known.apply(each));
      }
    }
  }

  /** The number of steps so far, to go {@linkplain #back back} to. */
  record Mark(int steps, int listed) {}

  Mark mark() {
    return new Mark(steps, listed.size());
  }

  /** Forgets the steps added since. */
  void back(Mark mark) {
    steps = mark.steps;
    listed.subList(mark.listed, listed.size()).clear();
  }

  /** The registers at the start of a call. */
  Object[] template() {
    Object[] template = new Object[registers];
    for (Map.Entry<Integer, Object> each : constants.entrySet()) {
      template[each.getKey()] = each.getValue();
    }
    return template;
  }

  Step[] listed() {
    return listed.toArray(new Step[0]);
  }

  Preparation[] preparations() {
    Preparation[] preparations = new Preparation[steps];
    for (int i = 0; i < steps; i++) {
      preparations[i] = new Preparation(tensors::find);
    }
    return preparations;
  }
}
