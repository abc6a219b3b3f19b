package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** As {@link Integers}, for the elements of a tensor as doubles; any real dtype. */
public final class Reals {
  /** Makes some of the numbers. */
  @FunctionalInterface
  public interface Source {
    /** Stores the numbers {@code first} to {@code first + count} at the start of an array. */
    void load(long first, int count, double[] into);
  }

  /** Uses some of the numbers. */
  @FunctionalInterface
  public interface Use {
    /** Reads the numbers {@code first} to {@code first + count} from the start of an array. */
    void of(long first, int count, double[] values);
  }

  private final CancellationPoll poll;
  private final long size;
  private final Source source;
  private final double[] tile;
  private long start;
  private int loaded;

  /** {@code size} numbers that {@code source} makes, one tile at a time. */
  public Reals(CancellationPoll poll, long size, Source source) {
    this.poll = poll;
    this.size = size;
    this.source = source;
    this.tile = new double[(int) Math.min(Integers.TILE, size)];
  }

  /** The elements of a tensor, row-major, read without copying the tensor. */
  public static Reals of(CancellationPoll poll, DenseTensor tensor) {
    Operand elements = Operand.of(tensor);
    Places places = Places.of(tensor.layout());
    return new Reals(
        poll, tensor.elements(), (first, count, into) -> elements.load(into, places, first, count));
  }

  /** The number of elements. */
  public long size() {
    return size;
  }

  /** Stores the numbers {@code first} to {@code first + count} at the start of an array. */
  public void load(long first, int count, double[] into) {
    source.load(first, count, into);
  }

  /** Number {@code i}, which must exist. */
  public double at(long i) {
    long from = i - start;
    return from >= 0 && from < loaded ? tile[(int) from] : turnTo(i);
  }

  /** Uses all numbers, tile by tile; returns the fault of a cancellation, or null. */
  public @Nullable Fault each(Use use) {
    for (long first = 0; first < size && poll.fault() == null; first += Integers.TILE) {
      at(first);
      use.of(first, loaded, tile);
    }
    return poll.fault();
  }

  private double turnTo(long i) {
    start = i - i % Integers.TILE;
    loaded = (int) Math.min(Integers.TILE, size - start);
    source.load(start, loaded, tile);
    poll.mayContinue(loaded);
    return tile[(int) (i - start)];
  }
}
