package dev.staunch.data.image;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.util.Arrays;

/**
 * The colours that a file states, as Pillow, torchvision and OpenCV read them: transparency and
 * colour profiles do not change them. Drawing such an image would blend it with black and convert
 * it to another colour space.
 */
final class Colours {
  private static final int MOST = 255;

  private Colours() {}

  /** Returns the image with the colours stated, in a form that is drawn without changing them. */
  static BufferedImage stated(BufferedImage image) {
    ColorModel model = image.getColorModel();
    if (!(model instanceof ComponentColorModel)) {
      return model.hasAlpha() ? opaque(image) : image;
    }
    return switch (model.getColorSpace().getType()) {
      case ColorSpace.TYPE_GRAY -> grey(image);
      case ColorSpace.TYPE_RGB ->
          model.getColorSpace().isCS_sRGB() && !model.hasAlpha() ? image : colours(image);
      case ColorSpace.TYPE_CMYK ->
          model.getTransferType() == DataBuffer.TYPE_BYTE ? printed(image) : image;
      default -> image;
    };
  }

  /** The colours of a palette or of packed pixels. */
  private static BufferedImage opaque(BufferedImage image) {
    int width = image.getWidth();
    BufferedImage plain = rgb(image);
    int[] line = new int[width];
    for (int y = 0; y < image.getHeight(); y++) {
      plain.setRGB(0, y, width, 1, image.getRGB(0, y, width, 1, line, 0, width), 0, width);
    }
    return plain;
  }

  private static BufferedImage rgb(BufferedImage image) {
    return new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
  }

  private static BufferedImage grey(BufferedImage image) {
    boolean bytes = image.getColorModel().getTransferType() == DataBuffer.TYPE_BYTE;
    int type = bytes ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_USHORT_GRAY;
    if (image.getType() == type) {
      return image;
    }
    BufferedImage plain = new BufferedImage(image.getWidth(), image.getHeight(), type);
    plain.getRaster().setRect(bands(image, 1));
    return plain;
  }

  private static BufferedImage colours(BufferedImage image) {
    ColorModel plain =
        new ComponentColorModel(
            ColorSpace.getInstance(ColorSpace.CS_sRGB),
            false,
            false,
            ColorModel.OPAQUE,
            image.getColorModel().getTransferType());
    return new BufferedImage(plain, bands(image, 3), false, null);
  }

  /** The first bands of the image, without a copy. */
  private static WritableRaster bands(BufferedImage image, int count) {
    int[] first = new int[count];
    Arrays.setAll(first, i -> i);
    return image
        .getRaster()
        .createWritableChild(0, 0, image.getWidth(), image.getHeight(), 0, 0, first);
  }

  /** Cyan, magenta, yellow and black: what each ink leaves of the light that black leaves. */
  private static BufferedImage printed(BufferedImage image) {
    BufferedImage plain = rgb(image);
    Raster inks = image.getRaster();
    int width = image.getWidth();
    int[] line = new int[4 * width];
    int[] pixels = new int[width];
    for (int y = 0; y < image.getHeight(); y++) {
      inks.getPixels(0, y, width, 1, line);
      for (int x = 0; x < width; x++) {
        int light = MOST - line[4 * x + 3];
        int red = left(light, line[4 * x]);
        int green = left(light, line[4 * x + 1]);
        pixels[x] = red << 16 | green << 8 | left(light, line[4 * x + 2]);
      }
      plain.setRGB(0, y, width, 1, pixels, 0, width);
    }
    return plain;
  }

  private static int left(int light, int ink) {
    return light - (light * ink + MOST / 2) / MOST;
  }
}
