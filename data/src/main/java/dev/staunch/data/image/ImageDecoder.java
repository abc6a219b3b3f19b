package dev.staunch.data.image;

import dev.staunch.data.decode.Decoder;
import dev.staunch.data.decode.Part;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Rows;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;

/** Decodes an image with ImageIO, and transforms it as the form says. */
final class ImageDecoder implements Decoder {
  /** The number in a square of 16,384; an image that claims more would only fill the heap. */
  private static final long MOST_PIXELS = 1L << 28;

  /**
   * The channel order in which lines of JPEGs are decoded; they are copied whole, not byte by byte.
   */
  private static final ImageTypeSpecifier RGB =
      ImageTypeSpecifier.createInterleaved(
          ColorSpace.getInstance(ColorSpace.CS_sRGB),
          new int[] {0, 1, 2},
          DataBuffer.TYPE_BYTE,
          false,
          false);

  private final ImageForm form;

  ImageDecoder(ImageForm form) {
    this.form = form;
  }

  @Override
  public void decode(Part part, Rows rows) {
    if (!(part.note() instanceof Encoded encoded)) {
      return;
    }
    Object decoded;
    try {
      decoded = decoded(part);
    } catch (IOException | RuntimeException e) {
      decoded = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
    if (!(decoded instanceof BufferedImage image)) {
      String why = String.valueOf(decoded);
      Fault fault =
          encoded
              .place()
              .fault(Message.of("the image cannot be decoded: %s", why), "an image", why);
      rows.fail(fault);
      return;
    }
    int row = rows.begin();
    SplittableRandom random = new SplittableRandom(encoded.seed());
    new Picture(image, form, random).put((DenseColumn) rows.columns().getFirst(), row);
    DenseColumn label = (DenseColumn) rows.columns().getLast();
    for (int i = 0; i < encoded.labels().length; i++) {
      label.putDouble(row, i, encoded.labels()[i]);
    }
    rows.end();
  }

  /** Returns the image, or a message that says why there is none. */
  private Object decoded(Part part) throws IOException {
    try (ImageInputStream stream = new ByteStream(part.bytes(), part.length())) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
      if (!readers.hasNext()) {
        return "its format is not known";
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(stream, true, true);
        return decoded(reader);
      } finally {
        reader.dispose();
      }
    }
  }

  private Object decoded(ImageReader reader) throws IOException {
    int height = reader.getHeight(0);
    int width = reader.getWidth(0);
    long pixels = (long) width * height;
    if (pixels > MOST_PIXELS) {
      return Message.of("it has %d pixels, and %d is the limit", pixels, MOST_PIXELS);
    }
    String[] guessed = {""};
    reader.addIIOReadWarningListener((source, warning) -> {
      String text = warning.toLowerCase(Locale.ROOT);
      if (text.contains("premature") || text.contains("corrupt")) {
        guessed[0] = warning; // data that the decoder made up is not data
      }
    });
    ImageReadParam how = reader.getDefaultReadParam();
    how.setDestination(destination(reader, height, width));
    BufferedImage image = reader.read(0, how);
    return guessed[0].isEmpty() ? Colours.stated(image) : guessed[0];
  }

  /**
   * Where the image is decoded to: colours stay as the file's own profile means them, and the lines
   * of a JPEG are copied whole if they are needed as they are. Null leaves it to the reader.
   */
  private @Nullable BufferedImage destination(ImageReader reader, int height, int width)
      throws IOException {
    Iterator<ImageTypeSpecifier> types = reader.getImageTypes(0);
    boolean jpeg = reader.getFormatName().equalsIgnoreCase("jpeg");
    boolean whole = false;
    for (int i = 0; types.hasNext(); i++) {
      ImageTypeSpecifier type = types.next();
      ColorSpace space = type.getColorModel().getColorSpace();
      if (space.getType() == ColorSpace.TYPE_RGB && !space.isCS_sRGB()) {
        return type.createBufferedImage(width, height);
      }
      whole |= i == 0 && jpeg && type.getBufferedImageType() == BufferedImage.TYPE_3BYTE_BGR;
    }
    return whole && Picture.keepsBytes(form, height, width)
        ? RGB.createBufferedImage(width, height)
        : null;
  }
}
