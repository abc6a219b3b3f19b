package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Pools regions of images, {@code (image, x1, y1, x2, y2)} each, to one size. */
final class RegionOperations {
  private static final String HEAD =
      "(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width";

  private static final Kind ALIGN = new Kind("roi_align", 1, false, true);
  private static final Kind POOL = new Kind("roi_pool", 2, false, false);
  private static final Kind POSITIONED_POOL = new Kind("ps_roi_pool", 2, true, false);
  private static final Kind POSITIONED_ALIGN = new Kind("ps_roi_align", 2, true, true);

  private RegionOperations() {}

  /**
   * One of the operations.
   *
   * @param positioned whether each place of an output has input channels of its own
   * @param sampled whether it samples between pixels, of which there must be some
   */
  private record Kind(String name, int results, boolean positioned, boolean sampled) {}

  static void addTo(Catalog.Builder catalog) {
    of(catalog, ALIGN)
        .one(
            "torchvision::roi_align" + HEAD + ", int sampling_ratio, bool aligned) -> Tensor",
            call -> {
              boolean aligned = call.bool(6);
              return run(call, ALIGN, (map, roi) -> aligned(map, roi, call, aligned));
            });
    String two = ") -> (Tensor, Tensor)";
    of(catalog, POOL)
        .many(
            "torchvision::roi_pool" + HEAD + two,
            call -> run(call, POOL, RegionOperations::greatest));
    of(catalog, POSITIONED_POOL)
        .many(
            "torchvision::ps_roi_pool" + HEAD + two,
            call -> run(call, POSITIONED_POOL, RegionOperations::means));
    of(catalog, POSITIONED_ALIGN)
        .many(
            "torchvision::ps_roi_align" + HEAD + ", int sampling_ratio" + two,
            call -> run(call, POSITIONED_ALIGN, (map, roi) -> sampled(map, roi, call)));
  }

  private static Catalog.Builder of(Catalog.Builder catalog, Kind kind) {
    return catalog
        .with(Trait.FAILS_ON_VALUES, Trait.NARROW_AS_FLOAT32)
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .withInference(operands -> forms(operands, kind));
  }

  /** The forms of the results, the second of which holds indices; or the fault. */
  private static Object forms(Operands operands, Kind kind) {
    Fault fault = misfit(operands, kind);
    if (fault != null) {
      return fault;
    }
    Shape shape =
        Shape.of(
            operands.shape(1).size(0),
            operands.shape(0).size(1) / cells(operands, kind),
            operands.integer(3),
            operands.integer(4));
    TensorForm values = TensorForm.contiguous(operands.dtype(0), shape);
    return kind.results == 1
        ? values
        : new Object[] {values, TensorForm.contiguous(DType.INT32, shape)};
  }

  /** The number of input channels for each output channel. */
  private static long cells(Operands operands, Kind kind) {
    return kind.positioned ? Cost.times(operands.integer(3), operands.integer(4)) : 1;
  }

  /** Fills the output of one region. */
  private interface Work {
    void fill(Maps map, double[] region);
  }

  /** The images, and the outputs for the current region. */
  private static final class Maps {
    final CancellationPoll poll;
    final double[] values;
    final int channels;
    final int height;
    final int width;
    final double scale;
    final int rows;
    final int columns;
    final int outputs;
    final double[] results;
    final double[] places;
    int region;

    Maps(CancellationPoll poll, DenseTensor input, Call call, int outputs, int regions) {
      this.poll = poll;
      this.values = Doubles.of(poll, input);
      this.channels = Shape.asInt(input.shape().size(1));
      this.height = Shape.asInt(input.shape().size(2));
      this.width = Shape.asInt(input.shape().size(3));
      this.scale = call.real(2);
      this.rows = Shape.asInt(call.integer(3));
      this.columns = Shape.asInt(call.integer(4));
      this.outputs = outputs;
      Shape shape = Shape.of(regions, outputs, rows, columns);
      this.results = new double[Shape.asInt(shape.elements())];
      this.places = new double[results.length];
    }

    int plane(double picture, int channel) {
      return (((int) picture) * channels + channel) * height * width;
    }

    int at(int channel, int row, int column) {
      return ((region * outputs + channel) * rows + row) * columns + column;
    }
  }

