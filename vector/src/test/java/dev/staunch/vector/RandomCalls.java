package dev.staunch.vector;

import static dev.staunch.vector.SetCall.Accuracy.EXACT;
import static dev.staunch.vector.SetCall.Accuracy.MIXED;
import static dev.staunch.vector.SetCall.Accuracy.SMOOTH;
import static dev.staunch.vector.SetCall.Accuracy.SUMS;

import dev.staunch.kernel.Call;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.vector.RandomOperands.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Random calls of the operations that the kernels of this module compute. */
final class RandomCalls {
  private static final Object NONE = None.NONE;

  private static final List<Function<RandomCalls, SetCall>> KINDS =
      List.of(
          RandomCalls::matmul,
          RandomCalls::addmm,
          RandomCalls::linear,
          RandomCalls::integers,
          RandomCalls::convolution,
          RandomCalls::convolution,
          RandomCalls::depthwise,
          RandomCalls::convolutionOfRows,
          RandomCalls::transposed,
          RandomCalls::pooling,
          RandomCalls::adaptivePooling,
          RandomCalls::rowNorm,
          RandomCalls::groupNorm,
          RandomCalls::batchNorm,
          calls -> calls.rows.softmax(),
          calls -> calls.rows.reduction(),
          calls -> calls.rows.reduction(),
          calls -> calls.rows.extreme(),
          calls -> calls.rows.copy(),
          calls -> calls.rows.bag(),
          calls -> calls.rows.index(),
          calls -> calls.rows.scatter(),
          calls -> calls.formulas.function(),
          calls -> calls.formulas.function(),
          calls -> calls.formulas.pair(),
          calls -> calls.formulas.power(),
          calls -> calls.formulas.three(),
          calls -> calls.formulas.choice(),
          calls -> calls.formulas.test(),
          calls -> calls.formulas.whole(),
          calls -> calls.formulas.loss(),
          RandomCalls::lstm,
          RandomCalls::cells,
          RandomCalls::attention);

  /** In so many calls, one after another, all operations meet all numbers. */
  static final int ROUND = KINDS.size() * Numbers.values().length;

  private final RandomOperands draw;
  private final RandomRows rows;
  private final RandomFormulas formulas;

  private RandomCalls(RandomOperands draw) {
    this.draw = draw;
    this.rows = new RandomRows(draw);
    this.formulas = new RandomFormulas(draw);
  }

  /** The numbers of the operands of the call with this number. */
  static Numbers numbers(long number) {
    Numbers[] all = Numbers.values();
    return all[(int) (number / KINDS.size() % all.length)];
  }

  /** The call with this number; the numbers go through all operations in turn. */
  static SetCall next(long number, RandomOperands draw) {
    return KINDS.get((int) (number % KINDS.size())).apply(new RandomCalls(draw));
  }

  private SetCall fixed(SetCall call, DenseTensor... operands) {
    return draw.chance(2) ? call.constant(operands) : call;
  }

  private Object maybe(DenseTensor tensor) {
    return draw.chance(3) ? NONE : tensor;
  }

  private SetCall matmul() {
    DType dtype = draw.real();
    long[] sizes = draw.sizes(3, draw.large() ? 5_000_000 : 50_000);
    long batch = draw.chance(2) ? 1 : draw.between(0, 4);
    DenseTensor a = draw.tensor(dtype, sizes[0], sizes[1]);
    DenseTensor b = draw.tensor(dtype, sizes[1], sizes[2]);
    return switch ((int) draw.between(0, 4)) {
      case 0 -> SetCall.of(SUMS, "matmul", draw.tensor(dtype, batch, sizes[0], sizes[1]), b);
      case 1 ->
          SetCall.of(
              SUMS,
              "bmm",
              draw.tensor(dtype, batch, sizes[0], sizes[1]),
              draw.tensor(dtype, batch, sizes[1], sizes[2]));
      case 2 -> SetCall.of(SUMS, "matmul", draw.tensor(dtype, sizes[1]), b);
      case 3 -> SetCall.of(SUMS, "matmul", a, draw.tensor(dtype, sizes[1]));
      default -> fixed(SetCall.of(SUMS, "mm", a, b), b);
    };
  }

