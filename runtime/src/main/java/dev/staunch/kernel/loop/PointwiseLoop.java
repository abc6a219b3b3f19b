package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Halves;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.operation.Formula;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks a result and its operands, which broadcast to its shape, row by row, in the memory order of
 * the result's dimensions. Dimensions that are adjacent in memory in all of them are joined first,
 * so most calls have a single row. Rows pass through arrays, a tile at a time.
 */
public final class PointwiseLoop {
  /** Elements combined in place as one piece, which another thread may take. */
  private static final long PIECE = 1 << 15;

  /** Up to this, doubles hold all integers. */
  private static final long MOST_EXACT = 1L << 53;

  /** An element of a tile costs up to as much as this many elements that are only copied. */
  private static final long COST = 4;

  /** Rows shorter than {@link PlainRows#SHORT} are worth a loop if they are many. */
  private static final int FEW = PlainRows.SHORT / 4;

  private static final long MANY_ROWS = 32;

  private final CancellationPoll poll;
  private final Rule rule;
  private final DType computed;
  private final Object[] sources;
  private final Operand target;
  private final Strides walk;
  private final Tile tile;

  /** How many rows pass through the tile at a time. */
  private final int rows;

  /** Where the row is of which the tile is full, for each operand that repeats one; else -1. */
  private final long[] repeated;

  /** The loop that replaces the rule's own where rows are contiguous; null for none. */
  private final @Nullable RowFormula direct;

  /** The rows that {@link #direct} reads in place of the numbers of a choice; otherwise null. */
  private final @Nullable NumberRows numbers;

  private PointwiseLoop(
      Call call, DenseTensor target, DType computed, Rule rule, Object[] operands) {
    this.poll = new CancellationPoll(call);
    this.rule = rule;
    this.computed = computed;
    this.target = Operand.of(target);
    this.sources = new Object[operands.length];
    Shape shape = target.shape();
    Layout[] layouts = new Layout[operands.length + 1];
    layouts[0] = target.layout();
    for (int k = 0; k < operands.length; k++) {
      boolean tensor = operands[k] instanceof DenseTensor;
      sources[k] = operands[k] instanceof DenseTensor found ? Operand.of(found) : operands[k];
      Layout own = tensor ? ((DenseTensor) operands[k]).layout() : Layout.contiguous(Shape.SCALAR);
      layouts[k + 1] = Broadcast.stretch(own, shape);
    }
    this.walk = target.isContiguous() ? Strides.of(layouts) : Strides.inAnyOrder(layouts);
    long width = walk.width();
    boolean worth =
        width >= PlainRows.SHORT || (width >= FEW && target.elements() >= MANY_ROWS * width);
    RowFormula own =
        worth && fitsDirect(computed, operands)
            ? PlainRows.formula(call, computed, rule, operands)
            : null;
    boolean choice = own != null && rule.isChoice();
    this.numbers = choice ? NumberRows.of(call, operands, width) : null;
    this.direct = choice && numbers == null ? null : own;
    boolean isShort = direct == null && width < PlainRows.SHORT && walk.rows() > 1;
    boolean several = isShort && areTogether(target, operands);
    this.rows = several ? (int) Math.min(Tile.SIZE / width, walk.rows()) : 1;
    this.repeated = new long[operands.length];
    Arrays.fill(repeated, -1);
    long most = rows * width;
    this.tile = tile(call, target, computed, operands, direct == null ? most : 1);
    for (int k = 0; k < sources.length; k++) {
      if (!(sources[k] instanceof Operand)) {
        tile.fill(k, sources[k]);
      }
    }
  }

  /** Writes all of {@code target}; returns the fault of a cancellation, or null. */
  public static @Nullable Fault run(
      Call call, DenseTensor target, DType computed, Rule rule, Object... operands) {
    if (target.elements() == 0) {
      return null;
    }
    PointwiseLoop loop = new PointwiseLoop(call, target, computed, rule, operands);
    try (loop.tile;
        loop.numbers) {
      return loop.walk();
    }
  }

