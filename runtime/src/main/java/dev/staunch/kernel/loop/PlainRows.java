package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The fast path for the most common small cases: a float32 tensor without gaps, on its own or
 * combined with a number, with a tensor of the same shape, or with a row that repeats along its
 * leading dimensions. Nothing has to be converted or joined, so it costs little more than the loop.
 */
final class PlainRows {
  /** Larger work takes the general path, which polls for cancellation. */
  private static final long MOST = 1 << 15;

  /** Up to this many elements are combined in place: arrays for them would cost what they gain. */
  private static final int FEW = Tile.SIZE;

  /** For fewer elements, the kernel set is not asked for a loop. */
  static final int SHORT = 64;

  private PlainRows() {}

  /**
   * A new tensor that holds the operands combined by {@code rule}, or the first operand with that
   * content; or a fault; or null, without any effect, if this path does not apply.
   *
   * @param second the second operand, a tensor or a number; null for a rule of one
   * @param last whether this is the last computation with the call's arguments; then the result may
   *     overwrite the first operand if nothing reads that any more
   */
  static @Nullable Object compute(
      Call call, Rule rule, Object first, @Nullable Object second, boolean last) {
    if (!(first instanceof DenseTensor self) || !fit(rule, self, second)) {
      return null;
    }
    Shape shape = self.shape();
    Object made =
        last && call.mayOverwrite(self, DType.FLOAT32, shape)
            ? self
            : call.allocate(DType.FLOAT32, shape);
    if (made instanceof DenseTensor target) {
      run(call, rule, target, self, second);
    }
    return made;
  }

  /**
   * Combines {@code self} with {@code second} in place; false, without any effect, if this path
   * does not apply.
   *
   * @param second as for {@link #compute}
   */
  static boolean write(Call call, Rule rule, DenseTensor self, @Nullable Object second) {
    boolean fit = fit(rule, self, second) && mayOverwrite(self, second);
    if (fit) {
      run(call, rule, self, self, second);
    }
    return fit;
  }

  private static boolean fit(Rule rule, DenseTensor first, @Nullable Object second) {
    return rule instanceof Rule.Numbers
        && rule.takesReals()
        && isRow(first)
        && (second == null || fits(first.shape(), second));
  }

  private static boolean fits(Shape first, Object second) {
    return second instanceof DenseTensor b
        ? isRow(b) && (b.shape().equals(first) || repeats(first, b.shape()))
        : !(second instanceof ComplexNumber);
  }

  private static boolean isRow(DenseTensor tensor) {
    return tensor.dtype() == DType.FLOAT32 && tensor.isContiguous() && tensor.elements() <= MOST;
  }

  /** Whether {@code b}, apart from leading ones, equals the last dimensions of {@code a}. */
  private static boolean repeats(Shape a, Shape b) {
    return a.elements() > 0 && b.elements() > 0 && a.endsWith(b);
  }

  /**
   * The loop that {@link #run} uses for {@code rule} on a tensor of {@code shape} and rows of its
   * last dimensions; null if they go through arrays, do not fit, or are numbers, or if the rule
   * takes other operands.
   */
  static @Nullable RowFormula loop(Rule rule, Shape shape, Shape row, KernelSet kernels) {
    long count = shape.elements();
    long width = row.elements();
    if (!(rule instanceof Rule.Numbers numbers)
        || !rule.takesReals()
        || rule.operands() > 2
        || !(row.equals(shape) || (repeats(shape, row) && width > 1))) {
      return null;
    }
    RowFormula fast = count < SHORT ? null : formula(kernels, rule);
    if (fast == null && width > FEW) {
      return null;
    }
    return fast == null || width < SHORT ? numbers : fast;
  }

  /** Whether {@code self}, the first operand, may be written while the second one is read. */
  private static boolean mayOverwrite(DenseTensor self, @Nullable Object second) {
    return !(second instanceof DenseTensor other)
        || other.storage() != self.storage()
        || (other.layout().offset() == self.layout().offset()
            && other.elements() == self.elements());
  }

