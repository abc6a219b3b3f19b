package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fourier transforms from and to real numbers equal those of complex ones, whatever their length.
 */
class RealLinesTest {
  private static final double BOUND = 1e-12;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 7, 8, 30, 32, 100, 101})
  void realsAreComplexNumbersWithoutAnotherPart(int length) {
    try (OffHeap memory = OffHeap.withBudget(1 << 22);
        Context context = Context.open(memory)) {
      Tensor real = context.uniform(-1, 1, length, 3).to(DType.FLOAT64);
      Tensor zero = real.mul(0.0);
      Tensor complex = context.apply("complex", real, zero);
      for (long n : new long[] {length, length + 1, Math.max(1, length - 2)}) {
        Tensor forward = fft(context, "fft_fft", complex, n);
        Tensor inverse = fft(context, "fft_ifft", complex, n);
        long half = n / 2 + 1;
        same(forward, fft(context, "fft_fft", real, n));
        same(inverse, fft(context, "fft_ifft", real, n));
        same(forward.narrow(0, 0, half), fft(context, "fft_rfft", real, n));
        same(inverse.narrow(0, 0, half), fft(context, "fft_ihfft", real, n));
        Tensor padded = context.apply("real", fft(context, "fft_ifft", forward, n));
        same(padded, fft(context, "fft_irfft", forward.narrow(0, 0, half), n));
        Tensor doubled = context.apply("real", fft(context, "fft_fft", inverse, n));
        same(doubled, fft(context, "fft_hfft", inverse.narrow(0, 0, half), n));
      }
    }
  }

  private static Tensor fft(Context context, String name, Tensor self, long n) {
    return context.apply(name, self, n, 0L, None.NONE);
  }

  private static void same(Tensor expected, Tensor found) {
    assertEquals(expected.shape(), found.shape());
    assertEquals(expected.dtype(), found.dtype());
    assertEquals(0, expected.sub(found).abs().max().item(), BOUND);
  }
}
