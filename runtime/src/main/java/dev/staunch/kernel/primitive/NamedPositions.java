package dev.staunch.kernel.primitive;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * The positions that {@link Gather.Lines} name, one after the other. An index that is out of bounds
 * is noted and names the first element of its line. Keeps what it noted: for one call.
 */
final class NamedPositions implements Gather.Positions {
  private final Gather.Lines lines;
  private final long[] start = new long[1];
  private @Nullable Fault fault;

  NamedPositions(Gather.Lines lines) {
    this.lines = lines;
  }

  long count() {
    return lines.count() * lines.width();
  }

  /** The fault of the first index that was out of bounds; if there is none, {@code other}. */
  @Nullable Fault orFault(@Nullable Fault other) {
    return fault == null ? other : fault;
  }

  @Override
  public void load(long first, int count, long[] into) {
    inLines(lines.starts()).load(first, count, into);
    Gather.Indices indices = lines.indices();
    int column = (int) (first % lines.width());
    for (int done = 0; done < count; column = 0) {
      int run = Math.min(lines.width() - column, count - done);
      indices.starts().load((first + done) / lines.width(), 1, start);
      for (int i = 0; i < run; i++) {
        long at = start[0] + (column + i) * indices.step();
        long index = indices.segment().getAtIndex(JAVA_LONG, at);
        if (index >= 0 && index < lines.size()) {
          into[done + i] += index - column - i;
        } else {
          fault = orFault(indices.fault(at, first + done + i));
          into[done + i] -= column + i;
        }
      }
      done += run;
    }
  }

  /** The positions of as many neighbours as a line has indices, from each of {@code starts} on. */
  Gather.Positions inLines(Gather.Positions starts) {
    return (first, count, into) -> {
      int column = (int) (first % lines.width());
      for (int done = 0; done < count; column = 0) {
        int run = Math.min(lines.width() - column, count - done);
        starts.load((first + done) / lines.width(), 1, start);
        for (int i = 0; i < run; i++) {
          into[done + i] = start[0] + column + i;
        }
        done += run;
      }
    };
  }
}
