package dev.staunch.vector;

import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A call of an operation that several sets of kernels are to answer.
 *
 * @param constants the operands that are the same at every call
 */
record SetCall(
    String name,
    List<Object> arguments,
    Accuracy accuracy,
    Set<DenseTensor> constants,
    Call.Order order) {

  /**
   * How far results may differ: in proportion to the exact result and to what this names.
   *
   * @param exact results are equal
   * @param absolutes one bit for each argument: the result for the absolute values of these
   * @param perturbed what a small relative change of the operands changes, relative to it
   * @param mixed the largest pixels nearby and the largest elements of kernels are meant, because a
   *     convolution may add them up before it multiplies
   * @param floor a difference that is always allowed
   */
  record Accuracy(boolean exact, int absolutes, boolean perturbed, boolean mixed, double floor) {
    static final Accuracy EXACT = new Accuracy(true, 0, false, false, 0);
    static final Accuracy SUMS = new Accuracy(false, -1, false, false, 0);
    static final Accuracy MIXED = new Accuracy(false, -1, false, true, 0);
    static final Accuracy SMOOTH = new Accuracy(false, 0, true, false, 0);

    Accuracy allowing(double allowed) {
      return new Accuracy(exact, absolutes, perturbed, mixed, allowed);
    }

    Accuracy absolute(int absoluteArguments) {
      return new Accuracy(exact, absoluteArguments, perturbed, mixed, floor);
    }
  }

  static SetCall of(Accuracy accuracy, String name, Object... arguments) {
    List<Object> all = new ArrayList<>(Arrays.asList(arguments));
    return new SetCall("aten::" + name, all, accuracy, Set.of(), Call.Order.AS_WRITTEN);
  }

  SetCall constant(DenseTensor... tensors) {
    return new SetCall(name, arguments, accuracy, Set.of(tensors), order);
  }

  SetCall ordered(Call.Order wanted) {
    return new SetCall(name, arguments, accuracy, constants, wanted);
  }

  @Override
  public String toString() {
    List<String> all = new ArrayList<>();
    arguments.forEach(each -> all.add(describe(each)));
    return name + "(" + String.join(", ", all) + ") result " + order;
  }

  private String describe(Object argument) {
    if (argument instanceof DenseTensor tensor) {
      return (constants.contains(tensor) ? "constant " : "") + RandomOperands.describe(tensor);
    }
    if (argument instanceof List<?> list) {
      return list.stream().map(this::describe).toList().toString();
    }
    return argument.toString();
  }
}
