package dev.staunch.eager;

import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.Hold;
import dev.staunch.memory.Resource;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An eager operation in flight. It holds its operands from when it is deferred until it is settled,
 * and the scope of its results while it runs, so closing them does no harm (M1). It passes its
 * outcome to the handles of its results.
 */
final class TensorCall extends Task {
  /** The outcome if a scope was closed while this ran, before it had written anything. */
  private static final Object OVERTAKEN = "overtaken";

  /** Whether the operation has too few elements to be worth handing to a worker. */
  private final boolean small;

  private final Signature signature;
  private CallEnvironment environment;
  private final OperandTurns turns;
  private Object[] arguments;
  private final Handle[] results;
  private final int fresh;
  private boolean held;

  /** Whether the scope of the results was closed meanwhile, so that some results are missing. */
  private boolean closedUnder;

  /** Operands that were already closed when this was called, if it was deferred. */
  private @Nullable List<Handle> closedBefore;

  /** Operands that were closed with their scopes after this was deferred, opened again. */
  private @Nullable List<DenseTensor> reopened;

  /** Keeps what was made in the scope until the handles of the results hold it. */
  private @Nullable Hold hold;

  /** The outcome, once available. */
  private volatile @Nullable Object plain;

  /** Whether no thread waits for {@link #plain} any more. */
  private volatile boolean left;

  /**
   * @param arguments handles and values, in schema order
   * @param results the handles of the results, those of operands written in place included
   * @param fresh how many of the results are new handles
   */
  TensorCall(
      Signature signature,
      CallEnvironment environment,
      Object[] arguments,
      Handle[] results,
      int fresh,
      OperandTurns turns,
      boolean small) {
    super(turns.declared());
    this.turns = turns;
    this.signature = signature;
    this.environment = environment;
    this.arguments = arguments;
    this.results = results;
    this.fresh = fresh;
    this.small = small;
    in(environment.cancel);
  }

  @Override
  protected boolean isSmall() {
    return small;
  }

  /** A user's kernel may call operations of this context, and wait for them. */
  @Override
  protected boolean mayWait() {
    return !small || !signature.door.definition().closesOnFailure();
  }

  @Override
  protected String name() {
    return signature.name();
  }

  @Override
  protected CallSite locate() {
    return UserLine.callSite();
  }

  @Override
  protected Uses usesInTurn() {
    return turns.inTurn(arguments);
  }

  @Override
  protected @Nullable Fault incoming() {
    Fault fault = null;
    for (int i = 0; i < arguments.length; i++) {
      Fault found = i == 0 && heals(arguments[i]) ? null : faultOf(arguments[i]);
      if (found != null) {
        fault = fault == null ? found : fault.merge(found);
      }
    }
    return fault;
  }

  /**
   * Whether this call gives {@code self} memory if it has none; a view can only share that of
   * another.
   */
  private boolean heals(Object self) {
    return signature.assigns && self instanceof Handle target && !target.isView();
  }

  private static @Nullable Fault faultOf(Object argument) {
    if (argument instanceof Handle tensor) {
      return tensor.ownFault();
    }
    Fault fault = null;
    if (argument instanceof List<?> list) {
      for (Object element : list) {
        Fault found = faultOf(element);
        if (found != null) {
          fault = fault == null ? found : fault.merge(found);
        }
      }
    }
    return fault;
  }

  @Override
  protected void deferred() {
    arguments = Handles.copied(arguments);
    held = true;
    Handles.forEach(arguments, this::hold);
  }

  private void hold(Handle operand) {
    if (!operand.use()) {
      if (closedBefore == null) {
        closedBefore = new ArrayList<>(1);
      }
      closedBefore.add(operand);
    }
  }

  /** Holds the scope, because nothing else knows of the intermediate values created in it (M1). */
  @Override
  protected Object run() {
    hold = environment.scope().hold(signature);
    if (hold == null) {
      return runOutside();
    }
    Object outcome = compute();
    if (!OVERTAKEN.equals(outcome)) {
      return outcome;
    }
    hold.end();
    return run();
  }

  /**
   * The scope was closed before this call began, and with it the new handles. A call that changes
   * operands in other scopes still runs, since it was made earlier; it needs another scope for its
   * intermediate values. So does one whose results such calls may use. What they make is released
   * as soon as the calls that use it have run. Nothing is healed (F4): the memory would be the
   * scope's.
   */
  private Object runOutside() {
    for (int i = 0; i < results.length; i++) {
      if (operand(signature.written(i)) == null) {
        results[i].close();
      }
    }
    ResourceScope closed = environment.scope();
    ResourceScope whole = environment.context.scope;
    if (isInVain() || assigns() || whole.isClosed()) {
      closedUnder = true;
      return closed.closedFault().withOperation(name(), List.of());
    }
    environment = environment.in(whole);
    return run();
  }

