package dev.staunch.data.image;

import dev.staunch.data.row.Field;
import dev.staunch.fault.Message;
import dev.staunch.type.DType;

/**
 * How an image is transformed: resized, cropped, flipped, its colours changed, normalised, in this
 * order. Transparency and colour profiles are ignored, as in {@code
 * Image.open(file).convert("RGB")} of Pillow. Immutable.
 *
 * @param channels 3 for red, green and blue; 1 for grey
 * @param height of the result
 * @param width of the result
 * @param shortSide the image is first resized so that its shorter side has this length; 0 to resize
 *     it to the result's size without keeping its proportions
 * @param randomCrop whether the crop is taken at a random position rather than in the middle
 * @param randomFlip whether half of the images, drawn at random, are mirrored left to right
 * @param jitter how far brightness, contrast and saturation may each deviate, as a fraction of one
 * @param mean subtracted from each channel, for values from 0 to 255
 * @param deviation the divisor of each channel after that
 * @param dtype uint8, or float32, which normalising needs
 */
@SuppressWarnings("ArrayRecordComponent") // three numbers each, never exposed for modification
public record ImageForm(
    int channels,
    int height,
    int width,
    int shortSide,
    boolean randomCrop,
    boolean randomFlip,
    double jitter,
    float[] mean,
    float[] deviation,
    DType dtype) {

  public ImageForm {
    if ((channels != 1 && channels != 3) || height < 1 || width < 1 || shortSide < 0) {
      throw new IllegalArgumentException(
          Message.of("an image of %d channels, %d x %d is none", channels, height, width));
    }
    if (shortSide > 0 && shortSide < Math.max(height, width)) {
      throw new IllegalArgumentException(
          Message.of("%d x %d cannot be cut out of a side of %d", height, width, shortSide));
    }
    if (dtype != DType.UINT8 && dtype != DType.FLOAT32) {
      throw new IllegalArgumentException("an image is uint8 or float32, not " + dtype);
    }
    mean = mean.clone();
    deviation = deviation.clone();
    if (mean.length != channels || deviation.length != channels || !(jitter >= 0 && jitter < 1)) {
      throw new IllegalArgumentException(
          "each channel needs a mean and a deviation, and the jitter is from 0 to 1");
    }
  }

  /** Resizes to this many rows and columns, with three channels of bytes. */
  public static ImageForm of(int height, int width) {
    return new ImageForm(
        3, height, width, 0, false, false, 0, new float[3], new float[] {1, 1, 1}, DType.UINT8);
  }

  public ImageForm grey() {
    return new ImageForm(
        1,
        height,
        width,
        shortSide,
        randomCrop,
        randomFlip,
        jitter,
        new float[1],
        new float[] {1},
        dtype);
  }

  /** Keeps the proportions: resizes the shorter side to {@code side} and crops the result. */
  public ImageForm withCrop(int side, boolean random) {
    return new ImageForm(
        channels, height, width, side, random, randomFlip, jitter, mean, deviation, dtype);
  }

  public ImageForm withRandomFlip() {
    return new ImageForm(
        channels, height, width, shortSide, randomCrop, true, jitter, mean, deviation, dtype);
  }

  public ImageForm withJitter(double most) {
    return new ImageForm(
        channels, height, width, shortSide, randomCrop, randomFlip, most, mean, deviation, dtype);
  }

  /** Converts to float32, subtracts each channel's mean and divides by its deviation. */
  public ImageForm normalised(float[] means, float[] deviations) {
    return new ImageForm(
        channels,
        height,
        width,
        shortSide,
        randomCrop,
        randomFlip,
        jitter,
        means,
        deviations,
        DType.FLOAT32);
  }

  Field field() {
    return Field.of("data", dtype, channels, height, width);
  }
}
