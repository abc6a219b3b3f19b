package dev.staunch.ir;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values visible in a region of a program text, by their names in that region. */
final class ValueNames {
  /** The name of a result that the text leaves unnamed. */
  static final String NOBODY = "unused";

  private final Map<String, Value> values = new HashMap<>();

  /** Names without the number of a result. */
  private final Set<String> taken = new HashSet<>();

  ValueNames() {}

  /** The names of a region that sees only the given values, under the same names. */
  ValueNames(List<Value> given) {
    given.forEach(this::define);
  }

  /** Why no value may be called {@code name}, or null if one may. */
  @Nullable String refusal(String name) {
    String shown = "%" + ProgramTokens.shown(name);
    if (name.indexOf('#') >= 0) {
      return shown + " names one of several results, which are defined as one";
    }
    return taken.contains(name) ? shown + " is defined here already" : null;
  }

  void define(Value value) {
    values.put(value.name(), value);
    int mark = value.name().indexOf('#');
    taken.add(mark < 0 ? value.name() : value.name().substring(0, mark));
  }

  @Nullable Value find(String name) {
    return values.get(name);
  }
}
