package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Pictures and volumes read at places between their elements, as the kernel for pictures does not:
 * with cubic weights, and over three dimensions.
 */
final class GridSampler {
  private static final long NEAREST = 1;
  private static final long CUBIC = 2;
  private static final long BORDER = 1;
  private static final long REFLECTION = 2;
  private static final double SHARPNESS = -0.75;

  private final Call call;
  private final double[] values;
  private final int dims;

  /** Of the last dimensions, the last first, as a grid names them. */
  private final int[] sizes;

  private GridSampler(Call call, double[] values) {
    this.call = call;
    this.values = values;
    this.dims = call.tensor(0).rank() - 2;
    this.sizes = new int[dims];
    for (int d = 0; d < dims; d++) {
      sizes[d] = Shape.asInt(call.tensor(0).shape().size(1 + dims - d));
    }
  }

  static void addTo(Catalog.Builder catalog) {
    Filled.add(
        catalog.with(Trait.NARROW_AS_FLOAT32).taking(DType.of(DType.Kind.FLOATING)),
        "aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode,"
            + " bool align_corners) -> Tensor",
        GridSampler::volume,
        GridSampler::fill);
  }

  private static Object volume(Operands operands) {
    Shape input = operands.shape(0);
    return input.rank() == 5
        ? form(operands)
        : OperandChecks.shape(
            "grid_sampler_3d takes an input [N, C, D, H, W], but its shape is " + input,
            "5 dimensions",
            input);
  }

  /** The same operation, which takes what its kernel leaves over, too. */
  static CatalogEntry widened(CatalogEntry plain) {
    boolean samples =
        plain.name().equals("aten::grid_sampler") || plain.name().equals("aten::grid_sampler_2d");
    if (!samples || !(plain.kernel() instanceof Kernel.One kernel)) {
      return plain;
    }
    Filled filled = new Filled(GridSampler::form, GridSampler::fill);
    Inference known = plain.inference();
    Kernel.One either = call -> isLeft(call) ? filled.run(call) : kernel.run(call);
    return plain.widened(
        either,
        known == null
            ? null
            : operands -> isLeft(operands) ? filled.infer(operands) : known.infer(operands));
  }

  private static boolean isLeft(Operands operands) {
    return operands.rank(0) == 5 || operands.integer(2) == CUBIC || !areKnown(operands);
  }

  private static boolean areKnown(Operands operands) {
    return isMode(operands.integer(2)) && isMode(operands.integer(3));
  }

  private static boolean isMode(long number) {
    return number >= 0 && number <= 2;
  }

  private static Object form(Operands operands) {
    TensorForm input = operands.form(0);
    TensorForm grid = operands.form(1);
    Fault fault = misfit(operands, input, grid);
    if (fault != null) {
      return fault;
    }
    long[] sizes = input.shape().toArray();
    for (int d = 2; d < sizes.length; d++) {
      sizes[d] = grid.shape().size(d - 1);
    }
    return TensorForm.contiguous(input.dtype(), Shape.of(sizes));
  }

  private static @Nullable Fault fill(DenseTensor target, Call call) {
    long spots = 1;
    for (int d = 2; d < target.rank(); d++) {
      spots *= target.shape().size(d);
    }
    CancellationPoll poll = new CancellationPoll(call);
    GridSampler sampler = new GridSampler(call, Doubles.of(poll, call.tensor(0)));
    double[] grid = Doubles.of(poll, call.tensor(1));
    Doubles.store(target, sampler.values(poll, grid, Math.toIntExact(spots)));
    return poll.fault();
  }

  private static @Nullable Fault misfit(Operands call, TensorForm input, TensorForm grid) {
    if (!areKnown(call)) {
      String text = "grid_sampler takes an interpolation and a padding from 0 to 2, not %d and %d";
      return Fault.value(Message.of(text, call.integer(2), call.integer(3)));
    }
    int dims = input.rank() - 2;
    boolean fits =
        (dims == 2 || dims == 3)
            && grid.rank() == dims + 2
            && grid.shape().size(dims + 1) == dims
            && grid.shape().size(0) == input.shape().size(0)
            && input.elements() > 0;
    if (!fits) {
      String text = "grid_sampler takes an input [N, C, ...] and a grid that fits, not %s and %s";
      return Fault.shape(Message.of(text, input.shape(), grid.shape()));
    }
    Fault fault = OperandChecks.floating("grid_sampler", input.dtype());
    fault =
        fault == null
            ? OperandChecks.sameDType("grid_sampler", input.dtype(), "grid", grid.dtype())
            : fault;
    boolean cubic = call.integer(2) == CUBIC;
    return fault == null && cubic && dims == 3
        ? Fault.value("grid_sampler takes cubic weights for pictures [N, C, H, W] alone")
        : fault;
  }

