package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@link Task#run} returns: one outcome for all that is written, or an array of parts. */
final class Outcomes {
  private Outcomes() {}

  /** {@code outcome} as it leaves its task: each fault in it is one that nobody has read. */
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

  /** A fault in the place of several results stays one. */
  private static Object[] leaving(Object[] parts) {
    Map<Object, Object> own = new IdentityHashMap<>();
    for (Object part : parts) {
      own.computeIfAbsent(part, given -> given instanceof Fault fault ? fault.rethrown() : given);
    }
    return Arrays.stream(parts).map(own::get).toArray();
  }

  /** The fault that {@code outcome} has for the {@code i}-th variable that is written, or null. */
  static @Nullable Fault fault(Object outcome, int i) {
    if (outcome instanceof Fault all) {
      return all;
    }
    boolean isPart =
        outcome instanceof Object[] parts && i < parts.length && parts[i] instanceof Fault;
    return isPart ? (Fault) ((Object[]) outcome)[i] : null;
  }
}
