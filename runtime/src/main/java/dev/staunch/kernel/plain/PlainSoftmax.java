package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.kernel.reduce.RealRow;
import dev.staunch.kernel.reduce.Reduction;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** Softmax in doubles, one line after the other. */
record PlainSoftmax(Request request) implements Softmax {

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result) {
    long[] dim = {request.dim()};
    Reduction from = (Reduction) Reduction.over(input, dim, false);
    Reduction to = (Reduction) Reduction.over(result, dim, false);
    CancellationPoll poll = new CancellationPoll(context);
    try (Temporaries temporaries = new Temporaries()) {
      Object kept = RealRow.kept(context, poll, temporaries, from);
      return kept instanceof RealRow row
          ? from.each(poll, group -> softmax(row.of(group), to, group))
          : (Fault) kept;
    }
  }

  private void softmax(RealRow row, Reduction to, int group) {
    boolean log = request.logarithm();
    double most = Reduction.greatest(row);
    double sum = 0;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        double off = values[i] - most;
        double power = Math.exp(off);
        sum += power;
        values[i] = log ? off : power;
      }
    }
    double logarithm = log ? Math.log(sum) : 0;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        values[i] = log ? values[i] - logarithm : values[i] / sum;
      }
      to.store(group, row.start(), n, values);
    }
  }
}
