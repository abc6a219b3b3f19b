package dev.staunch.torchscript.lower;

import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Block;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A block under construction: its operations so far, and what each name means at this point. It
 * holds only its own definitions and asks the enclosing block for the rest, so names that a block
 * does not use cost it nothing.
 */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, Value> own = new LinkedHashMap<>();
  private final Map<String, String> aliases = new HashMap<>();
  private final Map<String, Definition.FunctionDef> closures = new HashMap<>();
  private final List<Operation> operations;

  /** Whether nested functions defined outside this scope are invisible in it. */
  private final boolean inlined;

  private final @Nullable Autocast autocast;
  private boolean loop;

  /** The body of a function that is called under {@code autocast}; null for none. */
  Scope(@Nullable Autocast autocast) {
    this(null, new ArrayList<>(), /* inlined= */ false, autocast);
  }

  private Scope(
      @Nullable Scope outer,
      List<Operation> operations,
      boolean inlined,
      @Nullable Autocast autocast) {
    this.outer = outer;
    this.operations = operations;
    this.inlined = inlined;
    this.autocast = autocast;
  }

  /** A nested block. It sees the names of this one; its own assignments stay local. */
  Scope inner() {
    return inner(autocast);
  }

  /** Like {@link #inner()}, under a different autocast or none. */
  Scope inner(@Nullable Autocast other) {
    return new Scope(this, new ArrayList<>(), /* inlined= */ false, other);
  }

  /** The body of a loop, which may run several times. */
  Scope innerLoop() {
    Scope body = inner();
    body.loop = true;
    return body;
  }

  /**
   * Makes the names of {@code old} mean {@code changed} from here on. Does nothing and returns
   * false if one of them got its meaning outside a loop that contains this scope.
   */
  boolean replace(Value old, Value changed) {
    List<String> names = new ArrayList<>();
    boolean repeats = false;
    for (Scope scope = this; scope != null; scope = scope.outer) {
      for (Map.Entry<String, Value> known : scope.own.entrySet()) {
        if (known.getValue() == old && find(known.getKey()) == old) {
          if (repeats) {
            return false;
          }
          names.add(known.getKey());
        }
      }
      repeats |= scope.loop;
    }
    names.forEach(name -> assign(name, changed));
    return true;
  }

  /** The operations so far, with those of the enclosing blocks last. */
  @SuppressWarnings("ReferenceEquality") // scopes of one block share its list
  Stream<Operation> operationsSoFar() {
    Stream<Operation> here = operations.stream();
    return outer == null || outer.operations == operations
        ? outer == null ? here : outer.operationsSoFar()
        : Stream.concat(here, outer.operationsSoFar());
  }

  /** The autocast that applies to operations here; null for none. */
  @Nullable Autocast autocast() {
    return autocast;
  }

  /**
   * A scope in the same block whose assignments stay separate: the body of a function inlined here.
   * It can call functions that it defines itself, but never itself.
   */
  Scope inlined() {
    return new Scope(this, operations, /* inlined= */ true, autocast);
  }

  /** The value of {@code name} here, or null. */
  @Nullable Value find(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Value value = scope.own.get(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  void assign(String name, Value value) {
    own.put(name, value);
  }

  /** The names that this block itself assigns. */
  Set<String> assigned() {
    return own.keySet();
  }

  void alias(String name, String function) {
    aliases.put(name, function);
  }

  /** The full name of the archive's function or class that {@code name} refers to, or null. */
  @Nullable String aliased(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      String function = scope.aliases.get(name);
      if (function != null) {
        return function;
      }
    }
    return null;
  }

  void define(Definition.FunctionDef closure) {
    closures.put(closure.name(), closure);
  }

  /** The nested function called {@code name}, or null. */
  Definition.@Nullable FunctionDef closure(String name) {
    for (Scope scope = this; scope != null; scope = scope.inlined ? null : scope.outer) {
      Definition.FunctionDef closure = scope.closures.get(name);
      if (closure != null) {
        return closure;
      }
    }
    return null;
  }

  Block toBlock(List<Value> parameters, List<Value> results) {
    return new Block(parameters, operations, results);
  }

  void add(Operation operation) {
    operations.add(operation);
  }

  List<Value> emit(
      Operator operator,
      List<Value> operands,
      List<Type> resultTypes,
      @Nullable SourceLocation source) {
    List<Value> results = new ArrayList<>();
    String word = operator.word();
    String name = word.substring(word.indexOf("::") + 2);
    int overload = name.indexOf('.');
    String hint = overload < 0 ? name : name.substring(0, overload);
    for (Type type : resultTypes) {
      results.add(new Value(hint, type));
    }
    add(new Operation(operator, operands, results, List.of(), source));
    return results;
  }

  Value emit(Operator operator, List<Value> operands, Type type, @Nullable SourceLocation source) {
    return emit(operator, operands, List.of(type), source).get(0);
  }

  /** Emits a constant. */
  Value constant(Object value, Type type) {
    return emit(new Structure.Constant(Constants.attribute(value)), List.of(), type, null);
  }
}
