package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A tensor as groups of elements, each of which a reduction turns into one result: for each element
 * of the kept dimensions, all elements of the reduced ones.
 */
public final class Reduction {
  final DenseTensor self;
  final Shape resultShape;

  final int count;

  final Places groups;
  final Places members;
  final int groupCount;
  private final boolean even;

  private Reduction(DenseTensor self, Shape resultShape, Layout kept, Layout reduced) {
    this.self = self;
    this.resultShape = resultShape;
    this.count = (int) reduced.shape().elements();
    this.groupCount = (int) kept.shape().elements();
    this.groups = Places.of(kept);
    this.members = Places.of(reduced);
    this.even = members.width() == count;
  }

  /** The tensor that is reduced. */
  public DenseTensor self() {
    return self;
  }

  /** The number of elements in each group. */
  public int count() {
    return count;
  }

  /**
   * The shape that remains of {@code shape} after reducing {@code dims} (all if empty); or a fault.
   */
  static Object shape(Shape shape, long[] dims, boolean keep) {
    Object masked = Dimensions.mask(dims, shape.rank());
    if (!(masked instanceof boolean[] mask)) {
      return masked;
    }
    long[] sizes = new long[shape.rank()];
    int count = 0;
    for (int i = 0; i < sizes.length; i++) {
      if (!mask[i] || keep) {
        sizes[count++] = mask[i] ? 1 : shape.size(i);
      }
    }
    Shape result = Shape.of(Arrays.copyOf(sizes, count)); // also of results made from no elements
    return Math.max(shape.elements(), result.elements()) > Integer.MAX_VALUE
        ? Fault.unsupported(
            "a reduction of more than 2147483647 elements is not supported; split the tensor with"
                + " `chunk`")
        : result;
  }

  /**
   * The number of elements of a tensor of {@code shape} that are reduced to one, over {@code dims}.
   */
  static long count(Shape shape, long[] dims) {
    long count = 1;
    boolean[] mask = (boolean[]) Dimensions.mask(dims, shape.rank());
    for (int i = 0; i < shape.rank(); i++) {
      count *= mask[i] ? shape.size(i) : 1;
    }
    return count;
  }

  /** The groups over {@code dims} (all if empty); a {@link Reduction} or a fault. */
  public static Object over(DenseTensor self, long[] dims, boolean keep) {
    Object shape = shape(self.shape(), dims, keep);
    if (!(shape instanceof Shape result)
        || !(Dimensions.mask(dims, self.rank()) instanceof boolean[] mask)) {
      return shape;
    }
    Layout kept = part(self.layout(), mask, false, self.layout().offset());
    return new Reduction(self, result, kept, part(self.layout(), mask, true, 0));
  }

  private static Layout part(Layout layout, boolean[] mask, boolean wanted, long offset) {
    int rank = layout.shape().rank();
    long[] sizes = new long[rank];
    long[] strides = new long[rank];
    int count = 0;
    for (int i = 0; i < rank; i++) {
      if (mask[i] == wanted) {
        sizes[count] = layout.shape().size(i);
        strides[count] = layout.stride(i);
        count++;
      }
    }
    return new Layout(Shape.of(Arrays.copyOf(sizes, count)), Arrays.copyOf(strides, count), offset);
  }

  /** Whether groups have at most {@code most} elements and follow one another, without gaps. */
  boolean areRows(int most) {
    return count > 0
        && count <= most
        && members.width() == count
        && (members.step() == 1 || count == 1)
        && groups.width() == groupCount
        && groups.step() == count;
  }

  /**
   * Whether elements of neighbouring groups, at least {@code least} in a row, are closer in memory
   * than those of one group.
   */
  boolean areSideBySide(int least) {
    return groups.width() >= least && Math.abs(groups.step()) < Math.abs(members.step());
  }

  /** Reads elements {@code from} to {@code from + wanted} of a group. */
  void load(int group, int from, int wanted, double[] into) {
    long start = groups.at(group);
    if (even) {
      Operand.of(self).load(into, start + from * members.step(), members.step(), wanted);
    } else {
      Operand elements = Operand.of(self);
      for (int done = 0; done < wanted; ) {
        long at = start + members.at(from + done);
        int run = members.run(from + done, wanted - done);
        elements.load(into, done, at, members.step(), run);
        done += run;
      }
    }
  }

  /** As {@link #load(int, int, int, double[])}, as longs. */
  void load(int group, int from, int wanted, long[] into) {
    long start = groups.at(group);
    if (even) {
      Operand.of(self).load(into, start + from * members.step(), members.step(), wanted);
    } else {
      for (int i = 0; i < wanted; i++) {
        into[i] = Elements.asLong(self.segment(), self.dtype(), start + members.at(from + i));
      }
    }
  }

