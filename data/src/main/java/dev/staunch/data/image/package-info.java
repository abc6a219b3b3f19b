/**
 * Images as examples: decoded, cut to one size, perhaps changed at random, as tensors of channels,
 * rows and columns.
 *
 * <p>Doors: {@link dev.staunch.data.image.Images} says where they come from (a folder for each
 * class, a list, a RecordIO file), {@link dev.staunch.data.image.ImageForm} what becomes of them.
 *
 * <p>Encoded images are read by the thread that reads ahead, and decoded by ImageIO on the
 * decoders' threads, each with a seed of its own that depends on the place of the image alone. An
 * image that cannot be decoded, or that its decoder only guessed at, is a fault with its file or
 * record.
 */
package dev.staunch.data.image;