  private SetCall addmm() {
    DType dtype = draw.real();
    long[] sizes = draw.sizes(3, 100_000);
    DenseTensor addend =
        draw.chance(2)
            ? draw.tensor(dtype, sizes[0], sizes[2])
            : draw.tensor(dtype, draw.any(1L, sizes[2]));
    DenseTensor b = draw.tensor(dtype, sizes[1], sizes[2]);
    Object beta = draw.<Object>any(1L, 1L, 0.5);
    Object alpha = draw.<Object>any(1L, 1L, 0.25);
    DenseTensor a = draw.tensor(dtype, sizes[0], sizes[1]);
    return fixed(SetCall.of(SUMS, "addmm", addend, a, b, beta, alpha), b);
  }

  private SetCall linear() {
    DType dtype = draw.real();
    long[] sizes = draw.sizes(3, draw.large() ? 5_000_000 : 50_000);
    DenseTensor input =
        draw.chance(2)
            ? draw.tensor(dtype, sizes[0], sizes[1])
            : draw.tensor(dtype, 2, sizes[0], sizes[1]);
    DenseTensor weight = draw.tensor(dtype, sizes[2], sizes[1]);
    Object bias = maybe(draw.tensor(dtype, sizes[2]));
    return fixed(SetCall.of(SUMS, "linear", input, weight, bias), weight);
  }

  private SetCall integers() {
    DType dtype = draw.any(DType.INT8, DType.UINT8, DType.INT16);
    long[] sizes = draw.sizes(3, 50_000);
    long depth = draw.chance(8) ? draw.between(1000, 2100) : sizes[1];
    DenseTensor a = draw.tensor(dtype, sizes[0], depth);
    return SetCall.of(EXACT, "mm", a, draw.tensor(dtype, depth, sizes[2]));
  }

  private List<Object> two(long least, long most) {
    long first = draw.between(least, most);
    return List.of(first, draw.chance(3) ? draw.between(least, most) : first);
  }

  private static List<Object> same(long... numbers) {
    return new ArrayList<>(Arrays.stream(numbers).boxed().toList());
  }

  private SetCall convolution() {
    long groups = draw.chance(5) ? draw.between(2, 3) : 1;
    long in = groups * draw.any(1L, 2L, 3L, 4L, 8L, 16L, 17L, draw.between(1, 24));
    long out = groups * draw.any(1L, 3L, 8L, 16L, 24L, 32L, draw.between(1, 40));
    return convolved(in, out, groups);
  }

  private SetCall depthwise() {
    long channels = draw.size(100);
    return convolved(channels, channels * (draw.chance(5) ? 2 : 1), Math.max(1, channels));
  }

  /** The weight is finite: a kernel may or may not multiply it by the zeros around the image. */
  private SetCall convolved(long in, long out, long groups) {
    DType dtype = draw.real();
    boolean usual = draw.chance(2);
    List<Object> kernel = usual ? same(3, 3) : draw.chance(3) ? same(1, 1) : two(1, 5);
    List<Object> stride = draw.chance(2) ? same(1, 1) : two(1, 3);
    List<Object> padding = draw.chance(2) ? same(1, 1) : two(0, 2);
    List<Object> dilation = draw.chance(5) ? two(1, 3) : same(1, 1);
    long most = draw.large() ? 34 : in * out / groups > 100 ? 9 : 16;
    long batch = draw.chance(20) ? 0 : draw.between(1, 3);
    DenseTensor image = draw.tensor(dtype, batch, in, draw.between(1, most), draw.between(1, most));
    DenseTensor weight =
        draw.finite(dtype, out, in / groups, (Long) kernel.get(0), (Long) kernel.get(1));
    boolean mixed = usual && stride.equals(same(1, 1)) && dilation.equals(same(1, 1));
    SetCall call =
        SetCall.of(
            mixed ? MIXED : SUMS,
            "conv2d",
            image,
            weight,
            maybe(draw.tensor(dtype, out)),
            stride,
            padding,
            dilation,
            groups);
    return fixed(call, weight).ordered(draw.any(Call.Order.values()));
  }

