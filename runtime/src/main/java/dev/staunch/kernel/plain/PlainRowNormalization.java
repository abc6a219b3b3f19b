package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.RowNormalization;
import dev.staunch.kernel.reduce.RealRow;
import dev.staunch.kernel.reduce.Reduction;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Layer normalisation in doubles, one row after the other. */
record PlainRowNormalization(Request request) implements RowNormalization {

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    long[] dims = new long[request.dims()];
    Arrays.setAll(dims, d -> input.rank() - dims.length + d);
    Reduction from = (Reduction) Reduction.over(input, dims, false);
    Reduction to = (Reduction) Reduction.over(result, dims, false);
    CancellationPoll poll = new CancellationPoll(context);
    try (Temporaries temporaries = new Temporaries()) {
      Object kept = RealRow.kept(context, poll, temporaries, from);
      return kept instanceof RealRow row
          ? normalize(poll, from, to, row, parameter(poll, weight), parameter(poll, bias))
          : (Fault) kept;
    }
  }

  private @Nullable Fault normalize(
      CancellationPoll poll,
      Reduction from,
      Reduction to,
      RealRow row,
      @Nullable RealRow scale,
      @Nullable RealRow shift) {
    return from.each(
        poll,
        group -> {
          double factor = center(row.of(group), from.count(), request.epsilon());
          rewind(scale);
          rewind(shift);
          for (row.rewind(); row.advance(); ) {
            advance(scale);
            advance(shift);
            affine(
                row.values(),
                row.count(),
                factor,
                scale == null ? null : scale.values(),
                shift == null ? null : shift.values());
            to.store(group, row.start(), row.count(), row.values());
          }
        });
  }

  /** The parameter's elements, in the same chunks as those of a row. */
  private static @Nullable RealRow parameter(CancellationPoll poll, @Nullable DenseTensor tensor) {
    return tensor == null
        ? null
        : RealRow.of((Reduction) Reduction.over(tensor, new long[0], false), poll);
  }

  private static void rewind(@Nullable RealRow parameter) {
    if (parameter != null) {
      parameter.rewind();
    }
  }

  private static void advance(@Nullable RealRow parameter) {
    if (parameter != null) {
      parameter.advance();
    }
  }

  /** Subtracts the mean; returns the factor that gives variance 1. */
  private static double center(RealRow row, int count, double epsilon) {
    double mean = Reduction.sum(row) / count;
    double squares = 0;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        values[i] -= mean;
        squares += values[i] * values[i];
      }
    }
    return 1 / Math.sqrt(squares / count + epsilon);
  }

  private static void affine(
      double[] values,
      int count,
      double factor,
      double @Nullable [] scale,
      double @Nullable [] shift) {
    for (int i = 0; i < count; i++) {
      values[i] *= factor;
      double scaled = scale == null ? values[i] : values[i] * scale[i];
      values[i] = shift == null ? scaled : scaled + shift[i];
    }
  }
}
