package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.QuantizedTensor.PerChannel;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** From reals to codes and back, in the steps of an operation. */
final class Quantization {
  /** (codes, scale, zero point). */
  private static final Pointwise DEQUANTIZED = new Pointwise(Quantization::reals, false);

  /** As {@link #DEQUANTIZED}, rounded as a multiplication and an addition in one. */
  private static final Pointwise FUSED = new Pointwise(Quantization::fusedReals, false);

  /** (reals, scale, zero point, ScalarType number of the codes). */
  private static final Pointwise QUANTIZED = new Pointwise(Quantization::codes, false);

  /** (reals, inverse of their scale, least and greatest whole number, scale of the result). */
  private static final Pointwise ROUNDED = new Pointwise(Quantization::rounded, false);

  /** Scales below this are raised to it. */
  private static final float LEAST_SCALE = 6.1e-5f;

  /** Floats up to this are rounded to whole numbers by an addition. */
  private static final double MOST_ROUNDED = 1 << 22;

  private Quantization() {}

  /** A builder for operations that take quantised tensors. */
  static Catalog.Builder taking(Catalog.Builder catalog) {
    return catalog
        .with(Trait.TAKES_QUANTIZED, Trait.NON_DIFFERENTIABLE)
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.values()));
  }

  // ---- what the formulas are given

  private static DType computedFor(DType codes) {
    return codes == DType.INT32 ? DType.FLOAT64 : DType.FLOAT32; // exact
  }

  private static Object reals(Operands operands) {
    double scale = (float) operands.real(1);
    return Combination.of(
            "dequantize",
            computedFor(operands.dtype(0)),
            Formulas.dequantized(scale, (double) operands.integer(2)),
            operands.value(0))
        .giving(DType.FLOAT32);
  }

  private static Object fusedReals(Operands operands) {
    float scale = (float) operands.real(1);
    float offset = -operands.integer(2) * scale;
    Rule rule = Formulas.dequantizedFused(scale, offset);
    return Combination.of("dequantize", DType.FLOAT32, rule, operands.value(0));
  }

  private static Object codes(Operands operands) {
    DType codes = Objects.requireNonNull(operands.optionalDType(3));
    double zero = operands.integer(2);
    double low = QuantizedTensor.least(codes) - zero;
    double high = QuantizedTensor.greatest(codes) - zero;
    Rule rule = Formulas.quantized(inverse(operands.real(1)), low, high, zero);
    return Combination.of("quantize_per_tensor", computedFor(codes), rule, operands.value(0))
        .giving(codes);
  }

  private static Object rounded(Operands operands) {
    double low = operands.real(2);
    double high = operands.real(3);
    boolean small = -low <= MOST_ROUNDED && high <= MOST_ROUNDED;
    return Combination.of(
            "fake_quantize_per_tensor_affine",
            small ? DType.FLOAT32 : DType.FLOAT64,
            Formulas.roundedWithin(operands.real(1), low, high, operands.real(4)),
            operands.value(0))
        .giving(DType.FLOAT32);
  }

  private static double inverse(double scale) {
    return 1f / (float) scale;
  }

  // ---- from codes to reals

  /** The reals, float32, that a tensor stands for; they may be its elements. */
  static Object dequantized(Steps steps, QuantizedTensor tensor) {
    if (tensor.isReal()) {
      return tensor.elements();
    }
    return switch (tensor.quantizer()) {
      case PerTensor all ->
          steps.apply(DEQUANTIZED, tensor.elements(), all.scale(), all.zeroPoint());
      case PerChannel each -> {
        Object zeros = alongAxis(steps, tensor, each.zeroPoints(), each.axis());
        Object scales = alongAxis(steps, tensor, each.scales(), each.axis());
        Object codes = steps.cast(tensor.elements(), DType.FLOAT32);
        yield steps.product(steps.difference(codes, zeros), scales);
      }
    };
  }

  /** One number for each channel as float32, broadcast along the other dimensions. */
  private static Object alongAxis(
      Steps steps, QuantizedTensor tensor, DenseTensor channels, int axis) {
    long[] sizes = new long[tensor.shape().rank()];
    Arrays.fill(sizes, 1);
    sizes[axis] = channels.elements();
    return steps.view(steps.cast(channels, DType.FLOAT32), sizes);
  }

  /** The reals that argument {@code i} stands for; a fault if it is not quantised. */
  static Object real(Steps steps, Call call, int i) {
    return call.value(i) instanceof QuantizedTensor tensor
        ? dequantized(steps, tensor)
        : notQuantized();
  }

  static Fault notQuantized() {
    return Fault.unsupported(
        "this takes quantised tensors; make them so with `quantize_per_tensor` before");
  }

  static Fault perTensorOnly(QuantizedTensor tensor) {
    return Fault.unsupported(
        "this takes a tensor with one scale, but " + tensor + " has one for each channel");
  }

  /**
   * The reals as libtorch's vector kernels find them, with which a half between two codes goes the
   * same way as there.
   */
  static Object fused(Steps steps, QuantizedTensor tensor) {
    return tensor.quantizer() instanceof PerTensor all
        ? steps.apply(FUSED, codes(steps, tensor), all.scale(), all.zeroPoint())
        : perTensorOnly(tensor);
  }

  /** The reals over their scale: whole numbers, exactly. */
  static Object whole(Steps steps, QuantizedTensor tensor) {
    if (!(tensor.quantizer() instanceof PerTensor own)) {
      return perTensorOnly(tensor);
    }
    return tensor.isReal()
        ? rounded(steps, tensor.elements(), own.scale(), own.zeroPoint(), tensor.codes(), 1)
        : steps.apply(DEQUANTIZED, tensor.elements(), 1.0, own.zeroPoint());
  }

  // ---- from reals to codes

  /** The codes; they may be the tensor's elements. */
  static Object codes(Steps steps, QuantizedTensor tensor) {
    return tensor.isReal() && tensor.quantizer() instanceof PerTensor own
        ? codes(steps, tensor.elements(), own, tensor.codes())
        : tensor.elements();
  }

  private static Object codes(Steps steps, Object reals, PerTensor quantizer, DType codes) {
    return steps.apply(
        QUANTIZED, reals, quantizer.scale(), quantizer.zeroPoint(), (long) codes.code());
  }

  /** {@code reals}, a step's result, each rounded to the nearest that has a code; or a fault. */
  static Object quantized(Steps steps, Object reals, PerTensor quantizer, DType codes) {
    return quantized(steps, reals, quantizer, codes, /* rectified= */ false);
  }

  /**
   * As {@link #quantized(Steps, Object, PerTensor, DType)}; negative reals become 0 if {@code
   * rectified}.
   */
  static Object quantized(
      Steps steps, Object reals, PerTensor quantizer, DType codes, boolean rectified) {
    Fault misfit = QuantizedTensor.misfit(quantizer, codes);
    if (misfit == null && reals instanceof DenseTensor tensor && tensor.dtype() != DType.FLOAT32) {
      misfit =
          Fault.dtype("only float32 is quantised, but this is " + tensor.dtype())
              .withExpected(ExpectedDType.of(DType.FLOAT32), tensor.dtype());
    }
    if (misfit != null) {
      return misfit;
    }
    if (codes == DType.INT32) {
      Object wanted = rectified ? steps.run("relu", reals) : reals;
      Object made = codes(steps, wanted, quantizer, codes);
      return made instanceof DenseTensor tensor ? QuantizedTensor.of(tensor, quantizer) : made;
    }
    long zero = quantizer.zeroPoint();
    long least = rectified ? zero : QuantizedTensor.least(codes);
    Object made = fake(steps, reals, quantizer, least, QuantizedTensor.greatest(codes));
    return made instanceof DenseTensor tensor
        ? new QuantizedTensor(tensor, codes, quantizer)
        : made;
  }

  /** As {@link #quantized(Steps, Object, PerTensor, DType)}, by the quantizer of {@code like}. */
  static Object quantizedAs(Steps steps, Object reals, QuantizedTensor like) {
    return like.quantizer() instanceof PerTensor all
        ? laidAs(quantized(steps, reals, all, like.codes()), like)
        : perTensorOnly(like);
  }

  /** {@code made}, if it is no fault, with elements in the order that {@code like} has. */
  static Object laidAs(Object made, QuantizedTensor like) {
    return made instanceof QuantizedTensor tensor ? tensor.inOrder(like.inOrder()) : made;
  }

  /**
   * As {@link #scaled}, but a half goes to the even code, which is not the even whole number if the
   * zero point is odd.
   */
  static Object codedAs(Steps steps, Object reals, QuantizedTensor like) {
    if (!(like.quantizer() instanceof PerTensor all)) {
      return perTensorOnly(like);
    }
    Object moved = steps.run("add.Scalar", reals, all.zeroPoint());
    Object made = codes(steps, moved, new PerTensor(1, 0), like.codes());
    return made instanceof DenseTensor tensor ? like.with(tensor) : made;
  }

  /** As {@link #quantizedAs}, for {@code reals} over the scale, as {@link #whole} gives them. */
  static Object scaled(Steps steps, Object reals, QuantizedTensor like) {
    if (!(like.quantizer() instanceof PerTensor all)) {
      return perTensorOnly(like);
    }
    DType codes = like.codes();
    Object made = rounded(steps, reals, 1, all.zeroPoint(), codes, (float) all.scale());
    return made instanceof DenseTensor tensor ? like.with(tensor) : made;
  }

  /** {@code reals} over {@code scale}, rounded to the codes there are, times {@code factor}. */
  private static Object rounded(
      Steps steps, Object reals, double scale, long zeroPoint, DType codes, double factor) {
    double low = QuantizedTensor.least(codes) - (double) zeroPoint;
    double high = QuantizedTensor.greatest(codes) - (double) zeroPoint;
    return steps.apply(ROUNDED, reals, inverse(scale), low, high, factor);
  }

  /** {@code reals}, each rounded to the nearest that has a code from {@code least} on. */
  static Object fake(Steps steps, Object reals, PerTensor quantizer, long least, long greatest) {
    double zero = quantizer.zeroPoint();
    double scale = (float) quantizer.scale();
    return steps.apply(ROUNDED, reals, inverse(scale), least - zero, greatest - zero, scale);
  }

  /** {@code reals}, each rounded to the nearest that has a code by their {@link #chosen} range. */
  static Object rounded(Steps steps, Object reals, boolean halved) {
    Object chosen = chosen(steps, reals, halved);
    return chosen instanceof PerTensor own ? fake(steps, reals, own, 0, 255) : chosen;
  }

  /** The fault if {@code reals} of this shape cannot be rounded by {@code quantizer}; else null. */
  static @Nullable Fault misfit(PerChannel quantizer, Shape shape, DType codes) {
    DType dtype = quantizer.zeroPoints().dtype();
    return dtype.isFloating()
        ? Fault.unsupported("zero points must be integers here, but these are " + dtype)
            .withExpected(ExpectedDType.of(DType.INT64), dtype)
        : QuantizedTensor.misfit(quantizer, shape, codes);
  }

  /** The codes for {@code reals} by a scale and a zero point for each index of a dimension. */
  static Object perChannel(
      Steps steps,
      Object reals,
      DenseTensor scales,
      DenseTensor zeroPoints,
      int axis,
      DType codes) {
    if (!(reals instanceof DenseTensor tensor)) {
      return reals;
    }
    PerChannel quantizer = new PerChannel(scales, zeroPoints, axis);
    Fault misfit = misfit(quantizer, tensor.shape(), codes);
    if (misfit != null) {
      return misfit;
    }
    double[] each = HostTensors.toDoubles(scales);
    double[] zeros = HostTensors.toDoubles(zeroPoints);
    Object parts = steps.run("split.Tensor", reals, 1L, (long) axis);
    Object[] made = new Object[each.length];
    for (int c = 0; c < made.length && parts instanceof List<?> slices; c++) {
      PerTensor own = new PerTensor(each[c], (long) zeros[c]);
      made[c] = codes(steps, slices.get(c), own, codes);
    }
    Object whole = parts instanceof Fault ? parts : steps.run("cat", Steps.list(made), (long) axis);
    Object kept = steps.run("to.dtype", scales, (long) DType.FLOAT64.code(), false, true);
    Object points = steps.run("to.dtype", zeroPoints, (long) DType.INT64.code(), false, true);
    return whole instanceof DenseTensor all
            && kept instanceof DenseTensor first
            && points instanceof DenseTensor second
        ? QuantizedTensor.of(all, new PerChannel(first, second, axis))
        : whole instanceof DenseTensor ? kept : whole;
  }

  /**
   * The quantizer for reals from {@code least} to {@code most}, with a code for 0: the whole range
   * of 8 bits without a sign, or half of it.
   */
  static PerTensor chosen(float least, float most, boolean halved) {
    return chosen(least, most, 0, halved ? 127 : 255, /* symmetric= */ false);
  }

  /**
   * The quantizer for reals from {@code least} to {@code most} with codes from {@code first} to
   * {@code last}, one of them for 0: that in the middle if it is {@code symmetric} and there are
   * reals on both sides.
   */
  static PerTensor chosen(float least, float most, long first, long last, boolean symmetric) {
    float low = least;
    float high = most;
    if (symmetric && low < 0 && high > 0) {
      long half = (last - first) / 2;
      double step = Math.max(Math.abs(low / -(half + 1)), Math.abs(high / half));
      low = (float) (step * -(half + 1));
      high = (float) (step * half);
    }
    low = Math.min(low, 0);
    high = Math.max(high, 0);
    double codes = last - first;
    double scale = ((double) high - low) / codes;
    if ((float) scale == 0 || Float.isInfinite(1 / (float) scale)) {
      scale = 0.1;
    }
    if (scale < LEAST_SCALE) {
      float wider = LEAST_SCALE / (float) scale;
      scale = LEAST_SCALE;
      low = high == 0 ? (float) (-LEAST_SCALE * codes) : low * wider;
      high = low == 0 ? (float) (LEAST_SCALE * codes) : high * wider;
    }
    double fromLeast = first - low / scale;
    double fromMost = last - high / scale;
    double leastError = Math.abs(first) - Math.abs(low / scale);
    double mostError = Math.abs(last) - Math.abs(high / scale);
    double zero = leastError < mostError ? fromLeast : fromMost;
    if (symmetric && low < 0 && high > 0) {
      zero = (first + last) / 2.0;
    }
    return new PerTensor(scale, (long) Math.rint(Math.clamp(zero, (double) first, (double) last)));
  }

  /** As {@link #chosen}, for the elements of {@code reals}; or a fault. */
  static Object chosen(Steps steps, Object reals, boolean halved) {
    if (!(reals instanceof DenseTensor tensor)) {
      return reals;
    }
    if (tensor.dtype() != DType.FLOAT32) {
      return Fault.dtype("only float32 is quantised, but this is " + tensor.dtype())
          .withExpected(ExpectedDType.of(DType.FLOAT32), tensor.dtype());
    }
    if (tensor.elements() == 0) {
      return chosen(0, 0, halved);
    }
    Object both = steps.run("aminmax", tensor);
    Object least = Steps.pick(both, 0);
    Object most = Steps.pick(both, 1);
    return least instanceof DenseTensor low && most instanceof DenseTensor high
        ? chosen(HostTensors.toFloats(low)[0], HostTensors.toFloats(high)[0], halved)
        : least;
  }

  /** {@code tensor} through a handle of its own, for a result that shares its memory. */
  static Object own(Call call, DenseTensor tensor) {
    return tensor.view(call.scope(), tensor.layout());
  }
}
