package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import org.junit.jupiter.api.Test;

/** In which dtype operations compute that promote their operands in a way of their own. */
class PromotedOperandsTest extends OpenContext {
  @Test
  void aSeriesOfIntegersHasWholeExponents() {
    Tensor series = context.apply("aten::logspace", 1.75, 3L, 2L, 10.0, code(DType.INT64));
    assertArrayEquals(new long[] {10, 1000}, series.longs());
    Tensor single = context.apply("aten::logspace", 0.5, 2.5, 1L, 10.0, code(DType.INT64));
    assertArrayEquals(new long[] {3}, single.longs());
    Tensor reals = context.apply("aten::logspace", 0.5, 3L, 2L, 4.0, code(DType.FLOAT64));
    assertArrayEquals(new double[] {2, 64}, reals.doubles(), 1e-12);
  }

  @Test
  void aSoftMarginLossHasTheDtypeOfItsInput() {
    Tensor target = context.ones(DType.FLOAT64, 1);
    Tensor loss =
        context.apply("aten::soft_margin_loss", context.zeros(DType.FLOAT16, 1), target, 0L);
    assertEquals(DType.FLOAT16, loss.dtype());
    assertEquals(Math.log(2), loss.item(), 1e-3);
  }

  @Test
  void aCosineIsOfTheWiderDtypeEvenOfANumber() {
    Tensor vectors = context.ones(DType.FLOAT16, 2, 2);
    Tensor number = context.ones(DType.FLOAT32);
    Tensor cosine = context.apply("aten::cosine_similarity", vectors, number, 1L, 1e-8);
    assertEquals(DType.FLOAT32, cosine.dtype());
    assertArrayEquals(new double[] {1, 1}, cosine.doubles(), 1e-6);
  }

  @Test
  void aTensorWithoutDimensionsTakesOneElementOfASource() {
    Tensor self = context.zeros(DType.INT64);
    Tensor source = context.ones(DType.INT64);
    Tensor one = context.zeros(DType.INT64, 1);
    Tensor added = context.apply("aten::scatter_add", self, 0L, one, source);
    assertEquals(1, added.itemLong());
    Tensor four = context.zeros(DType.INT64, 4);
    assertThrows(
        StaunchException.ShapeException.class,
        () -> context.applyValue("aten::scatter_add", self, 0L, four, source));
  }

  private static long code(DType dtype) {
    return dtype.code();
  }
}
