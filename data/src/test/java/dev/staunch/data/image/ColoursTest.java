package dev.staunch.data.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.Session;
import java.awt.color.ColorSpace;
import java.awt.color.ICC_Profile;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pillow 9 gives these values for the same files, by {@code convert("RGB")}. */
class ColoursTest {
  private static final ImageForm TWO = ImageForm.of(1, 2);
  private static final byte[] ADOBE = {
    (byte) 0xff, (byte) 0xee, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0
  };
  private final Session session = new Session();
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  private String read(byte[] image, ImageForm form) throws IOException {
    Path file = Files.createDirectories(folder.resolve("set/one")).resolve("image");
    Files.write(file, image);
    return session.all(Images.ofFolder(folder.resolve("set"), form), 1).batches().getFirst();
  }

  private static byte[] png(BufferedImage image) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, "png", out));
    return out.toByteArray();
  }

  private static byte[] jpeg(IIOImage image) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream stream = ImageIO.createImageOutputStream(out)) {
      writer.setOutput(stream);
      writer.write(image);
    } finally {
      writer.dispose();
    }
    return out.toByteArray();
  }

  /** Puts a segment behind the two bytes with which a JPEG begins. */
  private static byte[] withSegment(byte[] jpeg, byte[] segment) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(jpeg, 0, 2);
    out.write(segment);
    out.write(jpeg, 2, jpeg.length - 2);
    return out.toByteArray();
  }

  private static BufferedImage greyAndAlpha(int dataType, int[] samples) {
    ColorModel model =
        new ComponentColorModel(
            ColorSpace.getInstance(ColorSpace.CS_GRAY),
            true,
            false,
            ColorModel.TRANSLUCENT,
            dataType);
    WritableRaster raster = model.createCompatibleWritableRaster(2, 1);
    raster.setPixels(0, 0, 2, 1, samples);
    return new BufferedImage(model, raster, false, null);
  }

  @Test
  void transparentPixelsKeepTheirColours() throws IOException {
    BufferedImage image = new BufferedImage(2, 1, BufferedImage.TYPE_4BYTE_ABGR);
    image.setRGB(0, 0, 0x00c86432);
    image.setRGB(1, 0, 0x80ff0a14);
    assertEquals("[200, 255, 100, 10, 50, 20] | [0.0]", read(png(image), TWO));
  }

  @Test
  void transparentEntriesOfPalettesKeepTheirColours() throws IOException {
    byte[] red = {(byte) 200, 1};
    byte[] green = {100, 2};
    byte[] blue = {50, 3};
    byte[] alpha = {0, (byte) 128};
    IndexColorModel model = new IndexColorModel(8, 2, red, green, blue, alpha);
    BufferedImage image = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_INDEXED, model);
    image.getRaster().setPixels(0, 0, 2, 1, new int[] {0, 1});
    assertEquals("[200, 1, 100, 2, 50, 3] | [0.0]", read(png(image), TWO));
  }

  @Test
  void greyPixelsWithAlphaKeepTheirGrey() throws IOException {
    byte[] bytes = png(greyAndAlpha(DataBuffer.TYPE_BYTE, new int[] {69, 255, 142, 0}));
    assertEquals("[69, 142, 69, 142, 69, 142] | [0.0]", read(bytes, TWO));
    byte[] wide = png(greyAndAlpha(DataBuffer.TYPE_USHORT, new int[] {69 << 8, 65535, 36494, 9}));
    assertEquals("[69, 142] | [0.0]", read(wide, TWO.grey()));
  }

  @Test
  void aColourProfileChangesNoColours() throws IOException {
    BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 64; i++) {
      image.setRGB(i % 8, i / 8, 0xc86432);
    }
    byte[] plain = jpeg(new IIOImage(image, null, null));
    byte[] profile = ICC_Profile.getInstance(ColorSpace.CS_LINEAR_RGB).getData();
    ByteArrayOutputStream segment = new ByteArrayOutputStream();
    segment.write(new byte[] {(byte) 0xff, (byte) 0xe2});
    int length = 2 + 14 + profile.length;
    segment.write(new byte[] {(byte) (length >> 8), (byte) length});
    segment.write("ICC_PROFILE\0\1\1".getBytes(StandardCharsets.ISO_8859_1));
    segment.write(profile);
    for (ImageForm form : new ImageForm[] {ImageForm.of(8, 8), TWO}) {
      assertEquals(read(plain, form), read(withSegment(plain, segment.toByteArray()), form));
    }
  }

  @Test
  void inksTakeLightInProportion() throws IOException {
    WritableRaster raster = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 8, 8, 4, null);
    for (int i = 0; i < 64; i++) {
      int[] inverted = {255, 127, 0, 225}; // as Adobe writes cyan, magenta, yellow and black
      raster.setPixel(i % 8, i / 8, inverted);
    }
    byte[] printed = withSegment(jpeg(new IIOImage(raster, null, null)), ADOBE);
    assertEquals("[225, 225, 112, 112, 0, 0] | [0.0]", read(printed, TWO));
  }
}