  /**
   * Whether this call changes nothing, and makes what is no view and has no user (a view may still
   * be written through), or values that its caller is to own.
   */
  private boolean isInVain() {
    boolean isInVain = !signature.draws;
    for (int i = 0; i < arguments.length; i++) {
      isInVain &= !signature.mutates(i) && !signature.moves(i, arguments);
    }
    boolean makesViews = true;
    for (int i = 0; i < results.length; i++) {
      isInVain &= !results[i].isInUse();
      makesViews &= operand(signature.viewed(i)) != null;
    }
    return fresh > results.length || (isInVain && !makesViews);
  }

  private Object compute() {
    List<DenseTensor> operands = new ArrayList<>(2);
    try {
      return assigns() && arguments[0] instanceof Handle target
          ? assign(target, valueOf(arguments[1], operands))
          : call(operands);
    } finally {
      operands.forEach(DenseTensor::release);
      if (reopened != null) {
        reopened.forEach(DenseTensor::close);
      }
    }
  }

  private boolean assigns() {
    return signature.assigns && arguments[0] instanceof Handle target && target.ownFault() != null;
  }

  /** Heals {@code target} with a copy of {@code source}, unless that is a fault (F4). */
  private Object assign(Handle target, Object source) {
    Object copy =
        source instanceof DenseTensor dense
            ? environment.context.copyOf(dense, environment)
            : source;
    if (copy instanceof DenseTensor fresh) {
      target.assign(fresh);
    }
    return copy;
  }

  private Object call(List<DenseTensor> operands) {
    Object[] values = new Object[arguments.length];
    Fault closed = null;
    for (int i = 0; i < values.length && closed == null; i++) {
      values[i] = valueOf(arguments[i], operands);
      closed = values[i] instanceof Fault fault ? fault : null;
    }
    if (closed != null) {
      return closed;
    }
    int versions = versions(operands);
    Object outcome = result(values, operands);
    boolean mayRunAgain =
        held
            && signature.door.definition().closesOnFailure()
            && !signature.draws
            && versions == versions(operands);
    return mayRunAgain
            && outcome instanceof Fault fault
            && fault.type() == FaultType.CLOSED
            && (environment.scope().isClosed() || operands.stream().anyMatch(Resource::isClosed))
        ? OVERTAKEN
        : outcome;
  }

  /** Differs if a kernel has begun to write any of {@code operands}. */
  private static int versions(List<DenseTensor> operands) {
    int sum = 0;
    for (DenseTensor operand : operands) {
      sum += operand.storage().version();
    }
    return sum;
  }

  private Object result(Object[] values, List<DenseTensor> operands) {
    Object outcome = signature.door.call(environment, values, null, null);
    Object own =
        outcome instanceof Object[] parts ? parts(parts, operands) : only(outcome, operands);
    closedUnder = !(own instanceof DenseTensor) && environment.scope().isClosed();
    return results.length == 0
        ? CallerResults.values(own, operands, signature)
        : CallerResults.tensors(own, operands, signature);
  }

  /** A caller that closed the scope meanwhile wants none of the missing results. */
  private void forget(Object part) {
    if (closedUnder && part instanceof Fault fault && fault.type() == FaultType.CLOSED) {
      fault.markRead();
    }
  }

  /** The run-time value of an argument; tensors are held until the kernel returns. */
  private Object valueOf(Object argument, List<DenseTensor> operands) {
    if (argument instanceof Handle tensor) {
      Object content = tensor.content();
      if (!(content instanceof DenseTensor dense)) {
        return content == null
            ? Fault.internal("an operand of " + name() + " was read before it was there")
            : content;
      }
      DenseTensor open = isClosed(tensor) ? null : opened(dense);
      if (open == null) {
        return UserLine.closedFault(dense).withOperation(name(), List.of());
      }
      operands.add(open);
      return open;
    }
    if (!(argument instanceof List<?> list)) {
      return argument;
    }
    List<Object> values = new ArrayList<>(list.size());
    for (Object element : list) {
      Object value = valueOf(element, operands);
      if (value instanceof Fault) {
        return value;
      }
      values.add(value);
    }
    return values;
  }

