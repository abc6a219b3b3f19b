/**
 * Raw parts of files, and rows that several threads decode from them in order.
 *
 * <p>Entry point: {@link dev.staunch.data.decode.DecodedRows}. One thread reads {@link
 * dev.staunch.data.decode.Part}s with a {@link dev.staunch.data.decode.PartReader}. Any thread can
 * turn a part into rows with a {@link dev.staunch.data.decode.Decoder}. The rows are returned in
 * the order in which the parts were read. {@link dev.staunch.data.decode.LineParts} splits text at
 * line ends.
 *
 * <p>{@link dev.staunch.data.decode.Inputs} selects files: a given list, a folder, or those that
 * match a pattern. {@link dev.staunch.data.decode.ByteInput} reads one file and decompresses gzip.
 * {@link dev.staunch.data.decode.Place} says where in a file something is wrong.
 *
 * <p>Parts and rows are on the heap, a few of each per decoder, and are reused, so the size of a
 * part bounds what is read ahead here. Each format defines what its parts mean.
 */
package dev.staunch.data.decode;
