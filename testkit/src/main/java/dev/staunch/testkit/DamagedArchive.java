package dev.staunch.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Takes an archive apart and assembles it again with one thing wrong; its checksums are correct.
 */
public final class DamagedArchive {
  private final Map<String, byte[]> members = new LinkedHashMap<>();
  private final String top;
  private int method = ZipEntry.STORED;

  private DamagedArchive(Path archive) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        members.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    top = members.keySet().iterator().next().replaceFirst("/.*", "/");
  }

  /** Starts from a sound archive. */
  public static DamagedArchive of(Path archive) throws IOException {
    return new DamagedArchive(archive);
  }

  /** Removes the records whose names end with {@code suffix}; there must be at least one. */
  public DamagedArchive without(String suffix) {
    if (!members.keySet().removeIf(name -> name.endsWith(suffix))) {
      throw new IllegalArgumentException("no record ends with " + suffix);
    }
    return this;
  }

  /** Replaces the contents of the record with {@code bytes}. */
  public DamagedArchive with(String record, byte[] bytes) {
    record(record);
    members.put(top + record, bytes);
    return this;
  }

  /** Truncates the record to {@code length} bytes, or extends it with zeros. */
  public DamagedArchive resized(String record, int length) {
    return with(record, Arrays.copyOf(record(record), length));
  }

  /**
   * Replaces each {@code old} in the record, of which there must be at least one, by {@code
   * replaced}.
   */
  public DamagedArchive replacing(String record, String old, String replaced) {
    String text = new String(record(record), StandardCharsets.ISO_8859_1);
    if (!text.contains(old)) {
      throw new IllegalArgumentException(record + " does not hold " + old);
    }
    return with(record, text.replace(old, replaced).getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Adds a member, with exactly this name, before all others. */
  public DamagedArchive startingWith(String member, String text) {
    Map<String, byte[]> others = new LinkedHashMap<>(members);
    members.clear();
    members.put(member, text.getBytes(StandardCharsets.UTF_8));
    members.putAll(others);
    return this;
  }

  /** Adds a record at the end. */
  public DamagedArchive endingWith(String record, String text) {
    members.put(top + record, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Compresses every member; by default none is compressed. */
  public DamagedArchive deflated() {
    method = ZipEntry.DEFLATED;
    return this;
  }

  /** Returns the archive with all changes. */
  public byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        zip.putNextEntry(entry(member.getKey(), member.getValue()));
        zip.write(member.getValue());
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private ZipEntry entry(String name, byte[] content) {
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(method);
    if (method == ZipEntry.STORED) {
      CRC32 sum = new CRC32();
      sum.update(content);
      entry.setCrc(sum.getValue());
      entry.setSize(content.length);
    }
    return entry;
  }

  private byte[] record(String record) {
    byte[] content = members.get(top + record);
    if (content == null) {
      throw new IllegalArgumentException("no record " + record);
    }
    return content;
  }
}