  private SetCall convolutionOfRows() {
    DType dtype = draw.real();
    long groups = draw.chance(5) ? 2 : 1;
    long in = groups * draw.between(1, 20);
    long out = groups * draw.between(1, 40);
    DenseTensor weight = draw.finite(dtype, out, in / groups, draw.between(1, 5));
    DenseTensor rows =
        draw.tensor(dtype, draw.between(1, 3), in, draw.between(1, draw.large() ? 80 : 20));
    SetCall call =
        SetCall.of(
            SUMS,
            "conv1d",
            rows,
            weight,
            maybe(draw.tensor(dtype, out)),
            same(draw.between(1, 2)),
            same(draw.between(0, 4)),
            same(draw.between(1, 2)),
            groups);
    return fixed(call, weight);
  }

  private SetCall transposed() {
    DType dtype = draw.real();
    long groups = draw.chance(4) ? draw.between(2, 3) : 1;
    long in = groups * draw.between(1, 20);
    long out = draw.between(1, 20);
    boolean usual = draw.chance(2);
    List<Object> stride = draw.chance(2) ? same(2, 2) : two(1, 3);
    List<Object> kernel = usual ? same(4, 4) : two(1, 5);
    DenseTensor image =
        draw.tensor(dtype, draw.between(1, 2), in, draw.between(1, 9), draw.between(1, 9));
    DenseTensor weight = draw.finite(dtype, in, out, (Long) kernel.get(0), (Long) kernel.get(1));
    SetCall call =
        SetCall.of(
            MIXED,
            "conv_transpose2d.input",
            image,
            weight,
            maybe(draw.tensor(dtype, out * groups)),
            stride,
            draw.chance(2) ? same(1, 1) : two(0, 2),
            draw.chance(3) ? two(0, 1) : same(0, 0),
            groups,
            draw.chance(4) ? two(1, 2) : same(1, 1));
    return fixed(call, weight);
  }

  private SetCall pooling() {
    DenseTensor image = draw.image();
    List<Object> kernel = two(1, 4);
    boolean wide = !kernel.contains(1L);
    List<Object> padding = wide ? two(0, 1) : same(0, 0);
    List<Object> stride = draw.chance(3) ? List.of() : two(1, 3);
    boolean ceil = draw.chance(4);
    Call.Order order = draw.any(Call.Order.values());
    if (draw.chance(2)) {
      List<Object> dilation = draw.chance(4) ? two(1, 2) : same(1, 1);
      String name = draw.any("max_pool2d", "max_pool2d", "max_pool2d_with_indices");
      return SetCall.of(EXACT, name, image, kernel, stride, padding, dilation, ceil).ordered(order);
    }
    Object divisor = draw.chance(4) ? draw.<Object>any(3L) : NONE;
    boolean all = draw.chance(2);
    return SetCall.of(SUMS, "avg_pool2d", image, kernel, stride, padding, ceil, all, divisor)
        .ordered(order);
  }

  private SetCall adaptivePooling() {
    List<Object> sizes = draw.chance(3) ? same(1, 1) : two(1, 7);
    return draw.chance(2)
        ? SetCall.of(EXACT, "adaptive_max_pool2d", draw.image(), sizes)
        : SetCall.of(SUMS, "adaptive_avg_pool2d", draw.image(), sizes)
            .ordered(draw.any(Call.Order.values()));
  }

  private SetCall rowNorm() {
    DType dtype = draw.real();
    long[] sizes = draw.sizes(3, 20_000);
    Object weight = maybe(draw.tensor(dtype, sizes[2]));
    DenseTensor rows = draw.tensor(dtype, sizes);
    if (draw.chance(3)) {
      return SetCall.of(SMOOTH, "rms_norm", rows, same(sizes[2]), weight, 1e-5);
    }
    Object bias = maybe(draw.tensor(dtype, sizes[2]));
    return SetCall.of(
        SMOOTH.allowing(1e-6), "layer_norm", rows, same(sizes[2]), weight, bias, 1e-5, true);
  }

