package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Einstein summation. Each operand is permuted to one common order of labels, those of the output
 * first. Then operands are multiplied from left to right; each label is summed as soon as no later
 * operand has it.
 */
final class Einsum {
  private final Steps steps;
  private final EinsumLabels labels;

  private Einsum(Steps steps, EinsumLabels labels) {
    this.steps = steps;
    this.labels = labels;
  }

  /** The sum that argument 0 describes of the tensors in argument 1; of one, it may be a view. */
  static Object run(Steps steps, Operands call) {
    List<Object> operands = call.list(1);
    List<TensorForm> forms = operands.stream().map(Steps::form).toList();
    Object parsed = EinsumLabels.parse(call.string(0), forms);
    return parsed instanceof EinsumLabels labels
        ? new Einsum(steps, labels).contract(operands)
        : parsed;
  }

  private Object contract(List<Object> operands) {
    Object result = ordered(operands.get(0), 0);
    result = summed(result, operands.size() == 1 ? ended(0) : longer(result, ended(0)));
    for (int i = 1; i < operands.size(); i++) {
      result = product(result, ordered(operands.get(i), i), ended(i));
    }
    if (!Steps.isTensor(result)) {
      return result;
    }
    long[] sizes = Arrays.copyOf(Steps.form(result).shape().toArray(), labels.outputs());
    return steps.view(result, sizes);
  }

  /** The labels that operand {@code i} is the last to have and that the output lacks. */
  private boolean[] ended(int i) {
    boolean[] ended = new boolean[labels.count()];
    for (int label = labels.outputs(); label < ended.length; label++) {
      ended[label] = labels.last(label) == i;
    }
    return ended;
  }

  /** The operand with one dimension for each label, of size 1 where it lacks the label. */
  private Object ordered(Object operand, int number) {
    List<Integer> own = new ArrayList<>();
    Object value = operand;
    for (int label : labels.of(number)) {
      int before = own.indexOf(label);
      if (before >= 0 && Steps.isTensor(value)) {
        Shape shape = Steps.form(value).shape();
        int here = own.size();
        long first = shape.size(before);
        if (first != shape.size(here)) {
          return Fault.shape(
              Message.of(
                  "subscript %s stands twice for operand %d, with different sizes %d and %d",
                  labels.name(label), number, shape.size(here), first));
        }
        value = steps.run("diagonal", value, 0L, (long) before, (long) here);
        value = steps.run("movedim.int", value, -1L, (long) before);
      } else {
        own.add(label);
      }
    }
    long[] order = new long[own.size()];
    int next = 0;
    for (int label = 0; label < labels.count(); label++) {
      if (own.contains(label)) {
        order[next++] = own.indexOf(label);
      }
    }
    value = steps.run("permute", value, Steps.ints(order));
    for (int label = 0; label < labels.count(); label++) {
      value = own.contains(label) ? value : steps.run("unsqueeze", value, (long) label);
    }
    return value;
  }

  /**
   * Those of {@code dims} that are not 1 in {@code value}. Summing the others would only turn
   * narrow integers into int64.
   */
  private static boolean[] longer(Object value, boolean[] dims) {
    boolean[] longer = new boolean[dims.length];
    for (int d = 0; Steps.isTensor(value) && d < dims.length; d++) {
      longer[d] = dims[d] && Steps.form(value).shape().size(d) != 1;
    }
    return longer;
  }

  private Object summed(Object value, boolean[] which) {
    List<Object> dims = new ArrayList<>();
    for (int d = 0; d < which.length; d++) {
      if (which[d]) {
        dims.add((long) d);
      }
    }
    return dims.isEmpty() ? value : steps.run("sum.dim_IntList", value, dims, true);
  }

  /** Multiplies and sums over {@code ends}: by one batched matrix product if both have them. */
  private Object product(Object left, Object right, boolean[] ends) {
    if (!Steps.isTensor(left) || !Steps.isTensor(right)) {
      return Steps.isTensor(left) ? right : left;
    }
    boolean[] onlyLeft = longer(left, ends);
    boolean[] onlyRight = longer(right, ends);
    for (int d = 0; d < ends.length; d++) {
      boolean both = onlyLeft[d] && onlyRight[d];
      onlyLeft[d] &= !both;
      onlyRight[d] &= !both;
    }
    Object first = summed(left, onlyLeft);
    Object second = summed(right, onlyRight);
    return Steps.isTensor(first) && Steps.isTensor(second)
        ? multiplied(first, second, ends)
        : Steps.isTensor(first) ? second : first;
  }

  private Object multiplied(Object first, Object second, boolean[] ends) {
    TensorForm a = Steps.form(first);
    TensorForm b = Steps.form(second);
    List<Integer> batch = new ArrayList<>();
    List<Integer> ofA = new ArrayList<>();
    List<Integer> ofB = new ArrayList<>();
    List<Integer> inner = new ArrayList<>();
    for (int d = 0; d < ends.length; d++) {
      boolean inA = a.shape().size(d) != 1;
      boolean inB = b.shape().size(d) != 1;
      List<Integer> kind = ends[d] ? inner : inA && inB ? batch : inA ? ofA : ofB;
      kind.add(d);
    }
    long batches = size(a, batch);
    long middle = size(a, inner);
    if (middle == 1) {
      return steps.product(first, second);
    }
    Object left = steps.run("permute", first, order(batch, ofA, inner, ofB));
    Object right = steps.run("permute", second, order(batch, inner, ofB, ofA));
    Object product =
        steps.run(
            "bmm",
            steps.view(left, batches, size(a, ofA), middle),
            steps.view(right, batches, middle, size(b, ofB)));
    List<Object> order = order(batch, ofA, ofB, inner);
    long[] sizes = new long[order.size()];
    long[] back = new long[order.size()];
    for (int i = 0; i < sizes.length; i++) {
      int d = ((Long) order.get(i)).intValue();
      sizes[i] = ends[d] ? 1 : Math.max(a.shape().size(d), b.shape().size(d));
      boolean empty = a.shape().size(d) == 0 || b.shape().size(d) == 0;
      sizes[i] = empty && !ends[d] ? 0 : sizes[i];
      back[d] = i;
    }
    return steps.run("permute", steps.view(product, sizes), Steps.ints(back));
  }

  private static long size(TensorForm tensor, List<Integer> dims) {
    long size = 1;
    for (int d : dims) {
      size *= tensor.shape().size(d);
    }
    return size;
  }

  @SafeVarargs
  private static List<Object> order(List<Integer>... parts) {
    List<Object> order = new ArrayList<>();
    for (List<Integer> part : parts) {
      part.forEach(d -> order.add((long) d));
    }
    return order;
  }
}
