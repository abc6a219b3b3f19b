package dev.staunch.eager;

import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the call of an operation: makes the handles of its results and works out which variables
 * it reads and writes.
 */
final class Calls {
  private final Context context;
  private final Signature signature;
  private Object[] arguments;
  private final Tensor[] results;
  private Uses uses = Uses.NONE;
  private int fresh;
  private long elements;

  Calls(Context context, Signature signature, Object[] arguments) {
    this.context = context;
    this.signature = signature;
    this.arguments = arguments;
    this.results = new Tensor[signature.results()];
  }

  Tensor[] results() {
    return results;
  }

  /** The call of an operation whose results are all tensors. */
  TensorCall task(Surroundings surroundings, long large) {
    for (int i = 0; i < results.length; i++) {
      results[i] = result(i);
    }
    addOperands();
    if (surroundings.calls != null) {
      uses = uses.andReading(surroundings.calls);
    }
    return new TensorCall(
        signature, surroundings, arguments, results, fresh, uses, elements < large);
  }

  /** The call of an operation whose result is only known afterwards. */
  TensorCall plainTask(Surroundings surroundings) {
    arguments = Handles.copied(arguments);
    addOperands();
    return new TensorCall(signature, surroundings, arguments, new Tensor[0], 1, uses, true);
  }

  private Tensor result(int i) {
    Tensor self = tensor(signature.written(i));
    if (self != null) {
      return self;
    }
    fresh++;
    Variable birth = new Variable();
    uses = uses.andWriting(birth);
    Tensor viewed = tensor(signature.viewed(i));
    return new Tensor(context, viewed == null ? birth : viewed.data(), birth, null);
  }

  private @Nullable Tensor tensor(int argument) {
    return argument >= 0 && argument < arguments.length && arguments[argument] instanceof Tensor it
        ? it
        : null;
  }

  private void addOperands() {
    if (signature.draws) {
      uses = uses.andOrdering(context.draws());
    }
    for (int i = 0; i < arguments.length; i++) {
      int place = i;
      Handles.forEach(arguments[i], tensor -> addOperand(tensor, place));
    }
  }

  private void addOperand(Tensor tensor, int argument) {
    Object content = tensor.content();
    if (content == null && tensor.birth() != tensor.data()) {
      uses = uses.andReading(tensor.birth());
    }
    if (content instanceof DenseTensor dense) {
      elements += dense.elements();
    }
    if (signature.moves(argument, arguments)) {
      uses = uses.andReading(tensor.data()).andOrdering(tensor.data());
    } else if (!signature.mutates(argument)) {
      uses = uses.andReading(tensor.data());
    } else if (signature.overwrites) {
      uses = uses.andWriting(tensor.data());
    } else {
      uses = uses.andUpdating(tensor.data());
    }
  }

  /** {@code value} with a handle for each tensor in it, and for each of several results. */
  Object handles(Object value) {
    if (value instanceof Object[] results) {
      return Arrays.stream(results)
          .map(each -> each instanceof Fault fault ? context.wrap(fault) : handles(each))
          .toArray();
    }
    if (value instanceof DenseTensor dense) {
      Variable birth = new Variable();
      return new Tensor(context, data(dense, birth), birth, dense);
    }
    if (value instanceof List<?> list) {
      List<Object> handles = new ArrayList<>(list.size());
      list.forEach(element -> handles.add(handles(element)));
      return handles;
    }
    return value;
  }

  /** The variable of the operand whose memory {@code result} shares, or else {@code own}. */
  private Variable data(DenseTensor result, Variable own) {
    List<Tensor> sharing = new ArrayList<>(1);
    for (Object argument : arguments) {
      Handles.forEach(
          argument,
          operand -> {
            if (operand.content() instanceof DenseTensor dense
                && dense.storage().equals(result.storage())) {
              sharing.add(operand);
            }
          });
    }
    return sharing.isEmpty() ? own : sharing.getFirst().data();
  }
}
