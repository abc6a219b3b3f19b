package dev.staunch.memory;

import java.util.Locale;

/** Byte counts for people: {@code 12 bytes}, {@code 1.5 MiB}. */
final class ByteCount {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteCount() {}

  static String text(long bytes) {
    if (Math.abs(bytes) < 1024) {
      return bytes == 1 ? "1 byte" : bytes + " bytes";
    }
    double value = bytes;
    int unit = -1;
    while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", value);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + " "
        + UNITS[unit];
  }
}
