/**
 * Kernels on the JDK's Vector API: they compute the same as the plain kernels, at the machine's
 * full speed.
 *
 * <p>Convolutions take images in planes or with their channels last. Most convolutions prefer the
 * latter: then pixels are the rows of matrix products ({@code FloatChannelsLast}).
 *
 * <p>A matrix product is computed in blocks. {@code Panels} and {@code Rows} copy the operands into
 * the order in which they are read, a {@code Tile} multiplies a few rows by a panel with all sums
 * in registers, and {@code Sums} stores these in the result. Products that are too narrow for that
 * run row by row ({@code Vectors}). All of these, and normalisation, softmax, pooling, recurrent
 * steps and reductions, are written once, as templates, for float and double ({@code
 * src/generator}). Sums of picked rows exist only for float32, and so do most of the formulas in
 * {@code rows.formulas}; arithmetic is there for float64 and int64, too, and logic for bools.
 * {@code WarmUp} gets all kernels compiled.
 *
 * <p>Rules for code in this package: species are constants. A loop is small, flat and calls nothing
 * through an interface; otherwise C2 allocates vectors on the heap. Operands are off-heap and the
 * runtime's own, never mapped files, so that each method sees one kind of segment. Each variant of
 * a kernel costs the process up to a second of compilation, so there are few.
 *
 * <p>Not here: the meaning of operations, checks of operands, kernels for anything but float32 and
 * float64. The plain kernels have all of that, and take over where this module has no kernel.
 */
package dev.staunch.vector;
