package dev.staunch.execute;

import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which functions of a program call which. A method that is found at run time is a node of its own,
 * which calls every candidate, so the graph is only as large as the program.
 */
final class CallGraph {
  private final Map<String, Set<String>> callees = new LinkedHashMap<>();
  private final Map<String, Set<String>> callers = new HashMap<>();

  CallGraph(Program program) {
    for (Function function : program.functions()) {
      callees.put(function.name(), new LinkedHashSet<>());
    }
    for (Function function : program.functions()) {
      calls(function);
      String methods = methodsLike(function);
      if (methods != null) {
        edge(methods, function.name());
      }
    }
  }

  /** The name of the node for all methods called {@code method}. */
  static String anyOf(String method) {
    return "." + method;
  }

  /** The node of all methods with the same name as {@code function}; null if it is not a method. */
  static @Nullable String methodsLike(Function function) {
    int dot = function.name().lastIndexOf('.');
    return dot < 0 ? null : anyOf(function.name().substring(dot + 1));
  }

  private void calls(Function caller) {
    for (Operation operation : caller.body().all()) {
      switch (operation.operator()) {
        case Structure.CallFunction call -> edge(caller.name(), call.function());
        case Structure.CallMethod call -> edge(caller.name(), anyOf(call.method()));
        default -> {}
      }
    }
  }

  private void edge(String caller, String callee) {
    callees.computeIfAbsent(caller, name -> new LinkedHashSet<>()).add(callee);
    callers.computeIfAbsent(callee, name -> new LinkedHashSet<>()).add(caller);
  }

  Set<String> calleesOf(String name) {
    return callees.getOrDefault(name, Set.of());
  }

  Set<String> callersOf(String name) {
    return callers.getOrDefault(name, Set.of());
  }

  /** All nodes, callees before their callers where there is no cycle. */
  List<String> calleesFirst() {
    List<String> ordered = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String name : callees.keySet()) {
      visit(name, seen, ordered);
    }
    return ordered;
  }

  private void visit(String root, Set<String> seen, List<String> ordered) {
    if (!seen.add(root)) {
      return;
    }
    record Open(String name, Iterator<String> rest) {}

    Deque<Open> open = new ArrayDeque<>();
    open.push(new Open(root, callees.getOrDefault(root, Set.of()).iterator()));
    while (!open.isEmpty()) {
      Open top = open.element();
      if (!top.rest.hasNext()) {
        ordered.add(top.name);
        open.pop();
        continue;
      }
      String next = top.rest.next();
      if (seen.add(next)) {
        open.push(new Open(next, callees.getOrDefault(next, Set.of()).iterator()));
      }
    }
  }
}
