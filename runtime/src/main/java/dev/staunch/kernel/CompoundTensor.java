package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that scripts see as a Tensor but that is kept as one or several others. Only a few
 * operations accept it; every other operation refuses it, and it never leaves a program.
 */
public sealed interface CompoundTensor permits NestedTensor, QuantizedTensor, SparseTensor {
  /** The tensors that it consists of. */
  List<DenseTensor> parts();

  /** The trait of operations that accept such values. */
  Trait knownBy();

  /** Text for the fault: what kind of tensor this is, and how to convert it to a plain one. */
  String remedy();

  /**
   * The fault for passing this to {@code operation} as a Tensor; null if the operation accepts it.
   */
  default @Nullable Fault refusedBy(OperationDefinition operation, int parameter) {
    List<Schema.Parameter> parameters = operation.schema().parameters();
    boolean asTensor = parameter < parameters.size() && tensor(parameters.get(parameter).type());
    return asTensor ? refusedInListBy(operation) : null;
  }

  /** The fault for passing this to {@code operation} in a list of tensors, as above. */
  default @Nullable Fault refusedInListBy(OperationDefinition operation) {
    return operation.effects().has(knownBy())
        ? null
        : Fault.unsupported(operation.name() + " does not take " + remedy());
  }

  private static boolean tensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.Optional optional && tensor(optional.element()));
  }
}