  /**
   * A tensor that this call may read and write: {@code tensor}, or another over the memory that its
   * handle holds if its scope was closed meanwhile; null if it is closed.
   */
  private @Nullable DenseTensor opened(DenseTensor tensor) {
    if (tensor.retain()) {
      return tensor;
    }
    if (!held || !tensor.storage().isAlive()) {
      return null;
    }
    DenseTensor again = tensor.requiringGrad(environment.scope(), tensor.requiresGrad());
    reopened = reopened == null ? new ArrayList<>(1) : reopened;
    reopened.add(again);
    return again.retain() ? again : null;
  }

  /** Whether an operand was closed before this call was made; closing it later does no harm. */
  private boolean isClosed(Handle tensor) {
    return held ? closedBefore != null && closedBefore.contains(tensor) : tensor.wasClosed();
  }

  private Object only(Object outcome, List<DenseTensor> operands) {
    Object own = own(outcome, 0, operands);
    boolean isTaken = own instanceof DenseTensor tensor && tensor.is(outcome);
    if (!isTaken) {
      closeUnlessIn(operands, outcome);
    }
    return own;
  }

  private Object parts(Object[] parts, List<DenseTensor> operands) {
    List<DenseTensor> others = new ArrayList<>(operands);
    Object[] own = new Object[parts.length];
    for (int i = 0; i < parts.length; i++) {
      own[i] = own(parts[i], i, others);
      if (own[i] instanceof DenseTensor tensor) {
        others.add(tensor);
      }
    }
    for (Object part : parts) {
      closeUnlessIn(others, part);
    }
    return own;
  }

  /** Closes what a kernel created if something else took its place. */
  private static void closeUnlessIn(List<DenseTensor> kept, Object made) {
    if (made instanceof DenseTensor tensor && kept.stream().noneMatch(tensor::is)) {
      tensor.close();
    }
  }

  /**
   * A kernel may return an operand as it is; a new handle needs a tensor of its own. If the schema
   * does not say that the result shares this operand's memory, it needs memory of its own too:
   * nothing would order later accesses.
   */
  private Object own(Object outcome, int i, List<DenseTensor> others) {
    if (fresh == 0 || !(outcome instanceof DenseTensor tensor)) {
      return outcome;
    }
    boolean given = false;
    boolean shares = false;
    for (DenseTensor other : others) {
      given |= tensor.is(other);
      shares |= tensor.storage().equals(other.storage());
    }
    if (shares && i < results.length && !mayShare(tensor, i)) {
      return environment.context.copyOf(tensor, environment);
    }
    return given ? tensor.view(environment.scope(), tensor.layout()) : tensor;
  }

  /**
   * Whether the schema declares the operand whose memory {@code made}, result {@code i}, shares.
   */
  private boolean mayShare(DenseTensor made, int i) {
    Handle viewed = operand(signature.viewed(i));
    return signature.written(i) != Signature.FRESH
        || (viewed != null && viewed.has(made.storage()));
  }

  private @Nullable Handle operand(int place) {
    return place != Signature.FRESH && arguments[place] instanceof Handle it ? it : null;
  }

  /** The outcome; null until there is one. */
  @Nullable Object plain() {
    return plain;
  }

  /** The thread that waited for the outcome is gone: a fault in it need not be reported. */
  void leave() {
    left = true;
    markReadIfLeft();
  }

  private void markReadIfLeft() {
    if (left && plain instanceof Fault fault) {
      fault.markRead();
    }
  }

  private void tellWhoAsked(DenseTensor made) {
    CallSite asked = source();
    if (asked != null) {
      made.askedForAt(asked.stack());
    }
  }

  @Override
  protected void settle(Object outcome) {
    try {
      if (held) {
        Handles.forEach(arguments, Handle::unuse);
      }
      plain = outcome;
      markReadIfLeft();
      forget(outcome);
      for (int i = 0; i < results.length; i++) {
        settle(i, outcome instanceof Object[] parts ? parts[i] : outcome);
      }
    } finally {
      if (hold != null) {
        hold.end();
      }
    }
  }

  /**
   * An operand that was to be written keeps its content. Whatever happened to it is told by its
   * variable when this operation has its turn.
   */
  private void settle(int i, Object part) {
    forget(part);
    Handle self = operand(signature.written(i));
    if (self != null) {
      if (part instanceof DenseTensor view && !view.is(self.content())) {
        view.close();
      }
      return;
    }
    if (held && part instanceof DenseTensor dense && !dense.madeAt().isEmpty()) {
      tellWhoAsked(dense);
    }
    Handle viewed = operand(signature.viewed(i));
    boolean shares =
        viewed != null && part instanceof DenseTensor made && viewed.has(made.storage());
    results[i].settle(part, shares ? viewed : null);
  }
}
