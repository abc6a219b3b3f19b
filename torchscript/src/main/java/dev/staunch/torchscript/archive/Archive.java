package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The members of a TorchScript archive by record name, which is the member's name without the top
 * folder. Reads the central directory only, checks bounds and the CRC of every record that it hands
 * out, and refuses names that escape or occur twice. Thread-safe.
 *
 * <p>Errors are {@link StaunchException}s of type data format that name the record.
 */
public final class Archive {
  /** The newest archive format that libtorch's loaders read. */
  public static final int NEWEST_VERSION = 10;

  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int LOCAL_HEADER_BYTES = 30;

  private final String name;
  private final ByteBuffer file;
  private final Limits limits;
  private final Map<String, Member> records;

  private Archive(String name, ByteBuffer file, Limits limits) {
    this.name = name;
    this.file = file.order(ByteOrder.LITTLE_ENDIAN);
    this.limits = limits;
    this.records = records(new CentralDirectory(name, file, limits).read());
  }

  /** Opens the archive in {@code path}; the file is mapped and may be deleted, but not changed. */
  public static Archive open(Path path, Limits limits) {
    String name = String.valueOf(path.getFileName());
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      if (channel.size() > Integer.MAX_VALUE) {
        throw Fault.unsupported(name + " is larger than 2 GiB, which is not supported yet")
            .toException();
      }
      return new Archive(
          name, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()), limits);
    } catch (IOException e) {
      throw unreadable(name, path, e).toException();
    }
  }

  private static Fault unreadable(String name, Path path, IOException e) {
    String start = path + " cannot be read: ";
    if (Files.isDirectory(path)) {
      return Fault.data(name, start + "it is a folder, not an archive");
    }
    return switch (e) {
      case NoSuchFileException missing -> Fault.data(name, start + "there is no such file");
      case AccessDeniedException denied ->
          Fault.data(name, start + "its permissions do not allow it");
      default -> Fault.data(name, start + e).withCause(e);
    };
  }

  public static Archive of(String name, byte[] bytes, Limits limits) {
    return new Archive(name, ByteBuffer.wrap(bytes.clone()), limits);
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
      throw damaged(record, text.formatted(record, member.unpacked(), limits.maxTextBytes()));
    }
    ByteBuffer content = content(record, member);
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return bytes;
  }

  /** The bytes of a record, read-only; without a copy if it is stored plainly. */
  public ByteBuffer bytes(String record) {
    return content(record, member(record));
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
      throw damaged(record, message.formatted(version, NEWEST_VERSION));
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

  private ByteBuffer content(String record, Member member) {
    ByteBuffer packed = packed(record, member);
    ByteBuffer content =
        switch (member.method()) {
          case Member.STORED -> packed;
          case Member.DEFLATED -> inflate(record, member, packed);
          default -> throw damaged(record, "record " + record + " is packed in an unknown way");
        };
    if (content.remaining() != member.unpacked()) {
      throw damaged(record, "record " + record + " does not have the size its directory says");
    }
    CRC32 crc = new CRC32();
    crc.update(content.duplicate());
    if (crc.getValue() != member.crc()) {
      throw damaged(record, "record " + record + " is damaged: its checksum does not match");
    }
    return content.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer packed(String record, Member member) {
    long header = member.headerOffset();
    if ((member.flags() & 1) != 0) {
      throw damaged(record, "record " + record + " is encrypted");
    }
    if (header > file.limit() - LOCAL_HEADER_BYTES || file.getInt((int) header) != LOCAL_HEADER) {
      throw damaged(record, "record " + record + " does not lie where the directory says");
    }
    int nameBytes = file.getShort((int) header + 26) & 0xffff;
    int extraBytes = file.getShort((int) header + 28) & 0xffff;
    long start = header + LOCAL_HEADER_BYTES + nameBytes + extraBytes;
    if (start > file.limit() || member.packed() > file.limit() - start) {
      throw damaged(record, "record " + record + " reaches beyond the end of the file");
    }
    return file.slice((int) start, (int) member.packed()).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer inflate(String record, Member member, ByteBuffer packed) {
    // deflate packs at most about 1,032 to 1, so a claim beyond that is a lie
    if (member.unpacked() > packed.remaining() * 1_100L + 64) {
      throw damaged(record, "record " + record + " claims to unpack to more than deflate can pack");
    }
    ByteBuffer content = ByteBuffer.allocate((int) member.unpacked());
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(packed);
      while (content.hasRemaining() && !inflater.finished()) {
        if (inflater.inflate(content) == 0 && inflater.needsInput()) {
          break;
        }
      }
    } catch (DataFormatException e) {
      throw Fault.data(record, "record " + record + " cannot be unpacked")
          .withCause(e)
          .toException();
    }
    return content.flip();
  }

  private static StaunchException damaged(String record, String message) {
    return Fault.data(record, message).toException();
  }
}
