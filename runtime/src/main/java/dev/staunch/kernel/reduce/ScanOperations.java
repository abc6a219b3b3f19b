package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cumulative sums and products along one dimension. */
final class ScanOperations {
  /** The most elements read at a time. */
  private static final int TILE = 1024;

  /** From this many groups side by side on, they are scanned at once. */
  private static final int WIDE = 16;

  /** The most elements of groups of which many are read together. */
  private static final int SHORT = 32;

  /** Groups whose elements do not lie side by side and that are scanned at once. */
  private static final int ABREAST = 4;

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
    if (from.areSideBySide(WIDE)) {
      return across(poll, from, to, sum);
    }
    boolean areShort = from.areRows(SHORT) && to.areRows(SHORT);
    if (from.self().dtype() == DType.FLOAT32 && to.self().dtype() == DType.FLOAT32) {
      return areShort ? severalSingles(poll, from, to, sum) : singles(poll, from, to, sum);
    }
    return areShort ? several(poll, from, to, sum) : along(poll, from, to, sum);
  }

  /** Scans short rows, read together. */
  private static @Nullable Fault several(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    int each = from.count;
    double[] values = new double[Math.min(TILE / each, from.groupCount) * each];
    for (int group = 0; group < from.groupCount && poll.fault() == null; ) {
      int count = Math.min(values.length, (from.groupCount - group) * each);
      Operand.of(from.self()).load(values, from.groups.at(group), 1, count);
      for (int k = 0; k < count; k += each) {
        scan(values, k, k + each, sum);
      }
      Operand.of(to.self()).store(values, to.groups.at(group), 1, count);
      poll.mayContinue(count);
      group += count / each;
    }
    return poll.fault();
  }

  /** As {@link #several}, of float32. */
  private static @Nullable Fault severalSingles(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    int each = from.count;
    float[] values = new float[Math.min(TILE / each, from.groupCount) * each];
    for (int group = 0; group < from.groupCount && poll.fault() == null; ) {
      int count = Math.min(values.length, (from.groupCount - group) * each);
      Operand.of(from.self()).load(values, from.groups.at(group), 1, count);
      for (int k = 0; k < count; k += each) {
        scan(values, k, k + each, sum ? -0.0 : 1, sum);
      }
      Operand.of(to.self()).store(values, to.groups.at(group), 1, count);
      poll.mayContinue(count);
      group += count / each;
    }
    return poll.fault();
  }

  /**
   * Scans groups of float32 one after the other: to widen and round an element takes about as long
   * as to wait for the one before it.
   */
  private static @Nullable Fault singles(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    float[] values = new float[Math.min(TILE, from.count)];
    return from.each(
        poll,
        group -> {
          double carried = sum ? -0.0 : 1;
          for (int i = 0, count; i < from.count; i += count) {
            count = Math.min(TILE, from.count - i);
            if (!poll.mayContinue(count)) {
              return;
            }
            Operand.of(from.self()).load(values, from.at(group, i), from.members.step(), count);
            carried = scan(values, 0, count, carried, sum);
            Operand.of(to.self()).store(values, to.at(group, i), to.members.step(), count);
          }
        });
  }

  /** Returns what is carried on. */
  private static double scan(float[] values, int first, int end, double start, boolean sum) {
    double carried = start;
    for (int i = first; i < end; i++) {
      carried = sum ? carried + values[i] : carried * values[i];
      values[i] = (float) carried;
    }
    return carried;
  }

  private static void scan(double[] values, int first, int end, boolean sum) {
    double carried = sum ? -0.0 : 1;
    for (int i = first; i < end; i++) {
      carried = sum ? carried + values[i] : carried * values[i];
      values[i] = carried;
    }
  }

  /** Scans groups whose elements are adjacent in memory, some at once. */
  private static @Nullable Fault across(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    Operand source = Operand.of(from.self());
    Operand target = Operand.of(to.self());
    double[] carried = new double[Math.min(TILE, from.groupCount)];
    double[] values = new double[carried.length];
    for (int group = 0; group < from.groupCount && poll.fault() == null; ) {
      long start = from.groups.at(group);
      long end = to.groups.at(group);
      int most = Math.min(TILE, from.groupCount - group);
      int count = to.groups.run(group, from.groups.run(group, most));
      Arrays.fill(carried, sum ? -0.0 : 1);
      for (int i = 0; i < from.count && poll.mayContinue(count); i++) {
        source.load(values, start + from.members.at(i), from.groups.step(), count);
        combine(carried, values, count, sum);
        target.store(carried, end + to.members.at(i), to.groups.step(), count);
      }
      group += count;
    }
    return poll.fault();
  }

  private static void combine(double[] carried, double[] values, int count, boolean sum) {
    if (sum) {
      for (int i = 0; i < count; i++) {
        carried[i] += values[i];
      }
    } else {
      for (int i = 0; i < count; i++) {
        carried[i] *= values[i];
      }
    }
  }

  /** Scans a few groups abreast: an element then waits only for those of its own group. */
  private static @Nullable Fault along(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    double[][] rows = new double[ABREAST][Math.min(TILE, from.count)];
    double[] carried = new double[ABREAST];
    for (int group = 0; group < from.groupCount && poll.fault() == null; group += ABREAST) {
      int groups = Math.min(ABREAST, from.groupCount - group);
      Arrays.fill(carried, sum ? -0.0 : 1);
      for (int i = 0; i < from.count; ) {
        int count = Math.min(TILE, from.count - i);
        if (!poll.mayContinue((long) count * groups)) {
          return poll.fault();
        }
        for (int k = 0; k < groups; k++) {
          from.load(group + k, i, count, rows[k]);
        }
        if (sum) {
          sums(carried, rows, count);
        } else {
          products(carried, rows, count);
        }
        for (int k = 0; k < groups; k++) {
          to.store(group + k, i, count, rows[k]);
        }
        i += count; // past the last part it may overflow an int
      }
    }
    return poll.fault();
  }

  private static void sums(double[] carried, double[][] rows, int count) {
    double[] x0 = rows[0];
    double[] x1 = rows[1];
    double[] x2 = rows[2];
    double[] x3 = rows[3];
    double c0 = carried[0];
    double c1 = carried[1];
    double c2 = carried[2];
    double c3 = carried[3];
    for (int i = 0; i < count; i++) {
      x0[i] = c0 += x0[i];
      x1[i] = c1 += x1[i];
      x2[i] = c2 += x2[i];
      x3[i] = c3 += x3[i];
    }
    carried[0] = c0;
    carried[1] = c1;
    carried[2] = c2;
    carried[3] = c3;
  }

  private static void products(double[] carried, double[][] rows, int count) {
    for (int k = 0; k < ABREAST; k++) {
      double product = carried[k];
      for (int i = 0; i < count; i++) {
        product *= rows[k][i];
        rows[k][i] = product;
      }
      carried[k] = product;
    }
  }

  private static @Nullable Fault integers(
      CancellationPoll poll, Reduction from, Reduction to, boolean sum) {
    IntegerRow row = new IntegerRow(from, poll);
    return from.each(
        poll,
        group -> {
          long carried = sum ? 0 : 1;
          for (row.of(group).rewind(); row.advance(); ) {
            int n = row.count();
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
