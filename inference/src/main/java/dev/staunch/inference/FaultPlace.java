package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Locates a fault for the author of the model: the submodule, by its dotted name, and the innermost
 * source line that is not in PyTorch itself. This runs only after a failure and keeps no data for
 * it.
 */
final class FaultPlace {
  private static final Pattern LIBRARY =
      Pattern.compile("(^|/)torch/((nn|autograd|ao|jit|distributions)/|(functional|_\\w+)\\.py)");

  private FaultPlace() {}

  /**
   * Returns {@code fault}, which a function of {@code program} returned, with its location added as
   * far as it is known.
   */
  static Fault told(Fault fault, Program program) {
    if (fault.operation() == null) {
      return fault;
    }
    String module = module(program, fault.path());
    return ownLineFirst(module.isEmpty() ? fault : fault.withModule(module));
  }

  /** The innermost submodule whose method is on the call path; empty for the model itself. */
  private static String module(Program program, List<Fault.Frame> path) {
    StringBuilder name = new StringBuilder();
    List<Fault.Frame> calls = // other frames are branches and loops
        path.stream().filter(frame -> program.find(frame.function()) != null).toList();
    for (int i = 0; i + 1 < calls.size(); i++) {
      Function caller = Objects.requireNonNull(program.find(calls.get(i).function()));
      Operation call = call(caller.body(), calls.get(i), calls.get(i + 1).function());
      if (call != null && isMethod(program, calls.get(i + 1).function())) {
        List<String> attributes = attributes(caller, call.operands().get(0));
        if (attributes == null) {
          return name.toString();
        }
        attributes.forEach(each -> name.append(name.isEmpty() ? "" : ".").append(each));
      }
    }
    return name.toString();
  }

  private static boolean isMethod(Program program, String function) {
    List<Value> parameters = Objects.requireNonNull(program.find(function)).parameters();
    return !parameters.isEmpty() && parameters.get(0).name().equals("self");
  }

  private static @Nullable Operation call(Block block, Fault.Frame at, String callee) {
    return find(
        block,
        operation ->
            Objects.equals(operation.source(), at.source())
                && switch (operation.operator()) {
                  case Structure.CallFunction call -> call.function().equals(callee);
                  case Structure.CallMethod call -> callee.endsWith("." + call.method());
                  default -> false;
                });
  }

  /**
   * The attribute names that lead from the function's own object to {@code object}; null if it is
   * not reached that way.
   */
  private static @Nullable List<String> attributes(Function function, Value object) {
    List<String> names = new ArrayList<>();
    Map<Value, Value> handed = new HashMap<>();
    all(function.body())
        .forEach(operation -> operation.forEachHanded((inner, outer) -> handed.put(inner, outer)));
    Value at = object;
    while (!at.equals(function.parameters().get(0))) {
      Value outer = handed.get(at);
      if (outer != null) {
        at = outer;
        continue;
      }
      Value wanted = at;
      Operation made = find(function.body(), operation -> operation.results().contains(wanted));
      if (made == null || !(made.operator() instanceof Structure.GetAttribute get)) {
        return null;
      }
      names.addFirst(get.attribute());
      at = made.operands().get(0);
    }
    return names;
  }

  private static @Nullable Operation find(Block block, Predicate<Operation> wanted) {
    return all(block).filter(wanted).findFirst().orElse(null);
  }

  private static Stream<Operation> all(Block block) {
    return block.operations().stream()
        .flatMap(operation ->
            Stream.concat(
                Stream.of(operation), operation.blocks().stream().flatMap(FaultPlace::all)));
  }

  /**
   * Prefers the user's line: a line of PyTorch's own library helps less than the line that called
   * it.
   */
  private static Fault ownLineFirst(Fault fault) {
    SourceLocation source = fault.source();
    if (source == null || !isLibrary(source)) {
      return fault;
    }
    List<Fault.Frame> path = fault.path();
    for (int i = path.size() - 1; i >= 0; i--) {
      SourceLocation own = path.get(i).source();
      if (own != null && !isLibrary(own)) {
        List<Fault.Frame> longer = new ArrayList<>(path);
        if (!source.equals(path.getLast().source())) {
          longer.add(new Fault.Frame(String.valueOf(fault.operation()), source));
        }
        return fault.withSource(own).withPath(longer);
      }
    }
    return fault;
  }

  /** Whether the line belongs to PyTorch itself, wherever that was installed. */
  private static boolean isLibrary(SourceLocation source) {
    return LIBRARY.matcher(source.file().replace('\\', '/')).find();
  }
}
