package dev.staunch.bench.timed;

import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The limit of the machine: fused multiplications and additions of float32 vectors that never leave
 * their registers. A score of n means n billion vectors a second; each lane counts twice.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FmaPeak {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int ROUNDS = 10_000;
  private static final int CHAINS = 10;

  private float factor = 0.9f;

  /** For JMH. */
  public FmaPeak() {}

  @Benchmark
  @OperationsPerInvocation(ROUNDS * CHAINS)
  public float multiplyAndAdd() {
    FloatVector y = FloatVector.broadcast(SPECIES, factor);
    FloatVector a = y;
    FloatVector b = y;
    FloatVector c = y;
    FloatVector d = y;
    FloatVector e = y;
    FloatVector f = y;
    FloatVector g = y;
    FloatVector h = y;
    FloatVector i = y;
    FloatVector j = y;
    for (int round = 0; round < ROUNDS; round++) {
      a = a.fma(y, y);
      b = b.fma(y, y);
      c = c.fma(y, y);
      d = d.fma(y, y);
      e = e.fma(y, y);
      f = f.fma(y, y);
      g = g.fma(y, y);
      h = h.fma(y, y);
      i = i.fma(y, y);
      j = j.fma(y, y);
    }
    FloatVector sum = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).add(i).add(j);
    return sum.lane(0);
  }
}
