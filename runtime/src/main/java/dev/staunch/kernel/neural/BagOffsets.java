package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import org.jspecify.annotations.Nullable;

/** Checks the offsets at which bags of ids begin. */
final class BagOffsets {
  /** Offsets checked at a time. */
  private static final int SOME = 512;

  private BagOffsets() {}

  /**
   * A fault unless the first of {@code starts} is 0, none is less than its predecessor, and the
   * last is at most {@code count}; or the fault of a cancellation; else null.
   */
  static @Nullable Fault misfit(CancellationPoll poll, Integers starts, long count) {
    long[] some = new long[(int) Math.min(SOME, starts.size())];
    long last = 0;
    for (long i = 0; i < starts.size() && poll.fault() == null; i += SOME) {
      int length = (int) Math.min(SOME, starts.size() - i);
      starts.copy(i, length, some, 0);
      Fault fault = misfit(some, length, i, last);
      if (fault != null) {
        return fault;
      }
      last = some[length - 1];
    }
    return poll.fault() != null ? poll.fault() : beyond(last, count);
  }

  /** As above, for all offsets at once. */
  static @Nullable Fault misfit(long[] starts, long count) {
    Fault fault = misfit(starts, starts.length, 0, 0);
    return fault != null || starts.length == 0 ? fault : beyond(starts[starts.length - 1], count);
  }

  /**
   * The fault for the first of some offsets that is out of order; else null.
   *
   * @param first the index of the first of these among all offsets
   * @param before the offset before them; 0 if there is none
   */
  private static @Nullable Fault misfit(long[] some, int length, long first, long before) {
    if (first == 0 && length > 0 && some[0] != 0) {
      return Fault.value("offsets[0] must be 0, where the first bag begins, but it is " + some[0])
          .withExpected("0", Long.toString(some[0]))
          .withInput("offsets");
    }
    long last = before;
    for (int i = 0; i < length; i++) {
      if (some[i] < last) {
        return decreases(first + i, some[i], last);
      }
      last = some[i];
    }
    return null;
  }

  private static Fault decreases(long at, long start, long last) {
    String text = "offsets must not decrease, but offsets[%d] is %d after %d";
    return Fault.value(Message.of(text, at, start, last))
        .withExpected("at least " + last, Long.toString(start))
        .withInput("offsets");
  }

  private static @Nullable Fault beyond(long last, long count) {
    return last <= count
        ? null
        : Fault.value(
                Message.of(
                    "the last of `offsets` is %d, beyond the end of `indices` at %d", last, count))
            .withExpected("at most " + count, Long.toString(last))
            .withInput("offsets");
  }
}
