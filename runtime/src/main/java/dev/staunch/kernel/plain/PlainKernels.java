package dev.staunch.kernel.plain;

import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.kernel.primitive.KernelSet;
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

/** All primitives in plain Java: the default set, and the reference for other sets. */
public final class PlainKernels implements KernelSet {
  private static final PlainKernels SET = new PlainKernels();

  private PlainKernels() {}

  public static KernelSet set() {
    return SET;
  }

  @Override
  public String name() {
    return "plain";
  }

  @Override
  public MatrixProduct matrixProduct(MatrixProduct.Request request) {
    return PlainMatrixProduct.of(request);
  }

  @Override
  public Convolution convolution(Convolution.Request request) {
    return request.result().isContiguous()
        ? new PlainConvolution(request)
        : Convolution.byRowMajor(request, PlainConvolution::new);
  }

  @Override
  public Pooling pooling(Pooling.Request request) {
    return (context, input, result) ->
        new PlanePooling(context, input, result, request.dims()).run(request.rule());
  }

  @Override
  public RowNormalization rowNormalization(RowNormalization.Request request) {
    return new PlainRowNormalization(request);
  }

  @Override
  public ChannelNormalization channelNormalization(ChannelNormalization.Request request) {
    return PlainChannelNormalization.of(request);
  }

  @Override
  public Softmax softmax(Softmax.Request request) {
    return new PlainSoftmax(request);
  }

  @Override
  public Copy copy(Copy.Request request) {
    return new PlainCopy(request);
  }

  @Override
  public Recurrence recurrence(Recurrence.Request request) {
    return new PlainRecurrence(request);
  }

  @Override
  public Gather gather(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> FloatGather.INSTANCE;
      case FLOAT64 -> DoubleGather.INSTANCE;
      case INT32 -> IntGather.INSTANCE;
      case INT64, COMPLEX64 -> LongGather.INSTANCE; // complex numbers are not added
      case FLOAT16, BFLOAT16, INT16, INT8, UINT8, BOOL, COMPLEX128 -> new ElementGather(dtype);
    };
  }

  @Override
  public RowSum rowSum() {
    return PlainRowSum::add;
  }

  @Override
  public @Nullable RowFormula rowFormula(DType dtype, String name, double... constants) {
    return null; // each formula has its own loop
  }

  @Override
  public @Nullable RowCast rowCast(DType narrow) {
    return null;
  }

  @Override
  public @Nullable RowReduction rowReduction(DType dtype, RowReduction.Kind kind) {
    return null; // one element after the other
  }
}
