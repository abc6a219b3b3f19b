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

/** Random calls of pointwise formulas and of losses. */
final class RandomFormulas {
  private static final Object NONE = None.NONE;

  private static final List<String> FUNCTIONS =
      List.of(
          """
          square sqrt exp sigmoid silu tanh erf mish hardswish selu log_sigmoid rsqrt sign log log2
          log10 log1p expm1 sin cos tan atan relu softplus gelu elu celu relu6 hardsigmoid hardtanh
          leaky_relu hardshrink softshrink threshold asin acos sinh cosh asinh acosh atanh exp2 erfc
          logit reciprocal neg abs floor ceil round trunc frac nan_to_num isnan logical_not glu\
          """
              .split("\\s+"));

  private final RandomOperands draw;

  RandomFormulas(RandomOperands draw) {
    this.draw = draw;
  }

  SetCall function() {
    String name = draw.any(FUNCTIONS.toArray(String[]::new));
    List<Object> arguments = new ArrayList<>(List.of(draw.anyTensor()));
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
      case "logit" -> List.of(draw.any(NONE, 1e-3));
      case "nan_to_num" -> List.of(draw.any(NONE, 0.5), draw.any(NONE, 1e3), draw.any(NONE, -7.0));
      case "glu" -> List.of(-1L);
      default -> List.of();
    };
  }

  /** A tensor with the sizes of {@code x}, or with some that are broadcast. */
  private DenseTensor other(DType dtype, DenseTensor x) {
    long[] sizes = RandomOperands.shape(x);
    if (draw.chance(3) && sizes.length > 0) {
      sizes[(int) draw.between(0, sizes.length - 1)] = 1;
    }
    int skipped = draw.chance(4) ? (int) draw.between(0, sizes.length) : 0;
    return draw.tensor(dtype, Arrays.copyOfRange(sizes, skipped, sizes.length));
  }

  private DenseTensor other(DenseTensor x) {
    return other(x.dtype(), x);
  }

  SetCall pair() {
    DenseTensor x = draw.anyTensor();
    DenseTensor y = other(x);
    return switch ((int) draw.between(0, 9)) {
      case 0 -> SetCall.of(SUMS, "add.Tensor", x, y, draw.<Object>any(1L, -2L, 0.3));
      case 1 -> SetCall.of(SUMS, draw.any("sub.Tensor", "rsub.Tensor"), x, y, 1L);
      case 2 -> SetCall.of(SUMS, "mul.Tensor", x, y);
      case 3 -> SetCall.of(SUMS, "div.Tensor", x, y);
      case 4 -> SetCall.of(EXACT, draw.any("maximum", "minimum"), x, y);
      case 5 -> SetCall.of(SMOOTH, draw.any("atan2", "hypot", "logaddexp"), x, y);
      case 6 -> SetCall.of(EXACT, draw.any("fmod.Tensor", "remainder.Tensor"), x, y);
      case 7 -> SetCall.of(SMOOTH, draw.any("xlogy.Tensor", "special_xlog1py"), x, y);
      case 8 -> {
        long channels = x.rank() < 2 ? 1 : x.shape().size(1);
        yield SetCall.of(SMOOTH, "prelu", x, draw.tensor(x.dtype(), draw.any(1L, channels)));
      }
      default -> {
        Object number = draw.<Object>any(2L, -0.75, 0.3, 1e-3);
        yield SetCall.of(EXACT, draw.any("fmod.Scalar", "remainder.Scalar"), x, number);
      }
    };
  }

  SetCall power() {
    DenseTensor x = draw.anyTensor();
    if (draw.chance(3)) {
      return SetCall.of(SMOOTH, "pow.Tensor_Tensor", x, other(x));
    }
    Object number = draw.<Object>any(0L, 1L, 2L, 3L, -1L, -2L, 0.5, -0.5, 1.75, -3.5, 31L);
    return draw.chance(3)
        ? SetCall.of(SMOOTH, "pow.Scalar", draw.<Object>any(2L, 0.3, 0L, 1L, 10.0), x)
        : SetCall.of(SMOOTH, "pow.Tensor_Scalar", x, number);
  }

  SetCall three() {
    DenseTensor x = draw.anyTensor();
    DenseTensor y = other(x);
    Object number = draw.<Object>any(1L, 0.5, -2.0);
    return switch ((int) draw.between(0, 5)) {
      case 0 -> SetCall.of(SMOOTH, "addcmul", x, y, other(x), number);
      case 1 -> // half of a denormal number may lack a digit, which the division shows
          SetCall.of(SMOOTH, "addcdiv", x, y, other(x), draw.<Object>any(1L, -2.0));
      case 2 -> SetCall.of(SMOOTH, "lerp.Tensor", x, y, other(x));
      case 3 -> SetCall.of(SMOOTH, "lerp.Scalar", x, y, number);
      case 4 -> SetCall.of(EXACT, "clamp.Tensor", x, y, draw.any(NONE, other(x)));
      default -> SetCall.of(EXACT, "clamp", x, draw.any(NONE, -0.5), number);
    };
  }

  SetCall choice() {
    DenseTensor x = draw.anyTensor();
    DenseTensor mask = other(DType.BOOL, x);
    Object number = draw.<Object>any(1L, -0.75, Double.NEGATIVE_INFINITY);
    return switch ((int) draw.between(0, 3)) {
      case 0 -> SetCall.of(EXACT, "where.self", mask, x, other(x));
      case 1 -> SetCall.of(EXACT, "where.ScalarOther", mask, x, number);
      case 2 -> SetCall.of(EXACT, "masked_fill.Scalar", x, mask, number);
      default -> SetCall.of(EXACT, "masked_fill.Tensor", x, mask, draw.tensor(x.dtype()));
    };
  }

  SetCall test() {
    DenseTensor x = draw.anyTensor();
    String name = draw.any("eq", "ne", "lt", "le", "gt", "ge");
    return switch ((int) draw.between(0, 3)) {
      case 0 -> SetCall.of(EXACT, name + ".Scalar", x, draw.<Object>any(0L, 0.5, 1L));
      case 1 -> {
        String both = draw.any("logical_and", "logical_or", "logical_xor");
        yield SetCall.of(EXACT, both, x, other(draw.any(x.dtype(), DType.BOOL), x));
      }
      default -> SetCall.of(EXACT, name + ".Tensor", x, other(x));
    };
  }

  SetCall whole() {
    DType dtype =
        draw.any(
            DType.INT64, DType.INT32, DType.INT16, DType.INT8, DType.UINT8, DType.BOOL, DType.BOOL);
    boolean truths = dtype == DType.BOOL;
    DenseTensor x = draw.anyTensor(dtype);
    DenseTensor y = other(x);
    return switch ((int) draw.between(truths ? 3 : 0, 7)) {
      case 0 -> SetCall.of(EXACT, "add.Tensor", x, y, draw.any(1L, -3L));
      case 1 -> SetCall.of(EXACT, "sub.Tensor", x, y, draw.any(1L, 2L));
      case 2 -> {
        String name = draw.any("neg", "abs", "square");
        yield SetCall.of(EXACT, name, x);
      }
      case 3 -> SetCall.of(EXACT, "mul.Tensor", x, y);
      case 4 -> SetCall.of(EXACT, draw.any("maximum", "minimum"), x, y);
      case 5 -> SetCall.of(EXACT, draw.any("logical_and", "logical_or", "logical_xor"), x, y);
      case 6 -> SetCall.of(EXACT, draw.any("logical_not", "bitwise_not"), x);
      default -> {
        String name = draw.any("bitwise_and", "bitwise_or", "bitwise_xor");
        yield SetCall.of(EXACT, name + ".Tensor", x, y);
      }
    };
  }

  SetCall loss() {
    DenseTensor x = draw.anyTensor();
    DenseTensor y = draw.tensor(x.dtype(), RandomOperands.shape(x));
    long reduction = draw.between(0, 2);
    double width = draw.any(1.0, 0.3);
    return switch ((int) draw.between(0, 7)) {
      case 0 -> SetCall.of(SMOOTH, "mse_loss", x, y, reduction);
      case 1 -> SetCall.of(SMOOTH, "l1_loss", x, y, reduction);
      case 2 -> SetCall.of(SMOOTH, "huber_loss", x, y, reduction, width);
      case 3 -> SetCall.of(SMOOTH, "smooth_l1_loss", x, y, reduction, width);
      case 4 -> {
        DenseTensor share = draw.shares(x.dtype(), RandomOperands.shape(x));
        yield SetCall.of(SMOOTH, "binary_cross_entropy", share, y, NONE, reduction);
      }
      case 5 -> {
        SetCall.Accuracy accuracy = SMOOTH.absolute(1); // it adds logits that cancel, as libtorch
        String name = "binary_cross_entropy_with_logits";
        yield SetCall.of(accuracy, name, x, y, NONE, draw.any(NONE, y), reduction);
      }
      case 6 -> {
        long[] sizes = draw.sizes(2, 5_000);
        long classes = Math.max(1, sizes[1]);
        DenseTensor scores = draw.tensor(x.dtype(), sizes[0], classes);
        DenseTensor labels = draw.indices(classes, sizes[0]);
        yield SetCall.of(
            SMOOTH.allowing(3e-7),
            "cross_entropy_loss",
            scores,
            labels,
            NONE,
            reduction,
            -100L,
            draw.any(0.0, 0.1));
      }
      default -> SetCall.of(EXACT, "fake_quantize_per_tensor_affine", x, width, 3L, -8L, 7L);
    };
  }
}
