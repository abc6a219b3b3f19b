/**
 * Examples in text: comma-separated values and LibSVM's sparse rows.
 *
 * <p>Doors: {@link dev.staunch.data.text.Csv} and {@link dev.staunch.data.text.LibSvm}. Both are
 * cut into parts of whole rows by {@code decode}'s {@code LineParts}, and decoded part by part.
 *
 * <p>{@code NumberScanner} reads the numbers of a row where they lie, for that is where the time
 * goes; {@code Numbers} reads one of a string, strictly, and says what is wrong with it. A row of
 * CSV that the scanner does not like for any reason is read again, with fields as strings, by
 * {@code CsvRow}, which leaves quotes to FastCSV. So the common row is fast, and every other one is
 * read by the rules of RFC 4180 or told with its row, column and text. The same golden cases hold
 * for both ways.
 *
 * <p>Not here: files, folders, gzip, shards ({@code decode}).
 */
package dev.staunch.data.text;
