package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Inference;
import dev.staunch.operation.None;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a loop computes row by row, from one slice of a tensor per iteration, for all
 * slices before the loop. So the weight of a product, which may be larger than the caches, is read
 * only once. A step before the loop does this, unless it finds that there is nothing to gain. In
 * the loop, another step replaces those that take the slice and compute with it; if nothing was
 * computed before the loop, they run as written.
 */
final class RowsAhead implements Action {
  /** Slices with more rows make good use of a weight by themselves. */
  private static final long MOST_ROWS = 16;

  /** A larger result would cost more memory than it is worth. */
  private static final long MOST_ELEMENTS = 1 << 20;

  private final Step slice;
  private final KernelAction kernel;

  /** The operands of the kernel, with the register of all slices in place of the slice. */
  private final int[] operands;

  private final int number;
  private final int trips;
  private final int ahead;

  /**
   * @param slice takes a slice in the loop
   * @param rows computes with the slice
   * @param trips the register with the number of iterations
   * @param all a free register; likewise {@code ahead}, where the computed rows are kept
   * @param number a free step number
   */
  private RowsAhead(Step slice, Step rows, int trips, int all, int ahead, int number) {
    this.slice = slice;
    this.kernel = (KernelAction) rows.action;
    this.operands = rows.operands.clone();
    this.operands[0] = all;
    this.trips = trips;
    this.ahead = ahead;
    this.number = number;
  }

  /** The steps of a block, with steps that compute rows ahead of its loops. */
  static List<Step> planned(List<Step> steps, Draft draft) {
    List<Step> more = new ArrayList<>();
    for (Step step : steps) {
      boolean counted = step.action instanceof ControlActions.Loop l && l.isCounted(draft);
      more.add(counted ? taking(step, (ControlActions.Loop) step.action, more, draft) : step);
    }
    return more;
  }

  /** The loop, changed to use the results of steps that are added to those {@code before} it. */
  private static Step taking(Step step, ControlActions.Loop loop, List<Step> before, Draft draft) {
    Set<Integer> varying = varying(loop.body());
    int trip = loop.body().parameters()[0];
    List<Step> body = new ArrayList<>();
    List<Integer> kept = new ArrayList<>();
    for (Step rows : loop.body().body().steps()) {
      Step slice = body.isEmpty() ? rows : body.getLast();
      if (varying.isEmpty() || !fit(slice, rows, trip, varying)) {
        body.add(rows);
        continue;
      }
      int ahead = draft.register();
      kept.add(ahead);
      before.add(ahead(slice, rows, step.operands[0], ahead, draft));
      body.removeLast();
      body.add(taken(slice, rows, trip, ahead, draft));
    }
    int[] ending = kept.stream().mapToInt(Integer::intValue).toArray();
    return kept.isEmpty() ? step : step.releasing(ending).doing(loop.running(body));
  }

  private static Step ahead(Step slice, Step rows, int trips, int ahead, Draft draft) {
    int all = draft.register();
    Action action = new RowsAhead(slice, rows, trips, all, ahead, draft.number());
    return new Step(rows.name, rows.site, action, Step.NONE, Step.NONE, Step.NONE);
  }

  private static Step taken(Step slice, Step rows, int trip, int ahead, Draft draft) {
    Step taken = Taken.of(slice, rows, trip, ahead);
    draft.replace(slice, each -> each.doing(taken.action));
    draft.replace(rows, each -> each.doing(taken.action));
    return taken;
  }

  /** The registers that steps of the block write; empty if they may also write tensors. */
  private static Set<Integer> varying(ControlActions.Part part) {
    Set<Integer> varying = new HashSet<>();
    IntStream.of(part.parameters()).forEach(varying::add);
    for (Step step : part.body().steps()) {
      if (step.action.mayWrite()) {
        return Set.of();
      }
      IntStream.of(step.results).forEach(varying::add);
      if (step.action instanceof PointwiseChain chain) {
        chain.made().forEach(varying::add);
      }
    }
    return varying;
  }

