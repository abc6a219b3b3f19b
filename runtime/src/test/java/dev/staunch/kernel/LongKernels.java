package dev.staunch.kernel;

import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Calls of kernels that run long on large tensors, each with about 2^20 elements of work. */
final class LongKernels {
  static final int N = 1 << 20;
  static final int SIDE = 1 << 10;

  private static final Object NONE = None.NONE;

  private LongKernels() {}

  /**
   * @param elements the number of elements that are read or written
   */
  record Case(String name, long elements, Function<Operands, Object[]> arguments) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Makes operands. */
  record Operands(ResourceScope scope) {
    DenseTensor floats(long... sizes) {
      float[] values = new float[(int) Shape.of(sizes).elements()];
      for (int i = 0; i < values.length; i++) {
        values[i] = i * 7919L % 10007 / 10007f;
      }
      return (DenseTensor) HostTensors.floats(scope, Shape.of(sizes), values);
    }

    DenseTensor positives(long... sizes) {
      float[] values = new float[(int) Shape.of(sizes).elements()];
      for (int i = 0; i < values.length; i++) {
        values[i] = 0.5f + i * 7919L % 10007 / 10007f;
      }
      return (DenseTensor) HostTensors.floats(scope, Shape.of(sizes), values);
    }

    DenseTensor doubles(long... sizes) {
      double[] values = new double[(int) Shape.of(sizes).elements()];
      for (int i = 0; i < values.length; i++) {
        values[i] = i * 7919L % 10007 / 10007.0 - 0.5;
      }
      return (DenseTensor) HostTensors.doubles(scope, Shape.of(sizes), values);
    }

    /** Numbers from 0 up to {@code bound}, exclusive. */
    DenseTensor ids(long bound, long... sizes) {
      long[] values = new long[(int) Shape.of(sizes).elements()];
      for (int i = 0; i < values.length; i++) {
        values[i] = i * 7919L % bound;
      }
      return (DenseTensor) HostTensors.longs(scope, Shape.of(sizes), values);
    }

    DenseTensor bools(boolean value, long... sizes) {
      byte[] values = new byte[(int) Shape.of(sizes).elements()];
      Arrays.fill(values, (byte) (value ? 1 : 0));
      return (DenseTensor) HostTensors.bools(scope, Shape.of(sizes), values);
    }

    DenseTensor transposed() {
      return transposed(SIDE, SIDE);
    }

    /** A matrix whose columns are contiguous. */
    DenseTensor transposed(long... sizes) {
      DenseTensor plain = floats(sizes[1], sizes[0]);
      Layout swapped = new Layout(Shape.of(sizes), new long[] {1, sizes[0]}, 0);
      DenseTensor view = (DenseTensor) plain.view(scope, swapped);
      plain.close();
      return view;
    }
  }

  private static Case of(String name, Function<Operands, Object[]> arguments) {
    return of(name, N, arguments);
  }

  private static Case of(String name, long elements, Function<Operands, Object[]> arguments) {
    return new Case("aten::" + name, elements, arguments);
  }

  static Stream<Case> all() {
    return Stream.of(
            reductions(),
            sorts(),
            copies(),
            makers(),
            indexing(),
            neural(),
            products(),
            ranks(),
            placing(),
            pictures(),
            targets(),
            matrices())
        .flatMap(cases -> cases);
  }

