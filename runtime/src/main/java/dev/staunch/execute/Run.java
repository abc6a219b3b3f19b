package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.RandomStream;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request's passage through a plan: its environment, its frames, and how deep its calls are
 * nested. Used for one request after another (see {@link RunCache}), each from start to end by one
 * thread, which alone takes frames and lets them go; but a run in which anything was put off is
 * used once.
 */
final class Run implements Environment {
  /** Calls that may be nested; far below what a thread's stack holds. */
  static final int MAX_DEPTH = 400;

  private static final Object[] NONE = {};

  final Plan plan;
  int depth;
  private final Holding holding = new Holding();
  private final @Nullable Frame[] free;
  private @Nullable RunOptions options;
  private @Nullable Thread thread;
  private @Nullable Call lent; // of the thread
  private @Nullable Generator generator;
  private volatile boolean gradEnabled;
  private volatile boolean putOff;
  private Object[] arguments = NONE;

  Run(Plan plan) {
    this.plan = plan;
    this.free = new Frame[plan.size()];
  }

  /**
   * Makes this the run of a request for {@code code} with these options and arguments, and holds
   * what it may touch until {@link #end}, and until what it put off is through. If the scope of the
   * options is closed, its fault, and nothing has begun.
   */
  @Nullable Fault begin(Code code, RunOptions with, List<Object> given) {
    arguments = given.toArray();
    Fault closed = holding.begin(code, with.scope(), plan.constants(), arguments);
    if (closed != null) {
      arguments = NONE;
      return closed;
    }
    view(arguments, with.scope());
    options = with;
    thread = Thread.currentThread();
    gradEnabled = with.gradEnabled();
    depth = 0;
    return null;
  }

  /** Takes references of its own to tensor arguments, so that closing them does no harm. */
  private static void view(Object[] arguments, ResourceScope scope) {
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof DenseTensor tensor && !tensor.isClosed()) {
        Object view = tensor.view(scope, tensor.layout());
        arguments[i] = view instanceof DenseTensor ? view : tensor;
      }
    }
  }

  Object[] arguments() {
    return arguments;
  }

  /** Forgets the request; whether the next one may use this. */
  boolean end() {
    holding.less();
    if (putOff) {
      return false;
    }
    options = null;
    thread = null;
    generator = null;
    arguments = NONE;
    return true;
  }

  RunOptions options() {
    return Objects.requireNonNull(options);
  }

  /**
   * A frame for a call of {@code code}.
   *
   * @param caller whose step calls; null for the run itself
   * @param site of that step; null for the run itself
   */
  Frame enter(Code code, @Nullable Frame caller, @Nullable Site site) {
    boolean shared = caller != null && caller.isShared();
    Frame frame = shared ? null : free[code.number()];
    if (frame == null) {
      frame = new Frame(this, code, shared);
    } else {
      free[code.number()] = frame.next;
    }
    frame.begin(caller, site);
    return frame;
  }

  /** The frame's call is over; a frame that is never told so is never used again. */
  void leave(Frame frame) {
    if (frame.isFree()) {
      frame.clear();
      frame.next = free[frame.code.number()];
      free[frame.code.number()] = frame;
    }
  }

  /** Remembers the call of a frame whose kernel runs next, on the run's own thread. */
  void lend(Call call) {
    lent = call;
  }

  /** Says that something may go on when the run is over, until {@link #isThrough}. */
  void putsOff() {
    putOff = true;
    holding.more();
  }

  void isThrough() {
    holding.less();
  }

  /** Tells whoever wants to hear of each fault; what that throws is no fault of the program. */
  void tell(Fault fault) {
    Guard.attempt(
        listener -> {
          listener.accept(fault);
          return fault;
        },
        options().faultListener());
  }

  /** {@code fault}, with the name of the first argument among {@code operands} or one it views. */
  Fault blame(Fault fault, Call call) {
    List<String> names = options().argumentNames();
    if (fault.input() != null || names.isEmpty()) {
      return fault;
    }
    int offset = arguments.length - names.size();
    for (Object operand : call.arguments()) {
      for (int i = 0; i < names.size(); i++) {
        if (operand instanceof DenseTensor tensor
            && arguments[offset + i] instanceof DenseTensor argument
            && tensor.storage() == argument.storage()) {
          return fault.withInput(names.get(i));
        }
      }
    }
    return fault;
  }

  @Override
  public ResourceScope scope() {
    return options().scope();
  }

  @Override
  public Catalog catalog() {
    return plan.catalog();
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
  public RandomStream random() {
    return generator().next();
  }

  private synchronized Generator generator() {
    Generator known = generator;
    if (known == null) {
      known = Generator.ofSeed(options().seed());
      generator = known;
    }
    return known;
  }

  @Override
  public @Nullable Fault cancelled() {
    return options().cancel().check();
  }

  @Override
  public void cancel(String reason) {
    options().cancel().cancel(reason);
  }

  @Override
  public Object later(Supplier<Object> work) {
    putsOff();
    Call call = lent;
    if (call != null && Thread.currentThread().equals(thread)) {
      call.keep(); // on other threads each kernel has a call of its own
    }
    Workers workers = options().workers();
    if (workers == null) {
      Object outcome = Guard.attempt(Supplier::get, work);
      isThrough();
      return outcome;
    }
    Pending later = workers.submit(work);
    later.whenSettled(this::isThrough);
    return later;
  }

  @Override
  public void print(String line) {
    options().output().accept(line);
  }
}
