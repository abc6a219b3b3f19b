package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Checks the ids that select rows of an embedding table. */
final class TableIds {
  /** Ids checked at a time. */
  private static final int SOME = 512;

  private TableIds() {}

  /** A fault unless ids or offsets are int64 or int32. */
  static @Nullable Fault integral(String operation, String name, TensorForm ids) {
    if (ids.dtype() == DType.INT64 || ids.dtype() == DType.INT32) {
      return null;
    }
    return Fault.dtype(
            Message.of(
                "`%s` of %s must be int64 or int32, but it is %s", name, operation, ids.dtype()))
        .withExpected(ExpectedDType.of(DType.INT64, DType.INT32).in(name), ids.dtype())
        .withInput(name);
  }

  /** A fault unless the table has rows and columns. */
  static @Nullable Fault table(TensorForm weight) {
    return weight.rank() == 2
        ? null
        : OperandChecks.shape(
            "`weight` must be [rows, size], but it is " + weight.describe(),
            "weight [rows, size]",
            weight.shape());
  }

  /** The fault for the first id outside the table, or of a cancellation; else null. */
  static @Nullable Fault outside(CancellationPoll poll, Integers ids, long rows) {
    long[] some = new long[(int) Math.min(SOME, ids.size())];
    for (long i = 0; i < ids.size() && poll.fault() == null; i += SOME) {
      int count = (int) Math.min(SOME, ids.size() - i);
      ids.copy(i, count, some, 0);
      Fault fault = outside(some, count, i, rows);
      if (fault != null) {
        return fault;
      }
    }
    return poll.fault();
  }

  /** As above, for some ids, the first of which is at {@code position} among all ids. */
  static @Nullable Fault outside(long[] ids, int count, long position, long rows) {
    int bad = Integers.firstOutside(ids, count, 0, rows);
    return bad < count ? outside(ids[bad], position + bad, rows) : null;
  }

  /** The fault for the first id outside the table. */
  static Fault outside(long id, long position, long rows) {
    String text = "id %d at position %d is outside the embedding table of %s";
    return Fault.index(Message.of(text, id, position, Message.count(rows, "row")))
        .withExpected("0 <= id < " + rows, Long.toString(id))
        .withInput("indices");
  }
}
