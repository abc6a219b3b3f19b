package dev.staunch.eager;

import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.Hold;
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
  private final CallOperands operands;
  private final Handle[] results;
  private final int fresh;

  /** Whether the scope of the results was closed meanwhile, so that some results are missing. */
  private boolean closedUnder;

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
    this.operands = new CallOperands(signature, arguments);
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
    return turns.inTurn(operands.arguments());
  }

  @Override
  protected @Nullable Fault incoming() {
    return operands.fault(target() == null ? 0 : 1);
  }

  /**
   * The operand that this call gives memory if it has none, or null; a view can only share that of
   * another.
   */
  private @Nullable Handle target() {
    Handle self = signature.assigns ? operands.handle(0) : null;
    return self == null || self.isView() ? null : self;
  }

  @Override
  protected void deferred() {
    operands.defer();
  }

  /** Holds the scope, because nothing else knows of the intermediate values created in it (M1). */
  @Override
  protected Object run() {
    hold = environment.scope().holdNewMembers(signature);
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
      if (operands.handle(signature.written(i)) == null) {
        results[i].close();
      }
    }
    ResourceScope closed = environment.scope();
    ResourceScope whole = environment.context.scope;
    if (isInVain() || lost() != null || whole.isClosed()) {
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
    Object[] arguments = operands.arguments();
    for (int i = 0; i < arguments.length; i++) {
      isInVain &= !signature.mutates(i) && !signature.moves(i, arguments);
    }
    boolean makesViews = true;
    for (int i = 0; i < results.length; i++) {
      isInVain &= !results[i].isInUse();
      makesViews &= operands.handle(signature.viewed(i)) != null;
    }
    return fresh > results.length || (isInVain && !makesViews);
  }

  private Object compute() {
    try {
      Handle lost = lost();
      return lost == null ? call() : assign(lost, operands.value(1, environment.scope()));
    } finally {
      operands.release();
    }
  }

  /** The {@link #target}, if it has no memory; or null. */
  private @Nullable Handle lost() {
    Handle target = target();
    return target == null || target.ownFault() == null ? null : target;
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

  private Object call() {
    Object[] values = new Object[operands.arguments().length];
    for (int i = 0; i < values.length; i++) {
      values[i] = operands.value(i, environment.scope());
      if (values[i] instanceof Fault fault) {
        return fault;
      }
    }
    int versions = operands.versions();
    Object outcome = result(values);
    boolean mayRunAgain =
        operands.wereDeferred()
            && signature.door.definition().closesOnFailure()
            && !signature.draws
            && versions == operands.versions();
    return mayRunAgain
            && outcome instanceof Fault fault
            && fault.type() == FaultType.CLOSED
            && (environment.scope().isClosed() || operands.isAnyClosed())
        ? OVERTAKEN
        : outcome;
  }

  private Object result(Object[] values) {
    Object outcome = signature.door.call(environment, values, null, null);
    Object own = outcome instanceof Object[] parts ? parts(parts) : only(outcome);
    closedUnder = !(own instanceof DenseTensor) && environment.scope().isClosed();
    return results.length == 0
        ? CallerResults.values(own, operands.open(), signature)
        : CallerResults.tensors(own, operands.open(), signature);
  }

  /** A caller that closed the scope meanwhile wants none of the missing results. */
  private void forget(Object part) {
    if (closedUnder && part instanceof Fault fault && fault.type() == FaultType.CLOSED) {
      fault.markRead();
    }
  }

  private Object only(Object outcome) {
    Object own = own(outcome, 0, operands.open());
    boolean isTaken = own instanceof DenseTensor tensor && tensor.is(outcome);
    if (!isTaken) {
      closeUnlessIn(operands.open(), outcome);
    }
    return own;
  }

  private Object parts(Object[] parts) {
    List<DenseTensor> others = new ArrayList<>(operands.open());
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
    Handle viewed = operands.handle(signature.viewed(i));
    return signature.written(i) != Signature.FRESH
        || (viewed != null && viewed.has(made.storage()));
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
      operands.settle();
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
    Handle self = operands.handle(signature.written(i));
    if (self != null) {
      if (part instanceof DenseTensor view && !view.is(self.content())) {
        view.close();
      }
      return;
    }
    if (operands.wereDeferred() && part instanceof DenseTensor dense && !dense.madeAt().isEmpty()) {
      tellWhoAsked(dense);
    }
    Handle viewed = operands.handle(signature.viewed(i));
    boolean shares =
        viewed != null && part instanceof DenseTensor made && viewed.has(made.storage());
    results[i].settle(part, shares ? viewed : null);
  }
}
