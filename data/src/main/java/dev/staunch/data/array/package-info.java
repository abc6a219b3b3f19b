/**
 * Examples that lie in arrays: tensors in memory, NumPy's archives, and the idx files of MNIST.
 *
 * <p>Doors: {@link dev.staunch.data.array.TensorExamples} takes tensors and Java arrays, {@link
 * dev.staunch.data.array.Npz} reads them from {@code .npy} and {@code .npz} files first, and {@link
 * dev.staunch.data.array.Idx} reads idx files, part by part, with their labels beside them.
 *
 * <p>All are indexed: an epoch can be read in any order without holding it, but for packed idx
 * files. The tensors stay whoever's they were; a stream holds one while it copies out of it, so one
 * that is closed meanwhile is a fault and never another tensor's data.
 */
package dev.staunch.data.array;
