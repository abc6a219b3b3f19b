/**
 * Concrete tensors: a storage, a layout and a dtype together.
 *
 * <p>Entry point: {@link dev.staunch.tensor.DenseTensor}. {@link dev.staunch.tensor.HostTensors}
 * copies from and to Java arrays, and {@link dev.staunch.tensor.NestedArrays} from and to arrays of
 * arrays. {@link dev.staunch.tensor.Elements} reads and writes single elements of any dtype. {@link
 * dev.staunch.tensor.ArrayText} prints tensors as NumPy does, and {@link
 * dev.staunch.tensor.NpyFormat} reads and writes NumPy's files.
 *
 * <p>Below are {@code memory} (the bytes) and {@code type} (what the bytes mean). Above, {@code
 * kernel} computes with these tensors, and {@code eager} wraps them, possibly still pending, for
 * users. Nothing here computes, waits or knows about operations.
 */
package dev.staunch.tensor;
