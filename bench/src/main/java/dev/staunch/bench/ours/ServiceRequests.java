package dev.staunch.bench.ours;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * A service with 51 requests in flight, one of them invalid: each takes two rows of a table by
 * index and adds 1. Counts who got what, from the first request of the process on.
 */
final class ServiceRequests {
  /** Requests in flight. */
  static final int IN_FLIGHT = 51;

  /** The rounds that the first figure is about: 10,000 valid requests. */
  static final int FIRST_ROUNDS = 200;

  private static final float[] ANSWER = {8, 8};

  private final Context context;
  private final Tensor table;
  private final Tensor good;
  private final Tensor bad;
  private final Random random = new Random(1);
  private long wrong;
  private long mistaken;
  private long missed;

  private ServiceRequests(Context context) {
    this.context = context;
    this.table = context.full(7.0, 64);
    this.good = context.tensor(new long[] {1, 1});
    this.bad = context.tensor(new long[] {99, 99});
  }

  static Map<String, Double> measure(Effort effort) {
    try (Context context = Context.open(OffHeap.withDefaultBudget())) {
      return new ServiceRequests(context).run(effort.pick(1000, 2000));
    }
  }

  private Map<String, Double> run(int rounds) {
    long started = System.nanoTime();
    double first = 0;
    for (int i = 0; i < rounds; i++) {
      round();
      if (i == FIRST_ROUNDS - 1) {
        first = rate(FIRST_ROUNDS, started);
      }
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("rate", rate(rounds, started));
    figures.put("firstRate", first);
    figures.put("valid", (double) rounds * (IN_FLIGHT - 1));
    figures.put("wrong", (double) wrong);
    figures.put("false", (double) mistaken);
    figures.put("missed", (double) missed);
    figures.put("bytesAbove", (double) context.bytes());
    return figures;
  }

  private static double rate(int rounds, long started) {
    return rounds * IN_FLIGHT * 1e9 / (System.nanoTime() - started);
  }

  private void round() {
    int invalid = random.nextInt(IN_FLIGHT);
    Tensor[] rows = new Tensor[IN_FLIGHT];
    Tensor[] answers = new Tensor[IN_FLIGHT];
    for (int i = 0; i < IN_FLIGHT; i++) {
      rows[i] = table.indexSelect(0, i == invalid ? bad : good);
      answers[i] = rows[i].add(1.0);
    }
    for (int i = 0; i < IN_FLIGHT; i++) {
      judge(answers[i], i == invalid);
    }
    for (int i = 0; i < IN_FLIGHT; i++) {
      answers[i].close();
      rows[i].close();
    }
  }

  private void judge(Tensor answer, boolean invalid) {
    try {
      float[] values = answer.floats();
      if (invalid) {
        missed++;
      } else if (!Arrays.equals(values, ANSWER)) {
        wrong++;
      }
    } catch (StaunchException e) {
      if (!invalid) {
        mistaken++;
      }
    }
  }
}
