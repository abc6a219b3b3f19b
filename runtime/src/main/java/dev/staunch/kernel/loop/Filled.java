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
 * An operation that fills one new tensor: all that can be wrong with its operands is found with the
 * form of that, and nothing but memory, elements or a cancellation is left to fail.
 *
 * @param form gives the tensor's form, or the fault; no element is looked at
 * @param fill writes all of the tensor
 */
public record Filled(Inference form, Fill fill) implements Kernel.One, Inference, PrimitiveBody {

  /** Writes the tensor; gives the fault if it could not. */
  @FunctionalInterface
  public interface Fill {
    @Nullable Fault into(DenseTensor target, Call call);
  }

  /** Adds such an operation. */
  public static void add(Catalog.Builder catalog, String schema, Inference form, Fill fill) {
    Filled filled = new Filled(form, fill);
    catalog.inferring(filled).one(schema, filled);
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
