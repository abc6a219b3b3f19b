package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.memory.Storage;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive pointwise operations fused into one step. For float32 rows of one shape, or rows that
 * repeat along its leading dimensions, one part after another goes through all operations.
 * Intermediate values that are not read afterwards become no tensors, nor do {@link Pieces} that
 * only the chain reads. The loops are those of the operations, which cannot fail on such rows.
 *
 * <p>For all other operands the operations run one by one, as written. So they do with gradients,
 * if the program is watched or requires it, and if there is no memory: then the fault is the
 * operation's own.
 */
final class PointwiseChain implements Action {
  /** Larger operands run one operation at a time, with checks for cancellation in between. */
  private static final int MOST = 1 << 15;

  /** This many elements go through all operations before the next ones; they stay in the cache. */
  private static final int PART = 1024;

  /** In place of the shape of a tensor that is not a row. */
  private static final Object UNFIT = new Object();

  /** An operation: which of the chain's values it combines, how, and which one it produces. */
  private record Link(RowFormula formula, int first, int second, float number, int result) {}

  /**
   * What was prepared for inputs of particular forms.
   *
   * @param version the kernel set's
   * @param forms the form of each input, or of the tensor of which it is a part, see {@link #form}
   * @param starts where in that tensor the input begins
   * @param shape the shape of all results
   * @param widths how many elements each value has; none for separate slots
   * @param row the smallest of these
   * @param part the number of elements that fit into a separate slot
   * @param links null if the operations have to run one by one
   */
  private record Prepared(
      int version,
      Object[] forms,
      long[] starts,
      Shape shape,
      int[] widths,
      int row,
      int part,
      Link @Nullable [] links) {
    boolean fits(Call call, KernelSet kernels) {
      for (int i = 0; i < forms.length; i++) {
        if (!form(call.value(i)).equals(forms[i])) {
          return false;
        }
      }
      return version == KernelSet.FINAL_VERSION || version == kernels.version();
    }
  }

  private final ChainShape shape;
  private final @Nullable Pieces pieces;
  private final int[] outputs;
  private final int[] ending;
  private final int places;
  private final Code.Body asWritten;
  private final Guard.Work<Call> work = this::compute;
  private volatile @Nullable Prepared prepared; // for one form; races do no harm

  private PointwiseChain(ChainShape shape, @Nullable Pieces pieces) {
    this.shape = shape;
    this.pieces = pieces;
    this.outputs = shape.outputs();
    this.places = shape.places();
    List<Step> written = new ArrayList<>(shape.steps());
    if (pieces == null) {
      this.ending = shape.ending();
    } else {
      IntStream own = IntStream.of(shape.ending()).filter(each -> pieces.number(each) < 0);
      this.ending = IntStream.concat(own, IntStream.of(pieces.ending())).toArray();
      written.addAll(0, List.of(pieces.cut(), pieces.unpack()));
    }
    this.asWritten = new Code.Body(written);
  }

  /** The steps, with consecutive purely pointwise ones joined into one. */
  static List<Step> planned(List<Step> steps, Draft draft) {
    List<Step> fewer = new ArrayList<>();
    int i = 0;
    while (i < steps.size()) {
      int end = i;
      while (end < steps.size() && ChainShape.body(steps.get(end)) != null) {
        end++;
      }
      if (end - i > 1) {
        List<Step> joined = steps.subList(i, end);
        Pieces pieces = Pieces.of(fewer, joined, draft);
        if (pieces != null) {
          fewer.subList(fewer.size() - 2, fewer.size()).clear();
        }
        fewer.add(of(joined, pieces, draft));
        i = end;
      } else {
        fewer.add(steps.get(i++));
      }
    }
    return fewer;
  }