  private Tile tile(Call call, DenseTensor result, DType computed, Object[] operands, long width) {
    if (computed == DType.BOOL && BoolTile.fits(rule, result, operands)) {
      return BoolTile.of(rule, width);
    }
    boolean narrow = isNarrow(computed, operands);
    boolean rows =
        width >= PlainRows.SHORT
            && rule instanceof Rule.Numbers
            && (narrow || isCostly(computed, result.dtype()))
            && operands.length <= 2
            && sources[0] instanceof Operand;
    RowFormula own = rows ? PlainRows.formula(call, DType.FLOAT32, rule, operands) : null;
    Tile direct = own == null ? null : NativeTile.of(call, own, computed);
    if (direct != null) {
      return direct;
    }
    return narrow ? Tile.ofNarrow(computed, rule, width) : Tile.of(computed, rule, width);
  }

  /** Whether the rule's own loop over float32 computes in doubles, which costs more than copies. */
  private boolean isCostly(DType computed, DType result) {
    return computed == DType.FLOAT32
        && result == DType.FLOAT32
        && !rule.formula().texts().containsKey(Formula.Kind.FLOAT);
  }

  /** Whether float32 holds all elements exactly, and the result is narrower than float32. */
  private boolean isNarrow(DType computed, Object[] operands) {
    boolean narrow =
        Halves.are(computed) && (target.dtype() == computed || target.dtype() == DType.BOOL);
    for (Object each : operands) {
      narrow &=
          !(each instanceof DenseTensor tensor)
              || tensor.dtype() == computed
              || tensor.dtype() == DType.BOOL;
    }
    return narrow;
  }

  /** Whether the rows of the result follow one another, and the tile takes several. */
  private boolean areTogether(DenseTensor result, Object[] operands) {
    return walk.rowStep(0) == walk.step(0) * walk.width()
        && !(computed == DType.BOOL && BoolTile.fits(rule, result, operands));
  }

  private @Nullable Fault walk() {
    long[] at = walk.start();
    long[] index = walk.index();
    if (rows > 1) {
      return severalRows(index, at);
    }
    do {
      Fault stop = row(at);
      if (stop != null) {
        return stop;
      }
    } while (walk.next(index, at));
    return null;
  }

  /** Combines short rows, some at a time. */
  private @Nullable Fault severalRows(long[] index, long[] at) {
    do {
      for (long row = 0; row < walk.rows(); row += rows) {
        int count = (int) Math.min(rows, walk.rows() - row);
        for (int k = 0; k < sources.length; k++) {
          if (sources[k] instanceof Operand operand) {
            loadRows(k, operand, at[k + 1], row, count);
          }
        }
        int elements = (int) (count * walk.width());
        tile.run(rule, target, at[0] + row * walk.rowStep(0), walk.step(0), elements);
        if (!poll.mayContinue(COST * elements)) {
          return poll.fault();
        }
      }
    } while (walk.nextRows(index, at));
    return null;
  }

  private void loadRows(int k, Operand from, long start, long row, int count) {
    int width = (int) walk.width();
    long step = walk.step(k + 1);
    long rowStep = walk.rowStep(k + 1);
    if (rowStep == step * width) {
      tile.load(k, 0, from, start + row * rowStep, step, count * width);
      return;
    }
    boolean repeats = k > 0 && rowStep == 0; // a result may lie in place of the first operand
    if (repeats && repeated[k] == start) {
      return;
    }
    tile.loadRows(k, from, start + row * rowStep, rowStep, count, step, width);
    repeated[k] = repeats ? start : -1;
  }

  /**
   * Whether the elements of each row have the dtype in which they are combined, or are the bools of
   * a choice, and are contiguous; or whether the second of two operands, or what a choice has, is
   * one number.
   */
  private boolean fitsDirect(DType computed, Object[] operands) {
    DType result = rule instanceof Rule.Numbers ? computed : DType.BOOL;
    boolean fits = target.dtype() == result && walk.step(0) == 1;
    for (int k = 0; fits && k < sources.length; k++) {
      long step = walk.step(k + 1);
      DType dtype = k == 0 && rule.isChoice() ? DType.BOOL : computed;
      boolean row = sources[k] instanceof Operand from && from.dtype() == dtype && step == 1;
      boolean number =
          rule.isChoice()
              ? k > 0 && NumberRows.fits(operands[k], computed)
              : k == 1 && sources.length == 2 && isNumber(sources[k], step, computed);
      fits = row || number;
    }
    return fits;
  }

