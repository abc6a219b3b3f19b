package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.kernel.recurrent.RecurrentCell;
import dev.staunch.kernel.recurrent.RecurrentDirection;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** Time steps with states in doubles; packs the weights on every call. */
record PlainRecurrence(Request request) implements Recurrence {

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      Parameters parameters,
      DenseTensor gates,
      Steps steps,
      double[][] states,
      double[][] cells,
      DenseTensor output,
      int column) {
    RecurrentCell cell = RecurrentCell.of(request.cell());
    return new RecurrentDirection(new CancellationPoll(context), cell, parameters, states, cells)
        .run(gates, steps, output, column);
  }
}
