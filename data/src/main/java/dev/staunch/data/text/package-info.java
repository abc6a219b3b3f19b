/**
 * Examples in text: comma-separated values and LibSVM's sparse rows.
 *
 * <p>Entry points: {@link dev.staunch.data.text.Csv} and {@link dev.staunch.data.text.LibSvm}.
 * {@code LineParts} in {@code decode} splits the files of both into parts of whole rows, which are
 * decoded part by part.
 *
 * <p>{@code NumberScanner} reads the numbers of a row in place, because that is where most of the
 * time goes. {@code Numbers} strictly reads one number from a string, and says what is wrong with
 * it. If the scanner rejects a row of CSV for any reason, {@code CsvRow} reads it again with fields
 * as strings, and leaves quotes to FastCSV. So common rows are fast, and every other row is read by
 * the rules of RFC 4180 or reported with its row, column and text. The same golden cases cover both
 * paths.
 *
 * <p>Not here: files, folders, gzip, shards ({@code decode}).
 */
package dev.staunch.data.text;
