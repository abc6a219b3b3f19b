/**
 * RecordIO files, as dmlc's tools and MXNet's im2rec write them: byte strings one behind the other.
 *
 * <p>Doors: {@link dev.staunch.data.record.RecordReader} and {@link
 * dev.staunch.data.record.RecordWriter}; {@link dev.staunch.data.record.RecordIndex} says where
 * each record begins; {@link dev.staunch.data.record.ImageRecord} is what im2rec puts in one.
 *
 * <p>A record begins with a magic number and its length, and is padded to four bytes. One that
 * holds the magic number itself, aligned, is split there. So a reader that meets damage can look
 * for the next magic number, and what is lost is the damaged record.
 *
 * <p>Not here: what is made of a record ({@code image}, or a user's own examples).
 */
package dev.staunch.data.record;
