package dev.staunch.kernel.primitive;

import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** A set that delegates to another one everything that it does not compute itself. */
public class LayeredKernelSet implements KernelSet {
  private final String name;
  private final KernelSet others;

  /**
   * @param others prepares the requests that a subclass does not handle
   */
  public LayeredKernelSet(String name, KernelSet others) {
    this.name = name;
    this.others = others;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public boolean isWarm() {
    return others.isWarm();
  }

  @Override
  public int version() {
    return others.version();
  }

  @Override
  public void warmUp() {
    others.warmUp();
  }

  @Override
  public MatrixProduct matrixProduct(MatrixProduct.Request request) {
    return others.matrixProduct(request);
  }

  @Override
  public Convolution convolution(Convolution.Request request) {
    return others.convolution(request);
  }

  @Override
  public boolean prefersChannelsLast(Convolution.Request request) {
    return others.prefersChannelsLast(request);
  }

  @Override
  public Pooling pooling(Pooling.Request request) {
    return others.pooling(request);
  }

  @Override
  public RowNormalization rowNormalization(RowNormalization.Request request) {
    return others.rowNormalization(request);
  }

  @Override
  public ChannelNormalization channelNormalization(ChannelNormalization.Request request) {
    return others.channelNormalization(request);
  }

  @Override
  public Softmax softmax(Softmax.Request request) {
    return others.softmax(request);
  }

  @Override
  public Copy copy(Copy.Request request) {
    return others.copy(request);
  }

  @Override
  public Recurrence recurrence(Recurrence.Request request) {
    return others.recurrence(request);
  }

  @Override
  public Gather gather(DType dtype) {
    return others.gather(dtype);
  }

  @Override
  public RowSum rowSum() {
    return others.rowSum();
  }

  @Override
  public @Nullable RowFormula rowFormula(DType dtype, String name, double... constants) {
    return others.rowFormula(dtype, name, constants);
  }

  @Override
  public @Nullable RowReduction rowReduction(DType dtype, RowReduction.Kind kind) {
    return others.rowReduction(dtype, kind);
  }

  @Override
  public @Nullable RowCast rowCast(DType narrow) {
    return others.rowCast(narrow);
  }
}
