package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** im2col, col2im and transposed convolutions against their definitions, element by element. */
class PatchSumsTest {
  private static final long SEED = 11;

  private final Random random = new Random(SEED);
  private final OffHeap memory = OffHeap.withBudget(1 << 28);
  private final Context context = Context.open(memory);

  @AfterEach
  void close() {
    context.close();
    memory.close();
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /** How a kernel slides along one dimension. */
  private record Slide(int size, int kernel, int stride, int padding, int dilation, int more) {
    /** How many places the kernel has on {@code size} pixels. */
    int places() {
      return (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
    }

    /** How many pixels {@code size} places make. */
    int pixels() {
      return (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1;
    }

    int pixel(int place, int k) {
      return place * stride - padding + k * dilation;
    }
  }

  private Slide slide() {
    int stride = between(1, 4);
    int dilation = between(1, 3);
    int more = random.nextInt(Math.max(stride, dilation));
    return new Slide(between(1, 9), between(1, 5), stride, between(0, 3), dilation, more);
  }

  private static List<Long> pair(int down, int across) {
    return List.of((long) down, (long) across);
  }

  private Tensor numbers(DType dtype, int... counts) {
    long[] sizes = Arrays.stream(counts).asLongStream().toArray();
    Tensor all = context.uniform(-2, 2, sizes).to(dtype);
    return switch (random.nextInt(3)) {
      case 0 -> all;
      case 1 -> all.transpose(-1, -2).contiguous().transpose(-1, -2);
      default -> context.cat(-1, all, all).narrow(-1, 0, sizes[sizes.length - 1]);
    };
  }

  private static double[] elements(Tensor tensor) {
    return tensor.to(DType.FLOAT64).contiguous().doubles();
  }

  @Test
  void patchesAreCopiedAndSummedUp() {
    for (int round = 0; round < 300; round++) {
      Slide y = slide();
      Slide x = slide();
      if (y.size() + 2 * y.padding() <= y.dilation() * (y.kernel() - 1)
          || x.size() + 2 * x.padding() <= x.dilation() * (x.kernel() - 1)) {
        continue;
      }
      int images = between(1, 3);
      int channels = between(1, 3);
      DType dtype = random.nextBoolean() ? DType.FLOAT32 : DType.FLOAT64;
      int lines = channels * y.kernel() * x.kernel();
      int cells = y.places() * x.places();
      Tensor image = numbers(dtype, images, channels, y.size(), x.size());
      Tensor columns = numbers(dtype, images, lines, cells);
      double[] pixels = elements(image);
      double[] terms = elements(columns);
      double[] copied = new double[images * lines * cells];
      double[] sums = new double[pixels.length];
      for (int plane = 0; plane < images * channels; plane++) {
        for (int i = 0; i < y.kernel(); i++) {
          for (int j = 0; j < x.kernel(); j++) {
            for (int cell = 0; cell < cells; cell++) {
              int row = y.pixel(cell / x.places(), i);
              int column = x.pixel(cell % x.places(), j);
              if (row >= 0 && row < y.size() && column >= 0 && column < x.size()) {
                int line = (plane * y.kernel() + i) * x.kernel() + j;
                int at = (plane * y.size() + row) * x.size() + column;
                copied[line * cells + cell] = pixels[at];
                sums[at] += terms[line * cells + cell];
              }
            }
          }
        }
      }
      Object kernel = pair(y.kernel(), x.kernel());
      Object dilation = pair(y.dilation(), x.dilation());
      Object padding = pair(y.padding(), x.padding());
      Object stride = pair(y.stride(), x.stride());
      String where = "round " + round + ": " + y + ", " + x;
      assertArrayEquals(
          copied,
          elements(context.apply("aten::im2col", image, kernel, dilation, padding, stride)),
          where);
      Object size = pair(y.size(), x.size());
      double tolerance = dtype == DType.FLOAT32 ? 2e-6 : 0;
      assertArrayEquals(
          sums,
          elements(context.apply("aten::col2im", columns, size, kernel, dilation, padding, stride)),
          tolerance,
          where);
    }
  }

  @Test
  void aTransposedConvolutionAddsTheWeightTimesEachPixel() {
    int computed = 0;
    for (int round = 0; round < 400; round++) {
      boolean line = random.nextInt(3) == 0;
      Slide y = line ? new Slide(1, 1, 1, 0, 1, 0) : slide();
      Slide x = slide();
      if (y.pixels() > 0 && x.pixels() > 0) {
        transposed(line, y, x, "round " + round + ": " + y + ", " + x);
        computed++;
      }
    }
    assertEquals(true, computed > 200, "too few cases: " + computed);
  }

  @Test
  void rowsLongerThanABandAreSummedUpToo() {
    for (int stride : new int[] {1, 2, 3, 7, 5000}) {
      Slide x = new Slide(stride == 5000 ? 4 : 9001, 3, stride, 1, 2, 0);
      transposed(true, new Slide(1, 1, 1, 0, 1, 0), x, x.toString());
    }
  }

  private void transposed(boolean line, Slide y, Slide x, String where) {
    int images = between(1, 2);
    int groups = between(1, 3);
    int inputs = between(1, 3);
    int outputs = between(1, 3);
    DType dtype = random.nextBoolean() ? DType.FLOAT32 : DType.FLOAT64;
    Tensor image = numbers(dtype, images, groups * inputs, y.size(), x.size());
    Tensor weight = numbers(dtype, groups * inputs, outputs, y.kernel(), x.kernel());
    Tensor bias = random.nextBoolean() ? numbers(dtype, 1, groups * outputs).view(-1) : null;
    double[] pixels = elements(image);
    double[] factors = elements(weight);
    double[] expected = new double[images * groups * outputs * y.pixels() * x.pixels()];
    for (int plane = 0; plane < images * groups * outputs; plane++) {
      int output = plane % (groups * outputs);
      int group = output / outputs;
      double start = bias == null ? 0 : elements(bias)[output];
      int area = y.pixels() * x.pixels();
      Arrays.fill(expected, plane * area, (plane + 1) * area, start);
      for (int c = group * inputs; c < (group + 1) * inputs; c++) {
        for (int tap = 0; tap < y.kernel() * x.kernel(); tap++) {
          int from = c * outputs + output % outputs;
          double factor = factors[from * y.kernel() * x.kernel() + tap];
          for (int cell = 0; cell < y.size() * x.size(); cell++) {
            int row = y.pixel(cell / x.size(), tap / x.kernel());
            int column = x.pixel(cell % x.size(), tap % x.kernel());
            if (row >= 0 && row < y.pixels() && column >= 0 && column < x.pixels()) {
              int channel = plane / (groups * outputs) * groups * inputs + c;
              expected[(plane * y.pixels() + row) * x.pixels() + column] +=
                  factor * pixels[channel * y.size() * x.size() + cell];
            }
          }
        }
      }
    }
    boolean single = images == 1 && random.nextBoolean();
    Tensor given = single ? image.squeeze(0) : image;
    Object absent = None.NONE;
    Tensor result =
        line
            ? context.apply(
                "aten::conv_transpose1d",
                given.squeeze(-2),
                weight.squeeze(-2),
                bias == null ? absent : bias,
                List.of((long) x.stride()),
                List.of((long) x.padding()),
                List.of((long) x.more()),
                (long) groups,
                List.of((long) x.dilation()))
            : context.apply(
                "aten::conv_transpose2d.input",
                given,
                weight,
                bias == null ? absent : bias,
                pair(y.stride(), x.stride()),
                pair(y.padding(), x.padding()),
                pair(y.more(), x.more()),
                (long) groups,
                pair(y.dilation(), x.dilation()));
    long[] sizes = {images, (long) groups * outputs, y.pixels(), x.pixels()};
    Shape shape = Shape.of(sizes);
    shape = line ? Shape.of(sizes[0], sizes[1], sizes[3]) : shape;
    assertEquals(shape.elements(), result.shape().elements(), where);
    assertEquals(shape.rank() - (single ? 1 : 0), result.shape().rank(), where);
    double tolerance = dtype == DType.FLOAT32 ? 1e-4 : 1e-12;
    assertArrayEquals(expected, elements(result), tolerance, where);
  }
}
