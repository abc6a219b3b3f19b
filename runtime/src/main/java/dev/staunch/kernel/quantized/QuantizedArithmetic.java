package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The {@code quantized} operations between tensors and on one. */
final class QuantizedArithmetic {
  private static final String OUTPUT = "float output_scale, int output_zero_point) -> Tensor";

  private QuantizedArithmetic() {}

  static void addTo(Catalog.Builder builder) {
    Catalog.Builder catalog = Quantization.taking(builder);
    pairs(catalog);
    numbers(catalog);
    activations(catalog);
    normalisations(catalog);
  }

  /**
   * Adds an operation whose call gives the scale and the zero point of its result, one after the
   * other.
   *
   * @param at the position of the scale
   * @param reals the reals that the result stands for
   */
  private static void add(
      Catalog.Builder catalog, String schema, int at, boolean rectified, Steps.Body reals) {
    Steps.add(
        catalog,
        "quantized::" + schema,
        (steps, call) ->
            call.value(0) instanceof QuantizedTensor first
                ? Quantization.laidAs(
                    Quantization.quantized(
                        steps,
                        reals.run(steps, call),
                        new PerTensor(call.real(at), call.integer(at + 1)),
                        first.codes(),
                        rectified),
                    first)
                : Quantization.notQuantized());
  }

  /** As {@link #add}, and a variant whose name ends in {@code _relu}. */
  private static void both(
      Catalog.Builder catalog, String name, String rest, int at, Steps.Body reals) {
    add(catalog, name + rest, at, /* rectified= */ false, reals);
    add(catalog, name + "_relu" + rest, at, /* rectified= */ true, reals);
  }

  private static void pairs(Catalog.Builder catalog) {
    String rest = "(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc";
    for (String name : List.of("add", "mul")) {
      both(catalog, name, rest, 2, (steps, call) -> ofBoth(steps, call, name + ".Tensor"));
    }
    add(catalog, "matmul" + rest, 2, false, (steps, call) -> ofBoth(steps, call, "matmul"));
    for (boolean rectified : List.of(false, true)) {
      Steps.add(
          catalog,
          "quantized::cat"
              + (rectified ? "_relu" : "")
              + "(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor",
          (steps, call) -> joined(steps, call, rectified));
    }
  }

  private static Object ofBoth(Steps steps, Call call, String name) {
    return steps.run(name, Quantization.real(steps, call, 0), Quantization.real(steps, call, 1));
  }

  private static Object joined(Steps steps, Call call, boolean rectified) {
    List<Object> reals = new ArrayList<>();
    for (Object each : call.list(0)) {
      if (!(each instanceof QuantizedTensor tensor)) {
        return Quantization.notQuantized();
      }
      reals.add(Quantization.dequantized(steps, tensor));
    }
    if (reals.isEmpty()) {
      return Fault.value("there is no tensor to join");
    }
    QuantizedTensor first = (QuantizedTensor) call.list(0).getFirst();
    if (!(first.quantizer() instanceof PerTensor own)) {
      return Quantization.perTensorOnly(first);
    }
    double scale = call.isNone(2) ? own.scale() : call.real(2);
    long zeroPoint = call.isNone(3) ? own.zeroPoint() : call.integer(3);
    Object whole = steps.run("cat", reals, call.value(1));
    return Quantization.laidAs(
        Quantization.quantized(
            steps, whole, new PerTensor(scale, zeroPoint), first.codes(), rectified),
        first);
  }

