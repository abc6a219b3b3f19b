/**
 * RecordIO files as dmlc's tools and MXNet's im2rec write them: a sequence of byte strings.
 *
 * <p>Entry points: {@link dev.staunch.data.record.RecordReader} and {@link
 * dev.staunch.data.record.RecordWriter}. {@link dev.staunch.data.record.RecordIndex} says where
 * each record begins; {@link dev.staunch.data.record.ImageRecord} is what im2rec stores in one.
 *
 * <p>A record begins with a magic number and its length, and is padded to four bytes. A record that
 * contains the magic number itself, aligned, is split there. A reader that meets damage can
 * therefore look for the next magic number, and only the damaged record is lost.
 *
 * <p>Not here: what is made from a record ({@code image}, or the user's own examples).
 */
package dev.staunch.data.record;
