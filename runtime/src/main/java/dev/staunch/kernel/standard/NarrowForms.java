package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.CompositeBody;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Effects;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Heavy operations on float16 and bfloat16: where a kernel refuses them, or is made of others, it
 * gets float32 operands, and what it gives is rounded once.
 */
final class NarrowForms {
  private static final Set<String> NAMES =
      Set.of(
          ("linear matmul mm bmm addmm addmv addbmm baddbmm mv dot vdot outer inner einsum"
                  + " bilinear tensordot chain_matmul linalg_matmul linalg_multi_dot addr kron cdist"
                  + " conv1d conv1d.padding conv2d conv2d.padding conv3d conv3d.padding _convolution"
                  + " _convolution.deprecated _convolution_mode convolution conv_transpose1d"
                  + " conv_transpose2d.input conv_transpose3d.input batch_norm layer_norm group_norm"
                  + " instance_norm rms_norm native_batch_norm native_layer_norm native_group_norm"
                  + " max_pool1d max_pool2d max_pool3d max_pool1d_with_indices"
                  + " max_pool2d_with_indices max_pool3d_with_indices avg_pool1d avg_pool2d"
                  + " avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d"
                  + " adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d upsample_nearest1d"
                  + " upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d"
                  + " upsample_trilinear3d upsample_bicubic2d upsample_nearest1d.vec"
                  + " upsample_nearest2d.vec upsample_nearest3d.vec upsample_linear1d.vec"
                  + " upsample_bilinear2d.vec upsample_trilinear3d.vec upsample_bicubic2d.vec"
                  + " _upsample_bilinear2d_aa _upsample_bicubic2d_aa _upsample_bilinear2d_aa.vec"
                  + " _upsample_bicubic2d_aa.vec softmax.int log_softmax.int"
                  + " scaled_dot_product_attention _native_multi_head_attention"
                  + " _transformer_encoder_layer_fwd lstm.input lstm.data gru.input gru.data"
                  + " rnn_tanh.input rnn_tanh.data rnn_relu.input rnn_relu.data lstm_cell gru_cell"
                  + " rnn_tanh_cell rnn_relu_cell grid_sampler grid_sampler_2d grid_sampler_3d"
                  + " pixel_shuffle prelu cosine_similarity embedding_bag embedding_bag.padding_idx im2col col2im _scaled_dot_product_attention")
              .split(" ", -1));

  /** Of these libtorch takes float32 parameters, too, with an input of 16 bits. */
  private static final Set<String> MIXED =
      Set.of(
          "batch_norm",
          "layer_norm",
          "group_norm",
          "instance_norm",
          "native_batch_norm",
          "native_layer_norm",
          "native_group_norm");

  private NarrowForms() {}

  /** How a heavy operation is computed for narrow operands; null if it is none. */
  static CatalogEntry.@Nullable Form of(CatalogEntry operation) {
    String name = operation.name().substring(operation.name().indexOf("::") + 2);
    Kernel kernel = operation.kernel();
    if (!NAMES.contains(name)
        || !operation.name().startsWith("aten::")
        || !(kernel instanceof Kernel.One || kernel instanceof Kernel.Many)) {
      return null;
    }
    Inference usual = operation.inference();
    return new CatalogEntry.Form(
        OperandTraits.NARROW,
        call -> run(call, kernel, name, operation.definition().effects()),
        usual == null
            ? Inference.OF_VALUES
            : operands -> infer(operands, usual, kernel instanceof CompositeBody, name));
  }

  /** As {@link #run}. */
  private static Object infer(Operands call, Inference usual, boolean composite, String name) {
    DType narrow = narrow(call, MIXED.contains(name));
    if (narrow == null) {
      return usual.infer(call);
    }
    if (!composite) {
      Object result = usual.infer(call);
      if (!(result instanceof Fault fault) || !isOfDType(fault)) {
        return result;
      }
    }
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(arguments, i -> wide(call.isTensor(i) ? call.form(i) : call.value(i)));
    Object result = usual.infer(Operands.of(arguments));
    if (!(result instanceof Object[] several)) {
      return narrowed(result, narrow);
    }
    boolean mixed = narrow(call, false) == null;
    Object[] rounded = several.clone();
    for (int i = 0; i < (mixed ? 1 : rounded.length); i++) {
      rounded[i] = narrowed(rounded[i], narrow);
    }
    return rounded;
  }

  private static Object wide(Object value) {
    return switch (value) {
      case List<?> list -> list.stream().map(NarrowForms::wide).toList();
      case DenseTensor tensor -> wide(Call.formOf(tensor));
      case TensorForm form when form.dtype().isFloating() -> form.cast(DType.FLOAT32);
      default -> value;
    };
  }

  private static Object narrowed(Object result, DType narrow) {
    return result instanceof TensorForm form && form.dtype() == DType.FLOAT32
        ? form.cast(narrow)
        : result;
  }

  /** The steps of an operation made of others would each round, so it is widened before it runs. */
  private static Object run(Call call, Kernel kernel, String name, Effects effects) {
    DType narrow = narrow(call, MIXED.contains(name));
    if (narrow == null) {
      return plain(call, kernel);
    }
    if (!(kernel instanceof CompositeBody)) {
      Object result = plain(call, kernel);
      if (!(result instanceof Fault fault) || !isOfDType(fault)) {
        return result;
      }
    }
    return Steps.within(call, (steps, inner) -> widened(steps, inner, name, effects, narrow));
  }

  private static Object plain(Call call, Kernel kernel) {
    return kernel instanceof Kernel.One one ? one.run(call) : ((Kernel.Many) kernel).run(call);
  }

  private static boolean isOfDType(Fault fault) {
    return fault.type() == FaultType.DTYPE || fault.type() == FaultType.UNSUPPORTED;
  }

  /** The dtype of all floating operands, if that is a narrow one; else null. */
  private static @Nullable DType narrow(Operands call, boolean mixed) {
    DType known = null;
    for (int i = 0; i < call.size(); i++) {
      List<?> values = call.value(i) instanceof List<?> list ? list : List.of(call.value(i));
      for (Object value : values) {
        DType dtype = dtype(value);
        if (dtype != null && dtype.isFloating()) {
          boolean narrow = dtype.bytes() == DType.FLOAT16.bytes();
          boolean parameter = mixed && known != null && dtype == DType.FLOAT32;
          if (!parameter && (!narrow || (known != null && known != dtype))) {
            return null;
          }
          known = parameter ? known : dtype;
        }
      }
    }
    return known;
  }

  private static @Nullable DType dtype(Object value) {
    return value instanceof DenseTensor tensor
        ? tensor.dtype()
        : value instanceof TensorForm form ? form.dtype() : null;
  }

  private static Object widened(
      Steps steps, Call call, String name, Effects effects, DType narrow) {
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(arguments, i -> wide(steps, call.value(i)));
    Object result = steps.run(name, arguments);
    for (int i = 0; i < arguments.length && !(result instanceof Fault); i++) {
      if (effects.moves(i, call)
          && call.value(i) instanceof DenseTensor moved
          && steps.run("copy_", moved, arguments[i], false) instanceof Fault fault) {
        return fault;
      }
    }
    if (!(result instanceof Object[] several)) {
      return narrowed(steps, result, narrow);
    }
    boolean mixed = narrow(call, false) == null; // then only the first result is narrow
    for (int i = 0; i < (mixed ? 1 : several.length); i++) {
      several[i] = narrowed(steps, several[i], narrow);
    }
    return several;
  }

  private static Object narrowed(Steps steps, Object result, DType narrow) {
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
