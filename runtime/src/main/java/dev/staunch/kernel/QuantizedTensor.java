package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tensor of small integers, each of which stands for a real: {@code (code - zero point) * scale}.
 * Scripts see it as a tensor of dtype {@code qint8}, {@code quint8} or {@code qint32}. An archive
 * holds the codes; what a request computes is kept as the reals, which the next layer takes.
 *
 * @param elements the codes; or the reals that they stand for, float32, with {@link PerTensor} only
 * @param codes the dtype of the codes: int8, uint8 or int32
 * @param inOrder whether it is known that libtorch has the elements in the order of their indices,
 *     as those that a program quantises; what its convolutions give has channels last
 */
public record QuantizedTensor(
    DenseTensor elements, DType codes, Quantizer quantizer, boolean inOrder)
    implements CompoundTensor {

  /** A tensor of whose order nothing is known. */
  public QuantizedTensor(DenseTensor elements, DType codes, Quantizer quantizer) {
    this(elements, codes, quantizer, /* inOrder= */ false);
  }

  /** A tensor of these codes. */
  public static QuantizedTensor of(DenseTensor codes, Quantizer quantizer) {
    return new QuantizedTensor(codes, codes.dtype(), quantizer);
  }

  /** Whether {@link #elements} are reals. */
  public boolean isReal() {
    return elements.dtype() != codes;
  }

  /** Other elements of the same kind, by the same quantizer. */
  public QuantizedTensor with(DenseTensor others) {
    return new QuantizedTensor(others, codes, quantizer, inOrder);
  }

  /** The same tensor, with {@link #inOrder} as given. */
  public QuantizedTensor inOrder(boolean known) {
    return known == inOrder ? this : new QuantizedTensor(elements, codes, quantizer, known);
  }

  /** What the codes stand for. */
  public sealed interface Quantizer {}

  /**
   * One scale and one zero point for all elements.
   *
   * @param scale positive and finite
   * @param zeroPoint the code of 0, within the range of the codes
   */
  public record PerTensor(double scale, long zeroPoint) implements Quantizer {}

  /**
   * A scale and a zero point for each index of one dimension.
   *
   * @param scales as many as there are indices
   * @param zeroPoints as many; floating ones are those of a table for embeddings, and may be any
   */
  public record PerChannel(DenseTensor scales, DenseTensor zeroPoints, int axis)
      implements Quantizer {}

  /** PyTorch's {@code ScalarType} numbers of the dtypes as which scripts see such tensors. */
  private static final int QINT8 = 12;

  private static final int QUINT8 = 13;
  private static final int QINT32 = 14;

  /** The {@code ScalarType} number that scripts see for codes of this dtype. */
  public static long scalarType(DType codes) {
    return codes == DType.INT8 ? QINT8 : codes == DType.UINT8 ? QUINT8 : QINT32;
  }

  /** The dtype of the codes if scripts ask for this {@code ScalarType}; null if it is not one. */
  public static @Nullable DType codesOf(long scalarType) {
    return scalarType == QINT8
        ? DType.INT8
        : scalarType == QUINT8 ? DType.UINT8 : scalarType == QINT32 ? DType.INT32 : null;
  }

  /** The least code of this dtype. */
  public static long least(DType codes) {
    return switch (codes) {
      case INT8 -> Byte.MIN_VALUE;
      case UINT8 -> 0;
      default -> Integer.MIN_VALUE;
    };
  }

  /** The greatest code of this dtype. */
  public static long greatest(DType codes) {
    return switch (codes) {
      case INT8 -> Byte.MAX_VALUE;
      case UINT8 -> 255;
      default -> Integer.MAX_VALUE;
    };
  }

  /** The fault if these parts do not make a quantised tensor; else null. */
  public @Nullable Fault misfit() {
    if (codes != DType.INT8 && codes != DType.UINT8 && codes != DType.INT32) {
      return Fault.dtype("codes are int8, uint8 or int32, but these are " + codes)
          .withExpected(ExpectedDType.of(DType.INT8, DType.UINT8, DType.INT32), codes);
    }
    return switch (quantizer) {
      case PerTensor all -> misfit(all, codes);
      case PerChannel each -> misfit(each, shape(), codes);
    };
  }

  /** The fault if {@code quantizer} is not one for codes of this dtype; else null. */
  public static @Nullable Fault misfit(PerTensor quantizer, DType codes) {
    double scale = quantizer.scale();
    if (!(scale > 0) || scale > Float.MAX_VALUE) {
      return Fault.value("the scale of a quantised tensor must be positive, but it is " + scale)
          .withExpected("a positive number", Double.toString(scale));
    }
    long zeroPoint = quantizer.zeroPoint();
    long least = least(codes);
    long greatest = greatest(codes);
    return zeroPoint >= least && zeroPoint <= greatest
        ? null
        : Fault.value(Message.of("a zero point of %d does not fit codes of %s", zeroPoint, codes))
            .withExpected(least + " to " + greatest, Long.toString(zeroPoint));
  }

  /** As {@link #misfit(PerTensor, DType)}, for codes of this shape. */
  public static @Nullable Fault misfit(PerChannel quantizer, Shape shape, DType codes) {
    int axis = quantizer.axis();
    if (axis < 0 || axis >= shape.rank()) {
      return Fault.index("codes of " + shape + " have no dimension " + axis);
    }
    DType points = quantizer.zeroPoints().dtype();
    if (!isNumber(points)) {
      return Fault.dtype("zero points are numbers, but these are " + points)
          .withExpected(ExpectedDType.of(DType.INT64), points);
    }
    DType reals = quantizer.scales().dtype();
    if (!reals.isFloating()) {
      return Fault.dtype("scales are reals, but these are " + reals)
          .withExpected(ExpectedDType.of(DType.FLOAT64), reals);
    }
    long channels = shape.size(axis);
    long scales = quantizer.scales().elements();
    long zeroPoints = quantizer.zeroPoints().elements();
    if (scales != channels || zeroPoints != channels) {
      String text = "%d scales and %d zero points do not fit %d channels";
      return Fault.shape(Message.of(text, scales, zeroPoints, channels))
          .withExpected(channels + " of each", scales + " and " + zeroPoints);
    }
    double[] each = HostTensors.toDoubles(quantizer.scales());
    double[] zeros = HostTensors.toDoubles(quantizer.zeroPoints());
    boolean exact = !quantizer.zeroPoints().dtype().isFloating();
    for (int c = 0; c < each.length; c++) {
      Fault misfit = misfit(new PerTensor(each[c], exact ? (long) zeros[c] : 0), codes);
      if (misfit != null) {
        return misfit;
      }
    }
    return null;
  }

  private static boolean isNumber(DType dtype) {
    return dtype.isFloating() || dtype.kind() == DType.Kind.INTEGRAL;
  }

  public Shape shape() {
    return elements.shape();
  }

  @Override
  public List<DenseTensor> parts() {
    return quantizer instanceof PerChannel channels
        ? List.of(elements, channels.scales(), channels.zeroPoints())
        : List.of(elements);
  }

  @Override
  public Trait knownBy() {
    return Trait.TAKES_QUANTIZED;
  }

  @Override
  public String remedy() {
    return "a quantised tensor; make it real with `dequantize` before";
  }

  @Override
  public String toString() {
    return "quantised " + codes + shape();
  }
}
