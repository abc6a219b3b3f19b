package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Plane;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Samples images and volumes at positions between their elements: [N, C, H, W] at a grid [N, h, w,
 * 2] of x and y from -1 to 1, [N, C, D, H, W] at a grid of x, y and z. Made for one call.
 */
final class GridSampling {
  private static final long NEAREST = 1;
  private static final long CUBIC = 2;
  private static final long BORDER = 1;
  private static final long REFLECTION = 2;
  private static final double SHARPNESS = -0.75;

  /** Positions processed together. */
  private static final int TILE = 1024;

  /** The cost of a position, in elements read; with cubic weights, this many times as much. */
  private static final int SPOT = 4;

  private final DenseTensor input;
  private final long mode;
  private final long padding;
  private final boolean aligned;
  private final Plane plane;

  /** The last dimensions in reverse order, as a grid names them. */
  private final int[] sizes;

  private GridSampling(Call call) {
    this.input = call.tensor(0);
    this.mode = call.integer(2);
    this.padding = call.integer(3);
    this.aligned = call.bool(4);
    this.plane = new Plane(input, 2);
    this.sizes = new int[input.rank() - 2];
    Arrays.setAll(sizes, d -> Shape.asInt(input.shape().size(input.rank() - 1 - d)));
  }

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder narrow = catalog.with(Trait.NARROW_AS_FLOAT32);
    String tail =
        "(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners)"
            + " -> Tensor";
    for (String name : new String[] {"grid_sampler", "grid_sampler_2d"}) {
      Filled.add(narrow, "aten::" + name + tail, GridSampling::form, GridSampling::fill);
    }
    Filled.add(
        narrow.withDTypes(DType.of(DType.Kind.FLOATING)),
        "aten::grid_sampler_3d" + tail,
        operands ->
            operands.rank(0) == 5
                ? form(operands)
                : OperandChecks.shape(
                    "grid_sampler_3d takes an input [N, C, D, H, W], but its shape is "
                        + operands.shape(0),
                    "5 dimensions",
                    operands.shape(0)),
        GridSampling::fill);
    Composite.add(
        catalog.withDTypes(DType.of(DType.Kind.values())),
        "aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor",
        GridSampling::affine);
  }

  private static Object form(Operands operands) {
    Shape input = operands.shape(0);
    Shape grid = operands.shape(1);
    Fault fault = misfit(operands, input, grid);
    if (fault != null) {
      return fault;
    }
    long[] sizes = input.toArray();
    System.arraycopy(grid.toArray(), 1, sizes, 2, sizes.length - 2);
    return TensorForm.contiguous(operands.dtype(0), Shape.of(sizes));
  }

  private static @Nullable Fault misfit(Operands call, Shape input, Shape grid) {
    if (!isMode(call.integer(2)) || !isMode(call.integer(3))) {
      String text = "grid_sampler takes an interpolation and a padding from 0 to 2, not %d and %d";
      return Fault.value(Message.of(text, call.integer(2), call.integer(3)));
    }
    boolean cubic = call.integer(2) == CUBIC;
    boolean volume = input.rank() == 5;
    Fault fault = volume || cubic ? unfit(input, grid) : unfitPicture(input, grid);
    fault =
        OperandChecks.first(
            fault,
            OperandChecks.sameDType("grid_sampler", call.dtype(0), "grid", call.dtype(1)),
            OperandChecks.floating("grid_sampler", call.dtype(0)));
    return fault == null && cubic && volume
        ? Fault.value("grid_sampler takes cubic weights for pictures [N, C, H, W] alone")
        : fault;
  }

  private static boolean isMode(long number) {
    return number >= 0 && number <= 2;
  }

  private static @Nullable Fault unfit(Shape input, Shape grid) {
    int dims = input.rank() - 2;
    boolean fits =
        (dims == 2 || dims == 3)
            && grid.rank() == dims + 2
            && grid.size(dims + 1) == dims
            && grid.size(0) == input.size(0)
            && Arrays.stream(input.toArray()).skip(2).allMatch(size -> size > 0);
    String text = "grid_sampler takes an input [N, C, ...] and a grid that fits, not %s and %s";
    return fits ? null : Fault.shape(Message.of(text, input, grid));
  }

  private static @Nullable Fault unfitPicture(Shape input, Shape grid) {
    if (input.rank() != 4 || grid.rank() != 4 || grid.size(3) != 2) {
      String text =
          "grid_sampler takes an input [N, C, H, W] and a grid [N, H, W, 2], but got %s and %s";
      return Fault.shape(Message.of(text, input, grid));
    }
    if (input.size(0) != grid.size(0)) {
      String text = "the input %s and the grid %s must have the same first size, that of the batch";
      return Fault.shape(Message.of(text, input, grid));
    }
    return input.size(2) == 0 || input.size(3) == 0
        ? OperandChecks.shape(
            "the input of grid_sampler has nothing to sample, since its shape is " + input,
            "sizes above 0",
            input)
        : null;
  }

  private static @Nullable Fault fill(DenseTensor target, Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    return target.elements() == 0
        ? null
        : new GridSampling(call).fill(poll, target, Reals.of(poll, call.tensor(1)));
  }

  private @Nullable Fault fill(CancellationPoll poll, DenseTensor target, Reals grid) {
    long channels = input.shape().size(1);
    long spots = target.elements() / (input.shape().size(0) * channels);
    double[][] places = new double[sizes.length][(int) Math.min(TILE, spots)];
    double[] out = new double[places[0].length];
    Corners corners = new Corners(input, sizes, mode == NEAREST, out.length);
    Places starts = Plane.starts(input.layout(), sizes.length);
    for (long sample = 0; sample < input.shape().size(0); sample++) {
      for (long first = 0; first < spots; first += out.length) {
        int count = (int) Math.min(out.length, spots - first);
        poll.mayContinue((long) SPOT * count);
        for (int i = 0; i < count; i++) {
          for (int d = 0; d < sizes.length; d++) {
            double at = grid.at((sample * spots + first + i) * sizes.length + d);
            places[d][i] = place(at, sizes[d]);
          }
        }
        if (mode != CUBIC) {
          corners.find(places, count);
        }
        for (long channel = sample * channels; channel < (sample + 1) * channels; channel++) {
          if (mode == CUBIC) {
            plane.of(channel);
            for (int i = 0; i < count && poll.mayContinue(SPOT * SPOT); i++) {
              out[i] = cubic(places[0][i], places[1][i]);
            }
          } else if (poll.mayContinue((long) SPOT * count)) {
            corners.sum(starts.at(channel), out, count);
          }
          if (poll.fault() != null) {
            return poll.fault();
          }
          Operand.of(target).store(out, channel * spots + first, 1, count);
        }
      }
    }
    return null;
  }

  /**
   * Maps -1..1 to a position among the elements; except for cubic weights, the position is moved
   * inside. As in libtorch, padding moves NaN to the first element of a picture and to the last of
   * a volume; without it, NaN is outside of a volume.
   */
  private double place(double at, int size) {
    double place =
        mode == NEAREST && input.dtype() == DType.FLOAT32
            ? single((float) at, size)
            : aligned ? (at + 1) / 2 * (size - 1) : ((at + 1) * size - 1) / 2;
    if (mode == CUBIC) {
      return place;
    }
    double known = inside(place, size);
    if (sizes.length == 2) {
      return Double.isNaN(known) && padding != 0 ? 0 : known;
    }
    return Double.isFinite(known) ? known : padding == 0 ? -2 : size - 1;
  }

  /** In single precision, as in libtorch, so that halves between two elements stay halves. */
  private float single(float at, int size) {
    double away = at + 1f;
    return (float) (aligned ? away * ((size - 1) / 2.0) : away * (size / 2.0) - 0.5);
  }

  /** A position moved inside as the padding mode says. */
  private double inside(double at, int size) {
    double place = at;
    if (padding == REFLECTION) {
      place = aligned ? mirrored(at, 0, size - 1) : mirrored(at, -0.5, size - 0.5);
    }
    return padding == BORDER || padding == REFLECTION ? Math.clamp(place, 0, size - 1) : place;
  }

  private static double mirrored(double place, double low, double high) {
    double span = high - low;
    if (span == 0) {
      return 0;
    }
    double away = Math.abs(place - low);
    double rest = away % span;
    boolean even = Math.floor(away / span) % 2 == 0;
    return even ? low + rest : high - rest;
  }

  private double cubic(double x, double y) {
    double left = Math.floor(x);
    double top = Math.floor(y);
    double sum = 0;
    for (int i = -1; i < 3; i++) {
      for (int j = -1; j < 3; j++) {
        int column = (int) inside(left + j, sizes[0]);
        int row = (int) inside(top + i, sizes[1]);
        sum += weight(x - left - j) * weight(y - top - i) * element(column, row);
      }
    }
    return sum;
  }

  /** The weight of an element at a distance up to 2. */
  private static double weight(double distance) {
    double x = Math.abs(distance);
    return x <= 1
        ? ((SHARPNESS + 2) * x - (SHARPNESS + 3)) * x * x + 1
        : ((SHARPNESS * x - 5 * SHARPNESS) * x + 8 * SHARPNESS) * x - 4 * SHARPNESS;
  }

  /** An element of the plane, or 0 outside of it. */
  private double element(double x, double y) {
    boolean inside = x >= 0 && y >= 0 && x < plane.width() && y < plane.height();
    return inside ? plane.at((int) y, (int) x) : 0;
  }

  private static Object affine(Steps steps, Operands call) {
    TensorForm theta = call.form(0);
    long[] size = call.integers(1);
    int axes = size.length - 2;
    boolean fits =
        (axes == 2 || axes == 3)
            && theta.rank() == 3
            && theta.shape().size(1) == axes
            && theta.shape().size(2) == axes + 1
            && theta.shape().size(0) == size[0];
    if (!fits || !theta.dtype().isFloating()) {
      String text =
          "affine_grid needs a theta [N, 2, 3] of reals and a size [N, C, H, W], or [N, 3, 4] and"
              + " [N, C, D, H, W], but got %s and %s";
      return Fault.shape(Message.of(text, theta.describe(), Arrays.toString(size)));
    }
    Object shape = Steps.ints(Arrays.copyOfRange(size, 2, size.length));
    Object[] coordinates = new Object[axes + 1];
    for (int i = 0; i < axes; i++) {
      int axis = axes - 1 - i;
      long[] along = new long[axes];
      Arrays.fill(along, 1);
      along[axis] = size[2 + axis];
      Object line = line(steps, size[2 + axis], call.bool(2), theta.dtype());
      coordinates[i] = steps.run("expand", steps.view(line, along), shape);
    }
    coordinates[axes] = steps.run("ones", shape, (long) theta.dtype().code());
    Object base = steps.view(steps.run("stack", Steps.list(coordinates), -1L), 1, -1, axes + 1);
    Object wide = steps.run("expand", base, Steps.ints(size[0], -1, -1));
    Object grid = steps.run("bmm", wide, steps.run("transpose.int", call.value(0), 1L, 2L));
    long[] sizes = Arrays.copyOfRange(size, 1, size.length + 1);
    sizes[0] = size[0];
    sizes[axes + 1] = axes;
    return steps.view(grid, sizes);
  }

  private static Object line(Steps steps, long count, boolean aligned, DType dtype) {
    if (count <= 1) {
      return steps.run("zeros", Steps.ints(count), (long) dtype.code());
    }
    Object line = steps.run("linspace", -1L, 1L, count, (long) dtype.code());
    return aligned ? line : steps.scaled(line, (count - 1) / (double) count);
  }
}
