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
 * What scripts know as a Tensor and is made of several. It lives between a few operations that know
 * it; every other one refuses it, and it does not leave a program.
 */
public sealed interface CompoundTensor permits NestedTensor, SparseTensor {
  /** The tensors that it is made of. */
  List<DenseTensor> parts();

  /** The trait of operations that know such values. */
  Trait knownBy();

  /** What kind of tensor this is, and what makes a plain one of it. */
  String remedy();

  /** The fault of handing this to {@code operation} as a Tensor, or null. */
  default @Nullable Fault refusedBy(OperationDefinition operation, int parameter) {
    List<Schema.Parameter> parameters = operation.schema().parameters();
    boolean asTensor = parameter < parameters.size() && tensor(parameters.get(parameter).type());
    return asTensor && !operation.effects().has(knownBy())
        ? Fault.unsupported(operation.name() + " does not take " + remedy())
        : null;
  }

  private static boolean tensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.Optional optional && tensor(optional.element()));
  }
}
