/**
 * Concrete tensors: a storage, a layout and a dtype together.
 *
 * <p>Door: {@link dev.staunch.tensor.DenseTensor}. {@link dev.staunch.tensor.HostTensors} copies
 * from and to Java arrays, {@link dev.staunch.tensor.Elements} reads and writes single elements of
 * any dtype. {@link dev.staunch.tensor.NestedArrays} takes arrays of arrays, {@link
 * dev.staunch.tensor.ArrayText} prints as NumPy does, {@link dev.staunch.tensor.NpyFormat} reads
 * and writes NumPy's files.
 *
 * <p>Below lie {@code memory} (the bytes) and {@code type} (what they mean). Above, {@code kernel}
 * computes with these tensors and {@code eager} wraps one that may still be pending for users.
 * Nothing here computes, waits or knows operations.
 */
package dev.staunch.tensor;
