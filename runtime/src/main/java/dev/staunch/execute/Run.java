package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.engine.Processors;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request's passage through a plan: its environment and its frames. Reused for one request
 * after another (see {@link RunCache}), each from start to end by one thread. Work that a kernel
 * defers is done at once: a script continues when it has the value.
 */
sealed class Run implements Environment permits DataflowRun {
  /** The most nested calls; far below what a thread's stack holds. */
  static final int MAX_DEPTH = 400;

  private static final Object[] NONE = {};

  /** What a run needs from its plan. */
  abstract static class Functions {
    /** A function that is ready to run, or null if the program has none of that name. */
    abstract @Nullable Code find(Variant variant);

    /** The number of compiled functions. */
    abstract int size();

    /** The operations that the functions were prepared with. */
    abstract Catalog catalog();

    /** The constants that are tensors, or from which tensors can be reached. */
    abstract Object[] constants();

    /** The tensors that runs can assume to be unchanged, until one writes them. */
    abstract ModelConstants modelConstants();

    /** Whether the elements of {@code tensor} are the model's: part of its state, or a constant. */
    abstract boolean owns(DenseTensor tensor);
  }

  final Functions plan;
  private final Holding holding = new Holding();

  /** Free frames, by function. */
  @Nullable SequentialFrame[] free;

  private final KernelSet kernels;
  private @Nullable RunOptions options;

  /** Cancels the request, if there is one. */
  @Nullable CancelScope cancel;

  /** The thread whose interrupt ends a script; null for work that may outlive its call. */
  private @Nullable Thread caller;

  /** Sees every kernel call, if set. */
  @Nullable Interceptor watching;

  private @Nullable ResourceScope scope;
  private @Nullable Generator generator;
  private volatile boolean gradEnabled;

  /** Whether the run is watched, or operations have to run as written. */
  private boolean asWritten;

  private Object[] arguments = NONE;

  /** Its share of the processors, once a kernel had work for several. */
  private Processors.@Nullable Caller processors;

  Run(Functions plan) {
    this.plan = plan;
    this.kernels = plan.catalog().kernels();
    this.free = new SequentialFrame[plan.size()];
  }

  /**
   * Makes this the run of a request for {@code code} with these options and arguments, and holds
   * what it may use. Returns the fault of the options' scope if that is closed; then nothing has
   * begun.
   */
  @Nullable Fault begin(Code code, RunOptions with, Object[] given) {
    arguments = given;
    boolean isScript = code.isSequential();
    Fault closed = holding.begin(code, with.scope(), plan.constants(), arguments, isScript);
    if (closed != null) {
      arguments = NONE;
      return closed;
    }
    view(arguments, with.scope());
    options = with;
    cancel = with.cancel();
    caller = isScript ? Thread.currentThread() : null;
    watching = with.interceptor();
    scope = with.scope();
    gradEnabled = with.gradEnabled();
    asWritten = watching != null || with.asWritten();
    return null;
  }

