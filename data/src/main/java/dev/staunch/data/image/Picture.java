package dev.staunch.data.image;

import dev.staunch.data.row.DenseColumn;
import dev.staunch.type.DType;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.DataBufferInt;
import java.awt.image.PixelInterleavedSampleModel;
import java.util.SplittableRandom;

/** An image while it is transformed into its form. */
final class Picture {
  private static final double RED = 0.299;
  private static final double GREEN = 0.587;
  private static final double BLUE = 0.114;
  private static final int WHITE = 255;

  private final BufferedImage image;
  private final ImageForm form;
  private final SplittableRandom random;

  Picture(BufferedImage image, ImageForm form, SplittableRandom random) {
    this.image = image;
    this.form = form;
    this.random = random;
  }

  /**
   * Writes the channels, rows and columns to a row of {@code column}. Always draws the same random
   * numbers, whichever of them the form uses.
   */
  void put(DenseColumn column, int row) {
    double across = random.nextDouble();
    double down = random.nextDouble();
    boolean flipped = random.nextBoolean() && form.randomFlip();
    double brightness = factor(random.nextDouble());
    double contrast = factor(random.nextDouble());
    double saturation = factor(random.nextDouble());
    double scale = scale(form, image.getHeight(), image.getWidth());
    int height = resized(form.height(), image.getHeight(), scale);
    int width = resized(form.width(), image.getWidth(), scale);
    int left = place(width - form.width(), across);
    int top = place(height - form.height(), down);
    if (keepsBytes(form, image.getHeight(), image.getWidth()) && hasBytes()) {
      putBytes(column, row, left, top, flipped);
      return;
    }
    int[] pixels = drawn(left, top, width, height);
    if (takesBytes(form)) {
      putPlainly(column, row, pixels, flipped);
      return;
    }
    putColours(column, row, pixels, flipped, brightness, contrast, saturation);
  }

  /** Whether the form takes pixels unchanged from an image of this size, apart from cropping. */
  static boolean keepsBytes(ImageForm form, int height, int width) {
    double scale = scale(form, height, width);
    return takesBytes(form)
        && resized(form.height(), height, scale) == height
        && resized(form.width(), width, scale) == width;
  }

  private static boolean takesBytes(ImageForm form) {
    return form.jitter() == 0 && form.channels() == 3 && form.dtype() == DType.UINT8;
  }

  /** Whether the image stores bytes of red, green and blue, in any order. */
  private boolean hasBytes() {
    return image.getSampleModel() instanceof PixelInterleavedSampleModel model
        && model.getNumBands() == 3
        && model.getPixelStride() == 3
        && model.getDataType() == DataBuffer.TYPE_BYTE
        && image.getColorModel().getColorSpace().isCS_sRGB();
  }

