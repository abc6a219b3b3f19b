package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A tensor seen as groups of elements that a reduction turns into one result each: for each element
 * of the kept dimensions, the positions over the reduced ones.
 */
final class Reduction {
  final DenseTensor self;
  final Shape resultShape;

  /** Storage positions of the first element of each group. */
  final long[] groups;

  /** What to add to a group's position for each of its elements. */
  final long[] members;

  private Reduction(DenseTensor self, Shape resultShape, long[] groups, long[] members) {
    this.self = self;
    this.resultShape = resultShape;
    this.groups = groups;
    this.members = members;
  }

  /** The groups over {@code dims} (all if empty); or a fault. */
  static Object over(DenseTensor self, long[] dims, boolean keep) {
    Object masked = Dimensions.mask(dims, self.rank());
    if (masked instanceof Fault fault) {
      return fault;
    }
    boolean[] mask = (boolean[]) masked;
    List<Long> keptSizes = new ArrayList<>();
    List<Long> keptStrides = new ArrayList<>();
    List<Long> reducedSizes = new ArrayList<>();
    List<Long> reducedStrides = new ArrayList<>();
    List<Long> resultSizes = new ArrayList<>();
    for (int i = 0; i < self.rank(); i++) {
      (mask[i] ? reducedSizes : keptSizes).add(self.shape().size(i));
      (mask[i] ? reducedStrides : keptStrides).add(self.layout().stride(i));
      if (!mask[i]) {
        resultSizes.add(self.shape().size(i));
      } else if (keep) {
        resultSizes.add(1L);
      }
    }
    long[] groups = positions(keptSizes, keptStrides, self.layout().offset());
    long[] members = positions(reducedSizes, reducedStrides, 0);
    return new Reduction(self, Shape.of(array(resultSizes)), groups, members);
  }

  private static long[] positions(List<Long> sizes, List<Long> strides, long offset) {
    return Elements.positions(new Layout(Shape.of(array(sizes)), array(strides), offset));
  }

  private static long[] array(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  double real(int group, int member) {
    return Elements.asDouble(self.segment(), self.dtype(), groups[group] + members[member]);
  }

  long integer(int group, int member) {
    return Elements.asLong(self.segment(), self.dtype(), groups[group] + members[member]);
  }

  /** Computes one real from a group. */
  interface Reals {
    double apply(int group);
  }

  /** Computes one integer from a group. */
  interface Integers {
    long apply(int group);
  }

  /** A new tensor with a result for each group; or a fault. */
  Object reals(Call call, DType dtype, Reals rule) {
    Object made = call.allocate(dtype, resultShape);
    if (made instanceof DenseTensor target) {
      for (int i = 0; i < groups.length; i++) {
        Elements.putDouble(target.segment(), dtype, i, rule.apply(i));
      }
    }
    return made;
  }

  Object integers(Call call, DType dtype, Integers rule) {
    Object made = call.allocate(dtype, resultShape);
    if (made instanceof DenseTensor target) {
      for (int i = 0; i < groups.length; i++) {
        Elements.putLong(target.segment(), dtype, i, rule.apply(i));
      }
    }
    return made;
  }

  /** The sum of a group's elements, accumulated in double. */
  double sum(int group) {
    double sum = 0;
    for (int i = 0; i < members.length; i++) {
      sum += real(group, i);
    }
    return sum;
  }

  long integerSum(int group) {
    long sum = 0;
    for (int i = 0; i < members.length; i++) {
      sum += integer(group, i);
    }
    return sum;
  }
}
