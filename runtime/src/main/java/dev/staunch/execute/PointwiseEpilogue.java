package dev.staunch.execute;

import dev.staunch.kernel.PointwiseBody;
import dev.staunch.kernel.primitive.Epilogue;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive pointwise operations computed in place on a float32 result without gaps. Each
 * combines what the one before it left there, by itself, with a number, or with a tensor of the
 * same layout. The loops are those of the operations, and give the same bits.
 */
final class PointwiseEpilogue {
  /** This many elements go through all operations before the next ones. */
  private static final int PART = 4096;

  /** Stands for a tensor among the operands. */
  private enum Lying {
    /** With the same layout as the result. */
    ALIKE,

    /** With another layout, dtype or kind of memory. */
    UNFIT
  }

  /**
   * An operation.
   *
   * @param operands the registers of its operands
   * @param made the register of the value that it combines
   * @param result the register of its result
   */
  record Stage(PointwiseBody body, int[] operands, int made, int result) {}

  /**
   * The loop of an operation.
   *
   * @param first the register of the first row; or {@link #RESULT}
   * @param second the register of the second row; or {@link #NUMBER}
   */
  private record Link(RowFormula formula, int first, int second, float number) {}

  private static final int RESULT = -1;
  private static final int NUMBER = -2;

  /**
   * What was prepared for operands of particular forms.
   *
   * @param version the kernel set's
   * @param forms the forms of all operands, see {@link #form}
   * @param links null if the operations have to run one by one
   */
  private record Prepared(int version, Layout layout, Object[] forms, Link @Nullable [] links) {}

  private final List<Stage> stages;
  private volatile @Nullable Prepared prepared; // for one form; races do no harm

  private PointwiseEpilogue(List<Stage> stages) {
    this.stages = List.copyOf(stages);
  }

  /** The formulas of {@code steps}, the first of which combines the value in {@code made}. */
  static PointwiseEpilogue of(int made, List<Step> steps) {
    List<Stage> stages = new ArrayList<>();
    int combined = made;
    for (Step step : steps) {
      PointwiseBody body = Objects.requireNonNull(step.formula());
      stages.add(new Stage(body, step.operands, combined, step.results[0]));
      combined = step.results[0];
    }
    return new PointwiseEpilogue(stages);
  }

  List<Stage> stages() {
    return stages;
  }

  /**
   * The epilogue for a result that is yet to be computed; null if the operations have to run one by
   * one.
   */
  @Nullable Epilogue of(DenseTensor result, @Nullable Object[] registers, KernelSet kernels) {
    Layout layout = result.layout();
    if (result.dtype() != DType.FLOAT32
        || result.elements() == 0
        || !(layout.isContiguous() ? layout.isAsNew() : layout.isChannelsLast())) {
      return null;
    }
    Prepared ready = prepared;
    if (ready == null || !fits(ready, result, registers, kernels)) {
      ready = prepare(result, registers, kernels);
      prepared = ready;
    }
    return ready.links == null ? null : new Rows(ready.links, result, registers);
  }

  /** The request for this in one run. */
  final class Request implements Function<DenseTensor, @Nullable Epilogue> {
    private final Frame frame;
    private @Nullable DenseTensor finished;

    Request(Frame frame) {
      this.frame = frame;
    }

    @Override
    public @Nullable Epilogue apply(DenseTensor made) {
      Epilogue given = of(made, frame.registers, frame.run.kernels());
      finished = given == null ? null : made;
      return given;
    }

    /** Whether {@code outcome} is the result that the kernel has finished. */
    @SuppressWarnings("ReferenceEquality") // this very tensor
    boolean hasFinished(Object outcome) {
      return finished != null && outcome == finished;
    }
  }

  private boolean fits(
      Prepared ready, DenseTensor result, @Nullable Object[] registers, KernelSet kernels) {
    int i = 0;
    for (Stage stage : stages) {
      for (int operand : stage.operands) {
        if (!form(stage, operand, result, registers).equals(ready.forms[i++])) {
          return false;
        }
      }
    }
    boolean known = ready.version == KernelSet.FINAL_VERSION || ready.version == kernels.version();
    return known && ready.layout.isLike(result.layout());
  }

