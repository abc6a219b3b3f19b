package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of points with any number of coordinates. A bin holds its lower edge; the last one of
 * a dimension also holds its upper edge.
 */
final class Histograms {
  private static final Filled ENDS = new Filled(Histograms::endForm, Histograms::ends);
  private static final Filled COUNTS = new Filled(Histograms::countForm, Histograms::count);
  private static final String REST = ", Tensor? weight=None, bool density=False)";

  private Histograms() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog =
        plain.with(Trait.FAILS_ON_VALUES).withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64));
    Composite.addMany(
        catalog,
        "aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None"
            + REST
            + " -> (Tensor hist, Tensor bin_edges)",
        (steps, call) -> line(steps, call, call.value(1), call.value(2), 3));
    Composite.addMany(
        catalog,
        "aten::histogram.bins_tensor(Tensor self, Tensor bins, *"
            + REST
            + " -> (Tensor hist, Tensor bin_edges)",
        (steps, call) -> line(steps, call, call.value(1), None.NONE, 2));
    for (String bins : new String[] {"(Tensor self, int[]", ".int_bins(Tensor self, int"}) {
      points(catalog, bins);
    }
    points(catalog, ".TensorList_bins(Tensor self, Tensor[]");
  }

  private static void points(Catalog.Builder catalog, String head) {
    Composite.addMany(
        catalog,
        "aten::histogramdd"
            + head
            + " bins, float[]? range=None"
            + REST
            + " -> (Tensor hist, Tensor[] bin_edges)",
        (steps, call) -> {
          TensorForm self = call.form(0);
          if (self.rank() < 2) {
            return OperandChecks.shape(
                "histogramdd takes points as rows, but the shape is " + self.shape(),
                "at least 2 dimensions",
                self.shape());
          }
          long size = self.shape().size(self.rank() - 1);
          Object all = steps.view(call.value(0), self.elements() / Math.max(1, size), size);
          List<?> bins =
              call.value(1) instanceof List<?> list
                  ? list
                  : Collections.nCopies((int) size, call.value(1));
          Object weights = weights(steps, call, 3, self.shape().toArray(), self.rank() - 1);
          return all(steps, all, bins, call.value(2), weights, call.bool(4));
        });
  }

  /** The histogram of all elements, and its edges. */
  private static Object line(Steps steps, Operands call, Object bins, Object range, int weight) {
    TensorForm self = call.form(0);
    Object points = steps.view(call.value(0), self.elements(), 1);
    Object weights = weights(steps, call, weight, self.shape().toArray(), self.rank());
    Object made = all(steps, points, List.of(bins), range, weights, call.bool(weight + 1));
    return made instanceof Object[] both
        ? new Object[] {both[0], ((List<?>) both[1]).get(0)}
        : made;
  }

  /** The weights as a line, or None; or a fault unless their sizes are the first of those given. */
  private static Object weights(Steps steps, Operands call, int at, long[] sizes, int rank) {
    if (call.isNone(at)) {
      return None.NONE;
    }
    TensorForm weights = call.form(at);
    Shape expected = Shape.of(Arrays.copyOf(sizes, rank));
    Fault fault = misfit(call.dtype(0), "weight", weights.dtype());
    if (fault == null && !weights.shape().equals(expected)) {
      String text = "`weight` of a histogram has one weight for each of the points %s, not %s";
      fault =
          OperandChecks.shape(
              Message.of(text, expected, weights.shape()), expected.toString(), weights.shape());
    }
    return fault == null ? steps.view(call.value(at), -1) : fault;
  }

  private static Object all(
      Steps steps, Object points, List<?> bins, Object range, Object weights, boolean density) {
    if (!Steps.isTensor(points)) {
      return points;
    }
    TensorForm form = Steps.form(points);
    Fault fault = unfit(form, bins, range);
    if (fault != null) {
      return fault;
    }
    List<Object> edges = Steps.list();
    for (int i = 0; i < bins.size(); i++) {
      Object own =
          bins.get(i) instanceof Long count
              ? even(steps, points, i, count, range)
              : steps.run("clone", bins.get(i), 0L);
      if (!Steps.isTensor(own)) {
        return own;
      }
      edges.add(own);
    }
    Object counts = steps.apply(COUNTS, points, weights, edges);
    Object result = density ? density(steps, counts, edges) : counts;
    return Steps.isTensor(result) ? new Object[] {result, edges} : result;
  }

  private static @Nullable Fault unfit(TensorForm points, List<?> bins, Object range) {
    Fault misfit = notReal("self", points.dtype());
    if (misfit != null) {
      return misfit;
    }
    long size = points.shape().size(1);
    if (bins.size() != size) {
      String text = "a histogram takes bins for each of %d coordinates, but got %d";
      return Fault.value(Message.of(text, size, bins.size()));
    }
    for (Object own : bins) {
      if (own instanceof Long count && count <= 0) {
        return Fault.value("a histogram takes at least 1 bin, but got " + count);
      }
      if (Steps.isTensor(own)) {
        TensorForm edges = Steps.form(own);
        Fault fault = misfit(points.dtype(), "bins", edges.dtype());
        if (fault == null && (edges.rank() != 1 || edges.elements() < 2)) {
          fault =
              OperandChecks.shape(
                  "the edges of bins are a line of at least 2, but their shape is " + edges.shape(),
                  "[n], n >= 2",
                  edges.shape());
        }
        if (fault != null) {
          return fault;
        }
      }
    }
    if (range instanceof List<?> ends && ends.size() != 2 * size) {
      String text = "`range` has two ends for each of %d coordinates, but got %d";
      return Fault.value(Message.of(text, size, ends.size()));
    }
    return null;
  }

  private static @Nullable Fault notReal(String parameter, DType dtype) {
    return dtype == DType.FLOAT32 || dtype == DType.FLOAT64
        ? null
        : Fault.dtype(
                Message.of(
                    "`%s` of a histogram is float32 or float64, but it is %s", parameter, dtype))
            .withExpected(ExpectedDType.of(DType.FLOAT32).in(parameter), dtype);
  }

  /** A fault unless both dtypes are the same, and one of those that histograms take. */
  private static @Nullable Fault misfit(DType self, String parameter, DType dtype) {
    Fault fault = OperandChecks.first(notReal("self", self), notReal(parameter, dtype));
    return fault == null ? OperandChecks.sameDType("histogram", self, parameter, dtype) : fault;
  }

  /** The edges of {@code count} bins of the same width for coordinate {@code i}. */
  private static Object even(Steps steps, Object points, int i, long count, Object range) {
    Object own = steps.run("select.int", points, 1L, (long) i);
    Object ends =
        range instanceof List<?> all
            ? steps.apply(ENDS, own, all.get(2 * i), all.get(2 * i + 1))
            : steps.apply(ENDS, own, None.NONE, None.NONE);
    return steps.run(
        "linspace.Tensor_Tensor",
        steps.run("select.int", ends, 0L, 0L),
        steps.run("select.int", ends, 0L, 1L),
        count + 1,
        (long) Steps.form(points).dtype().code());
  }

  private static Object endForm(Operands operands) {
    return TensorForm.contiguous(operands.dtype(0), Shape.of(2));
  }

  /**
   * The least and the greatest element, or the given ends; apart by 1 if they are the same. NaN has
   * no place between them.
   */
  private static @Nullable Fault ends(DenseTensor target, Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    double[] values = Doubles.of(poll, call.tensor(0));
    double[] ends = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (int i = 0; i < values.length && poll.mayContinue(1); i++) {
      ends[0] = Math.min(ends[0], values[i]);
      ends[1] = Math.max(ends[1], values[i]);
    }
    if (poll.fault() != null) {
      return poll.fault();
    }
    if (!call.isNone(1) && !Double.isNaN(ends[0])) {
      ends[0] = Elements.rounded(target.dtype(), call.real(1));
      ends[1] = Elements.rounded(target.dtype(), call.real(2));
    } else if (values.length == 0) {
      ends = new double[] {0, 1};
    }
    if (!Double.isFinite(ends[0]) || !Double.isFinite(ends[1]) || ends[0] > ends[1]) {
      String text = "the range of a histogram must be finite and rise, but it goes from %s to %s";
      return Fault.value(Message.of(text, ends[0], ends[1]));
    }
    double more = ends[0] == ends[1] ? 0.5 : 0;
    Doubles.store(target, new double[] {ends[0] - more, ends[1] + more});
    return null;
  }

  private static Object countForm(Operands operands) {
    List<Object> edges = operands.list(2);
    long[] sizes = new long[edges.size()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Steps.form(edges.get(i)).elements() - 1;
    }
    return TensorForm.contiguous(operands.dtype(0), Shape.of(sizes));
  }

  private static @Nullable Fault count(DenseTensor target, Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    double[] points = Doubles.of(poll, call.tensor(0));
    double[] weights = call.isNone(1) ? new double[0] : Doubles.of(poll, call.tensor(1));
    List<Object> tensors = call.list(2);
    double[][] edges = new double[tensors.size()][];
    for (int d = 0; d < edges.length; d++) {
      edges[d] = Doubles.of(poll, (DenseTensor) tensors.get(d));
    }
    double[] counts = new double[Shape.asInt(target.elements())];
    for (int i = 0; i * edges.length < points.length && poll.mayContinue(16); i++) {
      int bin = 0;
      for (int d = 0; d < edges.length && bin >= 0; d++) {
        int own = bin(points[i * edges.length + d], edges[d]);
        bin = own < 0 ? -1 : bin * (edges[d].length - 1) + own;
      }
      if (bin >= 0) {
        counts[bin] += weights.length == 0 ? 1 : weights[i];
      }
    }
    Doubles.store(target, counts);
    return poll.fault();
  }

  /** The bin that holds a value, the last one for NaN; -1 if none does. */
  private static int bin(double value, double[] edges) {
    int last = edges.length - 1;
    if (value < edges[0] || value > edges[last]) {
      return -1;
    }
    int low = 0;
    int high = edges.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (value < edges[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return Math.min(low, last) - 1;
  }

  /** Counts divided by their sum and by the volumes of the bins. */
  private static Object density(Steps steps, Object counts, List<Object> edges) {
    Object result = steps.run("div.Tensor", counts, steps.run("sum", counts));
    for (int d = 0; d < edges.size(); d++) {
      long[] sizes = new long[edges.size()];
      Arrays.fill(sizes, 1);
      sizes[d] = -1;
      result = steps.run("div.Tensor", result, steps.view(steps.run("diff", edges.get(d)), sizes));
    }
    return result;
  }
}
