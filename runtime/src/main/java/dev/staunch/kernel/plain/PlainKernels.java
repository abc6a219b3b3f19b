package dev.staunch.kernel.plain;

import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;

/** All primitives in plain Java: the default, and what other sets are compared with. */
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
    return new PlainConvolution(request);
  }
}
