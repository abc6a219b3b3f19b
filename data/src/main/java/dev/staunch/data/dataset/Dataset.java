package dev.staunch.data.dataset;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.PrefetchOptions;
import dev.staunch.data.Prefetcher;
import dev.staunch.data.Source;
import dev.staunch.data.dataset.SubstitutedRows.Substitution;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.data.row.RowWriter;
import dev.staunch.data.row.Shard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A recipe for batches: where examples come from, and in which order. Holds nothing open. Immutable
 * and thread-safe.
 *
 * <p>By default, a batch has one example, examples come in the order of the files, one thread
 * decodes them, the last batch is padded with the first examples, and the first fault stops the
 * epoch.
 */
public final class Dataset {
  private static final int NO_WINDOW = 0;

  private final Examples examples;
  private final int batch;
  private final LastBatch last;
  private final int window;
  private final ReadOptions readOptions;
  private final FaultPolicy<TensorBatch> policy;
  private final PrefetchOptions prefetch;
  private final @Nullable Substitution substitution;

  private Dataset(
      Examples examples,
      int batch,
      LastBatch last,
      int window,
      ReadOptions readOptions,
      FaultPolicy<TensorBatch> policy,
      PrefetchOptions prefetch,
      @Nullable Substitution substitution) {
    this.examples = examples;
    this.batch = batch;
    this.last = last;
    this.window = window;
    this.readOptions = readOptions;
    this.policy = policy;
    this.prefetch = prefetch;
    this.substitution = substitution;
  }

  public static Dataset of(Examples examples) {
    return new Dataset(
        examples,
        1,
        LastBatch.PAD_REPEAT,
        NO_WINDOW,
        ReadOptions.PLAIN,
        FaultPolicy.stop(),
        PrefetchOptions.defaults(),
        null);
  }

  /** Sets how many examples make a batch. */
  public Dataset withBatch(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("a batch has at least 1 example, not " + size);
    }
    return new Dataset(examples, size, last, window, readOptions, policy, prefetch, substitution);
  }

  public Dataset withLast(LastBatch what) {
    return new Dataset(examples, batch, what, window, readOptions, policy, prefetch, substitution);
  }

  /**
   * Shuffles each epoch in its own order, drawn over all examples. Indexed examples are read in
   * that order; others are held on the heap, one epoch at a time.
   */
  public Dataset withShuffle(long seed) {
    ReadOptions how = readOptions.withSeed(seed).withPermuted(examples.isIndexed());
    int whole = examples.isIndexed() ? NO_WINDOW : Integer.MAX_VALUE;
    return new Dataset(examples, batch, last, whole, how, policy, prefetch, substitution);
  }

  /**
   * Like {@link #withShuffle(long)}, but draws each example from {@code size} neighbouring ones.
   */
  public Dataset withShuffle(long seed, int size) {
    if (size < 1) {
      throw new IllegalArgumentException("a window has at least 1 example, not " + size);
    }
    ReadOptions how = readOptions.withSeed(seed).withPermuted(false);
    return new Dataset(examples, batch, last, size, how, policy, prefetch, substitution);
  }

  /** Sets the seed for augmentation without shuffling. */
  public Dataset withSeed(long seed) {
    ReadOptions how = readOptions.withSeed(seed);
    return new Dataset(examples, batch, last, window, how, policy, prefetch, substitution);
  }

  /** Sets how many threads decode; the output is the same for any number. */
  public Dataset withDecoders(int number) {
    ReadOptions how = readOptions.withDecoders(number);
    return new Dataset(examples, batch, last, window, how, policy, prefetch, substitution);
  }

  /** Reads only part {@code index}, counted from 0, of {@code count}. */
  public Dataset withShard(int index, int count) {
    ReadOptions how = readOptions.withShard(new Shard(index, count));
    return new Dataset(examples, batch, last, window, how, policy, prefetch, substitution);
  }

  /** Sets what happens at a fault. */
  public Dataset withPolicy(FaultPolicy<TensorBatch> what) {
    return new Dataset(examples, batch, last, window, readOptions, what, prefetch, substitution);
  }

  /**
   * Replaces each example that cannot be read, so that batches stay as full as they would be. The
   * faults are counted in {@link DataIterator#metrics} and reported to {@link
   * PrefetchOptions#reports}. Faults beyond the first {@code most} of an epoch, and a replacement
   * that lacks elements, are left to the {@linkplain #withPolicy policy}.
   *
   * @param made writes the replacement, anew in each epoch; called on the thread that reads ahead
   */
  public Dataset withSubstitutes(long most, BiConsumer<? super Fault, ? super RowWriter> made) {
    Substitution what = new Substitution(most, made);
    return new Dataset(examples, batch, last, window, readOptions, policy, prefetch, what);
  }

  /**
   * Sets how far to read ahead, and who receives reports of faults that were passed over. The limit
   * on bytes applies to the waiting batches, which never take more than half of the memory's
   * budget, and separately to what the decoders hold before it becomes a batch.
   */
  public Dataset withPrefetch(PrefetchOptions options) {
    ReadOptions how = readOptions.withBytes(options.bytes());
    return new Dataset(examples, batch, last, window, how, policy, options, substitution);
  }

  /** The receiver of faults that nobody else sees. */
  Consumer<Fault> reports() {
    return prefetch.reports();
  }

  public String name() {
    return examples.name();
  }

  public int batch() {
    return batch;
  }

  public LastBatch last() {
    return last;
  }

  /**
   * Everything that determines the order of examples and their split into batches, as one number.
   */
  long settings() {
    Shard shard = readOptions.shard();
    return Objects.hash(
        batch,
        last.name(),
        window,
        shard.index(),
        shard.count(),
        readOptions.seed(),
        readOptions.permuted());
  }

  /**
   * Opens the examples in the configured order.
   *
   * @param substituted receives each fault whose example was replaced
   */
  RowStream stream(Consumer<Fault> substituted) throws IOException {
    RowStream read = examples.open(readOptions);
    RowStream plain =
        substitution == null ? read : new SubstitutedRows(read, substitution, substituted);
    return window == NO_WINDOW ? plain : new ShuffledRows(plain, window, readOptions.seed());
  }

  /**
   * Opens an iterator at the start of epoch 0. Batches take their memory from {@code memory}. Any
   * problem with the data, including a missing file, is delivered as a fault in its place.
   */
  public DataIterator open(OffHeap memory) {
    return opened(memory, null);
  }

  /**
   * Opens an iterator at the position of another one with the same settings. Uncompressed text, idx
   * and NumPy files, tensors and arrays are entered less than a part of 256 KiB before that
   * position. For other sources, and for anything that is shuffled in a window or has substitutes,
   * the epoch is read again up to the position.
   *
   * @throws dev.staunch.fault.StaunchException.ValueException if the position belongs to other
   *     settings
   */
  public DataIterator openAt(OffHeap memory, Position position) {
    if (position.settings() != settings()) {
      throw Fault.value(
              Message.of(
                  "the position %s is not one of this dataset: batch, last batch, order, seed or"
                      + " shard are different",
                  position))
          .toException();
    }
    return opened(memory, position);
  }

  private DataIterator opened(OffHeap memory, @Nullable Position position) {
    Counts counts = new Counts();
    Source<TensorBatch> source = new Batcher(this, memory, counts, position);
    long half = Math.max(1, memory.budgetBytes() / 2); // the rest is for the takers
    PrefetchOptions ahead = prefetch.withBytes(Math.min(half, prefetch.bytes()));
    return new DataIterator(Prefetcher.open(source, ahead, policy), counts);
  }
}
