package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.QuantizedTensor.PerChannel;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations that make quantised tensors, take them apart, or compute with nothing else. */
public final class QuantizedOperations {
  private QuantizedOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        QuantizedOperations::conversions,
        QuantizedOperations::parts,
        QuantizedOperations::fakes,
        QuantizedArithmetic::addTo,
        QuantizedLayers::addTo,
        QuantizedRecurrence::addTo);
  }

  /** How to compute an operation on reals for quantised tensors; null if it takes none. */
  public static CatalogEntry.@Nullable Form form(CatalogEntry operation) {
    Steps.Body form = QuantizedForms.of(operation.name());
    return form == null || operation.kernel() == null
        ? null
        : new CatalogEntry.Form(OperandTraits.QUANTIZED, call -> Steps.within(call, form));
  }

  private static void conversions(Catalog.Builder builder) {
    Catalog.Builder catalog = Quantization.taking(builder);
    Steps.add(
        catalog,
        "aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) ->"
            + " Tensor",
        (steps, call) ->
            perTensor(
                steps,
                call.value(0),
                new PerTensor(call.real(1), call.integer(2)),
                call.integer(3)));
    Steps.add(
        catalog,
        "aten::quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point,"
            + " ScalarType dtype) -> Tensor",
        (steps, call) ->
            perTensor(steps, call.value(0), quantizerOfTensors(steps, call), call.integer(3)));
    Steps.add(
        catalog,
        "aten::quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points,"
            + " ScalarType dtype) -> Tensor[]",
        QuantizedOperations::eachPerTensor);
    Steps.add(
        catalog,
        "aten::quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) ->"
            + " Tensor",
        QuantizedOperations::dynamic);
    Steps.add(
        catalog,
        "aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis,"
            + " ScalarType dtype) -> Tensor",
        QuantizedOperations::perChannel);
    Steps.add(
        catalog,
        "aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) ->"
            + " Tensor",
        (steps, call) -> {
          PerTensor quantizer = new PerTensor(call.real(1), call.integer(2));
          Fault misfit = QuantizedTensor.of(call.tensor(0), quantizer).misfit();
          Object codes = misfit == null ? steps.run("clone", call.tensor(0)) : misfit;
          return codes instanceof DenseTensor tensor
              ? QuantizedTensor.of(tensor, quantizer)
              : codes;
        });
    Steps.add(
        catalog,
        "aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int"
            + " axis) -> Tensor",
        (steps, call) -> {
          DenseTensor self = call.tensor(0);
          Object axis = Dimensions.wrap(call.integer(3), self.rank());
          if (!(axis instanceof Integer at)) {
            return axis;
          }
          PerChannel quantizer = new PerChannel(call.tensor(1), call.tensor(2), at);
          QuantizedTensor made = QuantizedTensor.of(self, quantizer);
          Fault misfit = made.misfit();
          return misfit == null ? PackedParameters.own(call, made) : misfit;
        });
    Catalog.Builder sharing = catalog.with(Trait.SHARES); // a float32 tensor is returned as it is
    for (String overload :
        List.of(
            "self(Tensor self) -> Tensor",
            "tensor(Tensor qtensor) -> Tensor",
            "any(Any tensors) -> Any",
            "tensors(Tensor[] tensors) -> Tensor[]",
            "list(Tensor[] qtensors) -> Tensor[]")) {
      Steps.add(
          sharing,
          "aten::dequantize." + overload,
          (steps, call) -> dequantized(steps, call.value(0)));
    }
  }

  private static Object perTensor(Steps steps, Object self, Object quantizer, long scalarType) {
    DType codes = QuantizedTensor.codesOf(scalarType);
    if (codes == null || !(quantizer instanceof PerTensor known)) {
      return codes == null ? notQuantized(scalarType) : quantizer;
    }
    if (!(self instanceof DenseTensor reals)) {
      return Fault.unsupported("this is quantised already; make it real with `dequantize` before");
    }
    Object made = Quantization.quantized(steps, reals, known, codes);
    return made instanceof QuantizedTensor tensor ? tensor.inOrder(true) : made;
  }

  /** Each tensor of a list, by a scale and a zero point of its own. */
  private static Object eachPerTensor(Steps steps, Call call) {
    DType codes = QuantizedTensor.codesOf(call.integer(3));
    if (codes == null) {
      return notQuantized(call.integer(3));
    }
    double[] scales = HostTensors.toDoubles(call.tensor(1));
    double[] zeroPoints = HostTensors.toDoubles(call.tensor(2));
    List<?> tensors = call.list(0);
    if (scales.length != tensors.size() || zeroPoints.length != tensors.size()) {
      String text = "%d scales and %d zero points do not fit %d tensors";
      return Fault.shape(Message.of(text, scales.length, zeroPoints.length, (long) tensors.size()))
          .withExpected(tensors.size() + " of each", scales.length + " and " + zeroPoints.length);
    }
    List<Object> made = new ArrayList<>();
    for (int i = 0; i < scales.length; i++) {
      PerTensor quantizer = new PerTensor(scales[i], (long) zeroPoints[i]);
      Object each = perTensor(steps, tensors.get(i), quantizer, call.integer(3));
      if (each instanceof Fault) {
        return each;
      }
      made.add(each);
    }
    return made;
  }

  /** The quantizer whose scale and zero point are arguments 1 and 2, tensors; or a fault. */
  private static Object quantizerOfTensors(Steps steps, Call call) {
    Object scale = steps.run("Float.Tensor", call.value(1));
    Object zeroPoint = steps.run("Int.Tensor", call.value(2));
    return scale instanceof Double real && zeroPoint instanceof Long whole
        ? new PerTensor(real, whole)
        : scale instanceof Fault ? scale : zeroPoint;
  }

  private static Fault notQuantized(long scalarType) {
    return Fault.value(
            "`dtype` must be qint8, quint8 or qint32, but it is the dtype of number " + scalarType)
        .withExpected("12, 13 or 14", Long.toString(scalarType));
  }

  private static Object dynamic(Steps steps, Call call) {
    Object chosen = Quantization.chosen(steps, call.value(0), call.bool(2));
    if (!(chosen instanceof PerTensor quantizer)) {
      return chosen;
    }
    boolean signed = call.integer(1) == QuantizedTensor.scalarType(DType.INT8);
    long shift = signed ? (call.bool(2) ? 64 : 128) : 0;
    PerTensor shifted = new PerTensor(quantizer.scale(), quantizer.zeroPoint() - shift);
    return perTensor(steps, call.value(0), shifted, call.integer(1));
  }

  private static Object perChannel(Steps steps, Call call) {
    DType codes = QuantizedTensor.codesOf(call.integer(4));
    if (codes == null) {
      return notQuantized(call.integer(4));
    }
    DenseTensor self = call.tensor(0);
    Object axis = Dimensions.wrap(call.integer(3), self.rank());
    return axis instanceof Integer at
        ? Quantization.perChannel(steps, self, call.tensor(1), call.tensor(2), at, codes)
        : axis;
  }

  private static Object dequantized(Steps steps, Object value) {
    if (value instanceof List<?> list) {
      List<Object> made = new ArrayList<>();
      for (Object each : list) {
        Object real = dequantized(steps, each);
        if (real instanceof Fault) {
          return real;
        }
        made.add(real);
      }
      return made;
    }
    if (value instanceof QuantizedTensor tensor) {
      Object reals = Quantization.dequantized(steps, tensor);
      return tensor.isReal() ? steps.run("clone", reals) : reals;
    }
    if (!(value instanceof DenseTensor)) {
      return Fault.value("only tensors and lists of them are dequantised")
          .withExpected("a tensor", value.getClass().getSimpleName());
    }
    Object cast = steps.cast(value, DType.FLOAT32);
    return cast instanceof DenseTensor result && result.is(value) ? steps.run("alias", cast) : cast;
  }

  private static void parts(Catalog.Builder builder) {
    Catalog.Builder catalog = Quantization.taking(builder);
    one(
        catalog,
        "aten::int_repr(Tensor self) -> Tensor",
        (steps, call, self) -> {
          Object codes = Quantization.codes(steps, self);
          return self.isReal() ? codes : steps.run("clone", codes);
        });
    one(
        catalog,
        "aten::q_scale(Tensor self) -> float",
        (steps, call, self) ->
            self.quantizer() instanceof PerTensor all
                ? (Object) all.scale()
                : Quantization.perTensorOnly(self));
    one(
        catalog,
        "aten::q_zero_point(Tensor self) -> int",
        (steps, call, self) ->
            self.quantizer() instanceof PerTensor all
                ? (Object) all.zeroPoint()
                : Quantization.perTensorOnly(self));
    one(
        catalog,
        "aten::q_per_channel_scales(Tensor self) -> Tensor",
        (steps, call, self) ->
            self.quantizer() instanceof PerChannel each
                ? steps.run("clone", each.scales())
                : perChannelOnly(self));
    one(
        catalog,
        "aten::q_per_channel_zero_points(Tensor self) -> Tensor",
        (steps, call, self) ->
            self.quantizer() instanceof PerChannel each
                ? steps.run("clone", each.zeroPoints())
                : perChannelOnly(self));
    one(
        catalog,
        "aten::q_per_channel_axis(Tensor self) -> int",
        (steps, call, self) ->
            self.quantizer() instanceof PerChannel each
                ? (Object) (long) each.axis()
                : perChannelOnly(self));
    one(
        catalog,
        "aten::qscheme(Tensor self) -> QScheme",
        (steps, call, self) -> self.quantizer() instanceof PerTensor ? 0L : 1L);
    catalog.many(
        "aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)",
        Steps.many((steps, call) -> {
          Object chosen = Quantization.chosen(steps, call.value(0), call.bool(1));
          return chosen instanceof PerTensor quantizer
              ? new Object[] {quantizer.scale(), quantizer.zeroPoint()}
              : chosen;
        }));
  }

  private static Fault perChannelOnly(QuantizedTensor tensor) {
    return Fault.unsupported(tensor + " has one scale, not one for each channel");
  }

  private static void one(Catalog.Builder catalog, String schema, QuantizedForms.Form form) {
    Steps.add(catalog, schema, form::apply);
  }

  /** What training with quantisation in mind leaves in a model: reals that have a code. */
  private static void fakes(Catalog.Builder builder) {
    Catalog.Builder catalog =
        builder.withInference(Inference.OF_VALUES).withDTypes(Set.of(DType.FLOAT32));
    String range = "int quant_min, int quant_max) -> Tensor";
    Steps.add(
        catalog,
        "aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, " + range,
        (steps, call) ->
            fake(steps, call, call.value(0), new PerTensor(call.real(1), call.integer(2)), 3));
    Steps.add(
        catalog,
        "aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor"
            + " zero_point, "
            + range,
        (steps, call) -> fake(steps, call, call.value(0), quantizerOfTensors(steps, call), 3));
    Steps.add(
        catalog,
        "aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int"
            + " axis, "
            + range,
        QuantizedOperations::fakePerChannel);
    ObservedRanges.addTo(catalog);
  }

  /**
   * Reals that have a code from one argument to the next.
   *
   * @param range the position of the least code
   */
  private static Object fake(Steps steps, Call call, Object reals, Object quantizer, int range) {
    DType dtype = call.tensor(0).dtype();
    if (dtype != DType.FLOAT32) {
      return Fault.dtype("only float32 is quantised, but this is " + dtype)
          .withExpected(ExpectedDType.of(DType.FLOAT32), dtype);
    }
    if (!(quantizer instanceof PerTensor own)) {
      return quantizer;
    }
    Fault misfit = QuantizedTensor.misfit(own, DType.INT32);
    return misfit == null
        ? Quantization.fake(steps, reals, own, call.integer(range), call.integer(range + 1))
        : misfit;
  }

  private static Object fakePerChannel(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    Object axis = Dimensions.wrap(call.integer(3), self.rank());
    if (!(axis instanceof Integer at)) {
      return axis;
    }
    PerChannel each = new PerChannel(call.tensor(1), call.tensor(2), at);
    Fault misfit = Quantization.misfit(each, self.shape(), DType.INT32);
    if (misfit != null) {
      return misfit;
    }
    double[] scales = HostTensors.toDoubles(each.scales());
    double[] zeros = HostTensors.toDoubles(each.zeroPoints());
    Object parts = steps.run("split.Tensor", self, 1L, (long) at);
    List<Object> made = new ArrayList<>();
    for (int c = 0; c < scales.length && parts instanceof List<?> slices; c++) {
      PerTensor own = new PerTensor(scales[c], (long) zeros[c]);
      made.add(fake(steps, call, slices.get(c), own, 4));
    }
    return parts instanceof Fault ? parts : steps.run("cat", made, (long) at);
  }
}