  /** Combines operands that {@link #fit}, with the kernel set's own loop if it has one. */
  private static void run(
      Call call, Rule rule, DenseTensor target, DenseTensor first, @Nullable Object second) {
    int count = (int) target.elements();
    if (count == 0) {
      return;
    }
    boolean slow = count < SHORT || isMapped(first) || isMapped(second);
    RowFormula fast = slow ? null : formula(call.environment().kernels(), rule);
    long width = second instanceof DenseTensor b ? b.elements() : 1;
    if (second instanceof DenseTensor row && width > 1) {
      run((Rule.Numbers) rule, fast, target, first, row, (int) width, count);
    } else {
      run((Rule.Numbers) rule, fast, target, first, number(second), count);
    }
  }

  private static boolean isMapped(@Nullable Object operand) {
    return operand instanceof DenseTensor tensor && tensor.segment().isMapped();
  }

  private static @Nullable RowFormula formula(KernelSet kernels, Rule rule) {
    return formula(kernels, DType.FLOAT32, rule);
  }

  /** As {@link #formula(Call, DType, Rule, Object...)}, for operands in no mapped file. */
  private static @Nullable RowFormula formula(KernelSet kernels, DType dtype, Rule rule) {
    double[] constants = rule.constants();
    boolean takes = dtype.isFloating() ? rule.takesReals() : rule.takesIntegers();
    return constants != null && takes ? kernels.rowFormula(dtype, rule.name(), constants) : null;
  }

  /**
   * The kernel set's own loop for {@code rule} on operands of {@code dtype}, whose results have it,
   * too, or are those of a test; null to run the rule's own loop.
   */
  static @Nullable RowFormula formula(Call call, DType dtype, Rule rule, Object... operands) {
    RowFormula own = formula(call.environment().kernels(), dtype, rule);
    if (own == null) {
      return null;
    }
    for (Object operand : operands) {
      if (isMapped(operand)) {
        return null;
      }
    }
    return own;
  }

  private static float number(@Nullable Object second) {
    return switch (second) {
      case null -> 0;
      case DenseTensor single -> single.segment().getAtIndex(JAVA_FLOAT, single.layout().offset());
      default -> (float) Scalars.real(second, DType.FLOAT32);
    };
  }

  private static void run(
      Rule.Numbers rule,
      @Nullable RowFormula fast,
      DenseTensor target,
      DenseTensor first,
      DenseTensor row,
      int width,
      int count) {
    MemorySegment a = first.segment();
    MemorySegment b = row.segment();
    MemorySegment out = target.segment();
    long from = first.layout().offset();
    long to = target.layout().offset();
    long fromRow = row.layout().offset();
    RowFormula direct = fast == null || width < SHORT ? rule : fast;
    Tile tile = fast == null && width > FEW ? Tile.of(DType.FLOAT32, rule, width) : null;
    for (int done = 0; done < count; done += width) {
      if (tile == null) {
        direct.run(a, from + done, b, fromRow, out, to + done, width);
      } else {
        run(tile, rule, target, to + done, first, from + done, row, width);
      }
    }
  }

  private static void run(
      Rule.Numbers rule,
      @Nullable RowFormula fast,
      DenseTensor target,
      DenseTensor first,
      float number,
      int count) {
    long from = first.layout().offset();
    long to = target.layout().offset();
    if (fast != null || count <= FEW) {
      RowFormula direct = fast == null ? rule : fast;
      direct.run(first.segment(), from, number, target.segment(), to, count);
      return;
    }
    Tile tile = Tile.of(DType.FLOAT32, rule, count);
    if (rule.operands() > 1) {
      tile.fill(1, (double) number);
    }
    run(tile, rule, target, to, first, from, null, count);
  }

  /**
   * Processes rows longer than a tile in parts; {@code second} is null if it is in the tile
   * already.
   */
  private static void run(
      Tile tile,
      Rule rule,
      DenseTensor target,
      long to,
      DenseTensor first,
      long from,
      @Nullable DenseTensor second,
      int width) {
    Operand a = Operand.of(first);
    Operand out = Operand.of(target);
    for (int done = 0; done < width; done += Tile.SIZE) {
      int part = Math.min(Tile.SIZE, width - done);
      tile.load(0, 0, a, from + done, 1, part);
      if (second != null) {
        tile.load(1, 0, Operand.of(second), second.layout().offset() + done, 1, part);
      }
      tile.run(rule, out, to + done, 1, part);
    }
  }
}