  private SetCall groupNorm() {
    DType dtype = draw.real();
    long groups = draw.between(1, 4);
    long channels = groups * draw.between(1, 9);
    DenseTensor image = draw.tensor(dtype, 2, channels, draw.between(1, 20), draw.between(1, 20));
    Object weight = maybe(draw.tensor(dtype, channels));
    Object bias = maybe(draw.tensor(dtype, channels));
    return SetCall.of(SMOOTH.allowing(1e-6), "group_norm", image, groups, weight, bias, 1e-5, true);
  }

  private SetCall batchNorm() {
    DenseTensor image = draw.image();
    DType dtype = image.dtype();
    long channels = image.shape().size(1);
    return SetCall.of(
            SMOOTH,
            "batch_norm",
            image,
            maybe(draw.positive(dtype, channels)), // as in libtorch, an infinite one may give NaN
            maybe(draw.tensor(dtype, channels)),
            draw.tensor(dtype, channels),
            draw.positive(dtype, channels),
            false,
            0.1,
            1e-5,
            true)
        .ordered(draw.any(Call.Order.values()));
  }

  private SetCall lstm() {
    return recurrent("lstm", 4);
  }

  private SetCall cells() {
    String name = draw.any("gru", "gru", "rnn_tanh", "rnn_relu");
    return recurrent(name, name.equals("gru") ? 3 : 1);
  }

  private SetCall recurrent(String name, long gates) {
    DType dtype = draw.any(DType.FLOAT32, DType.FLOAT32, DType.FLOAT64);
    long batch = draw.between(1, 5);
    long inputs = draw.size(40);
    long units = Math.max(1, draw.size(draw.large() ? 100 : 17));
    long directions = draw.chance(3) ? 2 : 1;
    List<Object> parameters = new ArrayList<>();
    for (int i = 0; i < directions; i++) {
      parameters.add(weight(dtype, gates * units, inputs));
      parameters.add(weight(dtype, gates * units, units));
      parameters.add(draw.tensor(dtype, gates * units));
      parameters.add(draw.tensor(dtype, gates * units));
    }
    boolean batchFirst = draw.chance(2);
    long steps = draw.between(1, 6);
    DenseTensor x =
        batchFirst
            ? draw.tensor(dtype, batch, steps, inputs)
            : draw.tensor(dtype, steps, batch, inputs);
    DenseTensor state = draw.tensor(dtype, directions, batch, units);
    Object states =
        gates == 4 ? List.of(state, draw.tensor(dtype, directions, batch, units)) : state;
    SetCall call =
        SetCall.of(
            SMOOTH.allowing(1e-6),
            name + ".input",
            x,
            states,
            parameters,
            true,
            1L,
            0.0,
            false,
            directions == 2,
            batchFirst);
    return fixed(call, parameters.toArray(new DenseTensor[0]));
  }

  /**
   * Not so large that products overflow, since their sums depend on the order; nor so large that
   * what is left of two saturated functions counts, which has few digits in any float32 state.
   */
  private DenseTensor weight(DType dtype, long... sizes) {
    return draw.without(Set.of(Numbers.HUGE, Numbers.WIDE), dtype, sizes);
  }

  private SetCall attention() {
    DType dtype = draw.real();
    long batch = draw.between(1, 3);
    long heads = draw.between(1, 4);
    long most = draw.large() ? 80 : 17;
    long queries = draw.size(most);
    long keys = Math.max(1, draw.size(most));
    long width = Math.max(1, draw.size(64));
    DenseTensor q = draw.tensor(dtype, batch, heads, queries, width);
    DenseTensor k = weight(dtype, batch, heads, keys, width);
    DenseTensor v = draw.tensor(dtype, batch, heads, keys, Math.max(1, draw.size(64)));
    boolean causal = draw.chance(3);
    Object mask = causal || draw.chance(2) ? NONE : draw.tensor(dtype, queries, keys);
    Object scale = draw.chance(3) ? (Object) 0.3 : NONE;
    return SetCall.of(
        SMOOTH.absolute(1 << 2).allowing(1e-7),
        "scaled_dot_product_attention",
        q,
        k,
        v,
        mask,
        0.0,
        causal,
        scale,
        false);
  }
}