  private static Stream<Case> reductions() {
    return Stream.of(
        of("exp", on -> args(on.floats(N))),
        of("add.Tensor", on -> args(on.floats(N), on.floats(N), 1L)),
        of("gt.Scalar", on -> args(on.floats(N), 0.5)),
        of("floor_divide", on -> args(on.ids(9, N), add(on.ids(3, N)))),
        of("equal", on -> args(on.floats(N), on.floats(N))),
        of("sum", on -> args(on.floats(N), NONE)),
        of("sum", on -> args(on.ids(9, N), NONE)),
        of("sum.dim_IntList", on -> args(on.floats(1, N), List.of(1L), false, NONE)),
        of("sum.dim_IntList", on -> args(on.floats(8, N / 64, 8), List.of(0L, 2L), false, NONE)),
        of("mean", on -> args(on.floats(N), NONE)),
        of("prod", on -> args(on.floats(N), NONE)),
        of("any", on -> args(on.bools(false, N))),
        of("all", on -> args(on.bools(true, N))),
        of("max", on -> args(on.floats(N))),
        of("min", on -> args(on.ids(99, N))),
        of("argmax", on -> args(on.floats(N), NONE, false)),
        of("max.dim", on -> args(on.floats(N), 0L, false)),
        of("std", on -> args(on.floats(N), true)),
        of("var_mean", on -> args(on.floats(N), true)),
        of("norm.Scalar", on -> args(on.floats(N), 2L)),
        of("logsumexp", on -> args(on.floats(N), List.of(0L), false)),
        of("softmax.int", on -> args(on.floats(N), 0L, NONE)),
        of("log_softmax.int", on -> args(on.floats(SIDE, SIDE), 0L, NONE)),
        of("cumsum", on -> args(on.floats(N), 0L, NONE)),
        of("cumprod", on -> args(on.ids(9, N), 0L, NONE)));
  }

  private static DenseTensor add(DenseTensor divisor) {
    for (long i = 0; i < divisor.elements(); i++) {
      divisor.segment().setAtIndex(ValueLayout.JAVA_LONG, i, 7);
    }
    return divisor;
  }

  private static Stream<Case> sorts() {
    return Stream.of(
        of("sort", on -> args(on.floats(N), 0L, false)),
        of("sort", on -> args(on.doubles(N), 0L, true)),
        of("sort", on -> args(on.ids(1 << 30, SIDE, SIDE), 0L, false)),
        of("argsort", on -> args(on.floats(N), 0L, true)),
        of("topk", on -> args(on.floats(SIDE, SIDE), 5L, 1L, true, true)));
  }

  private static Stream<Case> copies() {
    return Stream.of(
        of("contiguous", on -> args(on.transposed(), 0L)),
        of("clone", 4 * N, on -> args(on.floats(4 * N), NONE)),
        of("to.dtype", on -> args(on.floats(N), (long) DType.INT32.code(), false, false, NONE)),
        of("reshape", on -> args(on.transposed(), List.of((long) N))),
        of("cat", 8 * N, on -> args(List.of(on.floats(4 * N), on.floats(4 * N)), 0L)),
        of("stack", on -> args(List.of(on.transposed(), on.transposed()), 1L)),
        of("repeat", on -> args(on.floats(SIDE), List.of((long) SIDE))),
        of("roll", on -> args(on.floats(N), List.of(3L), List.of(0L))),
        of("roll", 4 * N, on -> args(on.floats(4 * N), List.of(3L), List.of())),
        of("flip", on -> args(on.floats(N), List.of(0L))),
        of("tril", on -> args(on.floats(SIDE, SIDE), 0L)),
        of("copy_", on -> args(on.floats(N), on.floats(N), false)),
        of("fill_.Scalar", on -> args(on.floats(N), 2.0)),
        of("constant_pad_nd", on -> args(on.floats(SIDE, SIDE), List.of(1L, 1L), 0.0)));
  }

  private static Stream<Case> makers() {
    Object[] tail = {NONE, NONE, NONE, NONE};
    return Stream.of(
        of("zeros", 4 * N, on -> args(List.of(4L * N), tail)),
        of("full", on -> args(List.of((long) N), 3.0, tail)),
        of("arange", on -> args((long) N, tail)),
        of("linspace", on -> args(0.0, 1.0, (long) N, tail)),
        of("eye", on -> args(2L * SIDE, tail)),
        of("rand", on -> args(List.of((long) N), tail)),
        of("randn", on -> args(List.of((long) N), tail)),
        of("randperm", on -> args((long) N, tail)),
        of("bernoulli", on -> args(on.floats(N), NONE)),
        of("multinomial", on -> args(on.floats(N / 4), 1000L, false, NONE)),
        of("multinomial", on -> args(on.floats(SIDE), (long) N, true, NONE)),
        of("dropout", on -> args(on.floats(N), 0.5, true)));
  }