  private static Object run(Call call, Kind kind, Work work) {
    DenseTensor input = call.tensor(0);
    DenseTensor regions = call.tensor(1);
    Fault fault = misfit(call, kind);
    if (fault != null) {
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    double[] each = Doubles.of(poll, regions);
    int count = each.length / 5;
    long cells = Cost.times(call.integer(3), call.integer(4));
    int outputs = Shape.asInt(input.shape().size(1) / cells(call, kind));
    Maps map = new Maps(poll, input, call, outputs, count);
    double[] region = new double[5];
    for (int i = 0; i < count && poll.mayContinue(Cost.times(cells, 4L * outputs)); i++) {
      System.arraycopy(each, 5 * i, region, 0, 5);
      if (region[0] < 0 || region[0] >= input.shape().size(0)) {
        String text = "region %d is of picture %s, but there are %d";
        return Fault.index(Message.of(text, i, region[0], input.shape().size(0)));
      }
      map.region = i;
      work.fill(map, region);
    }
    if (poll.fault() != null) {
      return poll.orFault(region);
    }
    Shape shape = Shape.of(count, outputs, map.rows, map.columns);
    Object made = Doubles.tensor(call, input.dtype(), shape, map.results);
    if (kind.results == 1 || made instanceof Fault) {
      return made;
    }
    return Temporaries.both(made, Doubles.tensor(call, DType.INT32, shape, map.places));
  }

  private static @Nullable Fault misfit(Operands call, Kind kind) {
    String name = kind.name;
    TensorForm input = call.form(0);
    TensorForm regions = call.form(1);
    Fault fault = OperandChecks.sameDType(name, input.dtype(), "rois", regions.dtype());
    fault = fault == null ? OperandChecks.floating(name, input.dtype()) : fault;
    if (fault == null
        && (input.rank() != 4 || regions.rank() != 2 || regions.shape().size(1) != 5)) {
      String text = "%s takes an input [n, c, h, w] and regions [k, 5], but got %s and %s";
      fault =
          OperandChecks.shape(
              Message.of(text, name, input.shape(), regions.shape()), "[k, 5]", regions.shape());
    }
    if (fault == null
        && kind.sampled()
        && regions.shape().size(0) > 0
        && (input.shape().size(2) == 0 || input.shape().size(3) == 0)) {
      String text = "the input of %s has nothing to sample, since its shape is %s";
      fault =
          OperandChecks.shape(
              Message.of(text, name, input.shape()), "sizes above 0", input.shape());
    }
    if (fault == null && (call.integer(3) < 1 || call.integer(4) < 1)) {
      fault = Fault.value(name + " takes a positive pooled height and width");
    }
    long cells = fault == null ? cells(call, kind) : 1;
    if (fault == null && input.shape().size(1) % cells != 0) {
      String text = "%s takes a multiple of %d channels, but the shape is %s";
      fault =
          OperandChecks.shape(
              Message.of(text, name, cells, input.shape()),
              "a multiple of " + cells + " channels",
              input.shape());
    }
    return fault;
  }

  private static void aligned(Maps map, double[] roi, Call call, boolean aligned) {
    double shift = aligned ? 0.5 : 0;
    double left = roi[1] * map.scale - shift;
    double top = roi[2] * map.scale - shift;
    double width = roi[3] * map.scale - shift - left;
    double height = roi[4] * map.scale - shift - top;
    if (!aligned) {
      width = Math.max(width, 1);
      height = Math.max(height, 1);
    }
    for (int channel = 0; channel < map.channels; channel++) {
      int plane = map.plane(roi[0], channel);
      sample(map, channel, plane, 0, call.integer(5), new double[] {top, left, height, width});
    }
  }

  private static void sampled(Maps map, double[] roi, Call call) {
    double left = roi[1] * map.scale - 0.5;
    double top = roi[2] * map.scale - 0.5;
    double[] box = {top, left, roi[4] * map.scale - 0.5 - top, roi[3] * map.scale - 0.5 - left};
    for (int channel = 0; channel < map.outputs; channel++) {
      int plane = map.plane(roi[0], channel * map.rows * map.columns);
      sample(map, channel, plane, map.height * map.width, call.integer(5), box);
    }
  }

  /**
   * Averages sample points in each cell of a box {@code (top, left, height, width)}. Without points
   * the average is 0, or NaN if each cell has a plane of its own, as in torchvision.
   *
   * @param step the distance from the plane of one cell to that of the next
   */
  private static void sample(Maps map, int channel, int plane, int step, long ratio, double[] box) {
    double high = box[2] / map.rows;
    double wide = box[3] / map.columns;
    int down = ratio > 0 ? (int) ratio : points(high);
    int across = ratio > 0 ? (int) ratio : points(wide);
    for (int row = 0; row < map.rows; row++) {
      for (int column = 0; column < map.columns; column++) {
        int cell = row * map.columns + column;
        double sum = 0;
        for (int i = 0; i < down && across > 0 && map.poll.mayContinue(across); i++) {
          double y = box[0] + row * high + (i + 0.5) * high / down;
          for (int j = 0; j < across; j++) {
            double x = box[1] + column * wide + (j + 0.5) * wide / across;
            int first = plane + cell * step;
            sum += Bilinear.atBorder(map.values, first, map.height, map.width, y, x);
          }
        }
        int at = map.at(channel, row, column);
        int points = down * across;
        map.results[at] = sum / (step == 0 ? Math.max(points, 1) : points);
        map.places[at] = channel * map.rows * map.columns + cell;
      }
    }
  }

  /** As many sample points as the side of a cell is long; none if no int can say how long it is. */
  private static int points(double side) {
    double count = Math.ceil(side);
    return count <= Integer.MAX_VALUE ? (int) count : Integer.MIN_VALUE;
  }

  private static int bound(double value, int most) {
    return (int) Math.min(Math.max(value, 0), most);
  }

  /** Rounds like C: halves away from zero. */
  private static long nearest(double value) {
    return (long) Math.copySign(Math.floor(Math.abs(value) + 0.5), value);
  }

  private static void greatest(Maps map, double[] roi) {
    long left = nearest(roi[1] * map.scale);
    long top = nearest(roi[2] * map.scale);
    long width = Math.max(nearest(roi[3] * map.scale) - left + 1, 1);
    long height = Math.max(nearest(roi[4] * map.scale) - top + 1, 1);
    for (int row = 0; row < map.rows; row++) {
      int from = bound(Math.floor((double) row * height / map.rows) + top, map.height);
      int to = bound(Math.ceil((row + 1.0) * height / map.rows) + top, map.height);
      for (int column = 0; column < map.columns; column++) {
        int start = bound(Math.floor((double) column * width / map.columns) + left, map.width);
        int end = bound(Math.ceil((column + 1.0) * width / map.columns) + left, map.width);
        for (int channel = 0; channel < map.channels; channel++) {
          int plane = map.plane(roi[0], channel);
          int at = map.at(channel, row, column);
          boolean empty = to <= from || end <= start;
          double best = empty ? 0 : -Float.MAX_VALUE;
          int place = -1;
          for (int y = from; y < to && map.poll.mayContinue(map.width); y++) {
            for (int x = start; x < end; x++) {
              double value = map.values[plane + y * map.width + x];
              if (value > best) {
                best = value;
                place = y * map.width + x;
              }
            }
          }
          map.results[at] = best;
          map.places[at] = place;
        }
      }
    }
  }

  private static void means(Maps map, double[] roi) {
    long left = nearest(roi[1] * map.scale);
    long top = nearest(roi[2] * map.scale);
    long width = Math.max(nearest(roi[3] * map.scale) - left, 1);
    long height = Math.max(nearest(roi[4] * map.scale) - top, 1);
    for (int row = 0; row < map.rows; row++) {
      int from = bound(Math.floor((double) row * height / map.rows) + top, map.height - 1);
      int to = bound(Math.ceil((row + 1.0) * height / map.rows) + top, map.height - 1);
      for (int column = 0; column < map.columns; column++) {
        int start = bound(Math.floor((double) column * width / map.columns) + left, map.width - 1);
        int end = bound(Math.ceil((column + 1.0) * width / map.columns) + left, map.width - 1);
        for (int output = 0; output < map.outputs; output++) {
          int channel = (output * map.rows + row) * map.columns + column;
          int plane = map.plane(roi[0], channel);
          double sum = 0;
          for (int y = from; y < to && map.poll.mayContinue(map.width); y++) {
            for (int x = start; x < end; x++) {
              sum += map.values[plane + y * map.width + x];
            }
          }
          boolean empty = to <= from || end <= start;
          int at = map.at(output, row, column);
          map.results[at] = empty ? 0 : sum / ((double) (to - from) * (end - start));
          map.places[at] = channel;
        }
      }
    }
  }
}
