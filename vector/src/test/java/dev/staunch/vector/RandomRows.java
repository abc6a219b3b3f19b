package dev.staunch.vector;

import static dev.staunch.vector.SetCall.Accuracy.EXACT;
import static dev.staunch.vector.SetCall.Accuracy.SMOOTH;
import static dev.staunch.vector.SetCall.Accuracy.SUMS;

import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Random calls of reductions, of pointwise formulas, and of what moves elements. */
final class RandomRows {
  private static final Object NONE = None.NONE;

  private static final List<String> FUNCTIONS =
      List.of(
          "square",
          "sqrt",
          "exp",
          "sigmoid",
          "silu",
          "tanh",
          "erf",
          "mish",
          "hardswish",
          "selu",
          "log_sigmoid",
          "rsqrt",
          "sign",
          "log",
          "log2",
          "log10",
          "log1p",
          "expm1",
          "sin",
          "cos",
          "tan",
          "atan",
          "relu",
          "softplus",
          "gelu",
          "elu",
          "celu",
          "relu6",
          "hardsigmoid",
          "hardtanh",
          "leaky_relu",
          "hardshrink",
          "softshrink",
          "threshold");

  private final RandomOperands draw;

  RandomRows(RandomOperands draw) {
    this.draw = draw;
  }

  private DenseTensor anyTensor() {
    int rank = (int) draw.between(0, 4);
    return draw.tensor(draw.real(), draw.sizes(rank, draw.large() ? 200_000 : 5_000));
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
    DenseTensor x = anyTensor();
    return switch ((int) draw.between(0, 2)) {
      case 0 -> SetCall.of(SMOOTH.allowing(3e-7), "softmax.int", x, dim(x), NONE);
      case 1 -> SetCall.of(SMOOTH.allowing(3e-7), "log_softmax.int", x, dim(x), NONE);
      default ->
          SetCall.of(SMOOTH.absolute(-1).allowing(3e-7), "logsumexp", x, dims(x), draw.chance(2));
    };
  }

  SetCall reduction() {
    DenseTensor x = anyTensor();
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
    DenseTensor x = anyTensor();
    boolean keep = draw.chance(2);
    String one = draw.any("argmax", "argmin");
    return switch ((int) draw.between(0, 3)) {
      case 0 -> SetCall.of(EXACT, draw.any("amax", "amin"), x, dims(x), keep);
      case 1 -> SetCall.of(EXACT, draw.any("max.dim", "min.dim"), x, dim(x), keep);
      case 2 -> SetCall.of(EXACT, one, x, NONE, false);
      default -> SetCall.of(EXACT, one, x, dim(x), keep);
    };
  }

  SetCall function() {
    String name = FUNCTIONS.get((int) draw.between(0, FUNCTIONS.size() - 1));
    List<Object> arguments = new ArrayList<>(List.of(anyTensor()));
    arguments.addAll(numbers(name));
    // the exact gelu subtracts from 1 what is missing, and so loses what is left of large numbers
    SetCall.Accuracy accuracy = name.equals("gelu") ? SMOOTH.allowing(1e-14) : SMOOTH;
    return SetCall.of(accuracy, name, arguments.toArray());
  }

  /** What follows the tensor in calls of a function. */
  private List<Object> numbers(String name) {
    Object number = draw.<Object>any(1L, 0.1, 0.75, 2.5);
    return switch (name) {
      case "softplus" -> List.of(number, draw.<Object>any(20L, 7.5));
      case "gelu" -> List.of(draw.any("none", "tanh"));
      case "elu" -> List.of(number, draw.<Object>any(1L, 0.9), draw.<Object>any(1L, 1.3));
      case "celu", "hardshrink", "softshrink" -> List.of(number);
      case "hardtanh" -> List.of(draw.<Object>any(-1L, 0L, -0.5), number);
      case "leaky_relu" -> List.of(draw.<Object>any(0.01, 0.2, -0.5, 1.5, 0L));
      case "threshold" -> List.of(number, draw.<Object>any(0L, -3.5));
      default -> List.of();
    };
  }

