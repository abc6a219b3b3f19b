/**
 * Examples that lie in arrays: tensors in memory, NumPy's archives, and the idx files of MNIST.
 *
 * <p>Doors: {@link dev.staunch.data.array.TensorExamples} takes tensors and Java arrays, {@link
 * dev.staunch.data.array.Idx} reads idx files, with their labels beside them, and {@link
 * dev.staunch.data.array.Npz} {@code .npy} and {@code .npz} files.
 *
 * <p>What a file holds lies one example behind the other: an {@code ArrayHeader} says how, an
 * {@code ArrayFile} reads some, {@code ArrayParts} makes parts of the same examples of several
 * files, and {@code ArrayDecoder} rows of them. A format has to read its header, no more.
 *
 * <p>All are indexed, but for what is packed: an epoch can be read in any order without holding it.
 * The tensors stay whoever's they were; a stream holds one while it copies out of it, so one that
 * is closed meanwhile is a fault and never another tensor's data.
 */
package dev.staunch.data.array;
