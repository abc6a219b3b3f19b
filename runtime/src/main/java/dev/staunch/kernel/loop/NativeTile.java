package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.operand.Halves;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.primitive.RowCast;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Passes elements that are narrow, or not in rows, through the kernel set's own float32 loop, which
 * takes off-heap rows. The first operand is a tensor; the second may be a number.
 */
final class NativeTile implements Tile {
  private static final int OPERANDS = 2;

  private final RowFormula formula;
  private final DType computed;
  private final DenseTensor memory;
  private final MemorySegment rows;
  private final float[] values = new float[SIZE];

  /** Casts narrow rows without gaps; null for float32. */
  private final @Nullable RowCast cast;

  private boolean isNumber;
  private float number;

  private NativeTile(
      RowFormula formula, @Nullable RowCast cast, DType computed, DenseTensor memory) {
    this.cast = cast;
    this.formula = formula;
    this.computed = computed;
    this.memory = memory;
    this.rows = memory.segment();
  }

  /** A tile for elements of the dtype {@code computed}; null if there is no memory for it. */
  static @Nullable Tile of(Call call, RowFormula formula, DType computed) {
    Shape shape = Shape.of(OPERANDS, SIZE);
    if (!(DenseTensor.allocate(call.scope(), DType.FLOAT32, shape) instanceof DenseTensor memory)) {
      return null;
    }
    boolean narrow = computed != DType.FLOAT32;
    RowCast own = narrow ? call.environment().kernels().rowCast(computed) : null;
    RowCast cast = own == null && narrow ? new Halves(computed, SIZE) : own;
    return new NativeTile(formula, cast, computed, memory);
  }

  @Override
  public void fill(int k, Object number) {
    isNumber = true;
    this.number = (float) Scalars.real(number, computed);
  }

  @Override
  public void load(int k, int to, Operand from, long at, long step, int count) {
    long first = (long) k * SIZE + to;
    if (cast != null && step == 1 && from.dtype() == computed && from.segment().isNative()) {
      cast.widen(from.segment(), at, rows, first, count);
      return;
    }
    from.load(values, at, step, count);
    MemorySegment.copy(values, 0, rows, JAVA_FLOAT, first * Float.BYTES, count);
  }

  @Override
  public void run(Rule rule, Operand target, long at, long step, int count) {
    if (isNumber) {
      formula.run(rows, 0, number, rows, 0, count);
    } else {
      formula.run(rows, 0, rows, SIZE, rows, 0, count);
    }
    if (cast != null && step == 1 && target.dtype() == computed && target.segment().isNative()) {
      cast.narrow(rows, 0, target.segment(), at, count);
      return;
    }
    MemorySegment.copy(rows, JAVA_FLOAT, 0, values, 0, count);
    target.store(values, at, step, count);
  }

  @Override
  public void close() {
    memory.close();
  }
}
