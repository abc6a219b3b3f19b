package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Different elements or slices, where each went, and how often each occurs. They come in rising
 * order, whether that was asked for or not, or as runs in their own order.
 */
final class UniqueOperations {
  private UniqueOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.many(
        "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool"
            + " return_counts=False) -> (Tensor, Tensor, Tensor)",
        Steps.many(
            (steps, call) -> flat(steps, call, true, call.bool(2) || call.bool(3), call.bool(3))));
    catalog.many(
        "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor,"
            + " Tensor)",
        Steps.many((steps, call) -> {
          Object all = flat(steps, call, true, call.bool(2), false);
          return all instanceof Object[] three ? Arrays.copyOf(three, 2) : all;
        }));
    catalog.many(
        "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool"
            + " return_counts=False) -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) -> along(steps, call, call.integer(1), true, true, true)));
    catalog.many(
        "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool"
            + " return_counts=False) -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) -> along(steps, call, call.integer(1), false, true, true)));
    catalog.many(
        "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool"
            + " return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) ->
            call.isNone(3)
                ? flat(steps, call, false, call.bool(1), call.bool(2))
                : along(steps, call, call.integer(3), false, true, true)));
  }

  /** The order of lines; each is {@code width} elements of reals, or of integers. */
  private record Lines(double[] reals, long[] integers, int width, int count) {

    static Lines of(Lookout lookout, DenseTensor tensor, int width, int count) {
      boolean floating = tensor.dtype().isFloating();
      return new Lines(
          floating ? Filling.read(lookout, tensor) : new double[0],
          floating ? new long[0] : Filling.longs(lookout, tensor),
          width,
          count);
    }

    int compare(int a, int b) {
      for (int i = 0; i < width; i++) {
        int order =
            reals.length == 0
                ? Long.compare(integers[a * width + i], integers[b * width + i])
                : Double.compare(reals[a * width + i] + 0.0, reals[b * width + i] + 0.0);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    /** Whether two lines are equal; NaN is equal to nothing. */
    boolean same(int a, int b) {
      for (int i = 0; i < width; i++) {
        boolean equal =
            reals.length == 0
                ? integers[a * width + i] == integers[b * width + i]
                : reals[a * width + i] == reals[b * width + i];
        if (!equal) {
          return false;
        }
      }
      return true;
    }

    /** The numbers of the lines, merged to rising order if asked; equal ones as they stood. */
    int[] order(Lookout lookout, boolean sorts) {
      int[] order = new int[count];
      for (int i = 0; i < count && lookout.goesOn(1); i++) {
        order[i] = i;
      }
      int[] spare = new int[sorts ? count : 0];
      for (long run = 1; sorts && run < count; run *= 2) {
        for (long low = 0; low < count && lookout.fault() == null; low += 2 * run) {
          merge(lookout, order, spare, low, run);
        }
        int[] merged = spare;
        spare = order;
        order = merged;
      }
      return order;
    }

    /** Merges two runs of {@code run} lines at most, the first of which starts at {@code low}. */
    private void merge(Lookout lookout, int[] from, int[] into, long low, long run) {
      int middle = (int) Math.min(count, low + run);
      int high = (int) Math.min(count, low + 2 * run);
      int left = (int) low;
      int right = middle;
      for (int at = left; at < high && lookout.goesOn(width); at++) {
        boolean first = right == high || (left < middle && compare(from[left], from[right]) <= 0);
        into[at] = from[first ? left++ : right++];
      }
    }
  }

  /** Which lines stand for the others: their numbers, each line's place, and the counts. */
  private record Found(long[] firsts, long[] places, long[] counts) {

    /** Of no use after a cancellation. */
    static Found of(Lookout lookout, Lines lines, boolean sorts) {
      int[] order = lines.order(lookout, sorts);
      long[] firsts = new long[order.length];
      long[] counts = new long[order.length];
      long[] places = new long[order.length];
      int found = 0;
      for (int i = 0; i < order.length && lookout.goesOn(lines.width()); i++) {
        if (i == 0 || !lines.same(order[i - 1], order[i])) {
          firsts[found++] = order[i];
        }
        counts[found - 1]++;
        places[order[i]] = found - 1L;
      }
      return new Found(Arrays.copyOf(firsts, found), places, Arrays.copyOf(counts, found));
    }
  }

  private static Object flat(
      Steps steps, Call call, boolean sorts, boolean inverse, boolean counts) {
    DenseTensor self = call.tensor(0);
    Fault fault = Promotion.unsupported("unique", self.dtype());
    if (fault != null) {
      return fault;
    }
    Lookout lookout = new Lookout(call);
    Found found = Found.of(lookout, Lines.of(lookout, self, 1, (int) self.elements()), sorts);
    if (lookout.fault() != null) {
      return lookout.fault();
    }
    Object firsts = longs(call, Shape.of(found.firsts().length), found.firsts());
    Object values = steps.run("index_select", steps.view(self, -1), 0L, firsts);
    return results(call, values, inverse ? self.shape() : null, found, counts);
  }

  private static Object along(
      Steps steps, Call call, long asked, boolean sorts, boolean inverse, boolean counts) {
    DenseTensor self = call.tensor(0);
    Fault fault = Promotion.unsupported("unique_dim", self.dtype());
    Object dim = fault == null ? Dimensions.wrap(asked, self.rank()) : fault;
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (self.rank() == 0) {
      return Fault.shape("unique_dim: the tensor needs a dimension, but has none");
    }
    long size = self.shape().size(at);
    if (self.elements() == 0 && size != 0) {
      return Fault.shape(
              "there are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
          .withExpected("no dimension of size 0", self.shape().toString());
    }
    Object turned = steps.run("contiguous", steps.run("movedim.int", self, (long) at, 0L));
    if (!(turned instanceof DenseTensor lines)) {
      return turned;
    }
    int width = size == 0 ? 0 : (int) (lines.elements() / size);
    Lookout lookout = new Lookout(call);
    Found found = Found.of(lookout, Lines.of(lookout, lines, width, (int) size), sorts);
    if (lookout.fault() != null) {
      return lookout.fault();
    }
    Object firsts = longs(call, Shape.of(found.firsts().length), found.firsts());
    Object values = steps.run("index_select", self, (long) at, firsts);
    return results(call, values, inverse ? Shape.of(size) : null, found, counts);
  }

  private static Object results(
      Call call, Object values, @Nullable Shape inverse, Found found, boolean counts) {
    Object places =
        inverse == null
            ? longs(call, Shape.of(0), new long[0])
            : longs(call, inverse, found.places());
    long[] wanted = counts ? found.counts() : new long[0];
    Object numbers = longs(call, Shape.of(wanted.length), wanted);
    Object[] all = {values, places, numbers};
    for (Object one : all) {
      if (one instanceof Fault) {
        return one;
      }
    }
    return all;
  }

  /** A new tensor of these values; or a fault. */
  static Object longs(Call call, Shape shape, long[] values) {
    Object made = call.allocate(DType.INT64, shape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault stop =
        new Lookout(call)
            .inPieces(
                values.length,
                (first, count) -> {
                  long at = first * Long.BYTES;
                  MemorySegment.copy(values, (int) first, target.segment(), JAVA_LONG, at, count);
                });
    return Lookout.finished(target, stop);
  }
}
