package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowCast;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** A cast between float32 and bfloat16 where both sides are row-major. */
record BrainFloatCopy(Request request, KernelSet others) implements Copy {
  /** Elements between two checks for cancellation. */
  private static final int PIECE = 1 << 16;

  private static final RowCast CAST = new BrainFloats();

  static boolean fits(Request request) {
    boolean widens = request.from() == DType.BFLOAT16 && request.to() == DType.FLOAT32;
    boolean narrows = request.from() == DType.FLOAT32 && request.to() == DType.BFLOAT16;
    return (widens || narrows)
        && request.source().isContiguous()
        && request.target().isContiguous();
  }

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor source, DenseTensor target) {
    if (source.segment().isMapped() || target.segment().isMapped()) {
      return others.copy(request).run(context, source, target);
    }
    long all = request.source().shape().elements();
    Fault stop = null;
    for (long done = 0; done < all && stop == null; done += PIECE) {
      int count = (int) Math.min(PIECE, all - done);
      long at = request.source().offset() + done;
      long to = request.target().offset() + done;
      if (request.to() == DType.FLOAT32) {
        CAST.widen(source.segment(), at, target.segment(), to, count);
      } else {
        CAST.narrow(source.segment(), at, target.segment(), to, count);
      }
      stop = context.cancelled();
    }
    return stop;
  }
}
