package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Cumulative sums and products along one dimension. */
final class ScanOperations {
  private ScanOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean sum : new boolean[] {true, false}) {
      String name = sum ? "cumsum" : "cumprod";
      ReductionOperands.casting(
          catalog.with(Trait.AUTOCAST_WIDENS, Trait.COPIED_IN_PLACE).out("out"),
          name,
          "(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
          2,
          call -> form(call, name),
          call -> scan(call, name, sum));
    }
  }

  private static Object form(Operands operands, String name) {
    DType dtype = ReductionOperands.accumulated(operands, 2);
    long[] dim = {operands.integer(1)};
    Object shape = ReductionOperands.shape(operands, name, dtype, dim, false);
    return shape instanceof Fault ? shape : TensorForm.contiguous(dtype, operands.shape(0));
  }

  private static Object scan(Call call, String name, boolean sum) {
    DType dtype = ReductionOperands.accumulated(call, 2);
    long[] dim = {call.integer(1)};
    Object over = ReductionOperands.over(call, name, dtype, dim, false);
    Object made = over instanceof Fault ? over : call.allocate(dtype, call.tensor(0).shape());
    if (!(made instanceof DenseTensor target) || !(over instanceof Reduction from)) {
      return made;
    }
    Reduction to = (Reduction) Reduction.over(target, dim, false);
    CancellationPoll poll = new CancellationPoll(call);
    Fault stop = dtype.isFloating() ? reals(poll, from, to, sum) : integers(poll, from, to, sum);
    return CancellationPoll.finished(target, stop);
  }

  private static @Nullable Fault reals(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    RealRow row = RealRow.of(from, poll);
    return from.each(
        poll,
        group -> {
          double carried = sum ? -0.0 : 1;
          for (int n = row.of(group).first(); n > 0; n = row.next()) {
            double[] values = row.values();
            for (int i = 0; i < n; i++) {
              carried = sum ? carried + values[i] : carried * values[i];
              values[i] = carried;
            }
            to.store(group, row.start(), n, values);
          }
        });
  }

  private static @Nullable Fault integers(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    IntegerRow row = new IntegerRow(from, poll);
    return from.each(
        poll,
        group -> {
          long carried = sum ? 0 : 1;
          for (int n = row.of(group).first(); n > 0; n = row.next()) {
            long[] values = row.values();
            for (int i = 0; i < n; i++) {
              carried = sum ? carried + values[i] : carried * values[i];
              values[i] = carried;
            }
            to.store(group, row.start(), n, values);
          }
        });
  }
}
