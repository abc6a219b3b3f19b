package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A convolution over two dimensions, prepared for operands of one form. */
public interface Convolution {

  /**
   * What to compute. All operands have one dtype, float32 or float64, and matching shapes. A
   * layout's offset counts from the first element of the tensor that is passed to {@link #run}.
   *
   * @param input [N, C, H, W]
   * @param weight [out, C / groups, kH, kW]
   * @param bias [out], or null for none
   * @param result [N, out, H', W'], row-major or channels last, without gaps
   * @param vertical how the kernel slides along H
   * @param horizontal how the kernel slides along W
   * @param constant the weight, if it is the same at every call
   */
  record Request(
      DType dtype,
      Layout input,
      Layout weight,
      @Nullable Layout bias,
      Layout result,
      Window vertical,
      Window horizontal,
      int groups,
      @Nullable Constant constant) {

    /** The same request with another layout for the result. */
    public Request withResult(Layout other) {
      return new Request(dtype, input, weight, bias, other, vertical, horizontal, groups, constant);
    }
  }

  /** A convolution that computes a row-major result and copies it into the requested layout. */
  static Convolution byRowMajor(Request request, Function<Request, Convolution> prepare) {
    Layout rowMajor = Layout.contiguous(request.result().shape());
    return new RowMajorConvolution(prepare.apply(request.withResult(rowMajor)), request);
  }

  /**
   * Writes all of {@code result}, which shares no memory with the operands, and applies the
   * epilogue to each element.
   *
   * @param bias null exactly if the request has none
   * @param epilogue null for none
   * @return the fault of a cancellation or of too little memory; {@code result} is then undefined
   */
  @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result,
      @Nullable Epilogue epilogue);

  /** As above, without an epilogue. */
  default @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    return run(context, input, weight, bias, result, null);
  }

  /**
   * A convolution that does not finish elements block by block: it applies the epilogue to all
   * elements once the last one is computed.
   */
  interface Whole extends Convolution {
    /** Writes all of {@code result}, as {@link #run} does before it applies the epilogue. */
    @Nullable Fault compute(
        ExecutionContext context,
        DenseTensor input,
        DenseTensor weight,
        @Nullable DenseTensor bias,
        DenseTensor result);

    @Override
    default @Nullable Fault run(
        ExecutionContext context,
        DenseTensor input,
        DenseTensor weight,
        @Nullable DenseTensor bias,
        DenseTensor result,
        @Nullable Epilogue epilogue) {
      Fault fault = compute(context, input, weight, bias, result);
      return fault == null && epilogue != null
          ? epilogue.finishAll(context, result.elements())
          : fault;
    }
  }
}
