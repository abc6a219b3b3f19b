package dev.staunch.data.image;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.DataBufferInt;
import java.awt.image.PixelInterleavedSampleModel;
import java.awt.image.Raster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.imageio.ImageReader;

/**
 * Plain colour images of JFIF, by far the most common JPEGs: brightness and two differences of
 * colour, eight bits each, with no colour profile. ImageIO decodes them into these components; they
 * are made red, green and blue here, by the integers that libjpeg uses (BT.601), which takes a
 * third of the time off. The pixels are those that ImageIO gives.
 */
final class Jfif {
  private static final int MARK = 0xff;
  private static final int START = 0xd8;
  private static final int FRAME = 0xc0;
  private static final int LAST_FRAME = 0xc2;
  private static final int SCAN = 0xda;
  private static final int APP0 = 0xe0;
  private static final int APP2 = 0xe2;
  private static final int APP14 = 0xee;

  private static final int FRACTION = 16;
  private static final int HALF = 1 << (FRACTION - 1);
  private static final int CENTRE = 128;
  private static final int[] RED_OF_CR = table(1.402, HALF, FRACTION);
  private static final int[] BLUE_OF_CB = table(1.772, HALF, FRACTION);
  private static final int[] GREEN_OF_CR = table(-0.71414, 0, 0);
  private static final int[] GREEN_OF_CB = table(-0.34414, HALF, 0);

  private Jfif() {}

  private static int[] table(double factor, int added, int shift) {
    int fixed = (int) (Math.abs(factor) * (1 << FRACTION) + 0.5);
    int signed = factor < 0 ? -fixed : fixed;
    int[] table = new int[1 << Byte.SIZE];
    Arrays.setAll(table, i -> (signed * (i - CENTRE) + added) >> shift);
    return table;
  }

  /** Whether the segments before the first scan say that these bytes are such an image. */
  static boolean isPlain(byte[] bytes, int length) {
    boolean colour = false;
    int at = 2;
    if (length < at || at(bytes, 0) != MARK || at(bytes, 1) != START) {
      return false;
    }
    while (at + 10 < length && at(bytes, at) == MARK) {
      int marker = at(bytes, at + 1);
      boolean refused =
          switch (marker) {
            case APP2 -> says(bytes, at, "ICC_P");
            case APP14 -> says(bytes, at, "Adobe");
            default -> at == 2 && !(marker == APP0 && says(bytes, at, "JFIF\0"));
          };
      if (refused || marker == SCAN) {
        return !refused && colour;
      }
      if (marker >= FRAME && marker <= LAST_FRAME) {
        colour = at(bytes, at + 4) == Byte.SIZE && at(bytes, at + 9) == 3;
      }
      at += 2 + ((at(bytes, at + 2) << Byte.SIZE) | at(bytes, at + 3));
    }
    return false;
  }

  private static int at(byte[] bytes, int i) {
    return bytes[i] & 0xff;
  }

  private static boolean says(byte[] bytes, int segment, String name) {
    byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
    int from = segment + 4;
    return Arrays.equals(bytes, from, from + wanted.length, wanted, 0, wanted.length);
  }

  /** Reads such an image. */
  static BufferedImage read(ImageReader reader) throws IOException {
    Raster raster = reader.readRaster(0, null);
    if (!(raster.getDataBuffer() instanceof DataBufferByte data)
        || !(raster.getSampleModel() instanceof PixelInterleavedSampleModel model)
        || model.getPixelStride() != 3
        || !Arrays.equals(model.getBandOffsets(), new int[] {0, 1, 2})) {
      return reader.read(0);
    }
    int width = raster.getWidth();
    int height = raster.getHeight();
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    convert(data.getData(), pixels, width * height);
    return image;
  }

  private static void convert(byte[] from, int[] pixels, int count) {
    for (int i = 0; i < count; i++) {
      int y = from[3 * i] & 0xff;
      int cb = from[3 * i + 1] & 0xff;
      int cr = from[3 * i + 2] & 0xff;
      int red = clamp(y + RED_OF_CR[cr]);
      int green = clamp(y + ((GREEN_OF_CB[cb] + GREEN_OF_CR[cr]) >> FRACTION));
      int blue = clamp(y + BLUE_OF_CB[cb]);
      pixels[i] = (red << 16) | (green << 8) | blue;
    }
  }

  private static int clamp(int value) {
    return Math.min(Math.max(value, 0), 0xff);
  }
}