  private double[] values(CancellationPoll poll, double[] grid, int spots) {
    DenseTensor input = call.tensor(0);
    int channels = Shape.asInt(input.shape().size(1));
    int batch = Shape.asInt(input.shape().size(0));
    int area = Math.toIntExact(input.elements() / ((long) batch * channels));
    double[] out = new double[Math.multiplyExact(batch * channels, spots)];
    double[] place = new double[dims];
    for (int sample = 0; sample < batch; sample++) {
      for (int spot = 0; spot < spots && poll.mayContinue(16L * channels); spot++) {
        for (int d = 0; d < dims; d++) {
          place[d] = grid[(sample * spots + spot) * dims + d];
        }
        for (int channel = sample * channels; channel < (sample + 1) * channels; channel++) {
          out[channel * spots + spot] = at(channel * area, place);
        }
      }
    }
    return out;
  }

  private double at(int first, double[] place) {
    if (call.integer(2) == CUBIC) {
      return cubic(first, place);
    }
    double[] at = new double[dims];
    for (int d = 0; d < dims; d++) {
      at[d] = inside(unscaled(place[d], sizes[d]), sizes[d]);
      if (Double.isNaN(at[d])) {
        at[d] = -2;
      }
    }
    if (call.integer(2) == NEAREST) {
      int[] index = new int[dims];
      for (int d = 0; d < dims; d++) {
        index[d] = (int) Math.rint(at[d]);
      }
      return element(first, index);
    }
    double sum = 0;
    int[] index = new int[dims];
    for (int corner = 0; corner < 1 << dims; corner++) {
      double weight = 1;
      for (int d = 0; d < dims; d++) {
        index[d] = (int) Math.floor(at[d]) + (corner >> d & 1);
        weight *= 1 - Math.abs(at[d] - index[d]);
      }
      sum += weight == 0 ? 0 : weight * element(first, index);
    }
    return sum;
  }

  private double cubic(int first, double[] place) {
    double x = unscaled(place[0], sizes[0]);
    double y = unscaled(place[1], sizes[1]);
    int left = (int) Math.floor(x);
    int top = (int) Math.floor(y);
    double sum = 0;
    int[] index = new int[2];
    for (int i = -1; i < 3; i++) {
      for (int j = -1; j < 3; j++) {
        index[0] = (int) inside(left + j, sizes[0]);
        index[1] = (int) inside(top + i, sizes[1]);
        sum += weight(x - left - j) * weight(y - top - i) * element(first, index);
      }
    }
    return sum;
  }

  private static double weight(double distance) {
    double x = Math.abs(distance);
    if (x <= 1) {
      return ((SHARPNESS + 2) * x - (SHARPNESS + 3)) * x * x + 1;
    }
    return x < 2 ? ((SHARPNESS * x - 5 * SHARPNESS) * x + 8 * SHARPNESS) * x - 4 * SHARPNESS : 0;
  }

  private double element(int first, int[] index) {
    int at = 0;
    for (int d = dims - 1; d >= 0; d--) {
      if (index[d] < 0 || index[d] >= sizes[d]) {
        return 0;
      }
      at = at * sizes[d] + index[d];
    }
    return values[first + at];
  }

  /** From -1..1 to a place among elements. */
  private double unscaled(double at, int size) {
    return call.bool(4) ? (at + 1) / 2 * (size - 1) : ((at + 1) * size - 1) / 2;
  }

  /** A place brought inside as the padding mode says. */
  private double inside(double place, int size) {
    double at = place;
    if (call.integer(3) == REFLECTION) {
      at = call.bool(4) ? mirrored(at, 0, size - 1) : mirrored(at, -0.5, size - 0.5);
    }
    boolean clips = call.integer(3) == BORDER || call.integer(3) == REFLECTION;
    return clips ? Math.min(Math.max(at, 0), size - 1) : at;
  }

  private static double mirrored(double place, double low, double high) {
    double span = high - low;
    if (span == 0) {
      return 0;
    }
    double from = Math.abs(place - low);
    double rest = from % span;
    return (long) Math.floor(from / span) % 2 == 0 ? low + rest : high - rest;
  }
}
