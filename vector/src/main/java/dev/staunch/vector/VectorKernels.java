package dev.staunch.vector;

import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.kernel.primitive.RowCast;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.primitive.RowNormalization;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.kernel.primitive.RowSum;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * Primitives on the Vector API, most for float32 and float64, on top of a set for all other
 * requests.
 */
final class VectorKernels extends LayeredKernelSet {
  private final KernelSet others;
  private final ScratchPool<FloatTiles> floatTiles = new ScratchPool<>(FloatTiles::new);
  private final ScratchPool<DoubleTiles> doubleTiles = new ScratchPool<>(DoubleTiles::new);

  VectorKernels(KernelSet others) {
    super("vector", others);
    this.others = others;
  }

  @Override
  public MatrixProduct matrixProduct(MatrixProduct.Request request) {
    return switch (request.dtype()) {
      case FLOAT32 -> FloatMatrixProduct.of(request, others, floatTiles);
      case FLOAT64 -> DoubleMatrixProduct.of(request, others, doubleTiles);
      case INT8, UINT8, INT16 -> ExactProduct.of(request, others, this);
      default -> others.matrixProduct(request);
    };
  }

  @Override
  public Convolution convolution(Convolution.Request request) {
    boolean rowMajor = request.result().isContiguous();
    return switch (request.dtype()) {
      case FLOAT32 ->
          FloatDepthwise.fits(request) && rowMajor
              ? new FloatDepthwise(request, others)
              : FloatDepthwiseLast.fits(request)
                  ? FloatDepthwiseLast.of(request, others)
                  : FloatChannelsLast.of(request, others, floatTiles);
      case FLOAT64 ->
          rowMajor
              ? DoubleConvolution.of(request, others, doubleTiles)
              : Convolution.byRowMajor(request, this::convolution);
      default -> others.convolution(request);
    };
  }

  @Override
  public boolean prefersChannelsLast(Convolution.Request request) {
    return request.dtype() == DType.FLOAT32
        && (FloatDepthwiseLast.suits(request) || FloatChannelsLast.prefers(request));
  }

  @Override
  public Softmax softmax(Softmax.Request request) {
    return request.dtype() == DType.FLOAT64
        ? DoubleSoftmax.of(request, others)
        : FloatSoftmax.of(request, others);
  }

  @Override
  public RowNormalization rowNormalization(RowNormalization.Request request) {
    return request.dtype() == DType.FLOAT64
        ? DoubleRowNormalization.of(request, others)
        : FloatRowNormalization.of(request, others);
  }

  @Override
  public ChannelNormalization channelNormalization(ChannelNormalization.Request request) {
    return request.dtype() == DType.FLOAT64
        ? DoubleChannelNormalization.of(request, others)
        : FloatChannelNormalization.of(request, others);
  }

  @Override
  public Pooling pooling(Pooling.Request request) {
    return request.dtype() == DType.FLOAT64
        ? DoublePooling.of(request, others)
        : FloatPooling.of(request, others);
  }

  @Override
  public Recurrence recurrence(Recurrence.Request request) {
    return request.dtype() == DType.FLOAT64
        ? DoubleRecurrence.of(request, others, doubleTiles)
        : FloatRecurrence.of(request, others, floatTiles);
  }

  @Override
  public Copy copy(Copy.Request request) {
    return BrainFloatCopy.fits(request)
        ? new BrainFloatCopy(request, others)
        : others.copy(request);
  }

  @Override
  public @Nullable RowCast rowCast(DType narrow) {
    return narrow == DType.BFLOAT16 ? new BrainFloats() : others.rowCast(narrow);
  }

  @Override
  public RowSum rowSum() {
    return new FloatRowSum(others.rowSum());
  }

  @Override
  public @Nullable RowFormula rowFormula(DType dtype, String name, double... constants) {
    RowFormula own = RowFormulas.of(dtype, name, constants);
    if (own == null && dtype == DType.FLOAT32) {
      own = FloatRemainders.ALL.get(name);
      own = own == null ? FloatPowers.ALL.get(name) : own;
      own = own == null && name.equals(FloatChoice.NAME) ? new FloatChoice() : own;
    }
    return own == null ? others.rowFormula(dtype, name, constants) : own;
  }

  @Override
  public @Nullable RowReduction rowReduction(DType dtype, RowReduction.Kind kind) {
    return switch (dtype) {
      case FLOAT32 ->
          switch (kind) {
            case SUM -> new SumOfRow();
            case SQUARES -> new SquaresOfRow();
            case PRODUCT -> OrderedProduct.ONLY;
            case GREATEST -> new GreatestOfRow();
            case LEAST -> new LeastOfRow();
          };
      case FLOAT64 ->
          switch (kind) {
            case SUM -> new SumOfDoubleRow();
            case SQUARES -> new SquaresOfDoubleRow();
            case PRODUCT -> null; // the order decides whether it overflows
            case GREATEST -> new GreatestOfDoubleRow();
            case LEAST -> new LeastOfDoubleRow();
          };
      default -> others.rowReduction(dtype, kind);
    };
  }
}