  private static Stream<Case> indexing() {
    return Stream.of(
        of("index.Tensor", on -> args(on.floats(99), List.of(on.ids(99, N)))),
        of("index.Tensor", on -> args(on.floats(N), List.of(on.bools(true, N)))),
        of("index_select", on -> args(on.floats(SIDE, SIDE), 1L, on.ids(SIDE, SIDE))),
        of("masked_select", on -> args(on.floats(N), on.bools(true, N))),
        of("nonzero", on -> args(on.bools(true, SIDE, SIDE))),
        of("gather", on -> args(on.floats(N), 0L, on.ids(N, N), false)),
        of("scatter_.src", on -> args(on.floats(N), 0L, on.ids(N, N), on.floats(N))),
        of("scatter_add", on -> args(on.floats(N), 0L, on.ids(N, N), on.floats(N))),
        of("index_put_", on -> args(on.floats(N), List.of(on.ids(N, N)), on.floats(N), true)),
        of("embedding", on -> args(on.floats(SIDE, SIDE), on.ids(SIDE, SIDE), -1L, false, false)),
        of("one_hot", on -> args(on.ids(8, N / 8), 8L)),
        of(
            "embedding_bag",
            on ->
                args(
                    on.floats(SIDE, SIDE),
                    on.ids(SIDE, SIDE),
                    on.ids(1, 1),
                    false,
                    0L,
                    false,
                    NONE,
                    false)));
  }

  private static Stream<Case> neural() {
    List<Object> two = List.of(2L, 2L);
    List<Object> one = List.of(1L, 1L);
    List<Object> none = List.of(0L, 0L);
    return Stream.of(
        of(
            "layer_norm",
            on -> args(on.floats(SIDE, SIDE), List.of((long) SIDE), NONE, NONE, 1e-5, true)),
        of(
            "layer_norm",
            on -> args(on.floats(N), List.of((long) N), on.floats(N), NONE, 1e-5, true)),
        of(
            "batch_norm",
            on -> args(on.floats(4, 4, N / 16), NONE, NONE, NONE, NONE, true, 0.1, 1e-5, false)),
        of(
            "batch_norm",
            on ->
                args(
                    on.transposed(),
                    NONE,
                    NONE,
                    on.floats(SIDE),
                    on.floats(SIDE),
                    false,
                    0.1,
                    1e-5,
                    false)),
        of("max_pool2d", on -> args(on.floats(1, 1, SIDE, SIDE), two, List.of(), none, one, false)),
        of(
            "avg_pool2d",
            on -> args(on.floats(1, 1, SIDE, SIDE), two, List.of(), none, false, true, NONE)),
        of("adaptive_avg_pool2d", on -> args(on.floats(1, 1, SIDE, SIDE), one)),
        of(
            "conv2d",
            8L * 8 * 9 * 128 * 128,
            on -> args(on.floats(1, 8, 130, 130), on.floats(8, 8, 3, 3), NONE, one, none, one, 1L)),
        of(
            "conv1d",
            on ->
                args(
                    on.floats(1, 1, N),
                    on.floats(1, 1, 1),
                    NONE,
                    List.of(1L),
                    List.of(0L),
                    List.of(1L),
                    1L)));
  }

  private static Stream<Case> products() {
    long work = 256L * 256 * 256;
    return Stream.of(
        of("mm", work, on -> args(on.floats(256, 256), on.floats(256, 256))),
        of("mm", work, on -> args(on.doubles(256, 256), on.doubles(256, 256))),
        of("mm", work, on -> args(on.ids(9, 256, 256), on.ids(9, 256, 256))),
        of("dot", on -> args(on.floats(N), on.floats(N))),
        of("dot", on -> args(on.doubles(N), on.doubles(N))),
        of("mv", on -> args(on.floats(SIDE, SIDE), on.floats(SIDE))),
        of(
            "addmm",
            on -> args(on.floats(SIDE, SIDE), on.floats(SIDE, 1), on.floats(1, SIDE), 2.0, 1L)));
  }