  /** A tensor with the sizes of {@code x}, or with some that are broadcast. */
  private DenseTensor other(DenseTensor x) {
    long[] sizes = RandomOperands.shape(x);
    if (draw.chance(3) && sizes.length > 0) {
      sizes[(int) draw.between(0, sizes.length - 1)] = 1;
    }
    int skipped = draw.chance(4) ? (int) draw.between(0, sizes.length) : 0;
    return draw.tensor(x.dtype(), Arrays.copyOfRange(sizes, skipped, sizes.length));
  }

  SetCall pair() {
    DenseTensor x = anyTensor();
    DenseTensor y = other(x);
    return switch ((int) draw.between(0, 7)) {
      case 0 -> SetCall.of(SUMS, "add.Tensor", x, y, draw.<Object>any(1L, -2L, 0.3));
      case 1 -> SetCall.of(SUMS, draw.any("sub.Tensor", "rsub.Tensor"), x, y, 1L);
      case 2 -> SetCall.of(SUMS, "mul.Tensor", x, y);
      case 3 -> SetCall.of(SUMS, "div.Tensor", x, y);
      case 4 -> SetCall.of(EXACT, draw.any("maximum", "minimum"), x, y);
      case 5 -> SetCall.of(SMOOTH, "atan2", x, y);
      case 6 -> SetCall.of(EXACT, draw.any("fmod.Tensor", "remainder.Tensor"), x, y);
      default -> {
        Object number = draw.<Object>any(2L, -0.75, 0.3, 1e-3);
        yield SetCall.of(EXACT, draw.any("fmod.Scalar", "remainder.Scalar"), x, number);
      }
    };
  }

  SetCall power() {
    DenseTensor x = anyTensor();
    if (draw.chance(3)) {
      return SetCall.of(SMOOTH, "pow.Tensor_Tensor", x, other(x));
    }
    Object number = draw.<Object>any(0L, 1L, 2L, 3L, -1L, -2L, 0.5, -0.5, 1.75, -3.5, 31L);
    return draw.chance(3)
        ? SetCall.of(SMOOTH, "pow.Scalar", draw.<Object>any(2L, 0.3, 0L, 1L, 10.0), x)
        : SetCall.of(SMOOTH, "pow.Tensor_Scalar", x, number);
  }

  SetCall copy() {
    DenseTensor x = draw.chance(4) ? draw.image() : anyTensor();
    DType into = draw.any(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
    return switch ((int) draw.between(0, 3)) {
      case 0 -> SetCall.of(EXACT, "contiguous", x, x.rank() == 4 ? draw.any(0L, 2L) : 0L);
      case 1 -> SetCall.of(EXACT, "clone", x, x.rank() == 4 ? draw.any(0L, 1L, 2L) : 1L);
      case 2 -> {
        DType whole = draw.any(DType.INT32, DType.UINT8, DType.INT16, DType.INT64);
        draw.finite();
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
    Object offsets = many ? NONE : draw.indices(1, 1);
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
        offsets,
        false,
        mode,
        false,
        weights,
        false);
  }

  SetCall index() {
    long[] sizes = draw.sizes(2, 4_000);
    sizes[0] = Math.max(1, sizes[0]);
    sizes[1] = Math.max(1, sizes[1]);
    DType dtype = draw.any(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT32, DType.INT8);
    DenseTensor x = draw.tensor(dtype, sizes);
    int dim = (int) draw.between(0, 1);
    long[] picked = sizes.clone();
    picked[dim] = draw.size(100);
    DenseTensor line = draw.indices(sizes[dim], picked[dim]);
    DenseTensor places = draw.indices(sizes[dim], picked);
    return switch ((int) draw.between(0, 3)) {
      case 0 -> SetCall.of(EXACT, "gather", x, (long) dim, places, false);
      case 1 -> SetCall.of(EXACT, "index_select", x, (long) dim, line);
      case 2 -> {
        List<Object> at = new ArrayList<>(dim == 0 ? List.of(line) : List.of(NONE, line));
        yield SetCall.of(EXACT, "index.Tensor", x, at);
      }
      default -> SetCall.of(SUMS, "scatter_add", x, (long) dim, places, draw.tensor(dtype, picked));
    };
  }
}