  private Prepared prepare(DenseTensor result, @Nullable Object[] registers, KernelSet kernels) {
    int version = kernels.version();
    List<Object> forms = new ArrayList<>();
    Link[] links = new Link[stages.size()];
    boolean fit = true;
    for (int i = 0; i < links.length; i++) {
      Stage stage = stages.get(i);
      int from = forms.size();
      for (int operand : stage.operands) {
        forms.add(form(stage, operand, result, registers));
      }
      Link link = fit ? link(stage, forms.subList(from, forms.size()), result, kernels) : null;
      fit = link != null;
      if (link != null) {
        links[i] = link;
      }
    }
    return new Prepared(version, result.layout(), forms.toArray(), fit ? links : null);
  }

  /** How a tensor is laid out; a value that is not a tensor as it is. */
  private static Object form(
      Stage stage, int operand, DenseTensor result, @Nullable Object[] registers) {
    if (operand == stage.made) {
      return Lying.ALIKE;
    }
    Object value = Objects.requireNonNull(registers[operand]);
    if (!(value instanceof DenseTensor tensor)) {
      return value;
    }
    boolean overwritten = stage.body.inPlace() && operand == stage.operands[0];
    boolean alike =
        tensor.dtype() == DType.FLOAT32
            && !tensor.isClosed()
            && tensor.shape().equals(result.shape())
            && (tensor.layout().isLike(result.layout())
                || (tensor.isContiguous() && result.isContiguous()))
            && !tensor.segment().isMapped()
            && (!overwritten || tensor.isExclusive());
    return alike ? Lying.ALIKE : Lying.UNFIT;
  }

  private static @Nullable Link link(
      Stage stage, List<Object> forms, DenseTensor result, KernelSet kernels) {
    Object[] given = new Object[forms.size()];
    Layout rows = Layout.contiguous(result.shape());
    for (int i = 0; i < given.length; i++) {
      Object form = forms.get(i);
      if (form == Lying.UNFIT || !(form == Lying.ALIKE || Constants.isImmutable(form))) {
        return null;
      }
      given[i] =
          form == Lying.ALIKE ? new TensorForm(DType.FLOAT32, rows.shape(), rows, null) : form;
    }
    PointwiseBody.Rows loop = stage.body.rows(Operands.of(given), rows.shape(), kernels);
    return loop == null
        ? null
        : new Link(
            loop.formula(),
            place(stage, loop.first()),
            loop.second() < 0 ? NUMBER : place(stage, loop.second()),
            loop.number());
  }

  private static int place(Stage stage, int i) {
    int register = stage.operands[i];
    return register == stage.made ? RESULT : register;
  }

  /** The loops over the operands of one run. */
  private static final class Rows implements Epilogue {
    private final Link[] links;
    private final MemorySegment result;
    private final long start;

    /**
     * The first row of each loop, followed by the second rows; {@link #starts} has the same order.
     */
    private final MemorySegment[] segments;

    private final long[] starts;

    Rows(Link[] links, DenseTensor result, @Nullable Object[] registers) {
      this.links = links;
      this.result = result.segment();
      this.start = result.layout().offset();
      this.segments = new MemorySegment[2 * links.length];
      this.starts = new long[segments.length];
      for (int i = 0; i < links.length; i++) {
        read(i, links[i].first, result, registers);
        read(links.length + i, links[i].second, result, registers);
      }
    }

    private void read(int i, int place, DenseTensor result, @Nullable Object[] registers) {
      DenseTensor row =
          place >= 0 && registers[place] instanceof DenseTensor other ? other : result;
      segments[i] = row.segment();
      starts[i] = row.layout().offset();
    }

    @Override
    public void finish(long from, long count) {
      int length;
      for (long at = from; at < from + count; at += length) {
        length = (int) Math.min(PART, from + count - at);
        for (int i = 0; i < links.length; i++) {
          Link link = links[i];
          long first = starts[i] + at;
          if (link.second == NUMBER) {
            link.formula.run(segments[i], first, link.number, result, start + at, length);
          } else {
            int k = links.length + i;
            long second = starts[k] + at;
            link.formula.run(segments[i], first, segments[k], second, result, start + at, length);
          }
        }
      }
    }
  }
}
