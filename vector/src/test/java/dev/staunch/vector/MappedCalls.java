package dev.staunch.vector;

import static dev.staunch.vector.SetCall.Accuracy.EXACT;
import static dev.staunch.vector.SetCall.Accuracy.MIXED;
import static dev.staunch.vector.SetCall.Accuracy.SMOOTH;
import static dev.staunch.vector.SetCall.Accuracy.SUMS;

import dev.staunch.kernel.Call;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Calls for each primitive of a set, and the same calls with an operand in a mapped file. */
final class MappedCalls {
  private static final Object NONE = None.NONE;
  private static final DType F32 = DType.FLOAT32;

  private final ResourceScope scope;
  private final Random random = new Random(11);

  private MappedCalls(ResourceScope scope) {
    this.scope = scope;
  }

  /** Calls that no operand in a file keeps from running on vectors. */
  static List<SetCall> all(ResourceScope scope) {
    MappedCalls calls = new MappedCalls(scope);
    List<SetCall> all = new ArrayList<>();
    calls.products(all);
    calls.convolutions(all);
    for (DType dtype : List.of(F32, DType.FLOAT64)) {
      calls.pooling(all, dtype);
      calls.norms(all, dtype);
      calls.recurrent(all, dtype);
    }
    calls.layers(all);
    calls.rows(all);
    return all;
  }

  /** The tensors among the arguments, those in lists included. */
  static List<DenseTensor> operands(SetCall call) {
    List<DenseTensor> found = new ArrayList<>();
    collect(call.arguments(), found);
    return found;
  }

  private static void collect(Object argument, List<DenseTensor> found) {
    if (argument instanceof DenseTensor tensor) {
      found.add(tensor);
    } else if (argument instanceof List<?> list) {
      list.forEach(each -> collect(each, found));
    }
  }

  /** The call with {@code operand} in a file, which is overwritten. */
  static SetCall mapped(SetCall call, DenseTensor operand, Path file, ResourceScope scope)
      throws IOException {
    MemorySegment segment = operand.storage().segment();
    Files.write(file, segment.toArray(ValueLayout.JAVA_BYTE));
    Storage storage = (Storage) scope.map(file, 0, segment.byteSize());
    DenseTensor far =
        (DenseTensor) DenseTensor.over(scope, storage, operand.layout(), operand.dtype());
    Set<DenseTensor> constants = new HashSet<>(call.constants());
    if (constants.remove(operand)) {
      constants.add(far);
    }
    List<Object> arguments = new ArrayList<>();
    call.arguments().forEach(each -> arguments.add(replaced(each, operand, far)));
    return new SetCall(call.name(), arguments, call.accuracy(), constants, call.order());
  }

  private static Object replaced(Object argument, DenseTensor operand, DenseTensor far) {
    if (argument instanceof List<?> list) {
      List<Object> all = new ArrayList<>();
      list.forEach(each -> all.add(replaced(each, operand, far)));
      return all;
    }
    return argument == operand ? far : argument;
  }

  private DenseTensor tensor(DType dtype, long... sizes) {
    return tensor(dtype, Layout.contiguous(Shape.of(sizes)));
  }

  private DenseTensor tensor(long... sizes) {
    return tensor(F32, sizes);
  }

