package dev.staunch.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Checks of numbers and files on the command line, beyond their syntax. */
final class Arguments {
  private Arguments() {}

  /** Parses a whole number; {@code read} throws if it is not one, or is too large. */
  static <N> N number(String text, Function<String, N> read) {
    try {
      return read.apply(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a whole number, or too large a one");
    }
  }

  static void atLeastOne(CommandSpec spec, String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), option + " must be at least 1, but was " + value);
    }
  }

  static void notNegative(CommandSpec spec, String option, long value) {
    if (value < 0) {
      throw new ParameterException(
          spec.commandLine(), option + " must be 0 or more, but was " + value);
    }
  }

  /**
   * Checks, before work begins, that the file can be read.
   *
   * @throws IOException if it cannot, with the reason
   */
  static void readableFile(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder, not a file");
    }
    if (!Files.exists(file)) {
      throw new IOException("there is no file " + file);
    }
    if (!Files.isReadable(file)) {
      throw new IOException(file + " cannot be read: its permissions do not allow it");
    }
  }

  /** Whether {@code file} begins like the archives in which models are saved. */
  static boolean isArchive(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(4), new byte[] {'P', 'K', 3, 4});
    }
  }

  /**
   * Checks, before work begins, that the file can be written.
   *
   * @throws IOException the exception that writing it later would throw
   */
  static void writableFile(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new IOException(file + " cannot be written: it is a folder");
    }
    if (folder != null && !Files.isDirectory(folder)) {
      throw new IOException(file + " cannot be written: there is no folder " + folder);
    }
    if (!Files.isWritable(Files.exists(file) || folder == null ? file : folder)) {
      throw new IOException(file + " cannot be written: its permissions do not allow it");
    }
  }

  /** Opening {@code file} for writing empties it, so it must not be a file to read. */
  static void notRead(CommandSpec spec, Path file, Path read) throws IOException {
    if (Files.isRegularFile(file) && Files.exists(read) && Files.isSameFile(file, read)) {
      throw new ParameterException(
          spec.commandLine(), file + " cannot be written: it is to be read; name another file");
    }
  }
}
