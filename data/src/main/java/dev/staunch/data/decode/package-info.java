/**
 * Raw parts of files, and how several threads make rows of them in order.
 *
 * <p>Door: {@link dev.staunch.data.decode.DecodedRows}. One thread reads {@link
 * dev.staunch.data.decode.Part}s with a {@link dev.staunch.data.decode.PartReader}, any thread
 * makes rows of one with a {@link dev.staunch.data.decode.Decoder}, and they leave in the order in
 * which they were read. {@link dev.staunch.data.decode.LineParts} cuts text at its lines.
 *
 * <p>{@link dev.staunch.data.decode.Inputs} are files: one by one, a folder of them, those that fit
 * a pattern. {@link dev.staunch.data.decode.ByteInput} reads one, unpacking gzip. {@link
 * dev.staunch.data.decode.Place} says where in a file something is wrong.
 *
 * <p>Parts and rows are on the heap, a few of each per decoder, and are filled anew again and
 * again; so what is read ahead here is bounded by the size of a part. What a part means is a
 * format's affair.
 */
package dev.staunch.data.decode;
