package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tensor seen as groups of elements that a reduction turns into one result each: for each element
 * of the kept dimensions, all of the reduced ones.
 */
final class Reduction {
  private static final int CHUNK = 4096;
  private static final int POLL = 1 << 16;

  final DenseTensor self;
  final Shape resultShape;

  /** Elements in each group. */
  final int count;

  private final long[] groups;
  private final Layout reduced;
  private final long step;
  private final long @Nullable [] members;

  private Reduction(DenseTensor self, Shape resultShape, Layout kept, Layout reduced) {
    this.self = self;
    this.resultShape = resultShape;
    this.reduced = reduced;
    this.count = (int) reduced.shape().elements();
    this.groups = Elements.positions(kept);
    Strides strides = Strides.of(reduced);
    boolean even = strides.width() == count;
    this.step = even ? strides.step(0) : 0;
    this.members = even || count == 0 ? null : Elements.positions(this.reduced);
  }

  /** The groups over {@code dims} (all if empty); a {@link Reduction} or a fault. */
  static Object over(DenseTensor self, long[] dims, boolean keep) {
    Object masked = Dimensions.mask(dims, self.rank());
    if (masked instanceof Fault fault) {
      return fault;
    }
    if (self.elements() > Integer.MAX_VALUE) {
      return Fault.unsupported("a reduction of more than 2147483647 elements is not supported");
    }
    boolean[] mask = (boolean[]) masked;
    List<Long> resultSizes = new ArrayList<>();
    for (int i = 0; i < self.rank(); i++) {
      if (!mask[i] || keep) {
        resultSizes.add(mask[i] ? 1L : self.shape().size(i));
      }
    }
    Layout kept = part(self.layout(), mask, false, self.layout().offset());
    return new Reduction(self, shape(resultSizes), kept, part(self.layout(), mask, true, 0));
  }

  private static Layout part(Layout layout, boolean[] mask, boolean wanted, long offset) {
    List<Long> sizes = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    for (int i = 0; i < layout.shape().rank(); i++) {
      if (mask[i] == wanted) {
        sizes.add(layout.shape().size(i));
        strides.add(layout.stride(i));
      }
    }
    return new Layout(shape(sizes), strides.stream().mapToLong(Long::longValue).toArray(), offset);
  }

  private static Shape shape(List<Long> sizes) {
    return Shape.of(sizes.stream().mapToLong(Long::longValue).toArray());
  }

  int groupCount() {
    return groups.length;
  }

  /** Reads elements {@code from} to {@code from + into.length}, or to the group's end. */
  int load(int group, int from, double[] into) {
    int wanted = Math.min(into.length, count - from);
    Operand operand = Operand.of(self);
    if (members == null) {
      operand.load(into, groups[group] + from * step, step, wanted);
    } else {
      for (int i = 0; i < wanted; i++) {
        into[i] = Elements.asDouble(self.segment(), self.dtype(), at(group, from + i));
      }
    }
    return wanted;
  }

  /** As {@link #load(int, int, double[])}, as longs. */
  int load(int group, int from, long[] into) {
    int wanted = Math.min(into.length, count - from);
    if (members == null) {
      Operand.of(self).load(into, groups[group] + from * step, step, wanted);
    } else {
      for (int i = 0; i < wanted; i++) {
        into[i] = Elements.asLong(self.segment(), self.dtype(), at(group, from + i));
      }
    }
    return wanted;
  }

  /** Writes all elements of a group; for reductions of a tensor that is being made. */
  void store(int group, double[] from) {
    if (members == null) {
      Operand.of(self).store(from, groups[group], step, count);
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putDouble(self.segment(), self.dtype(), at(group, i), from[i]);
      }
    }
  }

  void store(int group, long[] from) {
    if (members == null) {
      Operand.of(self).store(from, groups[group], step, count);
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putLong(self.segment(), self.dtype(), at(group, i), from[i]);
      }
    }
  }

  /** Where an element of a group lies in the storage. */
  long at(int group, int member) {
    return groups[group] + (members == null ? member * step : members[member]);
  }

  /** Computes one real from the elements of a group. */
  interface Reals {
    double apply(double[] values);
  }

  /** Computes one integer from the elements of a group. */
  interface Integers {
    long apply(long[] values);
  }

  /** A new tensor with a result for each group; or a fault. */
  Object reals(Call call, DType dtype, Reals rule) {
    double[] values = new double[count];
    return made(
        call,
        dtype,
        (target, group) -> {
          load(group, 0, values);
          Elements.putDouble(target.segment(), dtype, group, rule.apply(values));
        });
  }

  Object integers(Call call, DType dtype, Integers rule) {
    long[] values = new long[count];
    return made(
        call,
        dtype,
        (target, group) -> {
          load(group, 0, values);
          Elements.putLong(target.segment(), dtype, group, rule.apply(values));
        });
  }

  /** Writes the result of one group. */
  interface Step {
    void apply(DenseTensor target, int group);
  }

  Object made(Call call, DType dtype, Step rule) {
    Object made = call.allocate(dtype, resultShape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault stop = each(call, group -> rule.apply(target, group));
    if (stop != null) {
      target.close();
      return stop;
    }
    return target;
  }

  /** Runs {@code rule} for each group, polling for cancellation; the fault of one, or null. */
  @Nullable Fault each(Call call, java.util.function.IntConsumer rule) {
    long since = 0;
    for (int group = 0; group < groups.length; group++) {
      rule.accept(group);
      since += count + 1;
      Fault stop = since > POLL ? call.environment().cancelled() : null;
      since = since > POLL ? 0 : since;
      if (stop != null) {
        return stop;
      }
    }
    return null;
  }

  /** The sums of all groups, accumulated in double. */
  Object sums(Call call, DType dtype, double divisor) {
    double[] chunk = new double[Math.min(CHUNK, count)];
    return made(
        call,
        dtype,
        (target, group) ->
            Elements.putDouble(target.segment(), dtype, group, sum(group, chunk) / divisor));
  }

  private double sum(int group, double[] chunk) {
    double sum = 0;
    for (int from = 0; from < count; from += chunk.length) {
      int loaded = load(group, from, chunk);
      for (int i = 0; i < loaded; i++) {
        sum += chunk[i];
      }
    }
    return sum;
  }
}
