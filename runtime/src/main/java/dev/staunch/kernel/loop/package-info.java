/**
 * The loops that tensor kernels are built on. They handle any strides, dtypes and broadcast shapes,
 * and poll for cancellation as they go.
 *
 * <p>Start with {@link dev.staunch.kernel.loop.Pointwise}. It runs a {@link
 * dev.staunch.kernel.loop.Rule} on operands that broadcast, through {@link
 * dev.staunch.kernel.loop.PointwiseLoop} or, for short loops, {@link
 * dev.staunch.kernel.loop.PlainRows}. Next to it are {@link dev.staunch.kernel.loop.Copying}
 * between layouts and dtypes, {@link dev.staunch.kernel.loop.Filling} for new tensors, {@link
 * dev.staunch.kernel.loop.Strides} for walking several layouts together, {@link
 * dev.staunch.kernel.loop.Integers} and {@link dev.staunch.kernel.loop.Reals} for reading a tensor
 * tile by tile, and {@link dev.staunch.kernel.loop.Overlap} for writing memory that is read at the
 * same time.
 *
 * <p>A loop that should be vectorised stands in a small method of its own, over arrays that share
 * one index variable. {@link dev.staunch.kernel.loop.Tile} moves elements into such arrays and
 * back.
 *
 * <p>This package depends on {@code operand}. It contains no operations; the rules that run in
 * these loops are in {@code formula}.
 */
package dev.staunch.kernel.loop;