  private DenseTensor tensor(DType dtype, Layout layout) {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, layout);
    for (long i = 0; i < made.elements(); i++) {
      if (dtype.isFloating()) {
        Elements.putDouble(made.segment(), dtype, i, random.nextFloat() + 0.1);
      } else {
        Elements.putLong(made.segment(), dtype, i, random.nextInt(2));
      }
    }
    return made;
  }

  private DenseTensor pixels(DType dtype, long... sizes) {
    return tensor(dtype, Layout.channelsLast(Shape.of(sizes)));
  }

  private void products(List<SetCall> all) {
    all.add(SetCall.of(SUMS, "mm", tensor(20, 40), tensor(40, 50)));
    all.add(SetCall.of(SUMS, "mm", tensor(1, 64), tensor(64, 50)));
    all.add(SetCall.of(SUMS, "mm", tensor(50, 64), tensor(64, 1)));
    DType wide = DType.FLOAT64;
    all.add(SetCall.of(SUMS, "mm", tensor(wide, 20, 40), tensor(wide, 40, 50)));
    all.add(SetCall.of(EXACT, "mm", tensor(DType.INT8, 20, 40), tensor(DType.INT8, 40, 50)));
    all.add(SetCall.of(SUMS, "addmm", tensor(20, 50), tensor(20, 40), tensor(40, 50), 1L, 1L));
    for (long rows : new long[] {1, 20}) {
      DenseTensor weight = tensor(50, 40);
      SetCall call = SetCall.of(SUMS, "linear", tensor(rows, 40), weight, tensor(50));
      all.add(call.constant(weight));
    }
    Object[] heads = {tensor(2, 2, 20, 16), tensor(2, 2, 20, 16), tensor(2, 2, 20, 16)};
    all.add(
        SetCall.of(
            SMOOTH,
            "scaled_dot_product_attention",
            heads[0],
            heads[1],
            heads[2],
            tensor(20, 20),
            0.0,
            false,
            NONE,
            false));
  }

  private void convolutions(List<SetCall> all) {
    for (DType dtype : List.of(F32, DType.FLOAT64)) {
      all.add(convolution(dtype, 8, 8, 3, 1));
      all.add(convolution(dtype, 8, 8, 3, 2));
      all.add(convolution(dtype, 24, 1, 3, 1));
    }
    for (Call.Order order : List.of(Call.Order.AS_WRITTEN, Call.Order.CHANNELS_LAST)) {
      all.add(constant(convolution(F32, 16, 16, 3, 1)).ordered(order));
      all.add(constant(convolution(F32, 32, 32, 1, 1)).ordered(order));
      all.add(constant(convolution(F32, 3, 3, 5, 2)).ordered(order));
      all.add(constant(convolution(F32, 32, 1, 3, 1)).ordered(order));
      all.add(constant(convolution(F32, 32, 1, 5, 1)).ordered(order));
      all.add(constant(convolution(F32, 64, 16, 3, 1)).ordered(order));
    }
  }

  /** A convolution of {@code in} channels, in groups of {@code width}, to as many or 32. */
  private SetCall convolution(DType dtype, long in, long width, long kernel, long stride) {
    long out = width == in ? 32 : in;
    return SetCall.of(
        MIXED,
        "conv2d",
        tensor(dtype, 2, in, 20, 20),
        tensor(dtype, out, width, kernel, kernel),
        tensor(dtype, out),
        List.of(stride, stride),
        List.of(kernel / 2, kernel / 2),
        List.of(1L, 1L),
        in / width);
  }

  private static SetCall constant(SetCall convolution) {
    return convolution.constant((DenseTensor) convolution.arguments().get(1));
  }

  private void pooling(List<SetCall> all, DType dtype) {
    List<Object> three = List.of(3L, 3L);
    List<Object> two = List.of(2L, 2L);
    List<Object> one = List.of(1L, 1L);
    for (DenseTensor image : List.of(tensor(dtype, 2, 4, 20, 40), pixels(dtype, 2, 32, 12, 12))) {
      Call.Order order = Call.Order.ANY;
      SetCall most = SetCall.of(EXACT, "max_pool2d", image, three, two, one, one, false);
      all.add(most.ordered(order));
      all.add(
          SetCall.of(SUMS, "avg_pool2d", image, two, two, List.of(0L, 0L), false, true, NONE)
              .ordered(order));
      all.add(SetCall.of(SUMS, "adaptive_avg_pool2d", image, one).ordered(order));
    }
  }

  private void norms(List<SetCall> all, DType dtype) {
    List<Object> width = List.of(40L);
    all.add(
        SetCall.of(
            SMOOTH,
            "layer_norm",
            tensor(dtype, 9, 40),
            width,
            tensor(dtype, 40),
            tensor(dtype, 40),
            1e-5,
            true));
    all.add(SetCall.of(SMOOTH, "rms_norm", tensor(dtype, 9, 40), width, tensor(dtype, 40), 1e-5));
    for (DenseTensor image : List.of(tensor(dtype, 2, 32, 12, 12), pixels(dtype, 2, 32, 12, 12))) {
      all.add(
          SetCall.of(
              SMOOTH, "group_norm", image, 16L, tensor(dtype, 32), tensor(dtype, 32), 1e-5, true));
      for (boolean training : new boolean[] {false, true}) {
        all.add(
            SetCall.of(
                    SMOOTH,
                    "batch_norm",
                    image,
                    tensor(dtype, 32),
                    tensor(dtype, 32),
                    training ? NONE : tensor(dtype, 32),
                    training ? NONE : tensor(dtype, 32),
                    training,
                    0.1,
                    1e-5,
                    true)
                .ordered(Call.Order.ANY));
      }
    }
    for (long dim : new long[] {0, 1}) {
      all.add(SetCall.of(SMOOTH, "softmax.int", tensor(dtype, 20, 40), dim, NONE));
      all.add(
          SetCall.of(SMOOTH.allowing(3e-7), "log_softmax.int", tensor(dtype, 20, 40), dim, NONE));
      all.add(SetCall.of(SMOOTH, "logsumexp", tensor(dtype, 20, 40), List.of(dim), false));
    }
  }

  private void layers(List<SetCall> all) {
    DenseTensor places = tensor(DType.INT64, 12);
    DenseTensor starts = tensor(DType.INT64, 2);
    Elements.putLong(starts.segment(), DType.INT64, 0, 0);
    for (long mode : new long[] {0, 1}) {
      all.add(
          SetCall.of(
              SUMS,
              "embedding_bag",
              tensor(9, 40),
              places,
              starts,
              false,
              mode,
              false,
              NONE,
              false));
    }
    all.add(SetCall.of(EXACT, "embedding", tensor(9, 40), places, -1L, false, false));
    all.add(SetCall.of(SUMS, "index_add", tensor(9, 40), 0L, places, tensor(12, 40), 1L));
  }

  private void recurrent(List<SetCall> all, DType dtype) {
    all.add(recurrent(dtype, "lstm.input", 4, false));
    all.add(recurrent(dtype, "lstm.input", 4, true));
    all.add(recurrent(dtype, "gru.input", 3, true));
    all.add(recurrent(dtype, "rnn_tanh.input", 1, false));
  }

  private SetCall recurrent(DType dtype, String name, long gates, boolean fixed) {
    DenseTensor hidden = tensor(dtype, gates * 24, 24);
    List<Object> parameters =
        List.of(
            tensor(dtype, gates * 24, 16),
            hidden,
            tensor(dtype, gates * 24),
            tensor(dtype, gates * 24));
    DenseTensor state = tensor(dtype, 1, 2, 24);
    SetCall call =
        SetCall.of(
            SMOOTH.allowing(1e-6),
            name,
            tensor(dtype, 5, 2, 16),
            gates == 4 ? List.of(state, tensor(dtype, 1, 2, 24)) : state,
            parameters,
            true,
            1L,
            0.0,
            false,
            false,
            false);
    return fixed ? call.constant(hidden, (DenseTensor) parameters.getFirst()) : call;
  }

  private void rows(List<SetCall> all) {
    for (DType dtype : List.of(F32, DType.FLOAT64, DType.BFLOAT16)) {
      for (String name : List.of("exp", "square", "gelu", "sum", "amax", "to.dtype")) {
        Object[] more =
            switch (name) {
              case "gelu" -> new Object[] {"none"};
              case "sum" -> new Object[] {NONE};
              case "amax" -> new Object[] {List.of(0L), false};
              case "to.dtype" -> {
                DType into = dtype == F32 ? DType.BFLOAT16 : F32;
                yield new Object[] {(long) into.code(), false, true, NONE};
              }
              default -> new Object[0];
            };
        List<Object> arguments = new ArrayList<>(List.of(tensor(dtype, 30, 40)));
        arguments.addAll(List.of(more));
        all.add(SetCall.of(SMOOTH, name, arguments.toArray()));
      }
    }
    for (String name : List.of("mul.Tensor", "fmod.Tensor", "atan2", "pow.Tensor_Tensor")) {
      all.add(SetCall.of(SMOOTH, name, tensor(30, 40), tensor(30, 40)));
    }
    for (DType dtype : List.of(F32, DType.BFLOAT16)) {
      DenseTensor narrow = tensor(DType.BFLOAT16, 30, 40);
      all.add(SetCall.of(SMOOTH, "add.Tensor", narrow, tensor(dtype, 30, 40), 1L));
    }
    all.add(SetCall.of(SMOOTH, "prelu", tensor(30, 40), tensor(40)));
    all.add(SetCall.of(SMOOTH, "glu", tensor(30, 40), -1L));
    all.add(SetCall.of(SMOOTH, "mse_loss", tensor(30, 40), tensor(30, 40), 1L));
    all.add(SetCall.of(SMOOTH, "lerp.Tensor", tensor(30, 40), tensor(30, 40), tensor(30, 40)));
    all.add(SetCall.of(EXACT, "lt.Tensor", tensor(30, 40), tensor(30, 40)));
    DenseTensor mask = tensor(DType.BOOL, 30, 40);
    all.add(SetCall.of(EXACT, "where.self", mask, tensor(30, 40), tensor(30, 40)));
    all.add(SetCall.of(EXACT, "masked_fill.Scalar", tensor(30, 40), mask, 2.5));
    all.add(SetCall.of(EXACT, "logical_and", mask, tensor(DType.BOOL, 30, 40)));
    DType whole = DType.INT32;
    all.add(SetCall.of(EXACT, "add.Tensor", tensor(whole, 30, 40), tensor(whole, 30, 40), 1L));
  }
}
