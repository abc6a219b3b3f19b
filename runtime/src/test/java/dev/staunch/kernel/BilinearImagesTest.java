package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Images between whose pixels are read, compared with one pixel after the other. */
class BilinearImagesTest {
  private static final long SEED = 61;
  private static final long CHANNELS_LAST = 2;

  private final Random random = new Random(SEED);

  @Test
  void pixelsOfAllSizesAndLayoutsAreMixedInSinglePrecision() {
    try (OffHeap memory = OffHeap.withBudget(1 << 26);
        Context context = Context.open(memory)) {
      for (int round = 0; round < 60; round++) {
        int channels = new int[] {1, 2, 3, 16, 33, 64}[round % 6];
        int height = 1 + random.nextInt(9);
        int width = 1 + random.nextInt(9);
        long high = 1 + random.nextInt(20);
        long wide = width + (random.nextBoolean() ? 1 + random.nextInt(20) : -(width / 2));
        if (wide != width) { // lines that keep their length are mixed in double precision
          check(context, channels, height, width, (int) high, (int) wide, random.nextBoolean());
        }
      }
    }
  }

  private void check(
      Context context, int channels, int height, int width, int high, int wide, boolean aligned) {
    Tensor images = context.uniform(-2, 2, 2, channels, height, width);
    Tensor last = context.apply("aten::contiguous", images, CHANNELS_LAST);
    Tensor turned = context.uniform(-2, 2, 2, channels, width, height).transpose(2, 3);
    for (Tensor given : List.of(images, last, turned)) {
      Tensor made =
          context.apply(
              "aten::upsample_bilinear2d",
              given,
              List.of((long) high, (long) wide),
              aligned,
              None.NONE,
              None.NONE);
      float[] source = given.contiguous().view(-1).floats();
      float[] found = made.contiguous().view(-1).floats();
      for (int i = 0; i < found.length; i++) {
        int plane = i / (high * wide) * height * width;
        float[] rows = taps(i / wide % high, height, high, aligned);
        float[] columns = taps(i % wide, width, wide, aligned);
        float above = mixed(source, plane + (int) rows[0] * width, columns);
        float below = mixed(source, plane + (int) rows[1] * width, columns);
        String text = given.shape() + " to " + high + " x " + wide + ", seed " + SEED;
        assertEquals(fused(above, rows[2], below * rows[3]), found[i], text);
      }
    }
  }

  /** Two places of a line and their weights. */
  private static float[] taps(int i, int size, int result, boolean aligned) {
    double whole = result > 1 ? (double) (size - 1) / (result - 1) : 0;
    double step = size == result ? 1 : aligned ? whole : (double) size / result;
    double place = aligned ? i * (double) (float) step : (i + 0.5) * (float) step - 0.5;
    place = Math.max(0, place);
    int low = Math.min((int) place, size - 1);
    float second = (float) (place - (int) place);
    return new float[] {low, Math.min(low + 1, size - 1), 1 - second, second};
  }

  private static float mixed(float[] source, int line, float[] columns) {
    float second = source[line + (int) columns[1]] * columns[3];
    return fused(source[line + (int) columns[0]], columns[2], second);
  }

  /**
   * The product is exact; the sum is rounded to a double first, which shows once in 500 million.
   */
  private static float fused(float a, float b, float c) {
    return (float) ((double) a * b + c);
  }
}