  private static Stream<Case> ranks() {
    return Stream.of(
        of("kthvalue", on -> args(on.floats(N), 99L, 0L, false)),
        of("mode", on -> args(on.ids(99, N), 0L, false)),
        of("kthvalue", on -> args(on.ids(1 << 30, SIDE, SIDE), 99L, 0L, false)),
        of("median", on -> args(on.floats(N))),
        of("nanmedian.dim", on -> args(on.transposed(), 0L, true)),
        of("aminmax", on -> args(on.floats(N), NONE, false)),
        of("quantile.scalar", on -> args(on.doubles(N), 0.5, NONE, false, "linear")),
        of("quantile", on -> args(on.floats(SIDE, SIDE), on.floats(9), 0L, false, "nearest")),
        of("cummax", on -> args(on.floats(N), 0L)),
        of("cummin", on -> args(on.ids(99, SIDE, SIDE), 0L)),
        of("logcumsumexp", on -> args(on.floats(N), 0L)),
        of("diff", on -> args(on.floats(N), 2L, 0L, NONE, NONE)),
        of("bincount", on -> args(on.ids(SIDE, N), on.floats(N), 0L)),
        of("bincount", on -> args(on.ids(SIDE, N), NONE, 0L)),
        of("histc", on -> args(on.floats(N), 100L, 0L, 0L)),
        of("count_nonzero", on -> args(on.floats(N), NONE)),
        of("searchsorted.Tensor", on -> args(on.ids(N, N), on.ids(N, N), false, false, NONE, NONE)),
        of("isin.Scalar_Tensor", on -> args(1.0, on.floats(N), false, false)),
        of("isin.Tensor_Tensor", on -> args(on.floats(N), on.floats(SIDE), false, false)),
        of("_unique2", on -> args(on.floats(N), true, true, true)),
        of("_unique2", on -> args(on.ids(SIDE, N), true, true, true)),
        of("unique_dim", on -> args(on.ids(9, SIDE, SIDE), 0L, true, true, true)),
        of("unique_consecutive", on -> args(on.ids(9, N), true, true, NONE)));
  }

  private static Stream<Case> placing() {
    List<Object> sides = List.of(9L, 9L, 9L, 9L);
    Object[] tail = {NONE, NONE, NONE, NONE};
    return Stream.of(
        of("take", on -> args(on.floats(N), on.ids(N, N))),
        of("put_", on -> args(on.floats(N), on.ids(N, N), on.floats(N), true)),
        of("index_add", on -> args(on.floats(N, 1), 0L, on.ids(N, SIDE), on.floats(SIDE, 1), 1L)),
        of("index_fill_.int_Scalar", on -> args(on.floats(SIDE, SIDE), 1L, on.ids(9, SIDE), 2.0)),
        of("masked_scatter", on -> args(on.floats(N), on.bools(true, N), on.floats(N))),
        of(
            "scatter_reduce.two",
            on -> args(on.floats(N), 0L, on.ids(SIDE, N), on.floats(N), "mean", true)),
        of("scatter_.value_reduce", on -> args(on.ids(9, N), 0L, on.ids(N, N), 3L, "multiply")),
        of(
            "repeat_interleave.self_Tensor",
            on -> args(on.floats(SIDE), on.ids(SIDE, SIDE), 0L, NONE)),
        of("allclose", on -> args(on.floats(N), on.floats(N), 0.0, 0.0, false)),
        of("tril_indices", on -> args((long) SIDE, (long) SIDE, 0L, tail)),
        of("einsum", on -> args("ij,ij->i", List.of(on.floats(SIDE, SIDE), on.transposed()), NONE)),
        of("reflection_pad2d", on -> args(on.floats(1, SIDE, SIDE), sides)),
        of("replication_pad2d", on -> args(on.floats(1, SIDE, SIDE), sides)),
        of("pad", on -> args(on.floats(1, 1, SIDE, SIDE), sides, "circular", NONE)));
  }

