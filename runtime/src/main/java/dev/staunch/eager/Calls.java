package dev.staunch.eager;

import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the call of an operation: creates the handles of its results and works out which
 * variables it reads and writes.
 */
final class Calls {
  private final Context context;
  private final Signature signature;
  private Object[] arguments;
  private final Tensor[] results;
  private Uses uses = Uses.NONE;
  private int fresh;

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
  TensorCall task(CallEnvironment environment, long large) {
    for (int i = 0; i < results.length; i++) {
      results[i] = result(i, environment.scope());
    }
    boolean small = signature.workload.isSmall(arguments, large);
    return new TensorCall(
        signature, environment, arguments, results, fresh, turns(environment), small);
  }

  /**
   * The call of an operation whose result is known only afterwards. It uses {@code done}, so that a
   * caller can wait for the call.
   */
  TensorCall plainTask(CallEnvironment environment, Variable done, long large) {
    arguments = Handles.copied(arguments);
    uses = uses.andReading(done);
    boolean small = signature.workload.isSmall(arguments, large);
    return new TensorCall(
        signature, environment, arguments, new Tensor[0], 1, turns(environment), small);
  }

  private Tensor result(int i, ResourceScope scope) {
    Tensor self = tensor(signature.written(i));
    if (self != null) {
      return self;
    }
    fresh++;
    Tensor made = new Tensor(context, tensor(signature.viewed(i)), scope);
    uses = uses.andWriting(made.birth());
    return made;
  }

  private OperandTurns turns(CallEnvironment environment) {
    if (signature.draws) {
      uses = uses.andOrdering(environment.context.draws);
    }
    if (environment.calls != null) {
      uses = uses.andReading(environment.calls);
    }
    return new OperandTurns(signature, arguments, uses);
  }

  private @Nullable Tensor tensor(int argument) {
    return argument >= 0 && argument < arguments.length && arguments[argument] instanceof Tensor it
        ? it
        : null;
  }

  /** {@code value} with a handle in place of each tensor in it, and of each of several results. */
  Object handles(Object value) {
    return handles(value, new IdentityHashMap<>());
  }

  private Object handles(Object value, Map<Storage, Variable> known) {
    if (value instanceof Object[] results) {
      return Arrays.stream(results)
          .map(each -> each instanceof Fault fault ? context.wrap(fault) : handles(each, known))
          .toArray();
    }
    if (value instanceof DenseTensor dense) {
      return new Tensor(context, known.computeIfAbsent(dense.storage(), this::data), dense);
    }
    if (value instanceof List<?> list) {
      List<Object> handles = new ArrayList<>(list.size());
      list.forEach(element -> handles.add(handles(element, known)));
      return handles;
    }
    return value;
  }

  /** The variable of an operand with this memory, or else a new one. */
  private Variable data(Storage memory) {
    List<Handle> sharing = new ArrayList<>(1);
    Handles.forEach(
        arguments,
        operand -> {
          if (operand.has(memory)) {
            sharing.add(operand);
          }
        });
    return sharing.isEmpty() ? new Variable() : sharing.getFirst().data();
  }
}
