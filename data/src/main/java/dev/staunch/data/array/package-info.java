/**
 * Examples stored in arrays: tensors in memory, NumPy files, and the idx files of MNIST.
 *
 * <p>Entry points: {@link dev.staunch.data.array.TensorExamples} takes tensors and Java arrays;
 * {@link dev.staunch.data.array.Idx} reads idx files, together with their labels; {@link
 * dev.staunch.data.array.Npz} reads {@code .npy} and {@code .npz} files.
 *
 * <p>In a file, the examples follow one another. An {@code ArrayHeader} describes their layout, an
 * {@code ArrayFile} reads some of them, {@code ArrayParts} combines the same examples of several
 * files into parts, and {@code ArrayDecoder} makes rows from these. A format only has to read its
 * header.
 *
 * <p>All are indexed except compressed files: an epoch can be read in any order without holding it
 * in memory. Tensors keep their owner; a stream holds one only while it copies from it, so a tensor
 * that is closed meanwhile yields a fault and never another tensor's data.
 */
package dev.staunch.data.array;
