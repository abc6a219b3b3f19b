package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Complex numbers where an operation computes with reals are refused by name, and nothing is left.
 */
class ComplexOperandsTest {
  private static final Set<FaultType> REFUSALS = Set.of(FaultType.UNSUPPORTED, FaultType.DTYPE);

  private final EagerTrial trial = new EagerTrial(EngineOptions.threaded(2));
  private final Context context = trial.context;
  private final Tensor parts = context.ones(2, 6, 2);
  private final Tensor complex = context.apply("aten::view_as_complex", parts);
  private final Tensor real = context.full(0.5, 2, 6);

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  private void assertRefused(String operation, Object... arguments) {
    context.engineContext().awaitPushed();
    long before = context.bytes();
    Fault fault = context.apply(operation, arguments).fault();
    assertNotNull(fault, operation);
    assertEquals(before, context.bytes(), "M4");
    assertTrue(REFUSALS.contains(fault.type()), fault::toString);
    fault.markRead();
  }

  @Test
  void randomNumbersAreNotComplex() {
    assertRefused("aten::bernoulli", complex, None.NONE);
    assertRefused("aten::bernoulli.Tensor", complex, real, None.NONE);
    assertRefused("aten::bernoulli_.Tensor", complex, real, None.NONE);
  }

  @Test
  void complexElementsAreNotSought() {
    assertRefused("aten::isin.Tensor_Tensor", complex, complex, false, false);
    assertRefused("aten::isin.Tensor_Tensor", real, complex, false, false);
  }

  @Test
  void aRealOperationTakesNoComplexOperandBesideARealOne() {
    assertRefused("aten::_prelu_kernel", real, complex);
  }

  @Test
  void aSoftmaxTakesNoComplexNumbersAndTheFaultSaysThat() {
    Fault fault = context.apply("aten::softmax.int", complex, 0, None.NONE).fault();
    assertNotNull(fault);
    assertEquals(FaultType.UNSUPPORTED, fault.type(), fault::toString);
    fault.markRead();
  }

  @Test
  void lengthsAndTargetsOfALossAreNotComplex() {
    Tensor steps = context.ones(5, 6, 3);
    Tensor lengths = integers(6);
    Tensor targets = integers(6, 2);
    Tensor few = context.apply("aten::select.int", complex, 0, 0);
    Tensor pairs = context.apply("aten::t", complex);
    String loss = "aten::ctc_loss.Tensor";
    assertRefused(loss, steps, targets, few, lengths, 0, 1, false);
    assertRefused(loss, steps, pairs, lengths, lengths, 0, 1, false);
  }

  /** Leaves nothing that the garbage collector might free while bytes are compared. */
  private Tensor integers(long... sizes) {
    try (Tensor ones = context.ones(sizes)) {
      return ones.to(DType.INT64);
    }
  }

  @Test
  void aComplexNumberTimesZeroIsZeroAndOverZeroIsNotANumber() {
    Tensor zero = context.apply("aten::mul.Scalar", complex, 0.0);
    assertArrayEquals(new float[24], floats(zero));
    float[] none = new float[24];
    Arrays.fill(none, Float.NaN);
    assertArrayEquals(none, floats(context.apply("aten::div.Scalar", complex, 0.0)));
    assertArrayEquals(none, floats(context.apply("aten::div.Tensor", complex, zero)));
    assertArrayEquals(
        none, floats(context.apply("aten::div.Tensor", complex, context.zeros(2, 6))));
    assertArrayEquals(none, floats(context.apply("aten::reciprocal", zero)));
    for (double exponent : new double[] {-0.5, -1, -2}) {
      assertArrayEquals(none, floats(context.apply("aten::pow.Tensor_Scalar", zero, exponent)));
    }
    assertArrayEquals(none, floats(context.apply("aten::pow.Tensor_Tensor", zero, zero)));
  }

  private float[] root(double re, double im) {
    Tensor parts = context.of(Shape.of(1, 2), (float) re, (float) im);
    return floats(context.apply("aten::sqrt", context.apply("aten::view_as_complex", parts)));
  }

  @Test
  void theSmallPartOfARootHasAllItsDigits() {
    assertArrayEquals(new float[] {1.7842556f, -4.1467653e-4f}, root(3.1835678, -0.0014797779));
    assertArrayEquals(new float[] {4.1467653e-4f, 1.7842556f}, root(-3.1835678, 0.0014797779));
    assertArrayEquals(new float[] {0x1p33f, 0x1p-64f}, root(0x1p66, 0x1p-30));
  }

  @Test
  void rootsOfZerosAndInfinitiesAreThoseOfC() {
    float infinite = Float.POSITIVE_INFINITY;
    assertArrayEquals(new float[] {0, -0f}, root(0, -0.0));
    assertArrayEquals(new float[] {0, 2}, root(-4, 0));
    assertArrayEquals(new float[] {0, -2}, root(-4, -0.0));
    assertArrayEquals(new float[] {infinite, -infinite}, root(1, -infinite));
    assertArrayEquals(new float[] {infinite, 0}, root(infinite, 1));
    assertArrayEquals(new float[] {0, infinite}, root(-infinite, 1));
    assertArrayEquals(new float[] {(float) Math.sqrt(3e38f), 0}, root(3e38, 0));
    assertArrayEquals(new float[] {Float.NaN, Float.NaN}, root(Double.NaN, 1));
  }

  private float[] floats(Tensor tensor) {
    return context
        .apply("aten::reshape", context.apply("aten::view_as_real", tensor), List.of(-1))
        .floats();
  }

  @Test
  void aNumberHasNoDimensionToShift() {
    Fault fault = context.apply("aten::fft_ifftshift", context.ones(), List.of(0)).fault();
    assertNotNull(fault);
    assertEquals(FaultType.INDEX, fault.type(), fault::toString);
  }

  @Test
  void aBooleanIsANumberAmongComplexOnesToo() {
    for (String operation :
        List.of("add.Scalar", "mul.Scalar", "div.Scalar", "pow.Tensor_Scalar")) {
      Tensor byFlag = context.apply("aten::" + operation, complex, true);
      assertTrue(byFlag.equal(context.apply("aten::" + operation, complex, 1L)), operation);
    }
    Tensor sum = context.apply("aten::addcmul", complex, complex, complex, false);
    assertTrue(sum.equal(complex));
  }
}
