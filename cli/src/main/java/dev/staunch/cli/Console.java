package dev.staunch.cli;

import dev.staunch.fault.Report;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import picocli.CommandLine.ParameterException;

/** Text for people: exceptions as sentences, bytes and times with units. */
final class Console {
  private Console() {}

  /** What went wrong, without a stack trace. */
  static String sentence(Throwable thrown) {
    return switch (thrown) {
      case StaunchException fault -> Report.of(fault.fault()).stripTrailing();
      case NoSuchFileException file -> file.getFile() + ": no such file";
      case AccessDeniedException file -> file.getFile() + ": its permissions do not allow it";
      case MalformedInputException text -> "the text is not in UTF-8";
      case FileSystemException file when file.getReason() != null ->
          file.getFile() + ": " + file.getReason();
      case IOException io when io.getMessage() != null -> io.getMessage();
      case ParameterException usage when usage.getMessage() != null -> usage.getMessage();
      default -> thrown.toString();
    };
  }

  static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double size = bytes / 1024.0;
    for (String unit : new String[] {"KiB", "MiB"}) {
      if (size < 1024) {
        return String.format(Locale.ROOT, "%.1f %s", size, unit);
      }
      size /= 1024;
    }
    return String.format(Locale.ROOT, "%.1f GiB", size);
  }
}
