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
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A set that is fast at once and faster later. One set serves until the JVM has compiled another,
 * which then replaces it for good, {@linkplain KernelGroup group} by group: prepared primitives run
 * on the other set from then on. Groups are warmed up in the background once they are used and the
 * first set has worked long enough to show that this pays. Thread-safe.
 */
final class WarmingKernels extends LayeredKernelSet {
  /** A process that has done this much work is likely to continue working. */
  static final long PATIENCE_NANOS = 1_000_000_000;

  /** What a call counts in addition to its time: many small calls are sustained work, too. */
  static final long CALL_NANOS = 25_000;

  /**
   * Compilation takes long on a busy machine, and never succeeds on one without vectors. With
   * {@link WarmUp#EACH_NANOS} for each attempt, a group is given up after five minutes.
   */
  static final int MOST_ATTEMPTS = 38;

  private final KernelSet first;
  private final KernelSet second;
  private final UnaryOperator<Set<KernelGroup>> warmer;
  private final Executor background;
  private final long patienceNanos;
  private final AtomicLong worked = new AtomicLong();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final Map<KernelGroup, Stage> stages = new ConcurrentHashMap<>();

  /** By dtype and name. */
  private final Map<DType, Map<String, Stage>> formulas =
      new EnumMap<>(
          Map.of(
              DType.FLOAT32, new ConcurrentHashMap<>(),
              DType.FLOAT64, new ConcurrentHashMap<>(),
              DType.INT64, new ConcurrentHashMap<>(),
              DType.INT32, new ConcurrentHashMap<>(),
              DType.INT8, new ConcurrentHashMap<>(),
              DType.UINT8, new ConcurrentHashMap<>(),
              DType.BOOL, new ConcurrentHashMap<>()));

  /** Stages that no warm-up has begun with; guarded by this. */
  private final List<Stage> waiting = new ArrayList<>();

  /** Whether the warmer is at work, or gave a group up before any was fast; guarded by this. */
  private boolean warming;

  /** Whether a group of the second set was the faster one; guarded by this. */
  private boolean isFaster;

  /** How many groups are in use, not warm, and not given up; guarded by this, read by all. */
  private volatile int cold;

  private volatile int version = FINAL_VERSION + 1;

  /**
   * @param warmer tries to warm some groups of {@code second} up, and returns those that are now
   *     the faster ones
   * @param background runs the warmer
   * @param patienceNanos how much work of {@code first} triggers the warmer
   */
  WarmingKernels(
      KernelSet first,
      KernelSet second,
      UnaryOperator<Set<KernelGroup>> warmer,
      Executor background,
      long patienceNanos) {
    super(second.name(), first);
    this.first = first;
    this.second = second;
    this.warmer = warmer;
    this.background = background;
    this.patienceNanos = patienceNanos;
  }

  /** A group that is in use. */
  private static final class Stage {
    private final KernelGroup group;
    private int attempts;
    private volatile boolean warm;

    Stage(KernelGroup group) {
      this.group = group;
    }
  }

  private Stage stage(KernelGroup group) {
    Stage known = stages.get(group);
    return known == null ? newStage(group) : known;
  }

  private synchronized Stage newStage(KernelGroup group) {
    Stage known = stages.get(group);
    if (known != null) {
      return known;
    }
    Stage stage = new Stage(group);
    stages.put(group, stage);
    cold++;
    waiting.add(stage);
    startWarming();
    return stage;
  }

