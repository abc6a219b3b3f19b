/**
 * Reads the pickle streams of an archive into a closed family of plain values.
 *
 * <p>Only the opcodes and the few classes that TorchScript writes are known; any other is a fault.
 * No class is ever loaded and no code runs. A tensor is returned as a reference to a record with
 * dtype, sizes and strides.
 *
 * <p>Neighbours: {@code archive} supplies the bytes; {@code lower} reads the values.
 *
 * <p>Not here: program code ({@code source}).
 */
package dev.staunch.torchscript.pickle;