  /**
   * Takes references of its own to tensor arguments, so that closing them does no harm. Arguments
   * in the run's own scope are its own: closing them is meant to stop the run from using them.
   */
  private static void view(Object[] arguments, ResourceScope scope) {
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof DenseTensor tensor
          && !scope.equals(tensor.home())
          && !tensor.isClosed()) {
        Object view = tensor.view(scope, tensor.layout());
        arguments[i] = view instanceof DenseTensor ? view : tensor;
      }
    }
  }

  Object[] arguments() {
    return arguments;
  }

  /** Takes its share of the processors at once if the last request had work for several. */
  void come() {
    if (processors != null) {
      processors.come();
    }
  }

  /**
   * Forgets the request once its results are available.
   *
   * @param outcome what its function returned: a value, an array of several, or a fault
   */
  Object end(Object outcome) {
    if (processors != null) {
      processors.leave();
    }
    letGo();
    options = null;
    cancel = null;
    caller = null;
    watching = null;
    scope = null;
    generator = null;
    arguments = NONE;
    return outcome;
  }

  /** Releases everything that it holds. */
  final void letGo() {
    holding.end();
  }

  /** Cancels the request. */
  final CancelScope cancel() {
    return Objects.requireNonNull(cancel);
  }

  RunOptions options() {
    return Objects.requireNonNull(options);
  }

  /**
   * A frame for a call of {@code code}.
   *
   * @param caller the frame whose step makes the call; null for the run itself
   * @param site the site of that step; null for the run itself
   */
  Frame enter(Code code, @Nullable Frame caller, @Nullable Site site) {
    int number = code.number();
    if (number >= free.length) {
      free = Arrays.copyOf(free, plan.size());
    }
    SequentialFrame frame = free[number];
    if (frame == null) {
      frame = new SequentialFrame(this, code);
    } else {
      free[number] = frame.next;
    }
    frame.begin(caller, site);
    return frame;
  }

  /** Returns a frame whose call is over; a frame that is never returned is never reused. */
  void leave(Frame frame) {
    if (frame instanceof SequentialFrame done) {
      int number = frame.code.number();
      done.clear();
      done.next = free[number];
      free[number] = done;
    }
  }

  /**
   * Passes each fault to the listener, if there is one; what that throws is not a fault of the
   * program.
   */
  void tell(Fault fault) {
    Guard.attempt(
        listener -> {
          listener.accept(fault);
          return fault;
        },
        options().faultListener());
  }

  /**
   * {@code fault}, with the name of the argument that an operand is, views or was made of, and with
   * what the operation would have accepted for it. If the kernel says which parameter is at fault,
   * that is the operand.
   *
   * @param frame the frame of the failed step
   */
  Fault blame(Fault fault, Door door, Call call, Frame frame) {
    List<String> names = options().argumentNames();
    int place = door.definition().schema().place(fault.input());
    boolean elsewhere = fault.input() != null && place < 0;
    if (names.isEmpty() || elsewhere || door.definition().kernel() == null) {
      return fault;
    }
    int offset = arguments.length - names.size();
    List<Object> inputs = Arrays.asList(arguments).subList(offset, arguments.length);
    InputTrace trace = new InputTrace(frame::given, plan::owns, inputs);
    InputTrace.Found found = place < 0 ? trace.in(call) : trace.in(call, place);
    if (found == null) {
      return fault.withInput(null);
    }
    Fault blaming = fault.withInput(names.get(found.argument()));
    return call.isTensor(found.place())
        ? AcceptedForms.addedTo(
            blaming,
            door.definition().inference(),
            call,
            found.place(),
            trace::isFixed,
            found.input().shape())
        : blaming;
  }

  @Override
  public ResourceScope scope() {
    return Objects.requireNonNull(scope);
  }

  @Override
  public Catalog catalog() {
    return plan.catalog();
  }

  @Override
  public KernelSet kernels() {
    return kernels;
  }

  /**
   * Whether each operation runs by itself, and its result may be seen: because gradients are
   * recorded, the run is watched, or the options say so.
   */
  boolean isAsWritten() {
    return gradEnabled || asWritten;
  }

  @Override
  public boolean gradEnabled() {
    return gradEnabled;
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    gradEnabled = enabled;
  }

  @Override
  public synchronized Generator generator() {
    Generator known = generator;
    if (known == null) {
      known = Generator.ofSeed(options().seed());
      generator = known;
    }
    return known;
  }

  @Override
  public @Nullable Fault cancelled() {
    Fault fault = cancel().check();
    return fault == null && caller != null && caller.isInterrupted()
        ? Fault.cancelled(CancelReason.USER, "the thread that runs the program was interrupted")
        : fault;
  }

  @Override
  public @Nullable Fault parallel(long range, long grain, Piece work) {
    if (range <= grain) {
      return Environment.super.parallel(range, grain, work);
    }
    if (processors == null) {
      processors = Processors.ofProcess().caller();
    }
    return processors.run(range, grain, work::run);
  }

  @Override
  public void cancel(String reason) {
    cancel().cancel(reason);
  }

  @Override
  public Object defer(Supplier<Object> work) {
    return Guard.attempt(Supplier::get, work);
  }

  @Override
  public void print(String line) {
    options().output().accept(line);
  }
}
