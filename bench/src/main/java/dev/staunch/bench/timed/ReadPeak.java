package dev.staunch.bench.timed;

import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How fast float32 vectors are read that were read before: from the level-1 cache if all of them
 * fit, else from the next one, in the end from memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReadPeak {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final int CHAINS = 8;

  /** How much is read, in KiB; a power of two. */
  @Param({"8", "128", "4096", "131072"})
  public int kibi;

  private float[] elements = {};

  /** For JMH. */
  public ReadPeak() {}

  /** Reads {@code kibi} KiB, a power of two. */
  public static ReadPeak of(int kibi) {
    ReadPeak peak = new ReadPeak();
    peak.kibi = kibi;
    peak.allocate();
    return peak;
  }

  /** Makes what is read. */
  @Setup
  public void allocate() {
    elements = new float[kibi * 1024 / Float.BYTES];
  }

  /** Reads all of it once. */
  @Benchmark
  public float read() {
    FloatVector a = FloatVector.zero(SPECIES);
    FloatVector b = a;
    FloatVector c = a;
    FloatVector d = a;
    FloatVector e = a;
    FloatVector f = a;
    FloatVector g = a;
    FloatVector h = a;
    for (int at = 0; at < elements.length; at += CHAINS * LANES) {
      a = a.add(FloatVector.fromArray(SPECIES, elements, at));
      b = b.add(FloatVector.fromArray(SPECIES, elements, at + LANES));
      c = c.add(FloatVector.fromArray(SPECIES, elements, at + 2 * LANES));
      d = d.add(FloatVector.fromArray(SPECIES, elements, at + 3 * LANES));
      e = e.add(FloatVector.fromArray(SPECIES, elements, at + 4 * LANES));
      f = f.add(FloatVector.fromArray(SPECIES, elements, at + 5 * LANES));
      g = g.add(FloatVector.fromArray(SPECIES, elements, at + 6 * LANES));
      h = h.add(FloatVector.fromArray(SPECIES, elements, at + 7 * LANES));
    }
    return a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).reduceLanes(VectorOperators.ADD);
  }
}
