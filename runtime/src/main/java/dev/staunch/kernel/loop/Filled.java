package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.PrimitiveBody;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/**
 * An operation that fills one new tensor. Inferring that tensor's form finds everything that can be
 * wrong with the operands; after that, only memory, elements or a cancellation can make it fail.
 *
 * @param form the tensor's form, or a fault; reads no element
 * @param fill writes the whole tensor
 */
public record Filled(Inference form, Fill fill) implements Kernel.One, Inference, PrimitiveBody {

  /** Writes the tensor; returns the fault if that failed, else null. */
  @FunctionalInterface
  public interface Fill {
    @Nullable Fault into(DenseTensor target, Call call);
  }

  /** Adds such an operation. */
  public static void add(Catalog.Builder catalog, String schema, Inference form, Fill fill) {
    Filled filled = new Filled(form, fill);
    catalog.withInference(filled).one(schema, filled);
  }

  @Override
  public Object infer(Operands operands) {
    return form.infer(operands);
  }

  @Override
  public Object run(Call call) {
    Object found = form.infer(call);
    Object made = found instanceof TensorForm known ? DenseStrides.allocate(call, known) : found;
    return made instanceof DenseTensor target
        ? CancellationPoll.finished(target, fill.into(target, call))
        : made;
  }
}
