package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dtypes in which operations compute that promote their operands in their own way. */
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

  private Tensor put(Tensor self, Tensor value, boolean adds, Object... indices) {
    return context.apply("aten::index_put", self, List.of(indices), value, adds);
  }

  @Test
  void oneElementFillsAMaskWhateverItsDtype() {
    Tensor mask = context.of(Shape.of(3), 1L, 0L, 1L).to(DType.BOOL);
    Tensor reals = context.zeros(DType.FLOAT64, 3);
    Tensor number = context.full(DType.FLOAT32, 2.75);
    double[] filled = {2.75, 0, 2.75};
    assertArrayEquals(filled, put(reals, number, false, mask).doubles());
    assertArrayEquals(filled, put(reals, number.reshape(1, 1), false, mask).doubles());
    assertArrayEquals(
        filled, put(reals, context.full(DType.FLOAT64, 2.75, 1, 1), false, mask).doubles());
    Tensor old = mask.to(DType.UINT8);
    assertArrayEquals(filled, put(reals, number, false, old).doubles());
    Tensor part = context.of(Shape.of(3), 1f, 2.75f, 3f).get(Index.at(1));
    assertArrayEquals(filled, put(reals, part, false, mask).doubles());
    Tensor integers = context.zeros(DType.INT64, 3);
    Tensor into = integers.applyInPlace("aten::index_put_", integers, List.of(mask), number, false);
    assertArrayEquals(new long[] {2, 0, 2}, into.longs());
    Tensor truths = put(context.zeros(DType.BOOL, 3), context.full(0.5), false, mask);
    assertArrayEquals(new long[] {1, 0, 1}, truths.to(DType.INT64).longs());
    Tensor columns = put(context.zeros(DType.FLOAT64, 2, 3), number, false, None.NONE, mask);
    assertArrayEquals(new double[] {2.75, 0, 2.75, 2.75, 0, 2.75}, columns.doubles());
  }

  @Test
  void whatFillsNoMaskHasTheDtypeOfTheTensor() {
    Tensor mask = context.of(Shape.of(3), 1L, 0L, 1L).to(DType.BOOL);
    Tensor reals = context.zeros(DType.FLOAT64, 3);
    Tensor number = context.full(DType.FLOAT32, 2.75);
    Tensor rows = context.of(Shape.of(2), 0L, 1L);
    for (Tensor refused :
        List.of(
            put(reals, number, true, mask),
            put(reals, context.ones(DType.FLOAT32, 2), false, mask),
            put(reals, number, false, rows),
            put(reals.reshape(1, 3), number, false, rows.get(Slice.to(1)), mask))) {
      assertThrows(StaunchException.DTypeException.class, refused::doubles);
    }
    Tensor bytes = put(context.zeros(DType.UINT8, 3), context.full(300L), false, mask);
    assertThrows(StaunchException.ValueException.class, bytes::longs);
  }

  private static long code(DType dtype) {
    return dtype.code();
  }
}
