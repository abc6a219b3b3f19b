package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations are called by name as a PyTorch user would call them, with Java's own types. */
class SpellingTest {
  private final EagerTrial trial = new EagerTrial(EngineOptions.serial());
  private final Context context = trial.context;
  private final Tensor x = context.tensor(new float[][] {{3, 1, 2}, {6, 5, 4}});

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  @Test
  void anOperationIsFoundWithoutItsNamespaceAndOverload() {
    assertArrayEquals(new float[] {3, 1, 2, 6, 5, 4}, context.apply("relu", x).floats());
    assertArrayEquals(new float[] {5, 3, 4, 8, 7, 6}, context.apply("add", x, 2).floats());
    assertArrayEquals(new float[] {6, 2, 4, 12, 10, 8}, context.apply("add", x, x).floats());
  }

  @Test
  void javasIntsNullsAndArraysStandForWhatSchemasSay() {
    assertEquals(Shape.of(3, 2), context.apply("reshape", x, new int[] {3, 2}).shape());
    assertEquals(Shape.of(3, 2), context.apply("aten::reshape", x, List.of(3, 2)).shape());
    Tensor both = context.apply("cat", new Tensor[] {x, x}, 1);
    assertEquals(Shape.of(2, 6), both.shape());
    Tensor ints = context.apply("aten::sum.dim_IntList", x, new long[] {1}, false, DType.INT64);
    assertArrayEquals(new long[] {6, 15}, ints.longs());
    assertArrayEquals(
        new float[] {6, 15},
        context.apply("aten::sum.dim_IntList", x, List.of(1), false, null).floats());
  }

  @Test
  void argumentsWithDefaultsMayBeLeftOut() {
    assertArrayEquals(new float[] {6, 15}, context.apply("sum", x, List.of(1)).floats());
  }

  @Test
  void whatNoOverloadTakesIsToldOfTheClosestBesideTheOthers() {
    assertMisuse(
        "aten::relu takes Tensor for `self`, got str 'x'; its schema is aten::relu(Tensor self)"
            + " -> (Tensor)",
        context.apply("relu", "x"));
    assertMisuse(
        "aten::add.Tensor takes Tensor for `other`, got str 'x'; its schema is"
            + " aten::add.Tensor(Tensor self, Tensor other, number alpha) -> (Tensor); other"
            + " overloads are aten::add.Scalar, aten::add.out, aten::add.int, aten::add.float and 10"
            + " more",
        context.apply("add", x, "x"));
    assertMisuse(
        "aten::max.dim returns 2 results, not 1; other overloads are aten::max.other, aten::max",
        context.apply("max", x, 1));
    Fault number = context.apply("aten::squeeze.dim", x, "x").fault();
    assertNotNull(number);
    assertEquals(FaultType.VALUE, number.type());
  }

  private static void assertMisuse(String message, Tensor result) {
    Fault fault = result.fault();
    assertNotNull(fault);
    assertEquals(message, fault.message());
    assertEquals(FaultType.VALUE, fault.type());
  }

  @Test
  void shapesAreAskedForAsInPyTorch() {
    assertEquals(6, x.numel());
    assertEquals(2, x.dim());
    assertEquals(2, x.rank());
    assertEquals(Shape.of(3, 2), x.T().shape());
    assertEquals(Shape.of(2, 3, 1), context.zeros(1, 3, 2).T().shape());
    assertEquals(5.0f, x.get(1, 1).floats()[0]);
    Tensor copy = x.copy();
    copy.zero_();
    assertEquals(3.0f, x.get(0, 0).floats()[0]);
  }

  @Test
  void moreOperatorsHaveTheNamesThatPyTorchGivesThem() {
    assertEquals(3.0f, x.median().floats()[0]);
    assertArrayEquals(new float[] {2, 5}, x.median(1).values().floats());
    assertArrayEquals(new long[] {2, 1}, x.median(1).indices().longs());
    assertArrayEquals(new float[] {1, 1}, x.std(1).floats());
    assertArrayEquals(new float[] {1, 1}, x.var(1).floats());
    assertArrayEquals(new float[] {1, 2}, context.tensor(new float[] {2, 1, 2}).unique().floats());
    Tensor chosen = context.where(x.gt(2), x, context.zeros(2, 3));
    assertArrayEquals(new float[] {3, 0, 0, 6, 5, 4}, chosen.floats());
    assertArrayEquals(x.matmul(x.t()).floats(), context.einsum("ij,kj->ik", x, x).floats());
    assertEquals(Shape.of(4, 3), context.cat(0, List.of(x, x)).shape());
    assertEquals(Shape.of(2, 2, 3), context.stack(0, List.of(x, x)).shape());
  }

  @Test
  void kotlinsOperatorsAreMethods() {
    assertArrayEquals(x.add(x).floats(), x.plus(x).floats());
    assertArrayEquals(x.sub(2).floats(), x.minus(2).floats());
    assertArrayEquals(x.mul(2.0).floats(), x.times(2.0).floats());
    assertArrayEquals(x.remainder(2).floats(), x.rem(2).floats());
    assertArrayEquals(x.neg().floats(), x.unaryMinus().floats());
  }
}