  /** Writes elements of a group, from {@code first} on; for a tensor under construction. */
  public void store(int group, int first, int count, double[] from) {
    long start = groups.at(group);
    if (even) {
      Operand.of(self).store(from, start + first * members.step(), members.step(), count);
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putDouble(self.segment(), self.dtype(), start + members.at(first + i), from[i]);
      }
    }
  }

  /** As {@link #store(int, int, int, double[])}, from longs. */
  void store(int group, int first, int count, long[] from) {
    long start = groups.at(group);
    if (even) {
      Operand.of(self).store(from, start + first * members.step(), members.step(), count);
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putLong(self.segment(), self.dtype(), start + members.at(first + i), from[i]);
      }
    }
  }

  /** The position of a group's element in the storage. */
  public long at(int group, int member) {
    return groups.at(group) + members.at(member);
  }

  /** Computes one real from the elements of a group. */
  interface Reals {
    double apply(RealRow row);
  }

  /** Computes one integer from the elements of a group. */
  interface Integers {
    long apply(IntegerRow row);
  }

  /** Computes the index of one element of a group. */
  interface Spot {
    int apply(RealRow row);
  }

  /** A new tensor with a result for each group; or a fault. */
  Object reals(Call call, DType dtype, Reals rule) {
    CancellationPoll poll = new CancellationPoll(call);
    RealRow row = RealRow.of(this, poll);
    return made(
        call,
        poll,
        dtype,
        (target, group) ->
            Elements.putDouble(target.segment(), dtype, group, rule.apply(row.of(group))));
  }

  Object integers(Call call, DType dtype, Integers rule) {
    CancellationPoll poll = new CancellationPoll(call);
    IntegerRow row = new IntegerRow(this, poll);
    return made(
        call,
        poll,
        dtype,
        (target, group) ->
            Elements.putLong(target.segment(), dtype, group, rule.apply(row.of(group))));
  }

  /** As {@link #reals}, for indices within groups of reals. */
  Object spots(Call call, Spot rule) {
    CancellationPoll poll = new CancellationPoll(call);
    RealRow row = RealRow.of(this, poll);
    return made(
        call,
        poll,
        DType.INT64,
        (target, group) ->
            Elements.putLong(target.segment(), DType.INT64, group, rule.apply(row.of(group))));
  }

  /** Writes the result of one group. */
  interface Step {
    void apply(DenseTensor target, int group);
  }

  /** A new tensor that {@code rule} fills for each group; or a fault. */
  Object made(Call call, CancellationPoll poll, DType dtype, Step rule) {
    Object made = call.allocate(dtype, resultShape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    return CancellationPoll.finished(target, each(poll, group -> rule.apply(target, group)));
  }

  /** Runs {@code rule} for each group; returns the fault of a cancellation, or null. */
  public @Nullable Fault each(CancellationPoll poll, IntConsumer rule) {
    for (int group = 0; group < groupCount && poll.fault() == null; group++) {
      rule.accept(group);
      poll.mayContinue(1);
    }
    return poll.fault();
  }

  /** The sums of all groups, accumulated in double precision. */
  Object sums(Call call, DType dtype, double divisor) {
    return folded(call, dtype, Fold.SUM, sum -> sum / divisor);
  }

  /** {@code fold} applied to each group, then {@code finish} to its result; or a fault. */
  Object folded(Call call, DType dtype, Fold fold, DoubleUnaryOperator finish) {
    Object made = call.allocate(dtype, resultShape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    try (GroupFolding folding = new GroupFolding(call, this, fold, poll)) {
      for (int group = 0; group < groupCount && poll.fault() == null; ) {
        int done = folding.next(group);
        double[] results = folding.results();
        for (int i = 0; i < done; i++) {
          results[i] = finish.applyAsDouble(results[i]);
        }
        Operand.of(target).store(results, group, 1, done);
        group += done;
      }
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /** The sum of a group from first to last, in double precision. */
  public static double sum(RealRow row) {
    return folded(row, Fold.SUM);
  }

  /** The greatest element, or NaN if there is one; negative infinity for no elements. */
  public static double greatest(RealRow row) {
    return folded(row, Fold.GREATEST);
  }

  private static double folded(RealRow row, Fold fold) {
    double result = fold.start();
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      result = fold.along(result, row.values(), 0, n);
    }
    return result;
  }
}
