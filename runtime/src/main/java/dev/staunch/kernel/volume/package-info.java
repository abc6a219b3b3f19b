/**
 * Convolution, pooling and resizing over three dimensions: made of the same over two, which takes
 * the slices of the third as a batch, and of a pass along the third. Checks are made here, so that
 * messages speak of three dimensions.
 *
 * <p>The door is {@link dev.staunch.kernel.volume.VolumeOperations}.
 */
@NullMarked
package dev.staunch.kernel.volume;

import org.jspecify.annotations.NullMarked;