  private void putColours(
      DenseColumn column,
      int row,
      int[] pixels,
      boolean flipped,
      double brightness,
      double contrast,
      double saturation) {
    int height = form.height();
    int width = form.width();
    double grey = form.jitter() == 0 ? 0 : meanGrey(pixels) * brightness;
    double[] colours = new double[3];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int pixel = pixels[y * width + (flipped ? width - 1 - x : x)];
        colours[0] = pixel >> 16 & 0xff;
        colours[1] = pixel >> 8 & 0xff;
        colours[2] = pixel & 0xff;
        if (form.jitter() > 0) {
          jitter(colours, brightness, contrast, saturation, grey);
        }
        store(column, row, y * width + x, colours);
      }
    }
  }

  /** Writes the image's own bytes, plane by plane. */
  private void putBytes(DenseColumn column, int row, int left, int top, boolean flipped) {
    byte[] from = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    PixelInterleavedSampleModel model = (PixelInterleavedSampleModel) image.getSampleModel();
    int width = form.width();
    int plane = form.height() * width;
    for (int y = 0; y < form.height(); y++) {
      int at = row * column.width() + y * width;
      for (int channel = 0; channel < 3; channel++) {
        int source = model.getOffset(left, top + y, channel);
        if (flipped) {
          putBackward(from, source, column.bytes(), at + channel * plane, width);
        } else {
          putForward(from, source, column.bytes(), at + channel * plane, width);
        }
      }
    }
  }

  private static void putForward(byte[] from, int first, byte[] to, int at, int count) {
    for (int i = 0; i < count; i++) {
      to[at + i] = from[first + 3 * i];
    }
  }

  private static void putBackward(byte[] from, int first, byte[] to, int at, int count) {
    for (int i = 0; i < count; i++) {
      to[at + count - 1 - i] = from[first + 3 * i];
    }
  }

  /** Writes the pixels' bytes unchanged, plane by plane. */
  private void putPlainly(DenseColumn column, int row, int[] pixels, boolean flipped) {
    byte[] bytes = column.bytes();
    int green = row * column.width() + pixels.length;
    int width = form.width();
    for (int from = 0; from < pixels.length; from += width) {
      for (int x = 0; x < width; x++) {
        int pixel = pixels[from + (flipped ? width - 1 - x : x)];
        int at = green + from + x;
        bytes[at - pixels.length] = (byte) (pixel >> 16);
        bytes[at] = (byte) (pixel >> 8);
        bytes[at + pixels.length] = (byte) pixel;
      }
    }
  }

  private double factor(double drawn) {
    return 1 + form.jitter() * (2 * drawn - 1);
  }

  /**
   * The factor by which the image is resized before it is cropped; 0 if the result's size
   * determines it.
   */
  private static double scale(ImageForm form, int height, int width) {
    int side = Math.min(height, width);
    return form.shortSide() / (double) side;
  }

  private static int resized(int wanted, int own, double scale) {
    return scale == 0 ? wanted : Math.max(wanted, (int) Math.round(own * scale));
  }

  /**
   * The resized pixels of the crop. They are drawn, because only drawing is fast for all image
   * types.
   */
  private int[] drawn(int left, int top, int width, int height) {
    BufferedImage cut = new BufferedImage(form.width(), form.height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = cut.createGraphics();
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
      graphics.drawImage(image, -left, -top, width, height, null);
    } finally {
      graphics.dispose();
    }
    return ((DataBufferInt) cut.getRaster().getDataBuffer()).getData();
  }

  private int place(int room, double drawn) {
    return form.randomCrop() ? (int) (drawn * (room + 1)) : room / 2;
  }

  private static double meanGrey(int[] pixels) {
    double sum = 0;
    for (int pixel : pixels) {
      sum += RED * (pixel >> 16 & 0xff) + GREEN * (pixel >> 8 & 0xff) + BLUE * (pixel & 0xff);
    }
    return sum / pixels.length;
  }

  private static void jitter(
      double[] colours, double brightness, double contrast, double saturation, double grey) {
    for (int i = 0; i < colours.length; i++) {
      colours[i] = grey + (colours[i] * brightness - grey) * contrast;
    }
    double own = RED * colours[0] + GREEN * colours[1] + BLUE * colours[2];
    for (int i = 0; i < colours.length; i++) {
      colours[i] = Math.clamp(own + (colours[i] - own) * saturation, 0, WHITE);
    }
  }

  private void store(DenseColumn column, int row, int at, double[] colours) {
    int plane = form.height() * form.width();
    if (form.channels() == 1) {
      double grey = RED * colours[0] + GREEN * colours[1] + BLUE * colours[2];
      storeOne(column, row, at, 0, grey);
      return;
    }
    for (int channel = 0; channel < form.channels(); channel++) {
      storeOne(column, row, channel * plane + at, channel, colours[channel]);
    }
  }

  private void storeOne(DenseColumn column, int row, int at, int channel, double value) {
    if (form.dtype() == DType.UINT8) {
      column.putLong(row, at, Math.round(value));
    } else {
      column.putDouble(row, at, (value - form.mean()[channel]) / form.deviation()[channel]);
    }
  }
}
