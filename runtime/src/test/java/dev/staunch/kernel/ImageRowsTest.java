package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Images that the plain kernels pool or resize a row at a time. */
class ImageRowsTest {
  private static final long SEED = 31;
  private static final int PLANES = 3;

  private final OffHeap memory = OffHeap.withBudget(16L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor made(String name, Object... arguments) {
    return (DenseTensor)
        Objects.requireNonNull(new RecordingEnvironment(scope).run(name, arguments));
  }

  private float[] pixels(int count) {
    float[] special = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0f, 1e30f};
    float[] pixels = new float[count];
    for (int i = 0; i < count; i++) {
      pixels[i] =
          random.nextInt(200) == 0 ? special[random.nextInt(5)] : (float) random.nextGaussian();
    }
    return pixels;
  }

  private static List<Long> pair(int down, int across) {
    return List.of((long) down, (long) across);
  }

  @ParameterizedTest
  @CsvSource({
    // height, width, kernel, stride and padding down and across
    "5, 7, 3, 3, 2, 2, 1, 1",
    "1, 1, 1, 1, 1, 1, 0, 0",
    "9, 64, 2, 3, 2, 1, 1, 1",
    "4, 2500, 2, 5, 1, 1, 0, 2",
    "3, 3000, 3, 2, 1, 3, 1, 1",
    "2, 9000, 1, 3, 1, 7, 0, 1",
    "3, 700, 3, 300, 1, 1, 1, 20",
    "30, 40, 7, 6, 5, 4, 3, 3"
  })
  void aMeanIsTheSumInRowMajorOrderDividedOnce(
      int height, int width, int high, int wide, int down, int across, int top, int left) {
    float[] pixels = pixels(PLANES * height * width);
    DenseTensor rows =
        (DenseTensor) HostTensors.floats(scope, Shape.of(1, PLANES, height, width), pixels);
    DenseTensor last = made("aten::contiguous", rows, 2L); // channels last
    for (boolean ceiling : new boolean[] {false, true}) {
      for (boolean padded : new boolean[] {false, true}) {
        for (Object divisor : new Object[] {None.NONE, 7L, -2L}) {
          Object[] rest = {pair(high, wide), pair(down, across), pair(top, left), ceiling, padded};
          int[] sizes = {height, width, high, wide, down, across, top, left};
          for (DenseTensor image : List.of(rows, last)) {
            DenseTensor means =
                made(
                    "aten::avg_pool2d", image, rest[0], rest[1], rest[2], ceiling, padded, divisor);
            int lines = (int) means.shape().size(2);
            int columns = (int) means.shape().size(3);
            double[] expected = means(pixels, sizes, lines, columns, padded, divisor);
            assertArrayEquals(expected, HostTensors.toDoubles(made("aten::contiguous", means, 0L)));
          }
        }
      }
    }
  }

  private static double[] means(
      float[] pixels, int[] sizes, int lines, int columns, boolean padded, Object divisor) {
    int height = sizes[0];
    int width = sizes[1];
    double[] means = new double[PLANES * lines * columns];
    for (int i = 0; i < means.length; i++) {
      int plane = i / (lines * columns) * height * width;
      int y0 = i / columns % lines * sizes[4] - sizes[6];
      int x0 = i % columns * sizes[5] - sizes[7];
      double sum = 0;
      int inside = 0;
      for (int y = Math.max(0, y0); y < Math.min(height, y0 + sizes[2]); y++) {
        for (int x = Math.max(0, x0); x < Math.min(width, x0 + sizes[3]); x++) {
          sum += pixels[plane + y * width + x];
          inside++;
        }
      }
      int bottom = Math.min(y0 + sizes[2], height + sizes[6]);
      int right = Math.min(x0 + sizes[3], width + sizes[7]);
      long all = (long) (bottom - y0) * (right - x0);
      long by = divisor instanceof Long given ? given : padded ? all : inside;
      means[i] = inside == 0 ? 0 : (float) (sum / by);
    }
    return means;
  }

