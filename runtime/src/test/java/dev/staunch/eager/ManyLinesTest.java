package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.Sample;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Fourier transforms of many lines, wherever these lie, have the bits of transforms of one line
 * each.
 */
class ManyLinesTest {
  private static final List<String> OF_REALS =
      List.of("fft_fft", "fft_ifft", "fft_rfft", "fft_ihfft");
  private static final List<String> OF_NUMBERS =
      List.of("fft_fft", "fft_ifft", "fft_irfft", "fft_hfft");

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FLOAT32", "FLOAT64", "COMPLEX64", "COMPLEX128", "INT32"},
      mode = Mode.INCLUDE)
  void linesInAnyDirection(DType dtype) {
    try (OffHeap memory = OffHeap.withBudget(1 << 26);
        Context context = Context.open(memory)) {
      boolean complex = dtype.kind() == DType.Kind.COMPLEX;
      for (int length : Sample.whole() ? new int[] {16, 33, 64} : new int[] {33, 64}) {
        Tensor parts = context.uniform(-9, 9, 70, length, 2).to(DType.FLOAT64);
        Tensor numbers = context.apply("view_as_complex", parts);
        Tensor lines = (complex ? numbers : parts.select(2, 0)).to(dtype);
        for (String name : complex ? OF_NUMBERS : OF_REALS) {
          for (long n : lengths(length)) {
            Tensor expected = oneByOne(context, name, lines, n);
            same(expected, fft(context, name, lines, n, 1));
            Tensor down = context.apply("contiguous", lines.t(), 0L);
            same(expected, fft(context, name, down, n, 0).t());
            same(expected, fft(context, name, down.t(), n, 1));
            same(expected, fft(context, name, lines.t(), n, 0).t());
          }
        }
      }
    }
  }

  /** Lines that are cut, whole and padded. */
  private static long[] lengths(int length) {
    return Sample.whole()
        ? new long[] {length - 3, length, 64, 70}
        : new long[] {length - 3, length, 70};
  }

  private static Tensor oneByOne(Context context, String name, Tensor lines, long n) {
    Object[] each = new Object[(int) lines.shape().size(0)];
    for (int i = 0; i < each.length; i++) {
      each[i] = fft(context, name, lines.select(0, i), n, 0);
    }
    return context.apply("stack", List.of(each), 0L);
  }

  private static Tensor fft(Context context, String name, Tensor self, long n, long dim) {
    return context.apply(name, self, n, dim, None.NONE);
  }

  private static void same(Tensor expected, Tensor found) {
    assertEquals(expected.shape(), found.shape());
    assertEquals(expected.dtype(), found.dtype());
    assertArrayEquals(doubles(expected), doubles(found));
  }

  private static double[] doubles(Tensor tensor) {
    boolean complex = tensor.dtype().kind() == DType.Kind.COMPLEX;
    Tensor reals = complex ? tensor.context().apply("view_as_real", tensor) : tensor;
    return reals.to(DType.FLOAT64).reshape(-1).doubles();
  }
}