  private static Stream<Case> pictures() {
    List<Object> two = List.of(2L, 2L);
    List<Object> one = List.of(1L, 1L);
    List<Object> none = List.of(0L, 0L);
    List<Object> side = List.of((long) SIDE, (long) SIDE);
    return Stream.of(
        of("upsample_bilinear2d", on -> args(on.floats(1, 4, 8, 8), side, false, NONE, NONE)),
        of("upsample_bicubic2d", on -> args(on.floats(1, 1, 99, 99), side, false, NONE, NONE)),
        of(
            "grid_sampler",
            on -> args(on.floats(1, 4, 99, 99), on.floats(1, 512, 512, 2), 0L, 2L, false)),
        new Case(
            "torchvision::roi_align",
            N,
            on -> args(on.floats(1, 1, 8, 8), on.floats(1, 5), 1.0, 1L, 1L, (long) SIDE, true)),
        of("adaptive_max_pool2d", on -> args(on.floats(1, 1, SIDE, SIDE), two)),
        of(
            "max_pool2d_with_indices",
            on -> args(on.floats(1, 1, SIDE, SIDE), two, List.of(), none, one, false)),
        of(
            "group_norm",
            on -> args(on.floats(1, 4, SIDE, 256), 2L, on.floats(4), on.floats(4), 1e-5, true)),
        of(
            "rms_norm",
            on -> args(on.floats(SIDE, SIDE), List.of((long) SIDE), on.floats(SIDE), NONE)),
        of(
            "conv_transpose1d",
            on ->
                args(
                    on.floats(1, 1, N),
                    on.floats(1, 1, 2),
                    NONE,
                    List.of(2L),
                    List.of(0L),
                    List.of(0L),
                    1L,
                    List.of(1L))));
  }

  private static Stream<Case> targets() {
    return Stream.of(
        of(
            "nll_loss_nd",
            on -> args(on.floats(N / 2, 2), on.ids(2, N / 2), on.floats(2), 1L, -100L)),
        of("nll_loss_nd", on -> args(on.floats(N / 2, 2), on.ids(2, N / 2), NONE, 0L, -100L)),
        of("_pack_padded_sequence", on -> args(on.floats(1, N, 1), ones(on, N), false)),
        of(
            "_nested_tensor_from_mask_left_aligned",
            on -> args(on.floats(SIDE, SIDE, 1), on.bools(true, SIDE, SIDE))));
  }

  /** One matrix each: the long work is inside of it. */
  private static Stream<Case> matrices() {
    return Stream.of(
        of("linalg_inv", on -> args(dominant(on, 128))),
        of("linalg_cholesky", on -> args(dominant(on, 192), false)),
        of("linalg_qr", on -> args(on.floats(128, 128), "complete")),
        of("linalg_svd", on -> args(on.floats(80, 64), true, NONE)),
        of("det", on -> args(dominant(on, 160))),
        of("slogdet", on -> args(dominant(on, 160))),
        of("linalg_eigh", on -> args(dominant(on, 64), "L")),
        of("matrix_exp", on -> args(on.floats(64, 64))),
        of("linalg_svdvals", on -> args(on.floats(64, 80), NONE)),
        of("linalg_solve", on -> args(dominant(on, 128), on.floats(128, 128), true)),
        of(
            "linalg_solve_triangular",
            on -> args(dominant(on, 160), on.floats(160, 160), true, true, false)),
        of("linalg_cond", on -> args(on.floats(64, 64), NONE)),
        of("pinverse", on -> args(on.floats(64, 64), 1e-15)));
  }

  /** A matrix that has an inverse and is positive definite. */
  private static DenseTensor dominant(Operands on, long size) {
    DenseTensor matrix = on.floats(size, size);
    for (long i = 0; i < size; i++) {
      matrix.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i * (size + 1), (float) size);
    }
    return matrix;
  }

  private static DenseTensor ones(Operands on, long count) {
    DenseTensor ones = on.ids(1, count);
    for (long i = 0; i < count; i++) {
      ones.segment().setAtIndex(ValueLayout.JAVA_LONG, i, 1);
    }
    return ones;
  }

  /** The arguments, with those of a final array one by one. */
  private static Object[] args(Object... values) {
    if (values.length > 0 && values[values.length - 1] instanceof Object[] tail) {
      Object[] all = Arrays.copyOf(values, values.length - 1 + tail.length);
      System.arraycopy(tail, 0, all, values.length - 1, tail.length);
      return all;
    }
    return values;
  }
}
