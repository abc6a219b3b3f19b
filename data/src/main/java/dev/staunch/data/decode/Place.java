package dev.staunch.data.decode;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where in a file something is wrong.
 *
 * @param unit what {@code number} counts: row, record, example; empty if only the file is known
 * @param number counted from 1
 * @param column counted from 1; 0 if unknown
 * @param offset the byte in the decompressed file, counted from 0; -1 if unknown
 * @param text the text at that place; null if it is not text
 */
public record Place(
    String file, String unit, long number, int column, long offset, @Nullable String text) {
  private static final int LONGEST_TEXT = 80;

  /** A whole file. */
  public static Place of(String file) {
    return new Place(file, "", 0, 0, -1, null);
  }

  /** A byte of a file. */
  public static Place at(String file, long offset) {
    return new Place(file, "", 0, 0, offset, null);
  }

  public static Place record(String file, String unit, long number, long offset) {
    return new Place(file, unit, number, 0, offset, null);
  }

  /** The fault for bad data at this place. */
  public Fault fault(String message, String expected, String found) {
    Fault fault = Fault.data(toString(), message).withExpected(expected, shown(found));
    int line = unit.equals("row") ? (int) Math.min(Integer.MAX_VALUE, number) : 0;
    return fault.withSource(
        new SourceLocation(file, line, column, text == null ? null : shown(text), null));
  }

  /** Text from a file, made fit for a message: short, on one line, without control characters. */
  public static String shown(String text) {
    String cut = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text;
    StringBuilder shown = new StringBuilder(cut.length());
    for (int i = 0; i < cut.length(); i++) {
      char c = cut.charAt(i);
      if (c >= ' ' && c != 0x7f && c != 0xfffd) {
        shown.append(c);
      } else {
        shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return shown.toString();
  }

  /** {@code train.csv, row 3, column 2, byte 57}, as far as known. */
  @Override
  public String toString() {
    StringBuilder words = new StringBuilder(file);
    if (number > 0) {
      words.append(Message.of(", %s %d", unit, number));
    }
    if (column > 0) {
      words.append(", column ").append(column);
    }
    if (offset >= 0) {
      words.append(", byte ").append(offset);
    }
    return words.toString();
  }
}
