package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.fault.ProgramPoint;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How an {@link Oracle} follows the call of an operation. */
final class OracleCall {
  private static final Causes.Open CANCELLED = new Causes.Open(-1, Step.Trouble.CANCELLED.ends());

  private final Oracle oracle;
  private final Step.Apply step;
  private final @Nullable Signature signature;
  private final Object[] arguments;
  private ProgramPoint point = ProgramPoint.of();
  private int next;
  private long bytes;

  OracleCall(Oracle oracle, Step.Apply step) {
    this.oracle = oracle;
    this.step = step;
    this.signature = Programs.SIGNATURES.find(step.operation());
    this.arguments = step.arguments().stream().map(this::resolved).toArray();
  }

  private Object resolved(Object argument) {
    if (argument instanceof Step.Ref ref) {
      Expected handle = oracle.places().get(ref.place());
      return handle == null ? ref : handle;
    }
    return argument instanceof List<?> list
        ? list.stream().map(this::resolved).toList()
        : Programs.own(argument);
  }

  private Signature signature() {
    return Objects.requireNonNull(signature);
  }

  /** The expected result of the call; null if it is to be left out. */
  @Nullable Object outcome() {
    if (signature == null || !isKnown()) {
      return null;
    }
    Causes incoming = incoming();
    boolean uncertain =
        oracle.around.isTroubled() || oracle.around.isCancelled() || incoming.isOpen();
    if (leavesOut(uncertain)) {
      return null;
    }
    int event = oracle.around.nextEvent();
    Causes troubles = oracle.around.troubles(event);
    point = oracle.nextPoint();
    if (incoming.known() != null) {
      // A cancelled scope does not wait to see what its operands turn out to be (C3).
      Causes either =
          troubles.known() == null
              ? Causes.open(troubles.open())
              : Causes.open(List.of(CANCELLED.at(event)));
      return given(incoming.or(either), null);
    }
    Causes causes = incoming.and(troubles);
    return troubles.known() == null ? called(causes, uncertain) : given(causes, null);
  }

  private @Nullable Object called(Causes causes, boolean uncertain) {
    if (heals()) {
      return assigned(causes);
    }
    if (Expected.in(arguments).stream().anyMatch(each -> each.closed)) {
      return given(causes.orElse(placed(Oracle.closedFault())), null);
    }
    Object outcome = oracle.layouts.call(oracle.environment, signature(), step, arguments);
    if (LayoutCheck.isOutOfMemory(outcome) || isUnset(outcome)) {
      tensors(outcome).forEach(DenseTensor::close);
      return null;
    }
    if (uncertain && signature().draws) {
      oracle.loseDraws();
    }
    if (outcome instanceof Fault fault) {
      return given(causes.orElse(placed(fault)), null);
    }
    if (Programs.isUndefined(step.operation()) && outcome instanceof DenseTensor made) {
      made.segment().fill((byte) 0);
    }
    Object own = own(outcome);
    return step.waits() && own instanceof Fault refused
        ? given(causes.orElse(refused), null)
        : given(causes, own);
  }

  private Fault placed(Fault fault) {
    fault.reach().markKnown();
    return fault.withOrigin(point);
  }

  /** Whether all operands exist, and the places of the results are empty. */
  private boolean isKnown() {
    for (int place : step.places()) {
      if (oracle.places().containsKey(place)) {
        return false;
      }
    }
    return Step.Ref.in(List.of(arguments)).isEmpty();
  }

  /** Faults that prevent this call from running. */
  private Causes incoming() {
    Causes causes = Causes.NONE;
    for (int i = 0; i < arguments.length; i++) {
      boolean overwritten = signature().overwrites && signature().mutates(i);
      boolean healed = i == 0 && heals();
      for (Expected operand : Expected.in(arguments[i])) {
        boolean whole = operand.cells.causes.isNone() || i > 0 || operand.isWhole();
        Causes more = overwritten && whole ? operand.own : operand.causes();
        causes = healed ? causes : causes.and(more);
      }
    }
    return causes;
  }

  /** Whether this call gives memory of its own to a handle that has only a fault. */
  private boolean heals() {
    return signature().assigns
        && arguments[0] instanceof Expected self
        && self.own.known() != null
        && self.first;
  }

  /**
   * Whether timing would decide too much, or a healed tensor would end with the surrounding block.
   */
  private boolean leavesOut(boolean uncertain) {
    if ((signature().draws && !oracle.drawsKnown()) || (heals() && oracle.around.owns())) {
      return true;
    }
    if (!uncertain) {
      return false;
    }
    boolean assigns =
        signature().assigns && arguments[0] instanceof Expected self && !self.own.isNone();
    return assigns || step.waits() || mayWriteNothing();
  }

  /** Whether this call may leave a target unwritten without a trace. */
  private boolean mayWriteNothing() {
    boolean nothing = false;
    for (int i = 0; i < arguments.length; i++) {
      nothing |= signature().moves(i, arguments);
      if (signature().mutates(i)) {
        nothing |=
            Expected.in(arguments[i]).stream()
                .anyMatch(each -> each.own.isOpen() && (!each.first || mayHeal(each)));
      }
    }
    return nothing;
  }

  /** Whether this call heals {@code self} if that was made, and leaves its fault if it was not. */
  private boolean mayHeal(Expected self) {
    return signature().overwrites && !self.cells.causes.isNone();
  }

  /** Whether zeros cannot be written over memory that the operation leaves undefined. */
  private boolean isUnset(Object outcome) {
    return Programs.isUndefined(step.operation())
        && outcome instanceof DenseTensor made
        && made.dtype().kind() == DType.Kind.COMPLEX;
  }