  /**
   * Whether {@code slice} selects from a tensor that is the same in each iteration, and {@code
   * rows} makes rows of its own from it that do not outlive the iteration.
   */
  private static boolean fit(Step slice, Step rows, int trip, Set<Integer> varying) {
    return slice.has(Trait.SELECTS)
        && rows.has(Trait.ROWWISE)
        && slice.results.length == 1
        && rows.results.length == 1
        && !varying.contains(slice.operands[0])
        && !varying.contains(slice.operands[1])
        && slice.operands[2] == trip
        && rows.operands[0] == slice.results[0]
        && IntStream.of(rows.lastUses).anyMatch(each -> each == slice.results[0])
        && Arrays.stream(rows.operands, 1, rows.operands.length).noneMatch(varying::contains);
  }

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    Object[] registers = frame.registers;
    registers[ahead] = None.NONE;
    if (frame.run.isAsWritten()) {
      return CatalogEntry.NOTHING;
    }
    if (turned(frame) instanceof DenseTensor turned) {
      registers[operands[0]] = turned;
      Call all = call.at(operands, number);
      if (isSmall(all) && kernel.apply(frame, all, site) instanceof DenseTensor rows) {
        registers[ahead] = rows;
      }
      frame.release(turned);
    }
    return CatalogEntry.NOTHING;
  }

  /** All slices, in the order of the iterations; null if there is nothing to gain. */
  private @Nullable Object turned(Frame frame) {
    Object whole = frame.registers[slice.operands[0]];
    if (!(whole instanceof DenseTensor tensor)
        || tensor.isClosed()
        || tensor.dtype() != DType.FLOAT32
        || !(frame.registers[slice.operands[1]] instanceof Long place)) {
      return null;
    }
    int rank = tensor.rank();
    long dim = place < 0 ? place + rank : place;
    if (dim < 0
        || dim >= rank - 1
        || !Long.valueOf(tensor.shape().size((int) dim)).equals(frame.registers[trips])) {
      return null;
    }
    long[] sizes = tensor.shape().toArray();
    long[] strides = tensor.layout().strides();
    long rows = tensor.elements() / Math.max(1, sizes[(int) dim] * sizes[rank - 1]);
    for (int i = (int) dim; i > 0; i--) {
      swap(sizes, i);
      swap(strides, i);
    }
    return rows < 1 || rows > MOST_ROWS || sizes[0] < 2
        ? null
        : tensor.view(
            frame.run.scope(), new Layout(Shape.of(sizes), strides, tensor.layout().offset()));
  }

  private static void swap(long[] values, int i) {
    long value = values[i];
    values[i] = values[i - 1];
    values[i - 1] = value;
  }

  private boolean isSmall(Call all) {
    Inference inference = kernel.door().definition().inference();
    return inference != null
        && inference.infer(all) instanceof TensorForm form
        && form.shape().elements() <= MOST_ELEMENTS;
  }

  @Override
  public PlannedOperation.Evaluation evaluation() {
    return PlannedOperation.Evaluation.HOISTED;
  }

  /**
   * In the loop: takes the rows computed ahead; if there are none, runs the steps as written.
   *
   * @param ending what these steps release, except for the slice
   */
  private record Taken(Code.Body asWritten, int result, int[] ending, int trip, int ahead)
      implements Action {
    static Step of(Step slice, Step rows, int trip, int ahead) {
      int[] ending =
          IntStream.concat(IntStream.of(slice.lastUses), IntStream.of(rows.lastUses))
              .filter(each -> each != slice.results[0])
              .toArray();
      Code.Body asWritten = new Code.Body(List.of(slice, rows));
      Action action = new Taken(asWritten, rows.results[0], ending, trip, ahead);
      return new Step(rows.name, rows.site, action, Step.NONE, Step.NONE, Step.NONE);
    }

    @Override
    public Object apply(Frame frame, Call call, Site site) {
      if (!(frame.registers[ahead] instanceof DenseTensor rows)) {
        Fault fault = frame.run(asWritten);
        return fault == null ? CatalogEntry.NOTHING : fault;
      }
      long[] sizes = rows.shape().toArray();
      long[] strides = rows.layout().strides();
      long offset = rows.layout().offset() + (Long) frame.registers[trip] * strides[0];
      Shape shape = Shape.of(Arrays.copyOfRange(sizes, 1, sizes.length));
      long[] rest = Arrays.copyOfRange(strides, 1, strides.length);
      Object row = rows.view(frame.run.scope(), new Layout(shape, rest, offset));
      if (row instanceof Fault fault) {
        return fault;
      }
      frame.registers[result] = row;
      for (int register : ending) {
        frame.release(frame.registers[register]);
      }
      return CatalogEntry.NOTHING;
    }

    @Override
    public PlannedOperation.Evaluation evaluation() {
      return PlannedOperation.Evaluation.HOISTED;
    }
  }
}
