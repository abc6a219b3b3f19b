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
 * Pictures read at places between their elements: [N, C, H, W] at a grid [N, h, w, 2] of x and y
 * from -1 to 1.
 */
final class GridSampling {
  private static final long NEAREST = 1;
  private static final long BORDER = 1;
  private static final long REFLECTION = 2;

  /** Places that are worked on together. */
  private static final int TILE = 1024;

  /** What a place costs, in elements read. */
  private static final int SPOT = 4;

  private GridSampling() {}

  static void addTo(Catalog.Builder catalog) {
    for (String name : new String[] {"grid_sampler", "grid_sampler_2d"}) {
      Filled.add(
          catalog.with(Trait.NARROW_AS_FLOAT32),
          "aten::"
              + name
              + "(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool"
              + " align_corners) -> Tensor",
          GridSampling::form,
          GridSampling::fill);
    }
    Composite.add(
        catalog.taking(DType.of(DType.Kind.values())),
        "aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor",
        GridSampling::affine);
  }

  private static Object form(Operands operands) {
    TensorForm input = operands.form(0);
    TensorForm grid = operands.form(1);
    Fault fault = misfit(operands, input, grid);
    if (fault != null) {
      return fault;
    }
    long[] sizes = input.shape().toArray();
    sizes[2] = grid.shape().size(1);
    sizes[3] = grid.shape().size(2);
    return TensorForm.contiguous(input.dtype(), Shape.of(sizes));
  }

  private static @Nullable Fault misfit(Operands call, TensorForm input, TensorForm grid) {
    if (input.rank() != 4 || grid.rank() != 4 || grid.shape().size(3) != 2) {
      String text =
          "grid_sampler takes an input [N, C, H, W] and a grid [N, H, W, 2], but got %s and %s";
      return Fault.shape(Message.of(text, input.shape(), grid.shape()));
    }
    if (input.shape().size(0) != grid.shape().size(0)) {
      String text = "the input %s and the grid %s must have the same first size, that of the batch";
      return Fault.shape(Message.of(text, input.shape(), grid.shape()));
    }
    if (input.shape().size(2) == 0 || input.shape().size(3) == 0) {
      return OperandChecks.shape(
          "the input of grid_sampler has nothing to sample, since its shape is " + input.shape(),
          "sizes above 0",
          input.shape());
    }
    Fault fault =
        OperandChecks.first(
            OperandChecks.floating("grid_sampler", input.dtype()),
            OperandChecks.sameDType("grid_sampler", input.dtype(), "grid", grid.dtype()));
    return fault == null && call.integer(2) > NEAREST
        ? Fault.unsupported(
            "grid_sampler with bicubic interpolation is not implemented; take bilinear or nearest")
        : fault;
  }

  private static @Nullable Fault fill(DenseTensor target, Call call) {
    if (target.elements() == 0) {
      return null;
    }
    DenseTensor input = call.tensor(0);
    DenseTensor grid = call.tensor(1);
    long channels = input.shape().size(1);
    long spots = target.shape().size(2) * target.shape().size(3);
    CancellationPoll poll = new CancellationPoll(call);
    Plane plane = new Plane(input, 2);
    Reals grids = Reals.of(poll, grid);
    double[] x = new double[(int) Math.min(TILE, spots)];
    double[] y = new double[x.length];
    double[] out = new double[x.length];
    for (long sample = 0; sample < input.shape().size(0); sample++) {
      for (long first = 0; first < spots; first += x.length) {
        int count = (int) Math.min(x.length, spots - first);
        for (int i = 0; i < count && poll.mayContinue(SPOT); i++) {
          long spot = 2 * (sample * spots + first + i);
          x[i] = place(call, grids.at(spot), plane.width());
          y[i] = place(call, grids.at(spot + 1), plane.height());
        }
        for (long channel = sample * channels; channel < (sample + 1) * channels; channel++) {
          plane.of(channel);
          for (int i = 0; i < count && poll.mayContinue(SPOT); i++) {
            out[i] =
                call.integer(2) == NEAREST
                    ? element(plane, Math.rint(x[i]), Math.rint(y[i]))
                    : blend(plane, x[i], y[i]);
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

  /** From -1..1 to a place among elements, brought inside as the padding mode says. */
  private static double place(Call call, double at, int size) {
    boolean aligned = call.bool(4);
    double place = aligned ? (at + 1) / 2 * (size - 1) : ((at + 1) * size - 1) / 2;
    if (Double.isNaN(place)) {
      return -2;
    }
    if (call.integer(3) == REFLECTION) {
      place = aligned ? mirrored(place, 0, size - 1) : mirrored(place, -0.5, size - 0.5);
    }
    return call.integer(3) == BORDER || call.integer(3) == REFLECTION
        ? Math.clamp(place, 0, size - 1)
        : place;
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

  private static double blend(Plane plane, double x, double y) {
    double left = Math.floor(x);
    double top = Math.floor(y);
    double right = x - left;
    double bottom = y - top;
    return element(plane, left, top) * (1 - right) * (1 - bottom)
        + element(plane, left + 1, top) * right * (1 - bottom)
        + element(plane, left, top + 1) * (1 - right) * bottom
        + element(plane, left + 1, top + 1) * right * bottom;
  }

  /** An element, or 0 outside of the picture. */
  private static double element(Plane plane, double x, double y) {
    boolean inside = x >= 0 && y >= 0 && x < plane.width() && y < plane.height();
    return inside ? plane.at((int) y, (int) x) : 0;
  }

  private static Object affine(Steps steps, Operands call) {
    TensorForm theta = call.form(0);
    long[] size = call.integers(1);
    boolean fits =
        size.length == 4
            && theta.rank() == 3
            && theta.shape().size(1) == 2
            && theta.shape().size(2) == 3
            && theta.shape().size(0) == size[0];
    if (!fits || !theta.dtype().isFloating()) {
      String text =
          "affine_grid needs a theta [N, 2, 3] of reals and a size [N, C, H, W], but got %s and %s";
      return Fault.shape(Message.of(text, theta.describe(), Arrays.toString(size)));
    }
    Object columns = line(steps, size[3], call.bool(2), theta.dtype());
    Object rows = line(steps, size[2], call.bool(2), theta.dtype());
    Object shape = Steps.ints(size[2], size[3]);
    Object x = steps.run("expand", columns, shape);
    Object y = steps.run("expand", steps.view(rows, size[2], 1), shape);
    Object ones = steps.run("ones", shape, (long) theta.dtype().code());
    Object base = steps.view(steps.run("stack", Steps.list(x, y, ones), -1L), 1, -1, 3);
    Object wide = steps.run("expand", base, Steps.ints(size[0], -1, -1));
    Object grid = steps.run("bmm", wide, steps.run("transpose.int", call.value(0), 1L, 2L));
    return steps.view(grid, size[0], size[2], size[3], 2);
  }

  private static Object line(Steps steps, long count, boolean aligned, DType dtype) {
    if (count <= 1) {
      return steps.run("zeros", Steps.ints(count), (long) dtype.code());
    }
    Object line = steps.run("linspace", -1L, 1L, count, (long) dtype.code());
    return aligned ? line : steps.scaled(line, (count - 1) / (double) count);
  }
}