  /** Operations with a number, which change the scale or the zero point rather than the codes. */
  private static void numbers(Catalog.Builder catalog) {
    for (boolean rectified : List.of(false, true)) {
      String relu = rectified ? "_relu" : "";
      for (boolean sum : List.of(true, false)) {
        String name = sum ? "add" : "mul";
        for (String head : List.of(name + "_scalar" + relu, name + relu + ".Scalar")) {
          Steps.add(
              catalog,
              "quantized::" + head + "(Tensor qa, Scalar b) -> Tensor qc",
              (steps, call) ->
                  withNumber(steps, call, 0, Scalars.real(call.scalar(1)), sum, rectified));
        }
        Steps.add(
            catalog,
            "quantized::" + name + relu + ".Scalar2(Scalar b, Tensor qa) -> Tensor qc",
            (steps, call) ->
                withNumber(steps, call, 1, Scalars.real(call.scalar(0)), sum, rectified));
        Steps.add(
            catalog,
            "quantized::" + name + "_scalar" + relu + ".Tensor(Tensor qa, Tensor b) -> Tensor qc",
            (steps, call) -> {
              Object number = steps.run("Float.Tensor", call.value(1));
              return number instanceof Double real
                  ? withNumber(steps, call, 0, real, sum, rectified)
                  : number;
            });
      }
    }
  }

  private static Object withNumber(
      Steps steps, Call call, int at, double number, boolean sum, boolean rectified) {
    if (!(call.value(at) instanceof QuantizedTensor self)) {
      return Quantization.notQuantized();
    }
    if (!(self.quantizer() instanceof PerTensor own)) {
      return Quantization.perTensorOnly(self);
    }
    DType codes = self.codes();
    // a sum is moved by whole codes
    double moved = sum ? (float) own.scale() * Math.rint(number / own.scale()) : number;
    String operation = sum ? "add.Scalar" : "mul.Scalar";
    Object reals = steps.run(operation, Quantization.dequantized(steps, self), moved);
    PerTensor quantizer = sum ? moved(own, number, codes) : scaled(own, number, codes);
    return Quantization.laidAs(
        Quantization.quantized(steps, reals, quantizer, codes, rectified), self);
  }

  /** The quantizer of a sum: the zero point is moved, and the scale wider if it has to be. */
  private static PerTensor moved(PerTensor own, double number, DType codes) {
    long least = QuantizedTensor.least(codes);
    long greatest = QuantizedTensor.greatest(codes);
    long zero = own.zeroPoint() - (long) Math.rint(number / own.scale());
    double all = greatest - least;
    return zero < least
        ? new PerTensor((greatest - zero) / all * own.scale(), least)
        : zero > greatest
            ? new PerTensor((zero - least) / all * own.scale(), greatest)
            : new PerTensor(own.scale(), zero);
  }

  /** The quantizer of a product: the scale is multiplied; a negative factor turns the codes. */
  private static PerTensor scaled(PerTensor own, double factor, DType codes) {
    long ends = QuantizedTensor.least(codes) + QuantizedTensor.greatest(codes);
    return factor == 0
        ? new PerTensor(1, 0)
        : new PerTensor(
            own.scale() * Math.abs(factor), factor > 0 ? own.zeroPoint() : ends - own.zeroPoint());
  }

