package dev.staunch.fault;

import java.util.Arrays;
import java.util.List;

/**
 * A place in the order in which a program would run one step at a time: the order of calls, and of
 * iterations within a loop. Two faults compare by where they arose, whatever the schedule was.
 *
 * <p>The numbers lead from the outside in: a context or run, a step of it, a step of the function
 * that this step called, and so on. Immutable.
 */
public final class ProgramPoint implements Comparable<ProgramPoint> {
  private final long[] path;

  private ProgramPoint(long[] path) {
    this.path = path;
  }

  public static ProgramPoint of(long... path) {
    return new ProgramPoint(path.clone());
  }

  /** Step {@code step} within this point. */
  public ProgramPoint then(long step) {
    long[] longer = Arrays.copyOf(path, path.length + 1);
    longer[path.length] = step;
    return new ProgramPoint(longer);
  }

  /** Appends the numbers of this point, outermost first, to {@code numbers}. */
  public void addTo(List<Long> numbers) {
    for (long number : path) {
      numbers.add(number);
    }
  }

  @Override
  public int compareTo(ProgramPoint other) {
    return Arrays.compare(path, other.path);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ProgramPoint point && Arrays.equals(path, point.path);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(path);
  }

  @Override
  public String toString() {
    return Arrays.toString(path);
  }
}
