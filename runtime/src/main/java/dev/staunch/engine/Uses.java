package dev.staunch.engine;

import java.util.Arrays;
import java.util.Objects;

/**
 * What a task declares to do with variables: read, write without reading (which heals a fault), or
 * update, which is both. Immutable; any number of tasks may share it.
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
   * Adds variables on which the task takes its turn alone, without seeing what they hold and
   * without leaving anything in them: for ordering shared state that no data fault may affect.
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
