package dev.staunch.dispatch;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.Preparation;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Effects;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The only way to a kernel: created once per operation, used for each call. It keeps closed tensors
 * out, turns whatever the kernel throws into a fault, checks that the results match the schema
 * (S3), and adds the operation and its operands to each fault (F7). A kernel that does not
 * {@linkplain CatalogEntry#closesOnFailure close what it created} on failure runs in a scope of its
 * own (M4).
 *
 * <p>Immutable. With a kernel that does, a call without a fault allocates nothing beyond what the
 * kernel itself allocates.
 */
public final class Door {
  private final CatalogEntry definition;

  /**
   * Computes a call with {@linkplain OperandTraits#USUAL usual} operands; for a user's kernel, with
   * any.
   */
  private final Guard.Work<Call> work;

  private final List<ResultRule> rules;

  /** The positions of the parameters that the operation writes. */
  private final int[] written;

  /** The operation's effects, if it writes more than that in training; otherwise null. */
  private final @Nullable Effects moving;

  /** The positions of the parameters that are lists of tensors. */
  private final int[] lists;

  /** What calls without a step of their own keep, for successive calls of the same form. */
  private final Preparation[] preparations = {new Preparation(tensor -> null)};

  /** The layout of the latest result of those calls; a thread may see any of them. */
  private final @Nullable Layout[] layouts = new Layout[1];

  /** Whether each call determines the number of its results. */
  private final boolean variadic;

  /** The class of the single result, if most values of its type have it; else {@code Void}. */
  private final Class<?> exact;

  /** Operands that may be refused. */
  private static final int UNFIT = OperandTraits.CLOSED | OperandTraits.COMPOUND;

  /** Inspects an operand; returns a fault or null. */
  @FunctionalInterface
  public interface Look {
    @Nullable Fault at(Object operand);
  }

  private Door(CatalogEntry definition) {
    this.definition = definition;
    this.work =
        definition.closesOnFailure()
            ? definition.defaultKernel()::run
            : new ScopedWork(
                definition, definition::run, each -> check(each, null), this::checkLate);
    this.rules = rules(definition);
    this.written = definition.effects().written();
    this.moving = definition.effects().updatesState() ? definition.effects() : null;
    this.lists = definition.effects().lists();
    this.variadic = definition.schema().variadicResults();
    this.exact = rules.size() == 1 && !variadic ? rules.get(0).exact() : Void.class;
  }

  private static List<ResultRule> rules(CatalogEntry definition) {
    List<ResultRule> rules = new ArrayList<>();
    for (Schema.Result result : definition.schema().results()) {
      Type type = result.type();
      rules.add(definition.closesOnFailure() ? ResultRule.of(type) : ResultRule.whole(type));
    }
    return List.copyOf(rules);
  }

  /**
   * The door to {@code definition}'s kernel; without a kernel every call is an unsupported fault.
   */
  public static Door to(CatalogEntry definition) {
    return new Door(definition);
  }

  public CatalogEntry definition() {
    return definition;
  }

  /**
   * Calls the kernel with run-time values in schema order, as many as the schema has. None of them
   * may be a fault: the caller passes a fault on without a call (F2). The result is a value, or an
   * {@code Object[]} of values and faults for several results, or {@link CatalogEntry#NOTHING}, or
   * one {@link Fault} for all. A value may be a {@link Pending}, which is checked against the
   * schema when it arrives.
   */
  public Object call(
      Environment environment,
      Object[] arguments,
      @Nullable Interceptor interceptor,
      @Nullable SourceLocation source) {
    return call(Call.of(environment, arguments, layouts, preparations), interceptor, source);
  }

  /** As {@link #call(Environment, Object[], Interceptor, SourceLocation)}. */
  public Object call(
      Call call, @Nullable Interceptor interceptor, @Nullable SourceLocation source) {
    int traits = definition.traits(call);
    Fault unusable = (traits & UNFIT) == 0 ? null : firstUnfit(call);
    if (unusable == null && written.length > 0) {
      unusable = firstUnwritable(call);
    }
    if (unusable != null) {
      return located(unusable, call, source);
    }
    Guard.Work<Call> own =
        traits == OperandTraits.USUAL || !definition.closesOnFailure()
            ? work
            : given -> definition.run(given, traits);
    Guard.Work<Call> whole = interceptor == null ? own : intercepted(own, interceptor, source);
    Object outcome = Guard.attempt(whole, call);
    if (interceptor == null && outcome != null && outcome.getClass() == exact) {
      return outcome;
    }
    Fault fault = check(outcome, call);
    Object given =
        fault == null
            ? locatedParts(outcome, call, source)
            : located(UseAfterFree.described(fault, call), call, source);
    return interceptor == null ? given : told(interceptor, call, given, source);
  }

  /**
   * {@code given}, after the interceptor was told of it; or the fault of what the interceptor
   * throws.
   */
  private Object told(
      Interceptor interceptor, Call call, Object given, @Nullable SourceLocation source) {
    Object outcome =
        Guard.attempt(
            same -> {
              interceptor.after(name(), same.arguments(), given, source);
              return CatalogEntry.NOTHING;
            },
            call);
    return outcome instanceof Fault fault ? located(fault, call, source) : given;
  }

  private Guard.Work<Call> intercepted(
      Guard.Work<Call> own, Interceptor interceptor, @Nullable SourceLocation source) {
    return call -> {
      Object answer = interceptor.before(name(), call.arguments(), source);
      if (answer != null) {
        return taken(answer, call.scope());
      }
      return own.run(
          interceptor.seesNestedCalls()
              ? call.withEnvironment(new Watched(call.environment(), interceptor, source))
              : call);
    };
  }

  /** The answer of an interceptor, held as long as the program may use it. */
  private static Object taken(Object answer, ResourceScope scope) {
    if (answer instanceof Object[] several) {
      Object[] held = new Object[several.length];
      Arrays.setAll(held, i -> ForeignTensors.heldIn(scope, several[i]));
      return held;
    }
    return ForeignTensors.heldIn(scope, answer);
  }

  private String name() {
    return definition.schema().qualifiedName();
  }

  /**
   * The fault of a tensor that is closed, or that is nested where the kernel supports only plain
   * ones.
   */
  private @Nullable Fault firstUnfit(Call call) {
    int count = call.size();
    for (int i = 0; i < count; i++) {
      Object argument = call.value(i);
      if (argument instanceof DenseTensor tensor) {
        if (tensor.isClosed()) {
          return tensor.closedFault();
        }
      } else if (argument instanceof CompoundTensor compound) {
        Fault refused = compound.refusedBy(definition.definition(), i);
        Fault unfit = refused == null ? firstClosed(compound) : refused;
        if (unfit != null) {
          return unfit;
        }
      }
    }
    return lists.length == 0 ? null : firstUnfitInList(call);
  }

  private static @Nullable Fault firstClosed(CompoundTensor compound) {
    for (DenseTensor part : compound.parts()) {
      if (part.isClosed()) {
        return part.closedFault();
      }
    }
    return null;
  }

  private @Nullable Fault firstUnfitInList(Call call) {
    for (int i : lists) {
      if (call.value(i) instanceof List<?> list) {
        for (Object element : list) {
          Fault unfit = null;
          if (element instanceof DenseTensor tensor) {
            unfit = tensor.isClosed() ? tensor.closedFault() : null;
          } else if (element instanceof CompoundTensor compound) {
            Fault refused = compound.refusedInListBy(definition.definition());
            unfit = refused == null ? firstClosed(compound) : refused;
          }
          if (unfit != null) {
            return unfit;
          }
        }
      }
    }
    return null;
  }

  /** Whether the operation may write any of its operands. */
  public boolean writes() {
    return written.length > 0 || moving != null;
  }

  private @Nullable Fault firstUnwritable(Call call) {
    return firstWritten(call, Door::unwritable);
  }

  /**
   * What {@code look} first finds about an operand that the operation would write, or null. In a
   * list of tensors, each tensor is written; of any other list, only the list itself.
   */
  public @Nullable Fault firstWritten(Call call, Look look) {
    for (int i : written) {
      Object operand = call.value(i);
      Fault fault = look.at(operand);
      if (fault == null && operand instanceof List<?> list && isListOfTensors(i)) {
        fault = first(list, look);
      }
      if (fault != null) {
        return fault;
      }
    }
    return moving == null ? null : firstMoved(moving, call, look);
  }

  private boolean isListOfTensors(int parameter) {
    for (int i : lists) {
      if (i == parameter) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Fault first(List<?> list, Look look) {
    for (Object element : list) {
      Fault fault = element == null ? null : look.at(element);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable Fault firstMoved(Effects effects, Call call, Look look) {
    for (int i = 0; i < call.size(); i++) {
      Fault fault = effects.updatesState(i, call) ? look.at(call.value(i)) : null;
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable Fault unwritable(Object argument) {
    return argument instanceof DenseTensor tensor ? tensor.makeWritable() : null;
  }

  /**
   * The kernel's fault, or the fault of a kernel that violated its schema, or null.
   *
   * @param call a call that may leave results out; null if it may not
   */
  private @Nullable Fault check(@Nullable Object outcome, @Nullable Call call) {
    if (outcome instanceof Fault fault) {
      return fault;
    }
    if (variadic) {
      return null;
    }
    if (rules.size() == 1) {
      return checkOne(outcome, 0);
    }
    if (!(outcome instanceof Object[] results) || results.length != rules.size()) {
      return broken("returned " + ResultRule.nameOf(outcome) + " for " + rules.size() + " results");
    }
    for (int i = 0; i < results.length; i++) {
      boolean leftOut = results[i] == None.NONE && call != null && call.isUnread(i);
      Fault fault = leftOut || results[i] instanceof Fault ? null : checkOne(results[i], i);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private @Nullable Fault checkOne(@Nullable Object value, int i) {
    if (value instanceof Pending || (value != null && rules.get(i).accepts(value))) {
      return null;
    }
    return misfit(value, i);
  }

  private Fault misfit(@Nullable Object value, int i) {
    return broken(
        "returned " + ResultRule.nameOf(value) + " where its schema says " + rules.get(i).type());
  }

  /** As {@link #check}, for result {@code i} alone, which arrived after the call returned. */
  private @Nullable Fault checkLate(Object value, int i) {
    if (value instanceof Fault fault) {
      return fault;
    }
    return variadic || rules.get(i).accepts(value) ? null : misfit(value, i);
  }

  /** {@code later} as the kernel's own result, with a fault if it violates the schema (S3). */
  private Pending arriving(Pending later, int i, Call call, @Nullable SourceLocation source) {
    Pending known = new Pending();
    Call given = new Call(call.environment(), call.arguments()); // the next step reuses the other
    later.whenSettled(() -> {
      Object value = Objects.requireNonNull(later.peek());
      known.settle(Guard.attempt(arrived -> arrived(arrived, i, given, source), value));
    });
    return known;
  }

  private Object arrived(Object value, int i, Call call, @Nullable SourceLocation source) {
    Fault fault = checkLate(value, i);
    return fault == null ? value : located(fault, call, source);
  }

  private Fault broken(String what) {
    return Fault.internal("the kernel of " + name() + " " + what);
  }

  private Object locatedParts(Object outcome, Call call, @Nullable SourceLocation source) {
    if (outcome instanceof Pending later) {
      return arriving(later, 0, call, source);
    }
    if (outcome instanceof Object[] results) {
      for (int i = 0; i < results.length; i++) {
        if (results[i] instanceof Pending later) {
          results[i] = arriving(later, i, call, source);
        } else if (results[i] instanceof Fault fault) {
          // One failure may take several results with it.
          Fault known = located(fault, call, source);
          Arrays.asList(results).replaceAll(each -> each == fault ? known : each);
        }
      }
    }
    return outcome;
  }

  private Fault located(Fault fault, Call call, @Nullable SourceLocation source) {
    Fault named =
        fault.operation() == null
            ? DTypeRemedy.addedTo(fault, definition.schema(), call)
                .arisingIn(name(), describe(call))
            : fault;
    return named.source() == null && source != null ? named.withSource(source) : named;
  }

  private List<String> describe(Call call) {
    List<Schema.Parameter> parameters = definition.schema().parameters();
    List<String> described = new ArrayList<>();
    for (int i = 0; i < call.size(); i++) {
      Object argument = call.value(i);
      if (argument != None.NONE) {
        String label = i < parameters.size() ? parameters.get(i).name() : "argument " + i;
        described.add(label + ": " + ResultRule.describe(argument));
      }
    }
    return described;
  }
}