  @Override
  public boolean isWarm() {
    return cold == 0;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public void warmUp() {
    if (begun.compareAndSet(false, true)) {
      startWarming();
    }
  }

  private synchronized void startWarming() {
    if (begun.get() && !warming && !waiting.isEmpty()) {
      warming = true;
      background.execute(this::warmWhatWaits);
    }
  }

  /**
   * Ends for good if the second set is not the faster one here. Its classes may no longer be
   * loadable, too: a container closes the class loader of a program that it replaces, and this
   * thread may be the last to notice.
   */
  private void warmWhatWaits() {
    try {
      List<Stage> some = next();
      while (!some.isEmpty() && replace(some, warmer.apply(groups(some)))) {
        some = next();
      }
    } catch (LinkageError e) {
      System.getLogger(WarmingKernels.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the plain kernels go on serving, for the others cannot be loaded: " + e);
    }
  }

  private static Set<KernelGroup> groups(List<Stage> stages) {
    return stages.stream().map(stage -> stage.group).collect(Collectors.toSet());
  }

  private synchronized List<Stage> next() {
    List<Stage> all = List.copyOf(waiting);
    waiting.clear();
    warming = !all.isEmpty();
    return all;
  }

  /**
   * Lets the groups in {@code fast} serve. The others wait for another attempt, with those that
   * came into use meanwhile, or are given up; returns whether there is to be one.
   */
  private synchronized boolean replace(List<Stage> some, Set<KernelGroup> fast) {
    isFaster |= !fast.isEmpty();
    boolean goOn = true;
    for (Stage stage : some) {
      if (fast.contains(stage.group)) {
        stage.warm = true;
        cold--;
      } else if (++stage.attempts < MOST_ATTEMPTS) {
        waiting.add(stage);
      } else if (isFaster) {
        cold--;
      } else {
        goOn = false;
      }
    }
    if (!fast.isEmpty()) {
      version++;
    }
    return goOn;
  }

  @Override
  public KernelSet warm() {
    return second;
  }

  /** One primitive of both sets. */
  private final class Choice<P extends @Nullable Object> {
    private final Stage stage;
    private final Function<KernelSet, P> prepare;
    private final P early;
    private volatile @Nullable P late;

    Choice(Stage stage, Function<KernelSet, P> prepare) {
      this.stage = stage;
      this.prepare = prepare;
      this.early = prepare.apply(first);
    }

    /** Returns the primitive to run now; concurrent callers may each prepare the second one. */
    P now() {
      if (!stage.warm) {
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
    Stage stage = stage(KernelGroup.of(request));
    if (stage.warm) {
      return second.matrixProduct(request);
    }
    Choice<MatrixProduct> choice = new Choice<>(stage, set -> set.matrixProduct(request));
    return (context, a, b, addend, c, epilogue) ->
        ended(begin(), choice.now().run(context, a, b, addend, c, epilogue));
  }

  @Override
  public Convolution convolution(Convolution.Request request) {
    Stage stage = stage(KernelGroup.of(request));
    if (stage.warm) {
      return second.convolution(request);
    }
    Choice<Convolution> choice = new Choice<>(stage, set -> set.convolution(request));
    return (context, input, weight, bias, result, epilogue) ->
        ended(begin(), choice.now().run(context, input, weight, bias, result, epilogue));
  }

  @Override
  public boolean prefersChannelsLast(Convolution.Request request) {
    stage(KernelGroup.of(request)); // whoever asks this is about to convolve
    return second.prefersChannelsLast(request);
  }

  @Override
  public Pooling pooling(Pooling.Request request) {
    Stage stage = stage(KernelGroup.POOLING.of(request.dtype()));
    if (stage.warm) {
      return second.pooling(request);
    }
    Choice<Pooling> choice = new Choice<>(stage, set -> set.pooling(request));
    return (context, input, result) -> ended(begin(), choice.now().run(context, input, result));
  }

  @Override
  public RowNormalization rowNormalization(RowNormalization.Request request) {
    Stage stage = stage(KernelGroup.ROW_NORMALIZATION.of(request.dtype()));
    if (stage.warm) {
      return second.rowNormalization(request);
    }
    Choice<RowNormalization> choice = new Choice<>(stage, set -> set.rowNormalization(request));
    return (context, input, weight, bias, result) ->
        ended(begin(), choice.now().run(context, input, weight, bias, result));
  }

  @Override
  public ChannelNormalization channelNormalization(ChannelNormalization.Request request) {
    Stage stage = stage(KernelGroup.CHANNEL_NORMALIZATION.of(request.dtype()));
    if (stage.warm) {
      return second.channelNormalization(request);
    }
    Choice<ChannelNormalization> choice =
        new Choice<>(stage, set -> set.channelNormalization(request));
    return (context, input, weight, bias, mean, variance, result) ->
        ended(begin(), choice.now().run(context, input, weight, bias, mean, variance, result));
  }

  @Override
  public Softmax softmax(Softmax.Request request) {
    Stage stage = stage(KernelGroup.SOFTMAX.of(request.dtype()));
    if (stage.warm) {
      return second.softmax(request);
    }
    Choice<Softmax> choice = new Choice<>(stage, set -> set.softmax(request));
    return (context, input, result) -> ended(begin(), choice.now().run(context, input, result));
  }

  @Override
  public Copy copy(Copy.Request request) {
    return serving(KernelGroup.COPY).copy(request);
  }

  @Override
  public Recurrence recurrence(Recurrence.Request request) {
    Stage stage = stage(KernelGroup.RECURRENCE.of(request.dtype()));
    if (stage.warm) {
      return second.recurrence(request);
    }
    Choice<Recurrence> choice = new Choice<>(stage, set -> set.recurrence(request));
    return (context, parameters, gates, steps, states, cells, output, column) ->
        ended(
            begin(),
            choice.now().run(context, parameters, gates, steps, states, cells, output, column));
  }

  @Override
  public RowSum rowSum() {
    return serving(KernelGroup.ROW_SUM).rowSum();
  }

  @Override
  public @Nullable RowFormula rowFormula(DType dtype, String name, double... constants) {
    Map<String, Stage> ofType = formulas.get(dtype);
    if (ofType == null) {
      return null;
    }
    Stage stage = ofType.get(name);
    if (stage == null) {
      if (second.rowFormula(dtype, name, constants) == null) {
        return null;
      }
      stage = stage(KernelGroup.formula(dtype, name));
      ofType.put(name, stage);
    }
    return (stage.warm ? second : first).rowFormula(dtype, name, constants);
  }

  @Override
  public @Nullable RowReduction rowReduction(DType dtype, RowReduction.Kind kind) {
    RowReduction late = second.rowReduction(dtype, kind);
    if (late == null || stage(KernelGroup.REDUCTION.of(dtype)).warm) {
      return late;
    }
    return first.rowReduction(dtype, kind);
  }

  @Override
  public @Nullable RowCast rowCast(DType narrow) {
    return serving(KernelGroup.COPY).rowCast(narrow);
  }

  private KernelSet serving(KernelGroup group) {
    return stage(group).warm ? second : first;
  }
}
