package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;

/** NumPy's broadcasting: sizes are matched from the last dimension, and size 1 stretches. */
public final class Broadcast {
  private Broadcast() {}

  /** The common {@link Shape}, or a fault naming the dimension that does not fit. */
  public static Object shape(Shape a, Shape b) {
    if (a.equals(b)) {
      return a;
    }
    int rank = Math.max(a.rank(), b.rank());
    long[] sizes = new long[rank];
    for (int i = 0; i < rank; i++) {
      long left = sizeFromEnd(a, rank - 1 - i);
      long right = sizeFromEnd(b, rank - 1 - i);
      if (left != right && left != 1 && right != 1) {
        return mismatch(a, b, left, right, i);
      }
      sizes[i] = left == 1 ? right : left;
    }
    return Filling.shape(sizes);
  }

  private static Fault mismatch(Shape a, Shape b, long left, long right, int dim) {
    String text =
        Message.of(
            "shapes %s and %s do not broadcast: their sizes %d and %d differ in dimension %d",
            a, b, left, right, dim);
    return Fault.shape(text + hint(a, b)).withExpected("shapes that broadcast", a + " and " + b);
  }

  private static String hint(Shape a, Shape b) {
    if (a.rank() == 2 && b.rank() == 1 && a.size(0) == b.size(0)) {
      return "; `unsqueeze(1)` the second to pair it with the rows of the first";
    }
    boolean turned =
        a.rank() == 2 && b.rank() == 2 && a.size(0) == b.size(1) && a.size(1) == b.size(0);
    return turned ? "; `t()` one of them if its dimensions are swapped" : "";
  }

  private static long sizeFromEnd(Shape shape, int fromEnd) {
    int dim = shape.rank() - 1 - fromEnd;
    return dim < 0 ? 1 : shape.size(dim);
  }

  /** {@code layout} stretched to {@code target}, to which it must broadcast. */
  public static Layout stretch(Layout layout, Shape target) {
    int lead = target.rank() - layout.shape().rank();
    long[] strides = new long[target.rank()];
    for (int i = lead; i < strides.length; i++) {
      boolean stretched = layout.shape().size(i - lead) == 1 && target.size(i) != 1;
      strides[i] = stretched ? 0 : layout.stride(i - lead);
    }
    return new Layout(target, strides, layout.offset());
  }
}
