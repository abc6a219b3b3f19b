package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls a function of the program, by its name or as a method of an object. Remembers the last
 * target, because it is nearly always the same again. Faulted and pending arguments are passed on
 * to a function in dataflow discipline.
 */
final class CallAction implements Action {
  private record Target(@Nullable ClassLayout layout, Code code) {}

  /** The function to call; null for a method, which the object determines. */
  private final @Nullable Variant callee;

  private final String name;
  private final boolean strict;
  private @Nullable Target last; // within one plan; races do no harm

  private CallAction(@Nullable Variant callee, String name, boolean strict) {
    this.callee = callee;
    this.name = name;
    this.strict = strict;
  }

  /**
   * @param strict whether the function is called only when all arguments are available and without
   *     fault
   */
  static Action function(Variant callee, boolean strict) {
    return new CallAction(callee, callee.function(), strict);
  }

  /** A method of the first argument's class. */
  static Action method(String name) {
    return new CallAction(null, name, true);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // there is one layout for a class
  public Object apply(Frame frame, Call call, Site site) {
    ClassLayout layout = callee == null ? ((ObjectValue) call.value(0)).layout() : null;
    Target target = last;
    if (target == null || target.layout != layout) {
      Variant found =
          layout == null ? Objects.requireNonNull(callee) : Variant.of(layout.name() + "." + name);
      Code code = frame.run.plan.find(found);
      if (code == null) {
        return unknown(found.function());
      }
      target = new Target(layout, code);
      last = target;
    }
    return run(frame, site, target.code, call);
  }

  /** The function to call, if that is known before the call. */
  @Nullable Variant callee() {
    return callee;
  }

  static Fault unknown(String name) {
    return Fault.value("the program has no function " + name);
  }

  private static Object run(Frame frame, Site site, Code code, Call call) {
    Frame callee = frame.run.enter(code, frame, site);
    int[] parameters = code.parameters();
    for (int i = 0; i < parameters.length; i++) {
      callee.registers[parameters[i]] = call.value(i);
    }
    return finish(code, callee);
  }

  /** Calls {@code code} from a step of {@code frame}. */
  static Object run(Frame frame, Site site, Code code, Object... arguments) {
    Frame callee = frame.run.enter(code, frame, site);
    int[] parameters = code.parameters();
    for (int i = 0; i < parameters.length; i++) {
      callee.registers[parameters[i]] = arguments[i];
    }
    return finish(code, callee);
  }

  private static Object finish(Code code, Frame callee) {
    Object outcome = code.call(callee);
    callee.run.leave(callee);
    return outcome;
  }

  @Override
  public int needed(int operands) {
    return strict ? operands : 0;
  }

  @Override
  public boolean mayWrite() {
    return true;
  }
}
