package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** torchaudio's recursive filter against its difference equation, element by element. */
class RecursiveFiltersTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 26);
  private final Context context = Context.open(memory);

  @AfterEach
  void close() {
    context.close();
    memory.close();
  }

  private static Tensor filtered(Tensor signal, Tensor a, Tensor b) {
    return signal.context().apply("torchaudio::_lfilter", signal, a, b);
  }

  private static double[] elements(Tensor tensor) {
    return tensor.to(DType.FLOAT64).contiguous().doubles();
  }

  private void check(DType dtype, int batch, int channels, int time, int order) {
    Tensor signal = context.uniform(-1, 1, batch, time, channels).to(dtype).transpose(1, 2);
    double most = 1.0 / order; // less in all than the first, so that nothing grows
    Tensor a = context.uniform(-most, most, order, channels).to(dtype).transpose(0, 1).contiguous();
    a.select(1, 0).fill_(1.5);
    Tensor b = context.uniform(-1, 1, order, channels).to(dtype).transpose(0, 1);
    Tensor result = filtered(signal, a, b);
    assertEquals(dtype, result.dtype());
    double[] x = elements(signal);
    double[] found = elements(result);
    double[] back = elements(a);
    double[] forward = elements(b);
    double[] wanted = new double[x.length];
    for (int at = 0; at < x.length; at++) {
      int first = at / time * time;
      int factors = at / time % channels * order;
      double sum = 0;
      for (int k = 0; k < order && at - k >= first; k++) {
        sum += forward[factors + k] * x[at - k];
        sum -= k == 0 ? 0 : back[factors + k] * wanted[at - k];
      }
      wanted[at] = sum / back[factors];
    }
    assertArrayEquals(wanted, found, dtype == DType.FLOAT32 ? 2e-5 : 1e-12);
  }

  @Test
  void eachElementFollowsFromThePastOnes() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      check(dtype, 1, 1, 5, 1);
      check(dtype, 2, 3, 7, 3);
      check(dtype, 1, 2, 3, 6);
      check(dtype, 3, 2, 2500, 4);
      check(dtype, 1, 1, 3000, 1100);
    }
  }

  @Test
  void whatDoesNotFitIsAFault() {
    Tensor signal = context.zeros(1, 2, 8);
    Tensor factors = context.ones(2, 3);
    assertEquals(FaultType.SHAPE, fault(context.zeros(2, 8), factors, factors).type());
    assertEquals(FaultType.SHAPE, fault(signal, context.ones(1, 3), factors).type());
    assertEquals(FaultType.SHAPE, fault(signal, factors, context.ones(2, 4)).type());
    assertEquals(FaultType.DTYPE, fault(signal, factors.to(DType.FLOAT64), factors).type());
    Tensor many = context.ones(2, (1 << 16) + 1);
    assertTrue(fault(signal, many, many).message().contains("coefficients"));
  }

  private static Fault fault(Tensor signal, Tensor a, Tensor b) {
    return assertThrows(StaunchException.class, () -> filtered(signal, a, b).floats()).fault();
  }
}
