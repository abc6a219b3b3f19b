/**
 * Kernels on the JDK's Vector API: what the plain kernels compute, as fast as the machine does it.
 *
 * <p>Convolutions take images in planes, or with their channels last, which most of them prefer:
 * then pixels are the rows of products ({@code FloatChannelsLast}).
 *
 * <p>A product of matrices goes through blocks: {@code Panels} and {@code Rows} copy what is
 * multiplied into the order in which it is read, a {@code Tile} multiplies a few rows by a panel
 * with all sums in registers, and {@code Sums} puts these into the result. What is too narrow for
 * that goes row by row ({@code Vectors}). All of these are written once, as templates, for float
 * and double ({@code src/generator}). Normalisation, softmax, pooling, recurrent steps, sums of
 * rows and the formulas of {@code rows.formulas} are for float32 alone; {@code WarmUp} has all of
 * them compiled.
 *
 * <p>Rules for what stands here: species are constants; a loop is small, flat and calls nothing
 * through an interface, or C2 puts vectors on the heap; operands are off-heap and ours, never
 * mapped files, so that each method sees one kind of segment. Each variant of a kernel costs the
 * process up to a second of compilation, so there are few.
 *
 * <p>Not here: what operations mean, checks of operands, kernels for anything but float32 and
 * float64. The plain kernels have all that, and stand in where this module does not.
 */
package dev.staunch.vector;
