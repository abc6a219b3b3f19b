package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Preparation;
import dev.staunch.memory.Holder;
import java.util.List;

/**
 * A function that is ready to run.
 *
 * @param number its position among the functions of the plan
 * @param template the registers at the start of a call: constants in place, all others null
 * @param steps the number of steps in all its blocks
 * @param listed the steps, in any block, that call a kernel or a function, in program order
 * @param preparations what the kernel of each step keeps for the next call
 */
record Code(
    int number,
    String name,
    Discipline discipline,
    Object[] template,
    int[] parameters,
    Body body,
    int[] results,
    int steps,
    Step[] listed,
    Preparation[] preparations)
    implements Holder {

  /** The steps of one block, in program order. */
  record Body(Step[] steps) {
    Body(List<Step> list) {
      this(list.toArray(new Step[0]));
    }
  }

  boolean isSequential() {
    return discipline == Discipline.SEQUENTIAL;
  }

  /**
   * Runs the function in {@code frame}, which holds its arguments. Returns one value or fault for
   * one result, an {@code Object[]} for several, or a single fault for all if the function is
   * sequential and failed.
   */
  Object call(Frame frame) {
    if (frame.depth > Run.MAX_DEPTH) {
      return Fault.value("calls are nested more than " + Run.MAX_DEPTH + " deep in " + name);
    }
    Fault fault = frame.run(body);
    return fault == null ? gather(frame.registers, results) : fault;
  }

  /** A single value, an array for several, or nothing. */
  static Object gather(Object[] registers, int[] from) {
    if (from.length == 1) {
      return registers[from[0]];
    }
    if (from.length == 0) {
      return CatalogEntry.NOTHING;
    }
    Object[] values = new Object[from.length];
    for (int i = 0; i < from.length; i++) {
      values[i] = registers[from[i]];
    }
    return values;
  }
}
