package dev.staunch.engine;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a task declares to do with variables: read, write without looking (which heals a fault, F4),
 * or update, which is both. Immutable; may be shared by any number of tasks.
 */
public final class Uses {
  /** No variable at all. */
  public static final Uses NONE = new Uses(new Variable[0], new byte[0]);

  static final byte READ = 1;
  static final byte WRITE = 2;
  static final byte UPDATE = READ | WRITE;
  static final byte ORDER = 4;

  final Variable[] variables;
  final byte[] modes;

  private Uses(Variable[] variables, byte[] modes) {
    this.variables = variables;
    this.modes = modes;
  }

  public static Uses reading(Variable... variables) {
    return NONE.and(READ, variables);
  }

  public static Uses writing(Variable... variables) {
    return NONE.and(WRITE, variables);
  }

  public static Uses updating(Variable... variables) {
    return NONE.and(UPDATE, variables);
  }

  /**
   * Also takes turns with others that order by {@code more}, alone, without a look at what they
   * hold and without leaving anything there: for shared state that no fault of data may touch (F2).
   */
  public Uses andOrdering(Variable... more) {
    return and(ORDER, more);
  }

  public Uses andReading(Variable... more) {
    return and(READ, more);
  }

  public Uses andWriting(Variable... more) {
    return and(WRITE, more);
  }

  public Uses andUpdating(Variable... more) {
    return and(UPDATE, more);
  }

  /** All that any of {@code tasks} needs. */
  static Uses ofAll(List<? extends Task> tasks) {
    Map<Variable, Integer> all = new LinkedHashMap<>();
    for (Task task : tasks) {
      Uses uses = task.uses;
      for (int i = 0; i < uses.variables.length; i++) {
        all.merge(uses.variables[i], (int) uses.modes[i], (one, other) -> one | other);
      }
    }
    byte[] modes = new byte[all.size()];
    int i = 0;
    for (int mode : all.values()) {
      modes[i++] = (byte) mode;
    }
    return new Uses(all.keySet().toArray(Variable[]::new), modes);
  }

  private Uses and(byte mode, Variable... more) {
    Variable[] all = Arrays.copyOf(variables, variables.length + more.length);
    byte[] how = Arrays.copyOf(modes, all.length);
    int size = variables.length;
    for (Variable variable : more) {
      Objects.requireNonNull(variable, "variable");
      int at = indexOf(all, size, variable);
      all[at] = variable;
      how[at] |= mode;
      size = Math.max(size, at + 1);
    }
    return size == all.length
        ? new Uses(all, how)
        : new Uses(Arrays.copyOf(all, size), Arrays.copyOf(how, size));
  }

  private static int indexOf(Variable[] all, int size, Variable variable) {
    for (int i = 0; i < size; i++) {
      if (all[i] == variable) {
        return i;
      }
    }
    return size;
  }

  boolean reads(Variable variable) {
    int i = indexOf(variables, variables.length, variable);
    return i < variables.length && reads(i);
  }

  boolean writes(Variable variable) {
    int i = indexOf(variables, variables.length, variable);
    return i < variables.length && writes(i);
  }

  boolean readsAnyOf(Set<Variable> some) {
    for (int i = 0; i < variables.length; i++) {
      if (reads(i) && some.contains(variables[i])) {
        return true;
      }
    }
    return false;
  }

  void addWritten(Set<Variable> written) {
    for (int i = 0; i < variables.length; i++) {
      if (writes(i)) {
        written.add(variables[i]);
      }
    }
  }

  boolean has(Variable variable) {
    return indexOf(variables, variables.length, variable) < variables.length;
  }

  boolean exclusive(int i) {
    return (modes[i] & (WRITE | ORDER)) != 0;
  }

  boolean writes(int i) {
    return (modes[i] & WRITE) != 0;
  }

  boolean reads(int i) {
    return (modes[i] & READ) != 0;
  }
}
