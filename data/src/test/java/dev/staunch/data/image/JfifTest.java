package dev.staunch.data.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JfifTest {
  /** Noise on a gradient, so that all differences of colour come, and clamp. */
  private static BufferedImage picture(int width, int height, int type) {
    BufferedImage image = new BufferedImage(width, height, type);
    Random random = new Random(width * 31L + height);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        image.setRGB(x, y, random.nextInt() ^ ((x * 255 / width) << 16) ^ (y * 255 / height));
      }
    }
    return image;
  }

  private static byte[] jpeg(BufferedImage image, float quality) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
      writer.setOutput(out);
      ImageWriteParam how = writer.getDefaultWriteParam();
      how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      how.setCompressionQuality(quality);
      writer.write(null, new IIOImage(image, null, null), how);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  private static int[] pixels(BufferedImage image) {
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }

  private static BufferedImage read(byte[] jpeg) throws IOException {
    ImageReader reader = ImageIO.getImageReadersByFormatName("jpeg").next();
    try (ImageInputStream in = new ByteStream(jpeg, jpeg.length)) {
      reader.setInput(in, true, true);
      return Jfif.read(reader);
    } finally {
      reader.dispose();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0.75", "17, 13, 0.1", "64, 48, 0.5", "200, 100, 0.75", "256, 256, 1.0"})
  void thePixelsAreThoseThatImageIoGives(int width, int height, float quality) throws IOException {
    byte[] jpeg = jpeg(picture(width, height, BufferedImage.TYPE_INT_RGB), quality);
    assertTrue(Jfif.isPlain(jpeg, jpeg.length));
    BufferedImage read = read(jpeg);
    assertEquals(BufferedImage.TYPE_INT_RGB, read.getType(), "made here");
    assertArrayEquals(pixels(ImageIO.read(new ByteArrayInputStream(jpeg))), pixels(read));
  }

  @Test
  void greyImagesAndOtherBytesAreNotPlain() throws IOException {
    byte[] grey = jpeg(picture(8, 8, BufferedImage.TYPE_BYTE_GRAY), 0.75f);
    assertFalse(Jfif.isPlain(grey, grey.length));
    assertFalse(Jfif.isPlain(new byte[0], 0));
    assertFalse(Jfif.isPlain(new byte[100], 100));
  }

  /** What another segment says of the colours, ImageIO heeds. */
  @ParameterizedTest
  @CsvSource({"226, ICC_PROFILE", "238, Adobe"})
  void anImageWithAProfileOrAdobesMarkIsNotPlain(int marker, String name) throws IOException {
    byte[] jpeg = jpeg(picture(8, 8, BufferedImage.TYPE_INT_RGB), 0.75f);
    int front = 4 + (jpeg[4] << 8 | jpeg[5]); // behind JFIF's own segment
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream marked = new ByteArrayOutputStream();
    marked.write(jpeg, 0, front);
    marked.write(new byte[] {(byte) 0xff, (byte) marker, 0, (byte) (16 + text.length)});
    marked.write(text);
    marked.write(new byte[14]);
    marked.write(jpeg, front, jpeg.length - front);
    assertFalse(Jfif.isPlain(marked.toByteArray(), marked.size()));
  }

  @Test
  void noFrontOfAnImageIsTakenForOneBeforeItsScan() throws IOException {
    byte[] jpeg = jpeg(picture(40, 40, BufferedImage.TYPE_INT_RGB), 0.75f);
    int plain = 0;
    while (!Jfif.isPlain(Arrays.copyOf(jpeg, plain), plain)) {
      plain++;
    }
    assertTrue(plain > 600, "tables come before the scan");
  }
}
