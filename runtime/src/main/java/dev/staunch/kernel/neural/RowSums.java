package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.RowSum;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/**
 * Sums of rows of a float32 table, none of which has gaps: added up as doubles in the order of
 * their ids, and rounded once. Whole bags are summed together as long as they have few ids.
 */
final class RowSums {
  /** The most ids, and the most bags, between two polls for cancellation. */
  private static final int MOST = 512;

  private final CancellationPoll poll;
  private final RowSum adding;
  private final RowSum.Table table;
  private final Integers ids;
  private final Integers starts;
  private final DenseTensor sums;

  /** The number of ids and bags between two polls; wide rows have fewer. */
  private final int piece;

  private final long[] picked;
  private final int[] ends;

  /** The ends of a piece's bags in {@code ids}, each of which is where the next bag begins. */
  private final long[] next;

  private RowSums(
      RowSum adding,
      CancellationPoll poll,
      DenseTensor table,
      Integers ids,
      Integers starts,
      DenseTensor sums) {
    this.poll = poll;
    this.adding = adding;
    this.table = table(table);
    this.ids = ids;
    this.starts = starts;
    this.sums = sums;
    this.piece = Math.clamp(CancellationPoll.STRIDE / Math.max(1, this.table.columns()), 1, MOST);
    this.picked = new long[(int) Math.min(piece, ids.size())];
    this.ends = new int[(int) Math.min(piece, sums.shape().size(0))];
    this.next = new long[ends.length];
  }

  /** The rows of a float32 table without gaps. */
  static RowSum.Table table(DenseTensor table) {
    return new RowSum.Table(
        table.segment(),
        table.layout().offset(),
        table.layout().stride(0),
        (int) table.shape().size(1));
  }

  /**
   * Writes one row of {@code sums} for each of its bags.
   *
   * @param ids ids of existing rows
   * @param starts the position in {@code ids} where each bag begins; the end of the last bag may
   *     follow
   * @param sums without gaps
   * @return the fault of a cancellation, or null
   */
  static @Nullable Fault of(
      RowSum adding,
      CancellationPoll poll,
      DenseTensor table,
      Integers ids,
      Integers starts,
      DenseTensor sums) {
    new RowSums(adding, poll, table, ids, starts, sums).run();
    return poll.fault();
  }

  private void run() {
    long bags = sums.shape().size(0);
    for (long bag = 0; bag < bags && poll.mayContinue(table.columns()); ) {
      int some = bagsOfPiece(bag);
      if (some == 0) {
        addLarge(bag++);
      } else {
        int count = ends[some - 1];
        ids.copy(starts.at(bag), count, picked, 0);
        long to = sums.layout().offset() + bag * table.columns();
        adding.addBags(table, picked, ends, some, sums.segment(), to);
        poll.mayContinue((long) (count + some) * table.columns());
        bag += some;
      }
    }
  }

  /**
   * The number of bags from {@code first} on that together have few enough ids; records where each
   * one ends.
   */
  private int bagsOfPiece(long first) {
    long start = starts.at(first);
    int most = (int) Math.min(ends.length, sums.shape().size(0) - first);
    int known = (int) Math.min(most, starts.size() - first - 1);
    starts.copy(first + 1, known, next, 0);
    if (known < most) {
      next[known] = ids.size();
    }
    int some = 0;
    while (some < most && next[some] - start <= piece) {
      ends[some] = (int) (next[some] - start);
      some++;
    }
    return some;
  }

  private long end(long bag) {
    return bag + 1 < starts.size() ? starts.at(bag + 1) : ids.size();
  }

  private void addLarge(long bag) {
    double[] sum = new double[table.columns()];
    long end = end(bag);
    for (long i = starts.at(bag); i < end && poll.fault() == null; i += piece) {
      int count = (int) Math.min(piece, end - i);
      ids.copy(i, count, picked, 0);
      adding.add(table, picked, 0, count, sum);
      poll.mayContinue((long) count * sum.length);
    }
    long to = sums.layout().offset() + bag * sum.length;
    Operand.of(sums).store(sum, to, 1, sum.length);
  }
}
