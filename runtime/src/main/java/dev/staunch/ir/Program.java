package dev.staunch.ir;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Functions that may call each other, in the order of their source. Immutable. */
public final class Program {
  private final Map<String, Function> functions;

  /** Null until first asked for. */
  private volatile @Nullable List<Operation> operations;

  public Program(Collection<Function> functions) {
    Map<String, Function> byName = new LinkedHashMap<>();
    for (Function function : functions) {
      if (byName.put(function.name(), function) != null) {
        throw new IllegalArgumentException("two functions are called " + function.name());
      }
    }
    this.functions = Collections.unmodifiableMap(byName);
  }

  public @Nullable Function find(String name) {
    return functions.get(name);
  }

  public Collection<Function> functions() {
    return functions.values();
  }

  /** The operations of all functions. */
  public List<Operation> operations() {
    List<Operation> known = operations;
    if (known == null) {
      List<Operation> all = new ArrayList<>();
      for (Function function : functions.values()) {
        all.addAll(function.body().all());
      }
      known = Collections.unmodifiableList(all);
      operations = known;
    }
    return known;
  }
}
