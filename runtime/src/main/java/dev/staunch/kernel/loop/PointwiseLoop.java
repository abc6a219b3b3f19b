package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Walks a result and its operands, which broadcast to its shape, row by row. Dimensions that lie
 * one behind the other in all of them are joined first, so that most calls have a single row. Rows
 * of float32 without gaps go to the rule's own loop; all others pass through arrays of one tile.
 */
public final class PointwiseLoop {
  private static final int TILE = 1024;
  private static final int RUN = 1 << 15;

  /** An element of a tile costs up to as much as some of a row without gaps. */
  private static final long COST = 4;

  private final Lookout lookout;
  private final DType computed;
  private final Rule rule;
  private final Object[] sources;
  private final Operand target;
  private final Strides walk;
  private final double[][] reals;
  private final long[][] integers;
  private final double[] realOut;
  private final long[] integerOut;

  private PointwiseLoop(
      Call call, DenseTensor target, DType computed, Rule rule, Object[] operands) {
    this.lookout = new Lookout(call);
    this.computed = computed;
    this.rule = rule;
    this.target = Operand.of(target);
    this.sources = new Object[operands.length];
    Layout[] layouts = new Layout[operands.length + 1];
    layouts[0] = target.layout();
    for (int k = 0; k < operands.length; k++) {
      boolean tensor = operands[k] instanceof DenseTensor;
      sources[k] = operands[k] instanceof DenseTensor found ? Operand.of(found) : operands[k];
      Layout own = tensor ? ((DenseTensor) operands[k]).layout() : Layout.contiguous(Shape.SCALAR);
      layouts[k + 1] = Broadcast.stretch(own, target.shape());
    }
    this.walk = Strides.of(layouts);
    int tile = (int) Math.min(TILE, walk.width());
    boolean floating = computed.isFloating();
    reals = new double[floating ? operands.length : 0][tile];
    integers = new long[floating ? 0 : operands.length][tile];
    realOut = new double[floating ? tile : 0];
    integerOut = new long[floating ? 0 : tile];
    fillConstants();
  }

  /** Writes all of {@code target}; the fault of a cancellation, or null. */
  public static @Nullable Fault run(
      Call call, DenseTensor target, DType computed, Rule rule, Object... operands) {
    if (target.elements() == 0) {
      return null;
    }
    return new PointwiseLoop(call, target, computed, rule, operands).walk();
  }

  private void fillConstants() {
    for (int k = 0; k < sources.length; k++) {
      if (!(sources[k] instanceof Operand)) {
        if (computed.isFloating()) {
          Arrays.fill(reals[k], Scalars.real(sources[k], computed));
        } else {
          Arrays.fill(integers[k], Scalars.integer(sources[k], computed));
          wrap(integers[k], integers[k].length);
        }
      }
    }
  }

  private @Nullable Fault walk() {
    boolean direct = isDirect();
    long[] at = walk.start();
    long[] index = walk.index();
    do {
      Fault stop = direct ? directRow(at) : tiledRow(at);
      if (stop != null) {
        return stop;
      }
    } while (walk.next(index, at));
    return null;
  }

  /** Whether all rows are float32 without gaps, but for a number or repeated element at the end. */
  private boolean isDirect() {
    return rule.floats() != null
        && computed == DType.FLOAT32
        && sources.length == 2
        && isRow(target, 0)
        && isRow(sources[0], 1)
        && (isRow(sources[1], 2) || !(sources[1] instanceof Operand) || isRepeated());
  }

  private boolean isRepeated() {
    return sources[1] instanceof Operand operand
        && operand.dtype() == DType.FLOAT32
        && walk.step(2) == 0;
  }

  private boolean isRow(Object operand, int k) {
    return operand instanceof Operand tensor
        && tensor.dtype() == DType.FLOAT32
        && (walk.step(k) == 1 || walk.width() == 1);
  }

  private @Nullable Fault directRow(long[] at) {
    FloatRun run = Objects.requireNonNull(rule.floats());
    Operand a = (Operand) sources[0];
    for (long done = 0; done < walk.width(); done += RUN) {
      int count = (int) Math.min(RUN, walk.width() - done);
      if (sources[1] instanceof Operand b && walk.step(2) != 0) {
        run.rows(
            a.segment(),
            at[1] + done,
            b.segment(),
            at[2] + done,
            target.segment(),
            at[0] + done,
            count);
      } else {
        run.number(a.segment(), at[1] + done, number(at[2]), target.segment(), at[0] + done, count);
      }
      if (!lookout.goesOn(count)) {
        return lookout.fault();
      }
    }
    return null;
  }

  private float number(long at) {
    return sources[1] instanceof Operand operand
        ? operand.segment().getAtIndex(ValueLayout.JAVA_FLOAT, at)
        : (float) Scalars.real(sources[1], DType.FLOAT32);
  }

  private @Nullable Fault tiledRow(long[] at) {
    for (long done = 0; done < walk.width(); done += TILE) {
      int count = (int) Math.min(TILE, walk.width() - done);
      if (computed.isFloating()) {
        realTile(at, done, count);
      } else {
        integerTile(at, done, count);
      }
      if (!lookout.goesOn(COST * count)) {
        return lookout.fault();
      }
    }
    return null;
  }

  private void realTile(long[] at, long done, int count) {
    for (int k = 0; k < sources.length; k++) {
      if (sources[k] instanceof Operand operand) {
        long step = walk.step(k + 1);
        operand.load(reals[k], at[k + 1] + done * step, step, count, computed);
      }
    }
    Objects.requireNonNull(rule.reals()).run(reals, realOut, count);
    target.store(realOut, at[0] + done * walk.step(0), walk.step(0), count);
  }

  private void integerTile(long[] at, long done, int count) {
    for (int k = 0; k < sources.length; k++) {
      if (sources[k] instanceof Operand operand) {
        long step = walk.step(k + 1);
        operand.load(integers[k], at[k + 1] + done * step, step, count);
        if (operand.dtype() != computed) {
          wrap(integers[k], count);
        }
      }
    }
    Objects.requireNonNull(rule.integers()).run(integers, integerOut, count);
    target.store(integerOut, at[0] + done * walk.step(0), walk.step(0), count);
  }

  /** Casts to the dtype in which elements are combined. */
  private void wrap(long[] values, int count) {
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (computed) {
            case UINT8 -> values[i] & 0xff;
            case INT8 -> (byte) values[i];
            case INT16 -> (short) values[i];
            case INT32 -> (int) values[i];
            case BOOL -> values[i] == 0 ? 0 : 1;
            default -> values[i];
          };
    }
  }
}
