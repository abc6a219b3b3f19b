package dev.staunch.kernel.sparse;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.SparseTensor;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The coordinates of a sparse tensor's elements, and the operations on them. */
final class Places {
  private Places() {}

  /**
   * A sparse tensor of views of these tensors; or the fault if they do not fit each other.
   *
   * @param sizes the shape; null for the smallest that contains all indices
   */
  static Object sparse(
      Steps steps,
      Call call,
      DenseTensor indices,
      DenseTensor values,
      long @Nullable [] sizes,
      boolean coalesced) {
    Fault misfit = SparseTensor.misfit(indices, values);
    if (misfit == null && sizes != null) {
      misfit = Shape.misfit(sizes);
    }
    if (misfit != null) {
      return misfit;
    }
    boolean none = indices.elements() == 0;
    Object least = none ? indices : steps.run("amin", indices, Steps.ints(1));
    Object greatest = none ? indices : steps.run("amax", indices, Steps.ints(1));
    if (!(least instanceof DenseTensor first) || !(greatest instanceof DenseTensor last)) {
      return least instanceof Fault ? least : greatest;
    }
    long[] from = HostTensors.toLongs(first);
    long[] to = HostTensors.toLongs(last);
    Shape shape = sizes == null ? leastShape(to, indices, values) : Shape.of(sizes);
    Object made = made(call, indices, values, shape, coalesced);
    Fault wrong = made instanceof SparseTensor tensor ? tensor.misfit(from, to) : null;
    return wrong == null ? made : wrong;
  }

  private static Shape leastShape(long[] greatest, DenseTensor indices, DenseTensor values) {
    int sparse = (int) indices.shape().size(0);
    long[] sizes = new long[sparse + values.rank() - 1];
    for (int d = 0; d < greatest.length; d++) {
      sizes[d] = Math.max(0, greatest[d] + 1);
    }
    for (int d = 1; d < values.rank(); d++) {
      sizes[sparse + d - 1] = values.shape().size(d);
    }
    return Shape.of(sizes);
  }

  /** The same elements through a handle that the sparse tensor owns; or a fault. */
  static Object own(Call call, DenseTensor tensor) {
    return tensor.view(call.scope(), tensor.layout());
  }

  /** The same coordinates with other values; or a fault. */
  static Object again(Call call, SparseTensor tensor, DenseTensor values) {
    return made(call, tensor.indices(), values, tensor.shape(), tensor.coalesced());
  }

  private static Object made(
      Call call, DenseTensor indices, DenseTensor values, Shape shape, boolean coalesced) {
    Object places = own(call, indices);
    Object elements = own(call, values);
    return places instanceof DenseTensor first && elements instanceof DenseTensor second
        ? new SparseTensor(first, second, shape, coalesced)
        : places instanceof Fault ? places : elements;
  }

  /** The number of positions in the sparse dimensions, followed by the sizes of the dense ones. */
  private static Object flatSizes(SparseTensor tensor) {
    long[] sizes = tensor.shape().toArray();
    int sparse = tensor.sparseDims();
    long[] flat = new long[1 + sizes.length - sparse];
    flat[0] = 1;
    for (int d = 0; d < sparse; d++) {
      if (Math.multiplyHigh(flat[0], sizes[d]) != 0 || flat[0] * sizes[d] < 0) {
        return Fault.shape("a sparse tensor of " + tensor.shape() + " has too many places");
      }
      flat[0] *= sizes[d];
    }
    System.arraycopy(sizes, sparse, flat, 1, flat.length - 1);
    return flat;
  }

  private static Object row(Steps steps, SparseTensor tensor, long dim) {
    return steps.run("select.int", tensor.indices(), 0L, dim);
  }

  /** The coordinates of each element as one number, in row-major order of the sparse dimensions. */
  private static Object numbers(Steps steps, SparseTensor tensor) {
    Object numbers = row(steps, tensor, 0);
    for (int d = 1; d < tensor.sparseDims(); d++) {
      Object before = steps.scaled(numbers, tensor.shape().size(d));
      numbers = steps.sum(before, row(steps, tensor, d));
    }
    return numbers;
  }

  /** The coordinates for such numbers. */
  private static Object apart(Steps steps, SparseTensor tensor, Object numbers) {
    List<Object> rows = new ArrayList<>();
    Object rest = numbers;
    for (int d = tensor.sparseDims() - 1; d >= 0; d--) {
      long size = Math.max(1, tensor.shape().size(d));
      rows.addFirst(steps.run("remainder.Scalar", rest, size));
      rest = steps.run("floor_divide.Scalar", rest, size);
    }
    return steps.run("stack", rows, 0L);
  }

