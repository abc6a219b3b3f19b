package dev.staunch.eager;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Objects;

/**
 * Drops the leading dimensions of size 1 of a value that is written at indices (PyTorch's rule: a
 * {@code [1, 3]} fits into three elements). Whether the value has any is known only once it is
 * available. So this is an operation, which belongs to no catalog: the call must not wait for
 * shapes.
 */
final class LeadingOnes {
  private static final String NAME = "staunch::without_leading_ones";

  /** Returns a view of its argument without the leading ones. */
  static final Signature DROPPING =
      Signature.of(
          Objects.requireNonNull(
              new Catalog.Builder()
                  .closesOnFailure()
                  .one(NAME + "(Tensor(a) self) -> Tensor(a)", LeadingOnes::view)
                  .build()
                  .find(NAME)));

  private LeadingOnes() {}

  /** Whether {@code value} is certain to have none. */
  static boolean isWithout(Handle value) {
    boolean known = value.content() instanceof DenseTensor dense && !begins(dense);
    return known || value.ownFault() != null;
  }

  private static boolean begins(DenseTensor value) {
    return value.rank() > 0 && value.shape().size(0) == 1;
  }

  private static Object view(Call call) {
    DenseTensor value = call.tensor(0);
    long[] sizes = value.shape().toArray();
    int first = 0;
    while (first < sizes.length && sizes[first] == 1) {
      first++;
    }
    Layout layout = value.layout();
    long[] strides = Arrays.copyOfRange(layout.strides(), first, sizes.length);
    Shape shape = Shape.of(Arrays.copyOfRange(sizes, first, sizes.length));
    return value.view(call.scope(), new Layout(shape, strides, layout.offset()));
  }
}
