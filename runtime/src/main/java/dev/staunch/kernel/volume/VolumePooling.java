package dev.staunch.kernel.volume;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pooling of volumes: the greatest element or the mean of a window, found along each dimension. */
final class VolumePooling {
  private static final String HEAD =
      "(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, ";

  private VolumePooling() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.with(Trait.NARROW_AS_FLOAT32);
    Composite.add(
        catalog,
        "aten::max_pool3d" + HEAD + "int[3] dilation=1, bool ceil_mode=False) -> Tensor",
        VolumePooling::max);
    Composite.add(
        catalog,
        "aten::avg_pool3d"
            + HEAD
            + "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None)"
            + " -> Tensor",
        VolumePooling::average);
    Composite.add(
        catalog,
        "aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
        VolumePooling::adaptiveAverage);
    Composite.addMany(
        catalog,
        "aten::max_pool3d_with_indices"
            + HEAD
            + "int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
        VolumePooling::maxWithIndices);
    Composite.addMany(
        catalog,
        "aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
        VolumePooling::adaptiveMax);
  }

  /**
   * The fault for a dtype or shape that cannot be pooled; else null. Dimension {@code first} and
   * those after it must not be empty.
   *
   * @param integers what libtorch takes beside floating dtypes
   */
  private static @Nullable Fault misfit(
      Operands call, String name, Set<DType> integers, int first) {
    Fault fault = OperandChecks.floatingBut(integers, name, call.dtype(0));
    fault = fault == null ? Volumes.misfit(name, call.form(0)) : fault;
    Shape shape = call.shape(0);
    if (fault == null && Arrays.stream(shape.toArray()).skip(first).anyMatch(size -> size == 0)) {
      String text = "%s takes 4 or 5 dimensions with something in each, but the shape is %s";
      fault = OperandChecks.shape(Message.of(text, name, shape), "no empty dimension", shape);
    }
    return fault;
  }

  /**
   * One number per dimension for each of these arguments, in the order of the schema; or a fault.
   */
  private static Object windows(Operands call, String name, Set<DType> integers, int... places) {
    Fault fault = misfit(call, name, integers, call.rank(0) - 4);
    if (fault != null) {
      return fault;
    }
    long[][] numbers = new long[places.length][];
    for (int i = 0; i < places.length; i++) {
      boolean asKernel = places[i] == 2 && call.list(2).isEmpty();
      numbers[i] = Volumes.three(call.integers(asKernel ? 1 : places[i]));
      if (numbers[i].length != 3) {
        String text = "%s takes one number or 3 for each property of its window, but got %s";
        return Fault.value(Message.of(text, name, Arrays.toString(numbers[i])));
      }
    }
    boolean ceiling = call.bool(places.length + 1);
    fault = wrongWindow(call.shape(0), name, numbers, ceiling);
    return fault == null ? numbers : fault;
  }

  /** The faults that pooling planes and columns would return, worded for the volume; else null. */
  private static @Nullable Fault wrongWindow(
      Shape input, String name, long[][] numbers, boolean ceiling) {
    long[] covered = new long[3];
    boolean fits = true;
    for (int d = 0; d < 3; d++) {
      long kernel = numbers[0][d];
      long stride = numbers[1][d];
      long padding = numbers[2][d];
      long dilation = numbers.length == 4 ? numbers[3][d] : 1;
      if (kernel <= 0 || stride <= 0 || dilation <= 0) {
        String text = "%s takes a positive kernel size, stride and dilation, but got %d, %d and %d";
        return Fault.value(Message.of(text, name, kernel, stride, dilation));
      }
      if (padding < 0 || padding > kernel / 2) {
        String text = "`padding` %d must be from 0 to half of the kernel's size, %d";
        return Fault.value(Message.of(text, padding, kernel));
      }
      int pad = Shape.asInt(padding);
      Window window =
          new Window(Shape.asInt(kernel), Shape.asInt(stride), pad, pad, Shape.asInt(dilation));
      covered[d] = window.extent();
      fits &= window.outputs(Shape.asInt(input.size(input.rank() - 3 + d)), ceiling) > 0;
    }
    String extent = Message.of("%d x %d x %d elements", covered[0], covered[1], covered[2]);
    return fits
        ? null
        : OperandChecks.shape(
            Message.of("the window covers %s, but the input %s has fewer; pad it", extent, input),
            "at least " + extent,
            input);
  }

  private static List<Object> planes(long[] numbers) {
    return Steps.ints(numbers[1], numbers[2]);
  }

  private static List<Object> depth(long[] numbers, long other) {
    return Steps.ints(numbers[0], other);
  }

  private static Object max(Steps steps, Operands call) {
    Object windows = windows(call, "max_pool3d", Set.of(), 1, 2, 3, 4);
    return windows instanceof long[][] of
        ? Volumes.inTurn(
            steps,
            call.value(0),
            slices -> planes(steps, "max_pool2d", slices, of, call.value(5)),
            upright -> depth(steps, "max_pool2d", upright, of, call.value(5)))
        : windows;
  }

  private static Object maxWithIndices(Steps steps, Operands call) {
    String name = "max_pool2d_with_indices";
    Object windows = windows(call, "max_pool3d_with_indices", Set.of(), 1, 2, 3, 4);
    return windows instanceof long[][] of
        ? indexed(
            steps,
            call.value(0),
            slices -> planes(steps, name, slices, of, call.value(5)),
            upright -> depth(steps, name, upright, of, call.value(5)))
        : windows;
  }

  /**
   * Pools the planes of a volume with the last two numbers of kernel, stride, padding, dilation.
   */
  private static Object planes(Steps steps, String name, Object slices, long[][] of, Object ceil) {
    return steps.run(
        name, slices, planes(of[0]), planes(of[1]), planes(of[2]), planes(of[3]), ceil);
  }

  /** Pools upright images along the depth with the first number of each. */
  private static Object depth(Steps steps, String name, Object upright, long[][] of, Object ceil) {
    return steps.run(
        name, upright, depth(of[0], 1), depth(of[1], 1), depth(of[2], 0), depth(of[3], 1), ceil);
  }

  private static Object adaptiveMax(Steps steps, Operands call) {
    Object sizes = adaptiveSizes(call, "adaptive_max_pool3d");
    return sizes instanceof long[] of
        ? indexed(
            steps,
            call.value(0),
            slices -> steps.run("adaptive_max_pool2d", slices, planes(of)),
            upright -> steps.run("adaptive_max_pool2d", upright, depth(of, of[1] * of[2])))
        : sizes;
  }

  /**
   * The greatest elements, first of planes, then of those along the depth, and their positions in
   * the volume. Each pooling returns elements and their positions.
   */
  private static Object indexed(
      Steps steps, Object input, Volumes.OfPictures planes, Volumes.OfPictures depth) {
    Object flat = planes.apply(Volumes.flat(steps, input));
    if (!(flat instanceof Object[] slices)) {
      return flat;
    }
    Shape small = Steps.form(slices[0]).shape();
    Object found = depth.apply(Volumes.upright(steps, slices[0], small));
    if (!(found instanceof Object[] deep)) {
      return found;
    }
    Object slice =
        steps.run("div.Scalar_mode", deep[1], Math.max(1, Volumes.plane(small)), "floor");
    Object inPlane = steps.run("gather", Volumes.upright(steps, slices[1], small), 2L, slice);
    Shape whole = Steps.form(input).shape();
    long area = whole.size(whole.rank() - 2) * whole.size(whole.rank() - 1);
    Object before = steps.run("mul.Scalar", slice, area);
    Object values = Volumes.volume(steps, deep[0], whole, small);
    Object places = Volumes.volume(steps, steps.sum(before, inPlane), whole, small);
    boolean done = Steps.isTensor(values) && Steps.isTensor(places);
    return done ? new Object[] {values, places} : Steps.isTensor(values) ? places : values;
  }

  private static Object average(Steps steps, Operands call) {
    Object windows = windows(call, "avg_pool3d", Set.of(DType.INT64), 1, 2, 3);
    if (!(windows instanceof long[][] of)) {
      return windows;
    }
    if (!call.isNone(6) && call.integer(6) == 0) {
      return Fault.value("`divisor_override` must not be 0");
    }
    boolean divides = !call.isNone(6);
    Object one = divides ? 1L : call.value(6);
    Object sums =
        Volumes.inTurn(
            steps,
            call.value(0),
            slices ->
                steps.run(
                    "avg_pool2d",
                    slices,
                    planes(of[0]),
                    planes(of[1]),
                    planes(of[2]),
                    call.value(4),
                    call.value(5),
                    one),
            upright ->
                steps.run(
                    "avg_pool2d",
                    upright,
                    depth(of[0], 1),
                    depth(of[1], 1),
                    depth(of[2], 0),
                    call.value(4),
                    call.value(5),
                    one));
    return divides ? steps.run("div.Scalar", sums, call.value(6)) : sums;
  }

  /** Three sizes; or a fault. */
  private static Object adaptiveSizes(Operands call, String name) {
    Fault fault = misfit(call, name, Set.of(), 1);
    long[] sizes = Volumes.three(call.integers(1));
    if (fault == null && (sizes.length != 3 || Arrays.stream(sizes).anyMatch(size -> size < 0))) {
      String text = "%s takes 3 output sizes, none negative, but got %s";
      fault = Fault.value(Message.of(text, name, Arrays.toString(sizes)));
    }
    return fault == null ? sizes : fault;
  }

  private static Object adaptiveAverage(Steps steps, Operands call) {
    Object sizes = adaptiveSizes(call, "adaptive_avg_pool3d");
    if (sizes instanceof long[] single && Arrays.stream(single).allMatch(size -> size == 1)) {
      return steps.run("mean.dim", call.value(0), Steps.ints(-1, -2, -3), true);
    }
    return sizes instanceof long[] of
        ? Volumes.inTurn(
            steps,
            call.value(0),
            slices -> steps.run("adaptive_avg_pool2d", slices, planes(of)),
            upright -> steps.run("adaptive_avg_pool2d", upright, depth(of, of[1] * of[2])))
        : sizes;
  }
}
