package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException.ValueException;
import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MXNet's {@code PushFuncND} of {@code tests/cpp/engine/threaded_engine_test.cc}: a user's function
 * over lists of tensors that it reads and of tensors that it writes. The rest of that test cannot
 * be written here: a kernel is over when it returns, so nothing completes it from elsewhere; its
 * parameters are its own captures and need no deleter; lists know their length, so none is
 * negative.
 */
class MxnetPushFuncTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";
  private static final String SCHEMA = "test::nd(Tensor[] r, Tensor(a!)[] w) -> ()";
  private static final int TENSORS = 5;

  private final AtomicInteger ran = new AtomicInteger();

  private EagerTrial trial(EngineOptions engine) {
    return new EagerTrial(engine, catalog -> catalog.none(SCHEMA, this::sum));
  }

  /** Adds one, and the elements of all tensors that are read, to each tensor that is written. */
  private @Nullable Fault sum(Call call) {
    ran.incrementAndGet();
    float sum = 1;
    for (Object read : call.list(0)) {
      sum += ((DenseTensor) read).segment().getAtIndex(ValueLayout.JAVA_FLOAT, 0);
    }
    for (Object written : call.list(1)) {
      var cell = ((DenseTensor) written).segment();
      float old = cell.getAtIndex(ValueLayout.JAVA_FLOAT, 0);
      cell.setAtIndex(ValueLayout.JAVA_FLOAT, 0, (old + sum) % 1000);
    }
    return null;
  }

  private static Tensor[] cells(EagerTrial trial) {
    Tensor[] cells = new Tensor[TENSORS];
    Arrays.setAll(cells, i -> trial.context.full((double) i, 1));
    return cells;
  }

  /** The tensors of {@code cells} whose bit in {@code split} is {@code bit}. */
  private static List<Tensor> part(Tensor[] cells, int split, int bit) {
    List<Tensor> part = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      if ((split >> i & 1) == bit) {
        part.add(cells[i]);
      }
    }
    return part;
  }

  private static void split(float[] cells, int split) {
    float sum = 1;
    for (int i = 0; i < cells.length; i++) {
      sum += (split >> i & 1) == 0 ? cells[i] : 0;
    }
    for (int i = 0; i < cells.length; i++) {
      cells[i] = (split >> i & 1) == 0 ? cells[i] : (cells[i] + sum) % 1000;
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void pushFuncNdEachSplitOfFiveTensorsRunsOnceAndInItsTurn(EngineOptions engine) {
    try (EagerTrial trial = trial(engine)) {
      Tensor[] cells = cells(trial);
      float[] expected = {0, 1, 2, 3, 4};
      for (int split = 0; split < 1 << TENSORS; split++) {
        assertEquals(
            0,
            trial.context.applyMany("test::nd", 0, part(cells, split, 0), part(cells, split, 1))
                .length);
        split(expected, split);
      }
      float[] found = new float[TENSORS];
      for (int i = 0; i < TENSORS; i++) {
        found[i] = cells[i].floats()[0];
      }
      assertArrayEquals(expected, found);
      trial.context.waitAll();
      assertEquals(1 << TENSORS, ran.get());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void pushFuncNdAFailedTensorAmongThoseReadFailsThoseWrittenAndNoOther(EngineOptions engine) {
    try (EagerTrial trial = trial(engine)) {
      Tensor[] cells = cells(trial);
      cells[1] = trial.invalid();
      trial.context.applyMany("test::nd", 0, part(cells, 0b11000, 0), part(cells, 0b11000, 1));
      assertThrows(ValueException.class, cells[3]::floats, "F2");
      assertThrows(ValueException.class, cells[4]::floats, "F2");
      assertArrayEquals(new float[] {0}, cells[0].floats());
      assertArrayEquals(new float[] {2}, cells[2].floats());
      assertEquals(0, ran.get());
    }
  }
}
