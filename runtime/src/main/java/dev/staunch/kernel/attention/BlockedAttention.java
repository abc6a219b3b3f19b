package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.attention.AttentionScores.CausalMask;
import dev.staunch.kernel.attention.AttentionScores.RowMask;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes attention one block of queries at a time: the scores of a block stay in a cache, and the
 * scores of all queries never exist at once. Each query is computed as if it were alone, so the
 * blocks depend on the shapes only and may run in parallel.
 *
 * @param query [*, queries, size], without the leading dimensions if all share one matrix
 * @param key [*, size, keys]
 * @param value [*, keys, columns]
 * @param scale the factor of the scores
 * @param addend [*, queries, keys], added to the scores; null for none
 * @param masks supplies one mask for each thread
 * @param emptyIsZero whether a query that sees no key gets zeros, not NaN
 */
record BlockedAttention(
    KernelSet kernels,
    Stack query,
    Stack key,
    Stack value,
    double scale,
    @Nullable Stack addend,
    Supplier<RowMask> masks,
    boolean emptyIsZero) {
  /**
   * The most scores that are computed at once; a block has at least one query, whatever its size.
   */
  private static final long SCORES = 1 << 17;

  /**
   * The most queries in a block under a causal mask: a block computes the scores of only those keys
   * that its last query sees.
   */
  private static final long CAUSAL_ROWS = 128;

  /** Up to this many scores in total are computed at once, by one product for all matrices. */
  static final long FEW = 1 << 12;

  /** Multiply-adds in a piece that other threads may take. */
  private static final long PIECE = 1 << 21;

  /** Elements of {@code tensor} as {@code layout} arranges them. */
  record Stack(DenseTensor tensor, Layout layout) {
    long size(int fromEnd) {
      return layout.shape().size(layout.shape().rank() - fromEnd);
    }

    long stride(int fromEnd) {
      return layout.stride(layout.shape().rank() - fromEnd);
    }

    /** Where each matrix starts, in elements from the tensor's first one. */
    Places starts(Shape batch) {
      int rank = layout.shape().rank() - 2;
      Shape own = Shape.of(Arrays.copyOf(layout.shape().toArray(), rank));
      long offset = layout.offset() - tensor.layout().offset();
      return Places.of(
          Broadcast.stretch(new Layout(own, Arrays.copyOf(layout.strides(), rank), offset), batch));
    }

    /** Some rows of the matrix that starts at {@code start}. */
    Layout rows(long start, long first, long count) {
      return rows(start, first, count, size(1));
    }

    /** The first columns of some rows of the matrix that starts at {@code start}. */
    Layout rows(long start, long first, long count, long columns) {
      long[] strides = {stride(2), stride(1)};
      return new Layout(Shape.of(count, columns), strides, start + first * stride(2));
    }
  }

  /** The context of a piece, which hands no work to other threads itself. */
  private record SingleThreaded(ExecutionContext outer) implements ExecutionContext {
    @Override
    public ResourceScope scope() {
      return outer.scope();
    }

    @Override
    public Copy copy(Copy.Request request) {
      return outer.copy(request);
    }

    @Override
    public @Nullable Fault cancelled() {
      return outer.cancelled();
    }
  }

  /**
   * Writes all of {@code output}: [*, queries, columns], contiguous along the last dimension.
   *
   * @param batch the leading dimensions, to which the operands broadcast
   * @return the fault of a cancellation or of too little memory; {@code output} is then undefined
   */
  @Nullable Fault run(ExecutionContext context, Shape batch, Stack output) {
    long queries = query.size(2);
    int keys = Shape.asInt(key.size(1));
    boolean causal = masks.get() instanceof CausalMask;
    long most = causal ? Math.min(CAUSAL_ROWS, queries) : queries;
    long height = Math.clamp(SCORES / keys, 1, most);
    long blocks = Math.ceilDiv(queries, height);
    long work = height * keys * (query.size(1) + value.size(1));
    long range = batch.elements() * blocks;
    ExecutionContext inside = range == 1 ? context : new SingleThreaded(context);
    return context.parallel(
        range,
        Math.max(1, PIECE / work),
        (first, end) -> {
          Places queryAt = query.starts(batch);
          Places keyAt = key.starts(batch);
          Places valueAt = value.starts(batch);
          Places outputAt = output.starts(batch);
          Places addendAt = addend == null ? outputAt : addend.starts(batch);
          RowMask mask = masks.get();
          Fault fault = null;
          for (long i = first; i < end && fault == null; i++) {
            long matrix = i / blocks;
            long row = i % blocks * height;
            long count = Math.min(height, queries - row);
            int seen = mask.visible(matrix * queries + row + count - 1, keys);
            fault =
                block(
                    inside,
                    query.rows(queryAt.at(matrix), row, count),
                    key.rows(keyAt.at(matrix), 0, key.size(2), seen),
                    value.rows(valueAt.at(matrix), 0, seen),
                    addend == null ? null : addend.rows(addendAt.at(matrix), row, count),
                    mask,
                    matrix * queries + row,
                    output.tensor(),
                    output.rows(outputAt.at(matrix), row, count));
          }
          return fault;
        });
  }

  private @Nullable Fault block(
      ExecutionContext context,
      Layout asking,
      Layout asked,
      Layout seen,
      @Nullable Layout added,
      RowMask mask,
      long row,
      DenseTensor output,
      Layout target) {
    long count = asking.shape().size(0);
    Shape shape = Shape.of(count, asked.shape().size(1));
    Layout plain = Layout.contiguous(shape);
    DType dtype = output.dtype();
    try (Temporaries made = new Temporaries()) {
      Object first = made.note(DenseTensor.allocate(context.scope(), dtype, shape));
      if (!(first instanceof DenseTensor scores)) {
        return (Fault) first;
      }
      Fault fault =
          kernels
              .matrixProduct(
                  new MatrixProduct.Request(dtype, asking, asked, added, plain, scale, null))
              .run(
                  context,
                  query.tensor(),
                  key.tensor(),
                  addend == null ? null : addend.tensor(),
                  scores);
      if (fault != null) {
        return fault;
      }
      AttentionScores.hide(scores, row, mask);
      boolean[] empty = emptyIsZero ? AttentionScores.empty(scores) : null;
      Object second = made.note(DenseTensor.allocate(context.scope(), dtype, shape));
      if (!(second instanceof DenseTensor weights)) {
        return (Fault) second;
      }
      fault =
          kernels
              .softmax(new Softmax.Request(dtype, plain, dtype, plain, 1, false))
              .run(context, scores, weights);
      if (fault != null) {
        return fault;
      }
      if (empty != null) {
        AttentionScores.clear(weights, empty);
      }
      return kernels
          .matrixProduct(new MatrixProduct.Request(dtype, plain, seen, null, target, 1L, null))
          .run(context, weights, value.tensor(), null, output);
    }
  }
}
