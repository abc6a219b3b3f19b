package dev.staunch.torchscript;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.torchscript.archive.Archive;
import dev.staunch.torchscript.archive.ArchiveWriter;
import dev.staunch.torchscript.archive.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Unpacks an archive's records into files of a folder, to be read and edited, and packs them again.
 * A list in the folder keeps the order and checksums of the records, so the new archive has exactly
 * the records that were unpacked; any other files are left out.
 */
public final class ArchiveFolder {
  /** Names the archive and lists its records, each after its checksum. */
  private static final String LIST = ".archive";

  private static final String DEBUG = ".debug_pkl";

  /** The largest record, as each is copied through an array. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private ArchiveFolder() {}

  /**
   * The result of packing.
   *
   * @param changed records that differ from what was unpacked
   * @param dropped debug information of changed code, whose line numbers would be wrong
   * @param others files that are not records of the archive, and so are not in the new one
   */
  public record Packed(List<String> changed, List<String> dropped, List<String> others) {
    public Packed {
      changed = List.copyOf(changed);
      dropped = List.copyOf(dropped);
      others = List.copyOf(others);
    }
  }

  /** A record as it was unpacked. */
  private record Entry(String record, long checksum) {}

  /**
   * Writes the records of {@code archive} to files in {@code folder}, which is created if necessary
   * and must be empty; returns their names.
   *
   * @throws StaunchException if the archive is damaged, or a file cannot be written
   */
  public static List<String> unpack(Path archive, Path folder) {
    try (Archive opened = Archive.open(archive, Limits.standard(), CancelScope.open())) {
      Files.createDirectories(folder);
      try (var held = Files.list(folder)) {
        if (held.findAny().isPresent()) {
          throw Fault.value("the folder " + folder + " is not empty").toException();
        }
      }
      StringBuilder list = new StringBuilder(opened.topFolder()).append('\n');
      for (String record : opened.records()) {
        byte[] bytes = new byte[length(record, opened.size(record))];
        opened.read(record, MemorySegment.ofArray(bytes));
        Path file = folder.resolve(record);
        Path parent = file.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        Files.write(file, bytes);
        list.append(Long.toHexString(checksum(bytes))).append(' ').append(record).append('\n');
      }
      Files.writeString(folder.resolve(LIST), list);
      return List.copyOf(opened.records());
    } catch (IOException e) {
      throw unwritten(folder, e);
    }
  }

  /**
   * Writes an archive from the current contents of {@code folder}, which {@link #unpack} filled.
   *
   * @throws StaunchException if {@code folder} is not from {@link #unpack}, a file is missing, or
   *     the archive cannot be written
   */
  public static Packed pack(Path folder, Path archive) {
    List<String> changed = new ArrayList<>();
    List<String> dropped = new ArrayList<>();
    List<String> others;
    try {
      List<String> lines = Files.readAllLines(folder.resolve(LIST));
      if (lines.isEmpty()) {
        throw Fault.data(LIST, "the file " + LIST + " of " + folder + " is empty").toException();
      }
      List<Entry> entries = lines.stream().skip(1).map(ArchiveFolder::entry).toList();
      others = others(folder, entries);
      for (Entry entry : entries) {
        if (checksum(bytes(folder, entry.record())) != entry.checksum()) {
          changed.add(entry.record());
        }
      }
      try (ArchiveWriter writer = ArchiveWriter.to(archive, lines.get(0))) {
        for (Entry entry : entries) {
          String record = entry.record();
          String code = record.endsWith(DEBUG) ? record.replace(DEBUG, "") : "";
          if (changed.contains(code)) {
            dropped.add(record);
          } else {
            writer.add(record, bytes(folder, record));
          }
        }
      } catch (IOException e) {
        throw unwritten(archive, e);
      }
    } catch (IOException e) {
      throw unpacked(folder, e);
    } catch (UncheckedIOException e) {
      throw unpacked(folder, Objects.requireNonNull(e.getCause()));
    }
    return new Packed(changed, dropped, others);
  }

  /** The files of the folder that are neither records nor the list of records. */
  private static List<String> others(Path folder, List<Entry> entries) throws IOException {
    Path root = folder.toAbsolutePath().normalize();
    Set<Path> known = new HashSet<>(Set.of(root.resolve(LIST)));
    entries.forEach(entry -> known.add(root.resolve(entry.record()).normalize()));
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> !Files.isDirectory(file) && !known.contains(file))
          .map(file -> root.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private static Entry entry(String line) {
    int space = line.indexOf(' ');
    try {
      return new Entry(line.substring(space + 1), Long.parseLong(line, 0, space, 16));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw Fault.data(LIST, "the line '" + line + "' of " + LIST + " names no record")
          .toException();
    }
  }

  private static byte[] bytes(Path folder, String record) throws IOException {
    Path root = folder.toAbsolutePath().normalize();
    Path file = root.resolve(record).normalize();
    if (!file.startsWith(root)) {
      throw Fault.data(LIST, "the record " + record + " leaves its folder").toException();
    }
    length(record, Files.size(file));
    return Files.readAllBytes(file);
  }

  /** The length of the array that a record of this size is copied through. */
  private static int length(String record, long size) {
    if (size > MOST_BYTES) {
      String text = "record %s has %d bytes, but records of up to %d are unpacked and packed";
      throw Fault.unsupported(Message.of(text, record, size, MOST_BYTES))
          .withInput(record)
          .toException();
    }
    return (int) size;
  }

  private static long checksum(byte[] bytes) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    return checksum.getValue();
  }

  private static StaunchException unpacked(Path folder, IOException e) {
    String text = "%s cannot be packed: %s; it must be a folder that unpack has made";
    return Fault.data(folder.toString(), Message.of(text, folder, reason(e))).toException();
  }

  private static StaunchException unwritten(Path file, IOException e) {
    return Fault.value(Message.of("%s cannot be written: %s", file, reason(e))).toException();
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException gone -> "there is no " + gone.getFile();
      case FileAlreadyExistsException file -> file.getFile() + " is a file";
      case AccessDeniedException file -> "the permissions of " + file.getFile() + " forbid it";
      default -> String.valueOf(e.getMessage());
    };
  }
}
