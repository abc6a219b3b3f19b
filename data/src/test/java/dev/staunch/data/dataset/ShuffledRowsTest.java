package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.data.row.Rows;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contents of a shuffle window are bounded by bytes. */
class ShuffledRowsTest {
  private static final int ROWS = 40_000;

  /** Rows of 96 bytes. */
  private static final Examples NUMBERS =
      Examples.of(
          "numbers",
          List.of(Field.of("data", DType.INT64, 12)),
          () -> {
            int[] next = {0};
            return row -> {
              for (int i = 0; i < 12; i++) {
                row.put(0, 1L);
              }
              return next[0]++ < ROWS;
            };
          });

  /** The faults of an epoch; good rows are counted in {@code good[0]}. */
  private static List<Fault> faults(int window, long mostBytes, int[] good) throws Exception {
    List<Fault> faults = new ArrayList<>();
    try (RowStream rows = new ShuffledRows(NUMBERS.open(ReadOptions.PLAIN), window, 1, mostBytes)) {
      for (Rows run = rows.next(); run != null; run = rows.next()) {
        for (int i = 0; i < run.count(); i++) {
          Fault fault = run.faultAt(i);
          if (fault == null) {
            good[0]++;
          } else {
            faults.add(fault);
          }
        }
      }
    }
    return faults;
  }

  @Test
  void aWindowThatFitsIsShuffledHoweverMuchIsRead() throws Exception {
    int[] good = {0};
    assertEquals(List.of(), faults(10_000, 2_000_000, good));
    assertEquals(ROWS, good[0]);
  }

  @Test
  void aWindowThatIsTooLargeIsAFaultAndTheEnd() throws Exception {
    int[] good = {0};
    List<Fault> faults = faults(ROWS, 2_000_000, good);
    assertEquals(1, faults.size());
    assertTrue(good[0] > 20_000, "the rows before it come all the same: " + good[0]);
    Fault first = faults.getFirst();
    assertEquals(FaultType.UNSUPPORTED, first.type());
    String text =
        "the rows to shuffle take more than 2000000 bytes on the heap, \\d+ rows so far;"
            + " choose a window of fewer";
    assertTrue(first.message().matches(text), first::message);
  }
}
