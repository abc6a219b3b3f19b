package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Body;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls a kernel through its door.
 *
 * @param writes whether it may write an operand
 * @param unread whether nobody reads the result, so that it goes back at once
 * @param order the register of the image in whose order the result lies, made before it; or {@link
 *     #CHOOSES} or {@link #ROW_MAJOR}
 */
record KernelAction(Door door, boolean writes, boolean unread, int order) implements Action {
  /** The kernel chooses the order in which the result lies, as nobody sees it. */
  static final int CHOOSES = -1;

  /** The result lies as it is inferred. */
  static final int ROW_MAJOR = -2;

  KernelAction(Door door, boolean writes, boolean unread) {
    this(door, writes, unread, ROW_MAJOR);
  }

  /** The same, whose result nobody sees the {@link #order} of. */
  KernelAction lyingAs(int other) {
    return new KernelAction(door, writes, unread, other);
  }

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    Fault forbidden = writes ? beforeWrite(frame.run, call) : null;
    if (forbidden != null) {
      return forbidden;
    }
    Interceptor watching = frame.run.watching;
    if (watching != null) {
      call.keepArguments();
    }
    Object outcome =
        order == ROW_MAJOR || frame.run.isAsWritten()
            ? door.call(call, watching, site.source())
            : ordered(frame, call, site);
    if (outcome instanceof DenseTensor tensor) {
      return unread ? dropped(frame, tensor, call) : distinct(frame, tensor, call);
    }
    if (outcome instanceof Fault fault) {
      return frame.run.blame(fault, door, call, frame);
    }
    if (outcome instanceof Pending later) {
      return frame.arriving(later, arrived -> distinct(frame, arrived, call), site);
    }
    if (outcome instanceof Object[] parts) {
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] instanceof Pending later) {
          parts[i] = frame.arriving(later, arrived -> distinct(frame, arrived, call), site);
        }
      }
    }
    return outcome;
  }

  /** The outcome in the order that suits the kernels; if there is no memory for it, as written. */
  private Object ordered(Frame frame, Call call, Site site) {
    boolean chooses = order == CHOOSES;
    if (chooses || (frame.registers[order] instanceof DenseTensor led && !led.isContiguous())) {
      call.orderResult(chooses ? Call.Order.ANY : Call.Order.CHANNELS_LAST);
      Object outcome = door.call(call, null, site.source());
      if (!(outcome instanceof Fault fault) || fault.type() != FaultType.OUT_OF_MEMORY) {
        return outcome;
      }
      call.orderResult(Call.Order.ROW_MAJOR);
    }
    return door.call(call, null, site.source());
  }

  @Override
  public boolean ordersImages() {
    return order != ROW_MAJOR;
  }

  @Override
  public boolean mayWrite() {
    return writes || door.definition().effects().has(Trait.ACTS);
  }

  private @Nullable Fault beforeWrite(Run run, Call call) {
    StateGuard guard = run.options().stateGuard();
    ModelConstants constants = run.plan.modelConstants();
    return door.firstWritten(
        call,
        operand -> {
          constants.beforeWrite(operand);
          return guard == null ? null : guard.beforeWrite(operand);
        });
  }

  private static Object distinct(Frame frame, Object arrived, Call call) {
    return arrived instanceof DenseTensor tensor ? distinct(frame, tensor, call) : arrived;
  }

  /**
   * A kernel may return an operand as it is ({@code contiguous}), or one of a list. Each register
   * owns its tensor, so that one can be released while the other lives; such a result gets a handle
   * of its own, unless nobody reads the operand any more.
   */
  private static Object distinct(Frame frame, DenseTensor result, Call call) {
    int given = call.indexOf(result);
    return given < 0 || (call.isLastUse(given) && result.is(call.value(given)))
        ? result
        : result.view(frame.run.scope(), result.layout());
  }

  /** What the kernel made goes back; an operand that it gave again is somebody's. */
  private static Object dropped(Frame frame, DenseTensor result, Call call) {
    if (call.indexOf(result) < 0) {
      frame.release(result);
    }
    return result;
  }

  /**
   * The action of a step that gives the same in every request. It calls the kernel if that is not
   * kept, and where operations run {@linkplain Run#isAsWritten as written}. No step releases it.
   */
  record Folded(KernelAction kernel, FoldedValue value) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      if (frame.run.isAsWritten()) {
        return kernel.apply(frame, call, site);
      }
      DenseTensor known = value.get();
      if (known != null) {
        return known;
      }
      Object outcome = kernel.apply(frame, call, site);
      if (outcome instanceof DenseTensor tensor) {
        value.keep(tensor);
      }
      return outcome;
    }

    @Override
    public boolean light() {
      return true;
    }

    @Override
    public PlannedOperation.Making making() {
      return PlannedOperation.Making.ONCE;
    }
  }

  /**
   * The action of two steps as one: sums of channels, and what scales and shifts them by numbers of
   * the module's. They run one after the other where operations run {@linkplain Run#isAsWritten as
   * written}, once the module's tensors were written, and to find out what is wrong.
   *
   * @param operands of the sums, but for registers of what is folded
   * @param number by which the kernel finds what it prepared for these
   * @param asWritten the two, which release what is between them, and leave the rest to their step
   */
  record Scaled(
      Step sums,
      Step scaling,
      FoldedParameters parameters,
      int[] operands,
      int number,
      Code.Body asWritten)
      implements Action {

    /**
     * The step in place of two that {@link #fit}, of which all other operands but the first are the
     * module's.
     *
     * @param weight a free register; so {@code bias}
     * @param number a free number of a step
     */
    static Step of(
        Step sums, Step scaling, int weight, int bias, int number, ModelConstants constants) {
      int[] operands = sums.operands.clone();
      operands[1] = weight;
      operands[2] = bias;
      FoldedParameters parameters =
          new FoldedParameters(
              (ChannelSums) Objects.requireNonNull(body(sums)),
              (ChannelScaling) Objects.requireNonNull(body(scaling)),
              constants);
      Code.Body asWritten =
          new Code.Body(List.of(sums.releasingOnly(), scaling.releasingOnly(sums.results)));
      Action action = new Scaled(sums, scaling, parameters, operands, number, asWritten);
      int[] others =
          Arrays.stream(scaling.lastUses).filter(each -> each != sums.results[0]).toArray();
      return new Step(sums.name, sums.site, action, sums.operands, scaling.results, sums.lastUses)
          .releasing(others);
    }

    /** Whether it does no more than that for operands of which all but tensors are known. */
    static boolean scalesOnly(Step scaling, Operands operands) {
      return body(scaling) instanceof ChannelScaling rule && rule.scalesOnly(operands);
    }

    /** The second of two steps, as one is known by that was {@linkplain #of made} of them. */
    static Step second(Step both, Step scaling) {
      return new Step(
          scaling.name,
          scaling.site,
          both.action,
          scaling.operands,
          scaling.results,
          scaling.lastUses);
    }

    /** Whether the second step may scale what the first sums up, and nobody else reads that. */
    static boolean fit(Step sums, Step scaling) {
      if (sums.results.length != 1
          || scaling.results.length != 1
          || !(body(sums) instanceof ChannelSums)
          || !(body(scaling) instanceof ChannelScaling)) {
        return false;
      }
      int between = sums.results[0];
      return scaling.operands[0] == between
          && count(scaling.operands, between) == 1
          && count(scaling.lastUses, between) > 0;
    }

    private static int count(int[] registers, int wanted) {
      int count = 0;
      for (int each : registers) {
        count += each == wanted ? 1 : 0;
      }
      return count;
    }

    private static @Nullable Body body(Step step) {
      return step.action instanceof KernelAction kernel ? kernel.door.definition().body() : null;
    }

    @Override
    public Object apply(Frame frame, Call call, Site site) {
      boolean folds = !frame.run.isAsWritten() && parameters.fit(call);
      FoldedParameters.Kept kept = folds ? kept(frame) : FoldedParameters.Kept.NOTHING;
      Constant weight = kept.weight();
      Constant bias = kept.bias();
      if (weight != null && bias != null && weight.isCurrent()) {
        frame.registers[operands[1]] = weight.tensor();
        frame.registers[operands[2]] = bias.tensor();
        Object outcome = sums.action.apply(frame, call.again(operands, number), site);
        if (!(outcome instanceof Fault)) {
          frame.registers[sums.results[0]] = outcome; // for those who trace where it comes from
          return outcome;
        }
      }
      Fault fault = frame.run(asWritten);
      return fault == null ? frame.registers[scaling.results[0]] : fault;
    }

    @Override
    public PlannedOperation.Making making() {
      return PlannedOperation.Making.FOLDED;
    }

    @Override
    public boolean ordersImages() {
      return sums.action.ordersImages();
    }

    private FoldedParameters.Kept kept(Frame frame) {
      FoldedParameters.Kept known = parameters.kept();
      if (known != null) {
        return known;
      }
      Object[] arguments = new Object[scaling.operands.length];
      Arrays.setAll(arguments, i -> frame.registers[scaling.operands[i]]);
      arguments[0] = frame.registers[sums.operands[1]];
      Object bias = frame.registers[sums.operands[2]];
      return parameters.fold(
          new Call(frame.run, arguments), bias instanceof DenseTensor tensor ? tensor : null);
    }
  }
}
