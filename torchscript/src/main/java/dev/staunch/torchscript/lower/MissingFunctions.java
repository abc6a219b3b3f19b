package dev.staunch.torchscript.lower;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The functions of an archive that cannot run, and why (S2): functions that could not be lowered,
 * and functions that reach one of those on every path. Calling one yields its fault; code that does
 * not reach one runs.
 */
public final class MissingFunctions {
  /** An operator that fails; its second operand is the reason. */
  static final String STAND_IN = "staunch::missing";

  private final Map<String, Fault> faults = new LinkedHashMap<>();

  /** A caller of the function, at a place that it cannot bypass. */
  private record Caller(Function function, Operation call) {}

  void add(String name, Fault fault) {
    faults.put(name, fault);
  }

  /** Why each function cannot run, by name. */
  public Map<String, Fault> faults() {
    return faults;
  }

  /**
   * Makes a replacement for {@code function} that takes the same parameters and always returns
   * {@code fault}, by means of {@code fails}.
   */
  static Function standIn(
      String name, Definition.FunctionDef function, Operator fails, Fault fault) {
    List<Value> parameters = new ArrayList<>();
    for (Definition.ParameterDef parameter : function.parameters()) {
      parameters.add(new Value(parameter.name(), parameter.type()));
    }
    Scope scope = new Scope(null);
    Value none = fails(scope, fails, fault.type(), fault.message(), fault.source());
    Type type = function.returnType();
    Value result = scope.emit(Structure.Plain.CAST, List.of(none), type, fault.source());
    return new Function(
        name,
        scope.toBlock(parameters, List.of(result)),
        List.of(type),
        Function.Discipline.SEQUENTIAL,
        fault.source());
  }

  /** Emits a call of {@code operator}, which fails for {@code reason}; its result is never seen. */
  static Value fails(
      Scope scope,
      Operator operator,
      FaultType type,
      String reason,
      @Nullable SourceLocation source) {
    List<Value> what =
        List.of(
            scope.constant(type.name(), Type.Plain.STRING),
            scope.constant(reason, Type.Plain.STRING));
    return scope.emit(operator, what, List.of(Type.Plain.ANY), source).get(0);
  }

  /** Whether {@code operation} is not from the archive but stands in for something missing. */
  public static boolean isStandIn(Operation operation) {
    return operation.name().equals(STAND_IN);
  }

  /**
   * Why the code that {@code operation} of {@code block} stands in for could not be lowered; null
   * if it is not a stand-in.
   */
  public static @Nullable String reason(Operation operation, Block block) {
    if (!isStandIn(operation)) {
      return null;
    }
    return block.operations().stream()
        .filter(each -> each.results().contains(operation.operands().get(1)))
        .map(Operation::operator)
        .map(operator ->
            operator instanceof Structure.Constant constant
                    && constant.value() instanceof Attribute.Text text
                ? text.value()
                : "")
        .findFirst()
        .orElse("");
  }

  /** Adds the functions that are certain to call a missing one, with the call path to it. */
  void spread(Program program) {
    if (faults.isEmpty()) {
      return;
    }
    Map<String, List<Caller>> callers = new HashMap<>();
    for (Function function : program.functions()) {
      collect(function, function.body(), callers);
    }
    Deque<String> open = new ArrayDeque<>(faults.keySet());
    while (!open.isEmpty()) {
      String name = open.remove();
      Fault fault = faults.get(name);
      for (Caller caller : callers.getOrDefault(name, List.of())) {
        Function function = caller.function();
        if (fault != null && !faults.containsKey(function.name())) {
          Fault.Frame frame = new Fault.Frame(function.name(), caller.call().source());
          faults.put(function.name(), fault.within(frame));
          open.add(function.name());
        }
      }
    }
  }

  private static void collect(Function function, Block block, Map<String, List<Caller>> callers) {
    for (Operation operation : block.operations()) {
      if (operation.operator() instanceof Structure.CallFunction call) {
        callers
            .computeIfAbsent(call.function(), absent -> new ArrayList<>())
            .add(new Caller(function, operation));
      } else if (operation.operator() instanceof Structure.With) {
        operation.blocks().forEach(inner -> collect(function, inner, callers));
      }
    }
  }
}
