/**
 * The loops that kernels of tensors stand on: over any strides, dtypes and broadcast shapes,
 * looking for cancellation as they go.
 *
 * <p>Door: {@link dev.staunch.kernel.loop.Pointwise}, which runs a {@link
 * dev.staunch.kernel.loop.Rule} on operands that broadcast, through {@link
 * dev.staunch.kernel.loop.PointwiseLoop} or, where it is short, {@link
 * dev.staunch.kernel.loop.PlainRows}. Next to it: {@link dev.staunch.kernel.loop.Copying} between
 * layouts and dtypes, {@link dev.staunch.kernel.loop.Filling} for new tensors, {@link
 * dev.staunch.kernel.loop.Strides} for walking layouts together, {@link
 * dev.staunch.kernel.loop.Integers} and {@link dev.staunch.kernel.loop.Reals} for reading a tensor
 * tile by tile, {@link dev.staunch.kernel.loop.Overlap} for writing what is read at the same time.
 *
 * <p>A loop that is to be vectorised stands in a small method of its own, over arrays, whose
 * indices are one variable; {@link dev.staunch.kernel.loop.Tile} brings elements there and back.
 *
 * <p>Below is {@code operand}. Not here: operations; the rules that run in these loops are those of
 * {@code formula}.
 */
package dev.staunch.kernel.loop;
