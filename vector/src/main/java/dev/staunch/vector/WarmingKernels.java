package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.kernel.primitive.RowCast;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.primitive.RowNormalization;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.kernel.primitive.RowSum;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.type.DType;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A set that is fast at once and faster later. One set serves until the JVM has compiled another,
 * which then replaces it for good. Prepared primitives run on the other set from then on. The
 * second set is warmed up in the background, once the first has worked long enough to show that
 * this pays. Thread-safe.
 */
final class WarmingKernels extends LayeredKernelSet {
  /** A process that has done this much work is likely to continue working. */
  static final long PATIENCE_NANOS = 2_000_000_000;

  /** What a call counts in addition to its time: many small calls are sustained work, too. */
  static final long CALL_NANOS = 25_000;

  private final KernelSet first;
  private final KernelSet second;
  private final BooleanSupplier warmer;
  private final Executor background;
  private final long patienceNanos;
  private final AtomicLong worked = new AtomicLong();
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile boolean warm;

  /**
   * @param warmer warms {@code second} up, and returns whether it is now the faster one
   * @param background runs the warmer
   * @param patienceNanos how much work of {@code first} triggers the warmer
   */
  WarmingKernels(
      KernelSet first,
      KernelSet second,
      BooleanSupplier warmer,
      Executor background,
      long patienceNanos) {
    super(second.name(), first);
    this.first = first;
    this.second = second;
    this.warmer = warmer;
    this.background = background;
    this.patienceNanos = patienceNanos;
  }

  @Override
  public boolean isWarm() {
    return warm;
  }

  @Override
  public void warmUp() {
    if (begun.compareAndSet(false, true)) {
      background.execute(this::tryTheSecond);
    }
  }

  /**
   * Classes of the second set may no longer be loadable: a container closes the class loader of a
   * program that it replaces, and this thread may be the last to notice.
   */
  private void tryTheSecond() {
    try {
      warm = warmer.getAsBoolean();
    } catch (LinkageError e) {
      System.getLogger(WarmingKernels.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the plain kernels go on serving, for the others cannot be loaded: " + e);
    }
  }

  @Override
  public KernelSet warm() {
    return second;
  }

  /** One primitive of both sets. */
  private final class Choice<P> {
    private final Function<KernelSet, P> prepare;
    private final P early;
    private volatile @Nullable P late;

    Choice(Function<KernelSet, P> prepare) {
      this.prepare = prepare;
      this.early = prepare.apply(first);
    }

    /** Returns the primitive to run now; concurrent callers may each prepare the second one. */
    P now() {
      if (!warm) {
        return early;
      }
      P known = late;
      if (known == null) {
        known = prepare.apply(second);
        late = known;
      }
      return known;
    }
  }

  /** The start time of a call; 0 if it is no longer needed. */
  private long begin() {
    return begun.get() ? 0 : System.nanoTime();
  }

  /** Counts a call, and returns its result. */
  private @Nullable Fault ended(long start, @Nullable Fault fault) {
    if (start != 0) {
      long nanos = System.nanoTime() - start + CALL_NANOS;
      if (worked.addAndGet(nanos) > patienceNanos) {
        warmUp();
      }
    }
    return fault;
  }

  @Override
  public MatrixProduct matrixProduct(MatrixProduct.Request request) {
    if (warm) {
      return second.matrixProduct(request);
    }
    Choice<MatrixProduct> choice = new Choice<>(set -> set.matrixProduct(request));
    return (context, a, b, addend, c, epilogue) ->
        ended(begin(), choice.now().run(context, a, b, addend, c, epilogue));
  }

  @Override
  public Convolution convolution(Convolution.Request request) {
    if (warm) {
      return second.convolution(request);
    }
    Choice<Convolution> choice = new Choice<>(set -> set.convolution(request));
    return (context, input, weight, bias, result, epilogue) ->
        ended(begin(), choice.now().run(context, input, weight, bias, result, epilogue));
  }

  @Override
  public boolean prefersChannelsLast(Convolution.Request request) {
    return second.prefersChannelsLast(request);
  }

  @Override
  public Pooling pooling(Pooling.Request request) {
    if (warm) {
      return second.pooling(request);
    }
    Choice<Pooling> choice = new Choice<>(set -> set.pooling(request));
    return (context, input, result) -> ended(begin(), choice.now().run(context, input, result));
  }

  @Override
  public RowNormalization rowNormalization(RowNormalization.Request request) {
    if (warm) {
      return second.rowNormalization(request);
    }
    Choice<RowNormalization> choice = new Choice<>(set -> set.rowNormalization(request));
    return (context, input, weight, bias, result) ->
        ended(begin(), choice.now().run(context, input, weight, bias, result));
  }

  @Override
  public ChannelNormalization channelNormalization(ChannelNormalization.Request request) {
    if (warm) {
      return second.channelNormalization(request);
    }
    Choice<ChannelNormalization> choice = new Choice<>(set -> set.channelNormalization(request));
    return (context, input, weight, bias, mean, variance, result) ->
        ended(begin(), choice.now().run(context, input, weight, bias, mean, variance, result));
  }

  @Override
  public Softmax softmax(Softmax.Request request) {
    if (warm) {
      return second.softmax(request);
    }
    Choice<Softmax> choice = new Choice<>(set -> set.softmax(request));
    return (context, input, result) -> ended(begin(), choice.now().run(context, input, result));
  }

  @Override
  public Copy copy(Copy.Request request) {
    return warm ? second.copy(request) : first.copy(request);
  }

  @Override
  public Recurrence recurrence(Recurrence.Request request) {
    if (warm) {
      return second.recurrence(request);
    }
    Choice<Recurrence> choice = new Choice<>(set -> set.recurrence(request));
    return (context, parameters, gates, steps, states, cells, output, column) ->
        ended(
            begin(),
            choice.now().run(context, parameters, gates, steps, states, cells, output, column));
  }

  @Override
  public RowSum rowSum() {
    return warm ? second.rowSum() : first.rowSum();
  }

  @Override
  public @Nullable RowFormula rowFormula(String name) {
    return warm ? second.rowFormula(name) : first.rowFormula(name);
  }

  @Override
  public @Nullable RowReduction rowReduction(RowReduction.Kind kind) {
    return warm ? second.rowReduction(kind) : first.rowReduction(kind);
  }

  @Override
  public @Nullable RowCast rowCast(DType narrow) {
    return warm ? second.rowCast(narrow) : first.rowCast(narrow);
  }
}