  private static Step of(List<Step> steps, @Nullable Pieces pieces, Draft draft) {
    ChainShape shape = ChainShape.of(List.copyOf(steps));
    PointwiseChain chain = new PointwiseChain(shape, pieces);
    for (Step step : steps) {
      draft.replace(step, each -> shape.traced(step, chain, pieces, draft));
    }
    if (pieces == null) {
      Step first = steps.getFirst();
      return new Step(first.name, first.site, chain, shape.inputs(), Step.NONE, Step.NONE);
    }
    Step cut = pieces.cut();
    draft.replace(cut, each -> each.doing(chain));
    int[] inputs = IntStream.of(shape.inputs()).map(pieces::place).toArray();
    return new Step(cut.name, cut.site, chain, inputs, Step.NONE, Step.NONE);
  }

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    Object made = frame.run.isAsWritten() ? CatalogEntry.NOTHING : Guard.attempt(work, call);
    if (!(made instanceof DenseTensor[] results)) {
      Fault fault = frame.run(asWritten);
      return fault == null ? CatalogEntry.NOTHING : fault;
    }
    for (int i = 0; i < outputs.length; i++) {
      frame.registers[outputs[i]] = results[i];
    }
    for (int register : ending) {
      frame.release(frame.registers[register]);
    }
    return CatalogEntry.NOTHING;
  }

  /** The registers that its steps write. */
  IntStream made() {
    return shape.steps().stream().mapToInt(step -> step.results[0]);
  }

  @Override
  public PlannedOperation.Evaluation evaluation() {
    return PlannedOperation.Evaluation.FUSED;
  }

  /** The shape of a row; a value that is not a tensor as it is. */
  private static Object form(Object value) {
    if (!(value instanceof DenseTensor tensor)) {
      return value;
    }
    boolean row =
        tensor.dtype() == DType.FLOAT32
            && !tensor.isClosed()
            && tensor.isContiguous()
            && !tensor.segment().isMapped();
    return row ? tensor.shape() : UNFIT;
  }

  /**
   * The results as {@code DenseTensor[]}; anything else if the operations have to run one by one.
   */
  private Object compute(Call call) {
    KernelSet kernels = call.environment().kernels();
    Prepared ready = prepared;
    if (ready == null || !ready.fits(call, kernels)) {
      ready = prepare(call, kernels);
      prepared = ready;
    }
    if (ready.links == null) {
      return CatalogEntry.NOTHING;
    }
    DenseTensor[] results = new DenseTensor[outputs.length];
    boolean done = false;
    try {
      for (int i = 0; i < results.length; i++) {
        if (!(call.allocate(DType.FLOAT32, ready.shape) instanceof DenseTensor result)) {
          return CatalogEntry.NOTHING;
        }
        results[i] = result;
      }
      done = run(call, ready, results);
      return done ? results : CatalogEntry.NOTHING;
    } finally {
      for (int i = 0; i < results.length && !done && results[i] != null; i++) {
        results[i].close();
      }
    }
  }

  private Prepared prepare(Call call, KernelSet kernels) {
    int version = kernels.version();
    Object[] forms = new Object[call.size()];
    Arrays.setAll(forms, i -> form(call.value(i)));
    long[] starts = new long[forms.length];
    Object[] rows = rows(forms, starts);
    Shape common = common(rows);
    int first = forms.length + outputs.length;
    int[] widths = new int[first + places];
    Arrays.fill(widths, 0, first, (int) Math.min(common.elements(), MOST));
    for (int i = 0; i < forms.length; i++) {
      widths[i] = rows[i] instanceof Shape own ? (int) Math.min(own.elements(), MOST) : widths[i];
    }
    int row = Arrays.stream(widths, 0, first).min().orElse(0);
    boolean fit = row > 0 && common.elements() <= MOST;
    Link[] links = fit ? links(rows, common, kernels) : null;
    return new Prepared(version, forms, starts, common, widths, row, Math.min(row, PART), links);
  }

  /** The forms of the inputs, including parts, whose {@code starts} this writes. */
  private Object[] rows(Object[] forms, long[] starts) {
    Object[] rows = forms.clone();
    for (int i = 0; i < rows.length && pieces != null; i++) {
      int number = pieces.number(shape.inputs()[i]);
      if (number >= 0 && forms[i] instanceof Shape whole) {
        Layout layout = pieces.layout(number, whole);
        rows[i] = layout == null ? UNFIT : layout.shape();
        starts[i] = layout == null ? 0 : layout.offset();
      }
    }
    return rows;
  }

  /** The shape that all others are a suffix of, if there is one: the longest. */
  private static Shape common(Object[] forms) {
    Shape common = Shape.SCALAR;
    for (Object form : forms) {
      common = form instanceof Shape own && own.rank() > common.rank() ? own : common;
    }
    return common;
  }

  private Link @Nullable [] links(Object[] forms, Shape common, KernelSet kernels) {
    Link[] links = new Link[shape.steps().size()];
    for (int i = 0; i < links.length; i++) {
      Link link = link(i, forms, common, kernels);
      if (link == null) {
        return null;
      }
      links[i] = link;
    }
    return links;
  }

  private @Nullable Link link(int i, Object[] forms, Shape common, KernelSet kernels) {
    int[] places = shape.operands().get(i);
    Object[] given = new Object[places.length];
    for (int k = 0; k < given.length; k++) {
      Object form = places[k] < forms.length ? forms[places[k]] : common;
      if (!(form instanceof Shape || Constants.isImmutable(form))) {
        return null;
      }
      given[k] =
          form instanceof Shape own
              ? new TensorForm(DType.FLOAT32, own, Layout.contiguous(own), /* name= */ null)
              : form;
    }
    PointwiseBody body = Objects.requireNonNull(ChainShape.body(shape.steps().get(i)));
    PointwiseBody.Rows rows = body.rows(Operands.of(given), common, kernels);
    return rows == null
        ? null
        : new Link(
            rows.formula(),
            places[rows.first()],
            rows.second() < 0 ? -1 : places[rows.second()],
            rows.number(),
            shape.results()[i]);
  }

  /** Fills the results; false if there is no memory for the intermediate values. */
  private boolean run(Call call, Prepared ready, DenseTensor[] results) {
    int inputs = ready.forms.length;
    int first = inputs + results.length;
    MemorySegment[] segments = new MemorySegment[ready.widths.length];
    long[] offsets = new long[segments.length];
    for (int i = 0; i < inputs; i++) {
      if (call.value(i) instanceof DenseTensor tensor) {
        segments[i] = tensor.segment();
        offsets[i] = tensor.layout().offset() + ready.starts[i];
      }
    }
    for (int i = inputs; i < first; i++) {
      segments[i] = results[i - inputs].segment();
    }
    if (first == segments.length) {
      run(ready, segments, offsets);
      return true;
    }
    long bytes = (long) places * ready.part * Float.BYTES;
    if (!(call.scope().allocate(bytes) instanceof Storage scratch)) {
      return false;
    }
    try {
      for (int i = first; i < segments.length; i++) {
        segments[i] = scratch.segment();
        offsets[i] = (long) (i - first) * ready.part;
      }
      run(ready, segments, offsets);
      return true;
    } finally {
      scratch.release();
    }
  }

  private static void run(Prepared ready, MemorySegment[] segments, long[] offsets) {
    int[] widths = ready.widths;
    Link[] links = Objects.requireNonNull(ready.links);
    int count = (int) ready.shape.elements();
    int row = ready.row;
    int length;
    for (int done = 0; done < count; done += length) {
      length = Math.min(ready.part, row - done % row);
      for (Link link : links) {
        MemorySegment a = segments[link.first];
        long fromA = at(link.first, offsets, widths, done);
        MemorySegment out = segments[link.result];
        long to = at(link.result, offsets, widths, done);
        if (link.second < 0) {
          link.formula.run(a, fromA, link.number, out, to, length);
        } else {
          MemorySegment b = segments[link.second];
          link.formula.run(a, fromA, b, at(link.second, offsets, widths, done), out, to, length);
        }
      }
    }
  }

  private static long at(int value, long[] offsets, int[] widths, int done) {
    return offsets[value] + (done == 0 || widths[value] == 0 ? 0 : done % widths[value]);
  }
}