  private static void activations(Catalog.Builder catalog) {
    add(
        catalog,
        "sigmoid(Tensor qx, " + OUTPUT,
        1,
        false,
        (steps, call) -> steps.run("sigmoid", Quantization.real(steps, call, 0)));
    add(
        catalog,
        "hardswish(Tensor input, " + OUTPUT,
        1,
        false,
        (steps, call) -> steps.run("hardswish", Quantization.real(steps, call, 0)));
    add(
        catalog,
        "softmax(Tensor qx, int dim, " + OUTPUT,
        2,
        false,
        (steps, call) ->
            steps.run("softmax.int", Quantization.real(steps, call, 0), call.value(1)));
    add(
        catalog,
        "leaky_relu(Tensor qx, Scalar negative_slope, bool inplace, " + OUTPUT,
        3,
        false,
        QuantizedArithmetic::leaky);
    add(
        catalog,
        "prelu(Tensor qx, Tensor weight, " + OUTPUT,
        2,
        false,
        (steps, call) ->
            steps.run("prelu", Quantization.real(steps, call, 0), weight(steps, call)));
    add(
        catalog,
        "elu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1, Scalar"
            + " scale=1, Scalar input_scale=1) -> Tensor",
        1,
        false,
        (steps, call) ->
            steps.run(
                "elu",
                Quantization.real(steps, call, 0),
                call.value(3),
                call.value(4),
                call.value(5)));
    add(
        catalog,
        "celu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1) -> Tensor",
        1,
        false,
        (steps, call) -> steps.run("celu", Quantization.real(steps, call, 0), call.value(3)));
    add(
        catalog,
        "dropout(Tensor self, float output_scale, int output_zero_point, Scalar p=0.5, bool"
            + " training=False) -> Tensor",
        1,
        false,
        (steps, call) ->
            call.bool(4)
                ? Fault.unsupported(
                    "a quantised model is not trained; call eval() before saving it")
                : Quantization.real(steps, call, 0));
    like(catalog, "relu6(Tensor qx, bool inplace=False) -> Tensor", "relu6", 1);
    like(catalog, "clamp(Tensor qx, Scalar? min=None, Scalar? max=None) -> Tensor qy", "clamp", 3);
    like(
        catalog,
        "threshold(Tensor qx, Scalar threshold, Scalar value) -> Tensor qy",
        "threshold",
        3);
    String window =
        "(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool"
            + " ceil_mode) -> Tensor";
    like(catalog, "max_pool1d" + window, "max_pool1d", 6);
    like(catalog, "max_pool2d" + window, "max_pool2d", 6);
  }

  private static Object leaky(Steps steps, Call call) {
    return call.value(0) instanceof QuantizedTensor self
        ? steps.run("leaky_relu", Quantization.fused(steps, self), call.value(1))
        : Quantization.notQuantized();
  }

  private static Object weight(Steps steps, Call call) {
    return call.value(1) instanceof DenseTensor real ? real : Quantization.real(steps, call, 1);
  }

  /**
   * Adds an operation that keeps the quantizer of its first operand.
   *
   * @param taken how many of its arguments the operation on reals takes
   */
  private static void like(Catalog.Builder catalog, String schema, String name, int taken) {
    Steps.add(
        catalog,
        "quantized::" + schema,
        (steps, call) -> {
          Object[] arguments = Arrays.copyOf(call.arguments(), taken);
          arguments[0] = Quantization.real(steps, call, 0);
          Object reals = steps.run(name, arguments);
          return call.value(0) instanceof QuantizedTensor self
              ? Quantization.quantizedAs(steps, reals, self)
              : reals;
        });
  }

  private static void normalisations(Catalog.Builder catalog) {
    String affine = "Tensor? weight, Tensor? bias, float eps, " + OUTPUT;
    add(
        catalog,
        "layer_norm(Tensor input, int[] normalized_shape, " + affine,
        5,
        false,
        (steps, call) -> normalised(steps, call, "layer_norm", 5));
    add(
        catalog,
        "group_norm(Tensor input, int num_groups, " + affine,
        5,
        false,
        (steps, call) -> normalised(steps, call, "group_norm", 5));
    add(
        catalog,
        "instance_norm(Tensor input, " + affine,
        4,
        false,
        (steps, call) ->
            steps.run(
                "instance_norm",
                Quantization.real(steps, call, 0),
                call.value(1),
                call.value(2),
                None.NONE,
                None.NONE,
                true,
                0.0,
                call.value(3),
                false));
    for (String dimensions : List.of("", "1d", "2d", "3d")) {
      both(
          catalog,
          "batch_norm" + dimensions,
          "(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, " + OUTPUT,
          6,
          (steps, call) ->
              steps.run(
                  "batch_norm",
                  Quantization.real(steps, call, 0),
                  call.value(1),
                  call.value(2),
                  call.value(3),
                  call.value(4),
                  false,
                  0.0,
                  call.value(5),
                  false));
    }
  }

  private static Object normalised(Steps steps, Call call, String name, int taken) {
    Object[] arguments = Arrays.copyOf(call.arguments(), taken);
    arguments[0] = Quantization.real(steps, call, 0);
    return steps.run(name, arguments);
  }
}
