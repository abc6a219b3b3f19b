package dev.staunch.data.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.array.TensorExamples;
import dev.staunch.data.dataset.DataIterator;
import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two sets of examples, side by side. */
class ZippedExamplesTest {
  private final Session session = new Session();

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  private static Examples pairs(int left, int right) {
    long[] numbers = new long[left];
    double[] halves = new double[right];
    for (int i = 0; i < left; i++) {
      numbers[i] = i;
    }
    for (int i = 0; i < right; i++) {
      halves[i] = i / 2.0;
    }
    return Examples.zip(
        TensorExamples.named("numbers").with("n", numbers),
        TensorExamples.named("halves").with("h", halves));
  }

  @Test
  void eachShardHasEveryNthPair() {
    List<String> all = new ArrayList<>();
    for (int index = 0; index < 3; index++) {
      List<String> shard = session.all(Dataset.of(pairs(700, 700)).withShard(index, 3)).batches();
      assertEquals(index == 0 ? 234 : 233, shard.size());
      for (int i = 0; i < shard.size(); i++) {
        int n = 3 * i + index;
        assertEquals("[" + n + "] | [" + n / 2.0 + "]", shard.get(i));
      }
      all.addAll(shard);
    }
    assertEquals(700, all.stream().distinct().count());
  }

  @Test
  void aResetBeginsAgainWithBoth() {
    DataIterator iterator = session.open(Dataset.of(pairs(5, 5)).withShard(1, 2));
    for (int epoch = 0; epoch < 3; epoch++) {
      assertEquals(List.of("[1] | [0.5]", "[3] | [1.5]"), Session.rest(iterator));
      iterator.reset();
    }
  }

  @Test
  void whereOneEndsFirstIsAFault() {
    Session.Seen seen = session.all(Dataset.of(pairs(3, 2)));
    assertEquals(List.of("[0] | [0.0]", "[1] | [0.5]"), seen.batches());
    assertTrue(
        seen.faults().getFirst().message().contains("ends after 2 examples"),
        seen.faults().toString());
  }
}
