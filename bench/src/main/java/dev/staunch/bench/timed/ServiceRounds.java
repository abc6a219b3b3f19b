package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A service with 51 requests in flight, one of them invalid. Each request takes two rows of a table
 * by index and adds 1. Counts how requests end, starting with the first request of the process, so
 * there is no warm-up.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 10, batchSize = ServiceRounds.BATCH)
public class ServiceRounds {
  /** Requests in flight. */
  public static final int IN_FLIGHT = 51;

  /** Rounds in a shot: 10,000 valid requests. */
  public static final int BATCH = 200;

  private static final float[] ANSWER = {8, 8};

  private final Context context = Context.open(OffHeap.withDefaultBudget());
  private final Tensor table = context.full(7.0, 64);
  private final Tensor good = context.tensor(new long[] {1, 1});
  private final Tensor bad = context.tensor(new long[] {99, 99});
  private final Random random = new Random(1);

  /** How requests ended. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Outcomes {
    /** Valid requests. */
    public long valid;

    /** Valid requests that got a wrong value. */
    public long wrong;

    /** Valid requests that got a fault. */
    public long mistaken;

    /** Invalid requests that got no fault. */
    public long missed;
  }

  @TearDown
  public void close() {
    context.close();
  }

  /** Sends 51 requests, then reads every answer. */
  @Benchmark
  public void round(Outcomes outcomes) {
    int invalid = random.nextInt(IN_FLIGHT);
    Tensor[] rows = new Tensor[IN_FLIGHT];
    Tensor[] answers = new Tensor[IN_FLIGHT];
    for (int i = 0; i < IN_FLIGHT; i++) {
      rows[i] = table.indexSelect(0, i == invalid ? bad : good);
      answers[i] = rows[i].add(1.0);
    }
    for (int i = 0; i < IN_FLIGHT; i++) {
      judge(answers[i], i == invalid, outcomes);
    }
    for (int i = 0; i < IN_FLIGHT; i++) {
      answers[i].close();
      rows[i].close();
    }
  }

  private static void judge(Tensor answer, boolean invalid, Outcomes outcomes) {
    outcomes.valid += invalid ? 0 : 1;
    try {
      float[] values = answer.floats();
      if (invalid) {
        outcomes.missed++;
      } else if (!Arrays.equals(values, ANSWER)) {
        outcomes.wrong++;
      }
    } catch (StaunchException e) {
      outcomes.mistaken += invalid ? 0 : 1;
    }
  }
}