  /** Whether {@code source} is one number that a double can hold. */
  private static boolean isNumber(Object source, long step, DType computed) {
    return computed.isFloating()
        ? !(source instanceof Operand from) || (from.dtype() == computed && step == 0)
        : !(source instanceof Operand) && Math.abs(Scalars.integer(source, computed)) <= MOST_EXACT;
  }

  private void runTile(long[] at, long done, int count) {
    for (int k = 0; k < sources.length; k++) {
      if (sources[k] instanceof Operand operand) {
        long step = walk.step(k + 1);
        tile.load(k, 0, operand, at[k + 1] + done * step, step, count);
      }
    }
    long step = walk.step(0);
    tile.run(rule, target, at[0] + done * step, step, count);
  }

  private void runDirect(RowFormula formula, long[] at, long done, int count) {
    MemorySegment a = ((Operand) sources[0]).segment();
    long fromA = at[1] + done;
    MemorySegment out = target.segment();
    long to = at[0] + done;
    if (sources.length == 1) {
      formula.run(a, fromA, a, fromA, out, to, count);
    } else if (!(sources[1] instanceof Operand b) || walk.step(2) != 1) {
      formula.run(a, fromA, number(sources[1], at[2]), out, to, count);
    } else if (sources.length == 2) {
      formula.run(a, fromA, b.segment(), at[2] + done, out, to, count);
    } else {
      MemorySegment c = ((Operand) sources[2]).segment();
      formula.run(a, fromA, b.segment(), at[2] + done, c, at[3] + done, out, to, count);
    }
  }

  /** As {@link #runDirect}, where rows of numbers may stand for the operands of a choice. */
  private void choose(RowFormula formula, NumberRows rows, long[] at, long done, int count) {
    MemorySegment truths = ((Operand) sources[0]).segment();
    MemorySegment yes = rows.segment(1, sources[1]);
    MemorySegment no = rows.segment(2, sources[2]);
    long fromYes = rows.has(1) ? 0 : at[2] + done;
    long fromNo = rows.has(2) ? 0 : at[3] + done;
    long to = at[0] + done;
    formula.run(truths, at[1] + done, yes, fromYes, no, fromNo, target.segment(), to, count);
  }

  /** The number that stands for a row. */
  private double number(Object source, long at) {
    if (source instanceof Operand from) {
      return Elements.asDouble(from.segment(), computed, at);
    }
    return computed.isFloating()
        ? Scalars.real(source, computed)
        : Scalars.integer(source, computed);
  }

  private @Nullable Fault row(long[] at) {
    long width = walk.width();
    if (direct != null) {
      return width <= PIECE ? direct(direct, at, 0, width, poll) : shared(direct, at, width);
    }
    long most = width <= Tile.SIZE ? width : tile.size();
    for (long done = 0; done < width; done += most) {
      int count = (int) Math.min(most, width - done);
      runTile(at, done, count);
      if (!poll.mayContinue(COST * count)) {
        return poll.fault();
      }
    }
    return null;
  }

  private @Nullable Fault shared(RowFormula formula, long[] at, long width) {
    return poll.context()
        .parallel(
            width,
            PIECE,
            (first, end) -> direct(formula, at, first, end, new CancellationPoll(poll.context())));
  }

  private @Nullable Fault direct(
      RowFormula formula, long[] at, long first, long end, CancellationPoll looks) {
    for (long done = first; done < end; done += Tile.SIZE) {
      int count = (int) Math.min(Tile.SIZE, end - done);
      if (numbers == null) {
        runDirect(formula, at, done, count);
      } else {
        choose(formula, numbers, at, done, count);
      }
      if (!looks.mayContinue(COST * count)) {
        return looks.fault();
      }
    }
    return null;
  }
}
