package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The members of a TorchScript archive by record name, which is the member's name without the top
 * folder. Reads the central directory only, checks bounds and the CRC of every record that it hands
 * out, and refuses names that escape or occur twice. Thread-safe.
 *
 * <p>Errors are {@link StaunchException}s of type data format that name the record.
 */
public final class Archive implements AutoCloseable {
  /** The newest archive format that libtorch's loaders read. */
  public static final int NEWEST_VERSION = 10;

  /** What storages are aligned to (M1). */
  private static final int ALIGNMENT = 64;

  private static final long PIECE = 1L << 26;
  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int LOCAL_HEADER_BYTES = 30;

  private final String name;
  private final FileBytes file;
  private final Limits limits;
  private final Map<String, Member> records;
  private final @Nullable Storage mapping;

  private Archive(String name, FileBytes file, Limits limits, @Nullable Storage mapping) {
    this.name = name;
    this.file = file;
    this.limits = limits;
    this.mapping = mapping;
    this.records = records(new CentralDirectory(name, file, limits).read());
  }

  /**
   * Opens the archive in {@code path}, which is mapped into the memory of {@code scope} (M8). The
   * file may be deleted or replaced by another while the archive or anything {@linkplain #part of
   * it} is in use, but its bytes must not be changed.
   */
  public static Archive open(Path path, Limits limits, ResourceScope scope) {
    Storage mapping = map(path, scope);
    boolean open = false;
    try {
      Archive archive =
          new Archive(
              String.valueOf(path.getFileName()),
              new FileBytes(mapping.segment()),
              limits,
              mapping);
      open = true;
      return archive;
    } finally {
      if (!open) {
        mapping.release();
      }
    }
  }

  private static Storage map(Path path, ResourceScope scope) {
    if (Files.isDirectory(path)) {
      throw unreadable(path, "it is a folder, not an archive").toException();
    }
    try {
      if (!Files.isReadable(path) && Files.exists(path)) {
        throw new AccessDeniedException(path.toString());
      }
      Object mapping = scope.map(path, 0, Files.size(path));
      if (mapping instanceof Fault fault) {
        throw fault.toException();
      }
      return (Storage) mapping;
    } catch (IOException e) {
      Fault fault =
          switch (e) {
            case NoSuchFileException missing -> unreadable(path, "there is no such file");
            case AccessDeniedException denied ->
                unreadable(path, "its permissions do not allow it");
            default -> unreadable(path, e.toString()).withCause(e);
          };
      throw fault.toException();
    }
  }

  private static Fault unreadable(Path path, String why) {
    return Fault.data(String.valueOf(path.getFileName()), path + " cannot be read: " + why);
  }

  public static Archive of(String name, byte[] bytes, Limits limits) {
    return new Archive(
        name, new FileBytes(MemorySegment.ofArray(bytes.clone())), limits, /* mapping= */ null);
  }

  /** Ends the mapping, unless something {@linkplain #part of it} is still in use. */
  @Override
  public void close() {
    if (mapping != null) {
      mapping.release();
    }
  }

  private Map<String, Member> records(List<Member> members) {
    String top = topFolder(members);
    Map<String, Member> found = new LinkedHashMap<>();
    for (Member member : members) {
      checkName(member.name());
      if (member.name().startsWith(top) && !member.name().endsWith("/")) {
        String record = member.name().substring(top.length());
        if (found.put(record, member) != null) {
          throw damaged(record, "record " + record + " occurs twice");
        }
      }
    }
    return Collections.unmodifiableMap(found);
  }

  /** The folder that holds {@code data.pkl}; else that of the first member. */
  private String topFolder(List<Member> members) {
    if (members.isEmpty()) {
      throw damaged(name, name + " has no members");
    }
    Member marker =
        members.stream()
            .filter(member -> member.name().matches("[^/]+/data\\.pkl"))
            .findFirst()
            .orElse(members.get(0));
    return marker.name().substring(0, marker.name().indexOf('/') + 1);
  }

  private void checkName(String member) {
    boolean escapes =
        member.startsWith("/")
            || member.indexOf('\\') >= 0
            || member.indexOf('\0') >= 0
            || List.of(member.split("/", -1)).contains("..");
    if (escapes) {
      throw damaged(member, "the member name " + member + " leaves the archive's folder");
    }
  }

  /** The archive's file name. */
  public String name() {
    return name;
  }

  public Set<String> records() {
    return records.keySet();
  }

  public boolean has(String record) {
    return records.containsKey(record);
  }

  /** The bytes of a record that will be parsed: code, a pickle or debug information. */
  public byte[] text(String record) {
    Member member = member(record);
    if (member.unpacked() > limits.maxTextBytes()) {
      String text = "record %s has %d bytes, more than the %d that are parsed";
      throw damaged(record, Message.of(text, record, member.unpacked(), limits.maxTextBytes()));
    }
    return content(record, member).toArray(ValueLayout.JAVA_BYTE);
  }

