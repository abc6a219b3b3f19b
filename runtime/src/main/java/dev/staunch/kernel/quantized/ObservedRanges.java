package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * A layer of a model that is trained with quantisation in mind: notes the range of the reals that
 * pass, and rounds them to those that have a code in it.
 */
final class ObservedRanges {
  private ObservedRanges() {}

  static void addTo(Catalog.Builder catalog) {
    Steps.add(
        catalog,
        "aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor"
            + " fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale,"
            + " Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int"
            + " ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor",
        ObservedRanges::passed);
  }

  private static Object passed(Steps steps, Call call) {
    Fault misfit = misfit(call);
    if (misfit != null) {
      return misfit;
    }
    Object observes = steps.run("Bool.Tensor", call.value(1));
    Object rounds = steps.run("Bool.Tensor", call.value(2));
    Object done = observes.equals(true) ? observe(steps, call) : observes;
    done = rounds.equals(true) && !(done instanceof Fault) ? choose(steps, call) : done;
    if (done instanceof Fault || !rounds.equals(true)) {
      return done instanceof Fault ? done : steps.run("clone", call.value(0));
    }
    return call.bool(11)
        ? steps.run(
            "fake_quantize_per_channel_affine",
            call.value(0),
            call.value(5),
            call.value(6),
            0L,
            call.value(8),
            call.value(9))
        : steps.run(
            "fake_quantize_per_tensor_affine.tensor_qparams",
            call.value(0),
            call.value(5),
            call.value(6),
            call.value(8),
            call.value(9));
  }

  private static @Nullable Fault misfit(Call call) {
    String[] reals = {"self", "", "", "running_min", "running_max", "scale"};
    for (int i = 0; i < reals.length; i++) {
      if (!reals[i].isEmpty() && call.dtype(i) != DType.FLOAT32) {
        return Fault.dtype("only float32 is quantised, but this is " + call.dtype(i))
            .withExpected(ExpectedDType.of(DType.FLOAT32).in(reals[i]), call.dtype(i));
      }
    }
    boolean each = call.bool(11);
    if (each && (call.integer(10) != 0 || call.rank(0) == 0)) {
      return Fault.unsupported(
          "ranges of channels are observed along the first dimension only, not along "
              + call.integer(10));
    }
    long ranges = each ? call.shape(0).size(0) : 1;
    for (int i = 3; i < 7; i++) {
      long elements = call.shape(i).elements();
      if (elements != ranges) {
        String text = "%d ranges need as many running bounds, scales and zero points, not %d";
        return Fault.shape(Message.of(text, ranges, elements))
            .withExpected(ranges + " of each", Long.toString(elements));
      }
    }
    return null;
  }

  /** Moves the running bounds towards those of the reals. */
  private static Object observe(Steps steps, Call call) {
    boolean each = call.bool(11);
    Object self = call.value(0);
    Object rows = each ? steps.run("reshape", self, Steps.ints(call.shape(0).size(0), -1)) : self;
    Object both = each ? steps.run("aminmax", rows, 1L, false) : steps.run("aminmax", self);
    Object done = moved(steps, call, 3, Steps.pick(both, 0));
    return done instanceof Fault ? done : moved(steps, call, 4, Steps.pick(both, 1));
  }

  private static Object moved(Steps steps, Call call, int i, Object bound) {
    Object running = call.value(i);
    Object way = steps.run("mul.Scalar", steps.run("sub.Tensor", bound, running), call.real(7));
    Object next = steps.sum(running, way);
    Object first = steps.run("isinf", running);
    return steps.run("copy_", running, steps.run("where.self", first, bound, next));
  }

  /** Writes the scales and zero points for the running bounds. */
  private static Object choose(Steps steps, Call call) {
    float[] least = HostTensors.toFloats(call.tensor(3));
    float[] most = HostTensors.toFloats(call.tensor(4));
    double[] scales = new double[least.length];
    double[] zeros = new double[least.length];
    for (int c = 0; c < least.length; c++) {
      if (!(least[c] <= most[c])) {
        String text = "no scale fits a range from %s to %s; observe some numbers before";
        return Fault.value(Message.of(text, least[c], most[c]));
      }
      PerTensor own =
          Quantization.chosen(least[c], most[c], call.integer(8), call.integer(9), call.bool(12));
      scales[c] = own.scale();
      zeros[c] = own.zeroPoint();
    }
    Object done = written(steps, call, 5, scales);
    return done instanceof Fault ? done : written(steps, call, 6, zeros);
  }

  private static Object written(Steps steps, Call call, int i, double[] numbers) {
    Object made = call.allocate(DType.FLOAT64, call.shape(i));
    if (made instanceof DenseTensor tensor) {
      Operand.of(tensor).store(numbers, 0, 1, numbers.length);
    }
    return steps.run("copy_", call.value(i), made);
  }
}
