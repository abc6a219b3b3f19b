package dev.staunch.vector;

import static dev.staunch.vector.SetCall.Accuracy.EXACT;
import static dev.staunch.vector.SetCall.Accuracy.SMOOTH;
import static dev.staunch.vector.SetCall.Accuracy.SUMS;

import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;

/** Random calls of reductions and of what moves elements. */
final class RandomRows {
  private static final Object NONE = None.NONE;

  private final RandomOperands draw;

  RandomRows(RandomOperands draw) {
    this.draw = draw;
  }

  private List<Object> dims(DenseTensor tensor) {
    List<Object> dims = new ArrayList<>();
    for (long i = 0; i < tensor.rank(); i++) {
      if (draw.chance(2)) {
        dims.add(draw.chance(2) ? i : i - tensor.rank());
      }
    }
    return dims;
  }

  private long dim(DenseTensor tensor) {
    return tensor.rank() == 0
        ? draw.between(-1, 0)
        : draw.between(-tensor.rank(), tensor.rank() - 1);
  }

  SetCall softmax() {
    DenseTensor x = draw.anyTensor();
    return switch ((int) draw.between(0, 2)) {
      case 0 -> SetCall.of(SMOOTH.allowing(3e-7), "softmax.int", x, dim(x), NONE);
      case 1 -> SetCall.of(SMOOTH.allowing(3e-7), "log_softmax.int", x, dim(x), NONE);
      default ->
          SetCall.of(SMOOTH.absolute(-1).allowing(3e-7), "logsumexp", x, dims(x), draw.chance(2));
    };
  }

  SetCall reduction() {
    DenseTensor x = draw.anyTensor();
    boolean keep = draw.chance(2);
    return switch ((int) draw.between(0, 6)) {
      case 0 -> SetCall.of(SUMS, "sum", x, NONE);
      case 1 -> SetCall.of(SUMS, "sum.dim_IntList", x, dims(x), keep, NONE);
      case 2 -> SetCall.of(SUMS, "mean.dim", x, dims(x), keep, NONE);
      case 3 -> SetCall.of(SUMS, "prod.dim_int", x, dim(x), keep, NONE);
      case 4 -> SetCall.of(SUMS, "prod", x, NONE);
      case 5 -> SetCall.of(SMOOTH, "var.correction", x, dims(x), 1L, keep);
      default -> {
        Object power = draw.<Object>any(2L, 1L, 0L, 3L, 0.5, Double.POSITIVE_INFINITY);
        yield SetCall.of(SUMS, "linalg_vector_norm", x, power, dims(x), keep, NONE);
      }
    };
  }

  SetCall extreme() {
    DenseTensor x = draw.anyTensor();
    boolean keep = draw.chance(2);
    String one = draw.any("argmax", "argmin");
    return switch ((int) draw.between(0, 3)) {
      case 0 -> SetCall.of(EXACT, draw.any("amax", "amin"), x, dims(x), keep);
      case 1 -> SetCall.of(EXACT, draw.any("max.dim", "min.dim"), x, dim(x), keep);
      case 2 -> SetCall.of(EXACT, one, x, NONE, false);
      default -> SetCall.of(EXACT, one, x, dim(x), keep);
    };
  }

  SetCall copy() {
    DenseTensor x = draw.chance(4) ? draw.image() : draw.anyTensor();
    DType into = draw.any(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
    return switch ((int) draw.between(0, 3)) {
      case 0 -> SetCall.of(EXACT, "contiguous", x, x.rank() == 4 ? draw.any(0L, 2L) : 0L);
      case 1 -> SetCall.of(EXACT, "clone", x, x.rank() == 4 ? draw.any(0L, 1L, 2L) : 1L);
      case 2 -> {
        DType whole = draw.any(DType.INT32, DType.UINT8, DType.INT16, DType.INT64);
        DenseTensor counts = draw.tensor(whole, draw.sizes(2, 3_000));
        yield SetCall.of(EXACT, "to.dtype", counts, (long) into.code(), false, true, NONE);
      }
      default -> SetCall.of(EXACT, "to.dtype", x, (long) into.code(), false, true, NONE);
    };
  }

  SetCall bag() {
    DType dtype = draw.any(DType.FLOAT32, DType.FLOAT32, DType.FLOAT64, DType.BFLOAT16);
    long rows = draw.between(1, 40);
    long mode = draw.between(0, 2);
    DenseTensor table = draw.tensor(dtype, rows, draw.size(200));
    boolean many = draw.chance(2);
    long count = draw.between(1, 60);
    DenseTensor places =
        many
            ? draw.indices(rows, draw.between(1, 9), draw.between(1, 9))
            : draw.indices(rows, count);
    DenseTensor starts = draw.starts(count, draw.between(1, 5));
    Object weights =
        mode == 0 && draw.chance(3) ? draw.tensor(dtype, RandomOperands.shape(places)) : NONE;
    if (many) {
      return SetCall.of(EXACT, "embedding", table, places, -1L, false, false);
    }
    return SetCall.of(
        mode == 2 ? EXACT : SUMS,
        "embedding_bag",
        table,
        places,
        starts,
        false,
        mode,
        false,
        weights,
        draw.chance(4));
  }

  /**
   * Places along a dimension of {@code x}, and as many values.
   *
   * @param line the same for all other coordinates
   * @param each another for each of them
   */
  private record Places(
      DenseTensor x, long dim, DenseTensor line, DenseTensor each, DenseTensor values) {
    /** As an index of several dimensions. */
    List<Object> list() {
      return dim == 0 ? List.of(line) : List.of(NONE, line);
    }
  }

  private Places places() {
    long[] sizes = draw.sizes(2, 4_000);
    sizes[0] = Math.max(1, sizes[0]);
    sizes[1] = Math.max(1, sizes[1]);
    DType dtype = draw.any(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT32, DType.INT8);
    DenseTensor x = draw.tensor(dtype, sizes);
    int dim = (int) draw.between(0, 1);
    long[] picked = sizes.clone();
    picked[dim] = draw.size(100);
    return new Places(
        x,
        dim,
        draw.indices(sizes[dim], picked[dim]),
        draw.indices(sizes[dim], picked),
        draw.tensor(dtype, picked));
  }

  SetCall index() {
    Places at = places();
    return switch ((int) draw.between(0, 2)) {
      case 0 -> SetCall.of(EXACT, "gather", at.x, at.dim, at.each, false);
      case 1 -> SetCall.of(EXACT, "index_select", at.x, at.dim, at.line);
      default -> SetCall.of(EXACT, "index.Tensor", at.x, at.list());
    };
  }

  SetCall scatter() {
    Places at = places();
    return switch ((int) draw.between(0, 5)) {
      case 0 -> SetCall.of(SUMS, "scatter_add", at.x, at.dim, at.each, at.values);
      case 1 -> SetCall.of(EXACT, "scatter.src", at.x, at.dim, at.each, at.values);
      case 2 -> SetCall.of(EXACT, "scatter.value", at.x, at.dim, at.each, 3L);
      case 3 -> SetCall.of(SUMS, "index_add", at.x, at.dim, at.line, at.values, draw.any(1L, 2L));
      case 4 -> SetCall.of(EXACT, "index_fill.int_Scalar", at.x, at.dim, at.line, 3L);
      default -> {
        boolean adds = draw.chance(2);
        SetCall.Accuracy accuracy = adds ? SUMS : EXACT;
        yield SetCall.of(accuracy, "index_put", at.x, at.list(), at.values, adds);
      }
    };
  }
}