  private static Object zeros(Steps steps, SparseTensor like, long... sizes) {
    return steps.run("zeros", Steps.ints(sizes), (long) like.values().dtype().code());
  }

  /** The coordinates sorted and unique, each with the sum of its values. */
  static Object coalesced(Steps steps, Call call, SparseTensor tensor) {
    Object flat = flatSizes(tensor);
    if (tensor.coalesced() || tensor.sparseDims() == 0) {
      return again(call, tensor, tensor.values());
    }
    if (flat instanceof Fault) {
      return flat;
    }
    Object both = steps.run("_unique2", numbers(steps, tensor), true, true);
    Object unique = Steps.pick(both, 0);
    if (!(unique instanceof DenseTensor once)) {
      return unique;
    }
    long[] sizes = tensor.values().shape().toArray();
    sizes[0] = once.elements();
    Object sums =
        steps.run(
            "index_add", zeros(steps, tensor, sizes), 0L, Steps.pick(both, 1), tensor.values());
    Object places = apart(steps, tensor, once);
    return sums instanceof DenseTensor values && places instanceof DenseTensor indices
        ? new SparseTensor(indices, values, tensor.shape(), true)
        : sums instanceof Fault ? sums : places;
  }

  static Object dense(Steps steps, SparseTensor tensor) {
    Object flat = flatSizes(tensor);
    if (!(flat instanceof long[] sizes) || tensor.sparseDims() == 0) {
      return flat instanceof Fault
          ? flat
          : steps.run("sum.dim_IntList", tensor.values(), Steps.ints(0));
    }
    Object zeros = zeros(steps, tensor, sizes);
    Object sums = steps.run("index_add", zeros, 0L, numbers(steps, tensor), tensor.values());
    return steps.view(sums, tensor.shape().toArray());
  }

  /** The nonzero elements of a dense tensor. */
  static Object of(Steps steps, Call call, DenseTensor dense, int sparseDims) {
    Object seen = steps.run("ne.Scalar", dense, 0L);
    for (int d = dense.rank() - 1; d >= sparseDims; d--) {
      seen = steps.run("any.dim", seen, (long) d);
    }
    Object indices = steps.run("contiguous", steps.run("t", steps.run("nonzero", seen)));
    if (!(indices instanceof DenseTensor places)) {
      return indices;
    }
    SparseTensor shaped = new SparseTensor(places, dense, dense.shape(), true);
    Object flat = flatSizes(shaped);
    Object lines = flat instanceof long[] sizes ? steps.view(dense, sizes) : flat;
    Object values = steps.run("index_select", lines, 0L, numbers(steps, shaped));
    return values instanceof DenseTensor kept
        ? made(call, places, kept, dense.shape(), true)
        : values;
  }

  /** The product of a sparse matrix and a dense matrix or vector. */
  static Object product(Steps steps, SparseTensor a, DenseTensor b) {
    boolean fits =
        a.shape().rank() == 2
            && a.sparseDims() == 2
            && (b.rank() == 1 || b.rank() == 2)
            && a.shape().size(1) == b.shape().size(0);
    if (!fits) {
      String text = "a sparse matrix %s cannot be multiplied with %s";
      return Fault.shape(Message.of(text, a.shape(), b.shape()))
          .withExpected("a matrix with a row for each column", b.shape().toString());
    }
    if (a.values().dtype() != b.dtype()) {
      String text = "a sparse matrix of %s cannot be multiplied with one of %s";
      return Fault.dtype(Message.of(text, a.values().dtype(), b.dtype()))
          .withExpected(ExpectedDType.same(a.values().dtype()), b.dtype());
    }
    Object picked = steps.run("index_select", b, 0L, row(steps, a, 1));
    Object weights = b.rank() == 1 ? a.values() : steps.run("unsqueeze", a.values(), 1L);
    long[] sizes = b.shape().toArray();
    sizes[0] = a.shape().size(0);
    Object parts = steps.product(picked, weights);
    return steps.run("index_add", zeros(steps, a, sizes), 0L, row(steps, a, 0), parts);
  }

  static List<Object> sizes(SparseTensor tensor) {
    return Steps.ints(tensor.shape().toArray());
  }
}
