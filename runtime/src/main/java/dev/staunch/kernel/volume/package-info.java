/**
 * Convolution, pooling and resizing over three dimensions. Each is made of its two-dimensional
 * counterpart, which takes the slices of the third dimension as a batch, and of a pass along the
 * third dimension. The checks are made here so that messages speak of three dimensions.
 *
 * <p>Start with {@link dev.staunch.kernel.volume.VolumeOperations}.
 */
@NullMarked
package dev.staunch.kernel.volume;

import org.jspecify.annotations.NullMarked;