  private static List<DenseTensor> tensors(Object value) {
    if (value instanceof DenseTensor tensor) {
      return List.of(tensor);
    }
    List<?> parts =
        value instanceof Object[] several
            ? List.of(several)
            : value instanceof List<?> list ? list : List.of();
    return parts.stream().flatMap(each -> tensors(each).stream()).toList();
  }

  private Object copied(DenseTensor tensor) {
    Object[] values = {tensor, None.NONE};
    Signature clone = Objects.requireNonNull(Programs.SIGNATURES.find("aten::clone"));
    return clone.door.call(oracle.environment, values, null, null);
  }

  private Object assigned(Causes causes) {
    Expected self = (Expected) arguments[0];
    Expected source = (Expected) arguments[1];
    Object copy = source.closed ? placed(Oracle.closedFault()) : copied(source.tensor);
    if (copy instanceof DenseTensor tensor) {
      oracle.join(tensor, self.cells);
      self.tensor = tensor;
      self.own = Causes.NONE;
      self.cells.causes = causes;
      if (self.closed) {
        tensor.close();
      }
    } else {
      self.cells.causes = causes.orElse((Fault) copy);
    }
    return new Oracle.Applied(0);
  }

  /**
   * The part of {@code outcome} for new handles: no part is an operand, or shares memory by
   * accident.
   */
  private Object own(Object outcome) {
    List<DenseTensor> others = new ArrayList<>();
    Expected.in(arguments).forEach(each -> others.add(each.tensor));
    if (step.waits() && outcome instanceof List<?> list) {
      return list.stream().map(each -> apart(each, others)).toList();
    }
    if (!(outcome instanceof Object[] parts)) {
      return own(outcome, 0, others);
    }
    Object[] own = new Object[parts.length];
    for (int i = 0; i < parts.length; i++) {
      own[i] = own(parts[i], i, others);
    }
    return own;
  }

  private Object own(Object part, int i, List<DenseTensor> others) {
    Set<DenseTensor> held = Reachable.of(part).tensors();
    if (part instanceof CompoundTensor || (part instanceof ObjectValue && !held.isEmpty())) {
      held.stream().filter(each -> others.stream().noneMatch(each::is)).forEach(DenseTensor::close);
      return noTensor(" returns a value that only scripts can hold");
    }
    boolean asked = !step.waits() && i < signature().results();
    if (asked && !(part instanceof DenseTensor || part instanceof Fault)) {
      return noTensor(" does not return a tensor here; call applyValue");
    }
    if (!(part instanceof DenseTensor tensor)
        || (asked && signature().written(i) != Signature.FRESH)) {
      return part;
    }
    boolean shares = others.stream().anyMatch(each -> each.storage().equals(tensor.storage()));
    if (!asked || !shares || at(signature().viewed(i)) != null) {
      return apart(tensor, others);
    }
    Object copy = copied(tensor);
    if (others.stream().noneMatch(tensor::is)) {
      tensor.close();
    }
    return copy;
  }

  private Fault noTensor(String why) {
    return placed(Fault.value(step.operation() + why).withOperation(step.operation(), List.of()));
  }

  private Object apart(Object part, List<DenseTensor> others) {
    if (!(part instanceof DenseTensor tensor)) {
      return part;
    }
    Object own =
        others.stream().anyMatch(tensor::is)
            ? tensor.view(oracle.environment.scope(), tensor.layout())
            : tensor;
    others.add((DenseTensor) own);
    return own;
  }

  /** Gives the outcome to the handles; returns null if there are only causes that prevent it. */
  private Object given(Causes causes, @Nullable Object outcome) {
    for (int i = 0; i < arguments.length; i++) {
      if (signature().mutates(i)) {
        Expected.in(arguments[i]).forEach(each -> each.cells.causes = causes);
      }
    }
    if (step.waits()) {
      return new Oracle.Answer(causes, outcome == null ? null : answered(outcome));
    }
    for (int i = 0; i < signature().results(); i++) {
      result(i, causes, outcome instanceof Object[] parts ? parts[i] : outcome);
    }
    return new Oracle.Applied(bytes);
  }

  private void result(int i, Causes causes, @Nullable Object part) {
    if (at(signature().written(i)) != null) {
      closeOther(part);
      return;
    }
    Expected viewed = at(signature().viewed(i));
    int place = step.place(next++);
    if (part instanceof DenseTensor tensor) {
      bytes = tensor.storage().byteSize();
      Expected handle = oracle.handle(tensor);
      handle.own = causes;
      oracle.put(place, handle);
    } else {
      oracle.put(place, failed(viewed, part instanceof Fault own ? causes.orElse(own) : causes));
    }
  }

  private @Nullable Expected at(int argument) {
    return argument >= 0
            && argument < arguments.length
            && arguments[argument] instanceof Expected handle
        ? handle
        : null;
  }

  /** A result that was not made shares nothing, even if it could only have been a view. */
  private static Expected failed(@Nullable Expected viewed, Causes causes) {
    Expected handle = new Expected(new Expected.Cells(), /* first= */ viewed == null);
    handle.own = causes;
    return handle;
  }

  /** A kernel's own tensor is not needed for a handle that already exists. */
  private void closeOther(@Nullable Object part) {
    if (part instanceof DenseTensor tensor
        && Expected.in(arguments).stream().noneMatch(each -> tensor.is(each.tensor))) {
      tensor.close();
    }
  }

  /** The value without its tensors, which go to the places, in order. */
  private Object answered(Object value) {
    return switch (value) {
      case Object[] parts -> List.of(parts).stream().map(this::answered).toList();
      case List<?> list -> list.stream().map(this::answered).toList();
      case DenseTensor tensor -> {
        oracle.put(step.place(next++), oracle.handle(tensor));
        yield Oracle.Answered.TENSOR;
      }
      case Fault fault -> fault.type();
      default -> value;
    };
  }
}
