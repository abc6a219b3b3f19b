/**
 * Images as examples: decoded, cropped to one size, optionally changed at random, as tensors of
 * channels, rows and columns.
 *
 * <p>Entry points: {@link dev.staunch.data.image.Images} says where images come from (a folder for
 * each class, a list, a RecordIO file); {@link dev.staunch.data.image.ImageForm} says how they are
 * transformed.
 *
 * <p>The thread that reads ahead reads the encoded images. ImageIO decodes them on the decoders'
 * threads, each image with its own seed, which depends only on the image's place. An image that
 * cannot be decoded, or that its decoder only guessed at, is a fault that names its file or record.
 */
package dev.staunch.data.image;
