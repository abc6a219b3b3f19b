package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.operation.None;
import dev.staunch.type.Shape;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pairs of reals that begin at an odd element of their storage. */
class OddPairsTest extends OpenContext {
  private static final None NONE = None.NONE;

  /** With libtorch's answer. */
  @Test
  void aSignalIsMadeOfThem() {
    double[] numbers = IntStream.range(0, 31).asDoubleStream().toArray();
    Tensor all = context.of(Shape.of(31), numbers);
    Tensor pairs = all.narrow(0, 1, 30).view(5, 3, 2);
    Tensor signal =
        context.apply("aten::istft", pairs, 8L, NONE, NONE, NONE, true, false, NONE, NONE, false);
    assertArrayEquals(new double[] {6.6667, -5.9832, 0, 0.4547}, signal.doubles(), 1e-4);
  }
}
