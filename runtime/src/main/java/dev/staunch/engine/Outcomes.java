package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Interprets what {@link Task#run} returns: one outcome for everything written, or an array of
 * parts.
 */
final class Outcomes {
  private Outcomes() {}

  /** {@code outcome} as it leaves its task: each fault in it counts as not yet read. */
  static Object leaving(Object outcome) {
    if (outcome instanceof Fault fault) {
      return fault.rethrown();
    }
    boolean partly = outcome instanceof Object[] parts && hasFault(parts);
    return partly ? leaving((Object[]) outcome) : outcome;
  }

  private static boolean hasFault(Object[] parts) {
    for (Object part : parts) {
      if (part instanceof Fault) {
        return true;
      }
    }
    return false;
  }

  /** One fault in place of several results stays one fault. */
  private static Object[] leaving(Object[] parts) {
    Map<Object, Object> own = new IdentityHashMap<>();
    for (Object part : parts) {
      own.computeIfAbsent(part, given -> given instanceof Fault fault ? fault.rethrown() : given);
    }
    return Arrays.stream(parts).map(own::get).toArray();
  }

  /** The fault in {@code outcome} for the {@code i}-th written variable, or null. */
  static @Nullable Fault fault(Object outcome, int i) {
    if (outcome instanceof Fault all) {
      return all;
    }
    boolean isPart =
        outcome instanceof Object[] parts && i < parts.length && parts[i] instanceof Fault;
    return isPart ? (Fault) ((Object[]) outcome)[i] : null;
  }
}
