package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Effects;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Heavy operations on float16 and bfloat16: where a kernel refuses them, it is asked once more with
 * float32 operands, and what it gives is rounded once. Costs nothing where it does not refuse.
 */
final class NarrowForms {
  private static final Set<String> NAMES =
      Set.of(
          ("linear matmul mm bmm addmm addmv addbmm baddbmm mv dot outer inner einsum bilinear tensordot"
                  + " conv1d conv1d.padding conv2d conv2d.padding conv3d conv3d.padding _convolution"
                  + " _convolution.deprecated _convolution_mode convolution conv_transpose1d"
                  + " conv_transpose2d.input conv_transpose3d.input batch_norm layer_norm group_norm"
                  + " instance_norm rms_norm max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d"
                  + " avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d"
                  + " upsample_nearest1d.vec upsample_nearest2d.vec upsample_linear1d.vec"
                  + " upsample_bilinear2d.vec upsample_bicubic2d.vec softmax.int log_softmax.int"
                  + " scaled_dot_product_attention lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell cdist"
                  + " grid_sampler pixel_shuffle prelu cosine_similarity")
              .split(" ", -1));

  private NarrowForms() {}

  /** How a heavy operation is computed for narrow operands; null if it is none. */
  static CatalogEntry.@Nullable Form of(CatalogEntry operation) {
    String name = operation.name().substring(operation.name().indexOf("::") + 2);
    return NAMES.contains(name)
            && operation.name().startsWith("aten::")
            && operation.kernel() instanceof Kernel.One plain
        ? new CatalogEntry.Form(
            OperandTraits.NARROW, call -> run(call, plain, name, operation.definition().effects()))
        : null;
  }

  private static Object run(Call call, Kernel.One plain, String name, Effects effects) {
    Object result = plain.run(call);
    DType narrow = result instanceof Fault fault ? refused(fault, call) : null;
    return narrow == null
        ? result
        : Steps.within(call, (steps, inner) -> widened(steps, inner, name, effects, narrow));
  }

  /** The narrow dtype that was refused; null if that is not what the fault is about. */
  private static @Nullable DType refused(Fault fault, Call call) {
    boolean ofDType = fault.type() == FaultType.DTYPE || fault.type() == FaultType.UNSUPPORTED;
    DType known = null;
    for (int i = 0; ofDType && i < call.size(); i++) {
      List<?> values = call.value(i) instanceof List<?> list ? list : List.of(call.value(i));
      for (Object value : values) {
        if (value instanceof DenseTensor tensor && tensor.dtype().isFloating()) {
          boolean narrow = tensor.dtype().bytes() == DType.FLOAT16.bytes();
          if (!narrow || (known != null && known != tensor.dtype())) {
            return null;
          }
          known = tensor.dtype();
        }
      }
    }
    return known;
  }

  private static Object widened(
      Steps steps, Call call, String name, Effects effects, DType narrow) {
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(arguments, i -> wide(steps, call.value(i)));
    Object result = steps.run(name, arguments);
    for (int i = 0; i < arguments.length && !(result instanceof Fault); i++) {
      if (effects.moves(i, call.arguments())
          && call.value(i) instanceof DenseTensor moved
          && steps.run("copy_", moved, arguments[i], false) instanceof Fault fault) {
        return fault;
      }
    }
    return result instanceof DenseTensor tensor && tensor.dtype() == DType.FLOAT32
        ? steps.cast(tensor, narrow)
        : result;
  }

  private static Object wide(Steps steps, Object value) {
    if (value instanceof List<?> list) {
      List<Object> wide = new ArrayList<>();
      list.forEach(each -> wide.add(wide(steps, each)));
      return wide;
    }
    return value instanceof DenseTensor tensor && tensor.dtype().isFloating()
        ? steps.cast(tensor, DType.FLOAT32)
        : value;
  }
}