  @ParameterizedTest
  @ValueSource(strings = {"nearest", "bilinear", "bicubic"})
  void eachPlaneIsResizedAsIfItWereAlone(String kind) {
    int[][] sizes = {{5, 7, 12, 9}, {8, 3, 3, 11}, {1, 6, 4, 4}, {2, 70_000, 3, 100}};
    for (int[] size : sizes) {
      int area = size[0] * size[1];
      float[] pixels = pixels(PLANES * area);
      Object images = HostTensors.floats(scope, Shape.of(1, PLANES, size[0], size[1]), pixels);
      float[] all = HostTensors.toFloats(resized(kind, images, size));
      int found = size[2] * size[3];
      for (int plane = 0; plane < PLANES; plane++) {
        float[] own = Arrays.copyOfRange(pixels, plane * area, (plane + 1) * area);
        Object image = HostTensors.floats(scope, Shape.of(1, 1, size[0], size[1]), own);
        assertArrayEquals(
            HostTensors.toFloats(resized(kind, image, size)),
            Arrays.copyOfRange(all, plane * found, (plane + 1) * found));
      }
    }
  }

  /** As bytes, float32, float64 and bfloat16. */
  @ParameterizedTest
  @ValueSource(strings = {"nearest", "bilinear", "bicubic"})
  void imagesWithChannelsLastAreResizedAsThoseInPlanes(String kind) {
    int[][] sizes = {
      {5, 7, 12, 9}, {8, 3, 3, 11}, {1, 6, 4, 4}, {4, 4, 8, 8}, {6, 5, 6, 5}, {70, 90, 80, 200}
    };
    for (int[] size : sizes) {
      float[] pixels = new float[2 * PLANES * size[0] * size[1]];
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = 255 * random.nextFloat();
      }
      Shape shape = Shape.of(2, PLANES, size[0], size[1]);
      for (long dtype : new long[] {0, 6, 7, 15}) {
        Object planes = cast(HostTensors.floats(scope, shape, pixels), dtype);
        DenseTensor expected = resized(kind, planes, size);
        DenseTensor found = resized(kind, made("aten::contiguous", planes, 2L), size);
        assertEquals(!kind.equals("bicubic"), found.layout().isChannelsLast());
        assertArrayEquals(
            HostTensors.toFloats((DenseTensor) cast(expected, 6)),
            HostTensors.toFloats((DenseTensor) cast(found, 6)));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5, 7, 10, 14",
    "5, 7, 12, 9",
    "1, 1, 3, 4",
    "8, 30, 2, 5",
    "4, 3000, 8, 6000",
    "2, 9, 2, 9",
    "6, 1, 3, 5000"
  })
  void nearestPixelsAreCopiedAsTheyAre(int height, int width, int high, int wide) {
    float[] pixels = pixels(PLANES * height * width);
    Object rows = HostTensors.floats(scope, Shape.of(1, PLANES, height, width), pixels);
    Object wider = HostTensors.floats(scope, Shape.of(2, PLANES, height, width), twice(pixels));
    float down = (float) ((double) height / high);
    float across = (float) ((double) width / wide);
    float[] expected = new float[PLANES * high * wide];
    for (int i = 0; i < expected.length; i++) {
      int plane = i / (high * wide);
      int y = Math.min((int) (i / wide % high * down), height - 1);
      int x = Math.min((int) (i % wide * across), width - 1);
      expected[i] = pixels[(plane * height + y) * width + x];
    }
    int[] size = {height, width, high, wide};
    Object last = made("aten::contiguous", rows, 2L); // channels last
    Object part = made("aten::narrow", wider, 0L, 1L, 1L);
    for (Object given : new Object[] {rows, last, part}) {
      assertArrayEquals(
          expected,
          HostTensors.toFloats(made("aten::contiguous", resized("nearest", given, size), 0L)));
      for (long dtype : new long[] {5, 7, 15}) { // float16, float64, bfloat16
        Object cast = cast(given, dtype);
        assertArrayEquals(
            HostTensors.toFloats(
                (DenseTensor) cast(cast(resized("nearest", given, size), dtype), 6)),
            HostTensors.toFloats((DenseTensor) cast(resized("nearest", cast, size), 6)));
      }
    }
  }

  private static float[] twice(float[] pixels) {
    float[] both = Arrays.copyOf(pixels, 2 * pixels.length);
    System.arraycopy(pixels, 0, both, pixels.length, pixels.length);
    return both;
  }

  private Object cast(Object tensor, long dtype) {
    Object row = made("aten::contiguous", tensor, 0L);
    return made("aten::to.dtype", row, dtype, false, false, None.NONE);
  }

  private DenseTensor resized(String kind, Object images, int[] size) {
    List<Long> asked = pair(size[2], size[3]);
    String name = "aten::upsample_" + kind + "2d";
    return kind.equals("nearest")
        ? made(name, images, asked, None.NONE, None.NONE)
        : made(name, images, asked, false, None.NONE, None.NONE);
  }
}