  /** The bytes of a record, read-only; without a copy if it is stored plainly. */
  public MemorySegment bytes(String record) {
    return content(record, member(record));
  }

  /**
   * The record's part of the mapped file, as a storage for {@code scope} that is the caller's to
   * release; null if it has to be copied, because it is packed or lies at an odd place or the
   * archive is no file. To be asked after {@link #bytes}, which checks the record.
   */
  public @Nullable Storage part(String record, ResourceScope scope) {
    Member member = member(record);
    if (mapping == null || member.method() != Member.STORED) {
      return null;
    }
    long start = start(record, member);
    if (start % ALIGNMENT != 0) {
      return null;
    }
    Object part = mapping.part(scope, start, member.packed());
    if (part instanceof Fault fault) {
      throw fault.toException();
    }
    return (Storage) part;
  }

  /** The archive's format version; 1 to {@link #NEWEST_VERSION}. */
  public int version() {
    String record = has(".data/version") ? ".data/version" : "version";
    String text = new String(text(record), StandardCharsets.US_ASCII).strip();
    int version;
    try {
      version = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      String shown = text.length() > 20 ? text.substring(0, 20) + "..." : text;
      throw damaged(record, "record " + record + " should hold a number but holds '" + shown + "'");
    }
    if (version < 1 || version > NEWEST_VERSION) {
      String message = "the archive has format version %d; versions 1 to %d can be read";
      throw damaged(record, Message.of(message, version, NEWEST_VERSION));
    }
    if (has("byteorder")) {
      String order = new String(text("byteorder"), StandardCharsets.US_ASCII).strip();
      if (!order.equals("little")) {
        throw Fault.of(
                FaultType.UNSUPPORTED, "the archive's byte order is " + order + ", not little")
            .withInput("byteorder")
            .toException();
      }
    }
    return version;
  }

  private Member member(String record) {
    Member member = records.get(record);
    if (member == null) {
      throw damaged(record, "the archive has no record " + record);
    }
    return member;
  }

  private MemorySegment content(String record, Member member) {
    MemorySegment packed = file.segment(start(record, member), member.packed());
    MemorySegment content =
        switch (member.method()) {
          case Member.STORED -> packed;
          case Member.DEFLATED -> inflate(record, member, packed);
          default -> throw damaged(record, "record " + record + " is packed in an unknown way");
        };
    if (content.byteSize() != member.unpacked()) {
      throw damaged(record, "record " + record + " does not have the size its directory says");
    }
    if (checksum(content) != member.crc()) {
      throw damaged(
          record,
          "record " + record + " is damaged: its checksum does not match; copy the archive anew");
    }
    return content.asReadOnly();
  }

  private static long checksum(MemorySegment content) {
    CRC32 crc = new CRC32();
    for (long at = 0; at < content.byteSize(); at += PIECE) {
      crc.update(content.asSlice(at, Math.min(PIECE, content.byteSize() - at)).asByteBuffer());
    }
    return crc.getValue();
  }

  /** Where the bytes of a member begin; checked to lie in the file up to their end. */
  private long start(String record, Member member) {
    long header = member.headerOffset();
    if ((member.flags() & 1) != 0) {
      throw damaged(record, "record " + record + " is encrypted");
    }
    if (header > file.size() - LOCAL_HEADER_BYTES || file.getInt(header) != LOCAL_HEADER) {
      throw damaged(record, "record " + record + " does not lie where the directory says");
    }
    int nameBytes = file.getShort(header + 26);
    int extraBytes = file.getShort(header + 28);
    long start = header + LOCAL_HEADER_BYTES + nameBytes + extraBytes;
    if (start > file.size() || member.packed() > file.size() - start) {
      throw damaged(record, "record " + record + " reaches beyond the end of the file");
    }
    return start;
  }

  private MemorySegment inflate(String record, Member member, MemorySegment packed) {
    // deflate packs at most about 1,032 to 1, so a claim beyond that is a lie
    if (member.unpacked() / 1_100 > packed.byteSize() + 64) {
      throw damaged(record, "record " + record + " claims to unpack to more than deflate can pack");
    }
    if (member.unpacked() > limits.maxInflatedBytes()
        || packed.byteSize() > limits.maxInflatedBytes()) {
      String text = "record %s has %d bytes, more than the %d that are unpacked; store it unpacked";
      throw damaged(record, Message.of(text, record, member.unpacked(), limits.maxInflatedBytes()));
    }
    byte[] content = new byte[(int) member.unpacked()];
    int filled = 0;
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(packed.asByteBuffer());
      while (filled < content.length && !inflater.finished()) {
        int more = inflater.inflate(content, filled, content.length - filled);
        filled += more;
        if (more == 0 && inflater.needsInput()) {
          break;
        }
      }
    } catch (DataFormatException e) {
      throw Fault.data(record, "record " + record + " cannot be unpacked")
          .withCause(e)
          .toException();
    }
    return MemorySegment.ofArray(content).asSlice(0, filled);
  }

  private static StaunchException damaged(String record, String message) {
    return Fault.data(record, message).toException();
  }
}
