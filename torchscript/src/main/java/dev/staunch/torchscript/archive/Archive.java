package dev.staunch.torchscript.archive;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of a TorchScript archive by record name, which is the member's name without the top
 * folder. Reads only the central directory, checks bounds and the CRC of every record that it
 * returns, and rejects names that escape the folder or occur twice. Everything is read in pieces
 * into the runtime's own memory. No byte of a mapped file reaches the checksum or the
 * decompression, because they run in native code that would crash if the file were truncated.
 * Thread-safe.
 *
 * <p>Errors are {@link StaunchException}s of type data format that name the record and the archive.
 */
public final class Archive implements AutoCloseable {
  /** The newest archive format that libtorch's loaders read. */
  public static final int NEWEST_VERSION = 10;

  /** The alignment of storages (M1). */
  private static final int ALIGNMENT = 64;

  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int LOCAL_HEADER_BYTES = 30;

  private final String name;
  private final @Nullable OpenFile opened;
  private final FileBytes file;
  private final Limits limits;
  private final Map<String, Member> records;
  private String top = "";
  private @Nullable Storage mapping;

  private Archive(String name, @Nullable OpenFile opened, FileBytes file, Limits limits) {
    this.name = name;
    this.opened = opened;
    this.file = file;
    this.limits = limits;
    this.records = records(new CentralDirectory(name, file, limits).read());
  }

  /**
   * Opens the archive in {@code path}. The file may be deleted or replaced meanwhile, because it
   * stays open. If its bytes change, reading it fails with a fault.
   *
   * @param cancel stops reading
   */
  public static Archive open(Path path, Limits limits, CancelScope cancel) {
    OpenFile opened = OpenFile.open(path, cancel);
    boolean open = false;
    try {
      FileBytes bytes = new FileBytes(opened);
      Archive archive = new Archive(String.valueOf(path.getFileName()), opened, bytes, limits);
      open = true;
      return archive;
    } finally {
      if (!open) {
        opened.close();
      }
    }
  }

  public static Archive of(String name, byte[] bytes, Limits limits) {
    return new Archive(name, /* opened= */ null, FileBytes.of(bytes.clone()), limits);
  }

  /** Closes the file; the mapping stays while {@linkplain #part any part of it} is in use. */
  @Override
  public synchronized void close() {
    if (mapping != null) {
      mapping.release();
      mapping = null;
    }
    if (opened != null) {
      opened.close();
    }
  }

  /**
   * Returns a watch on the archive's file since it was opened; null if the archive is not a file.
   */
  public @Nullable FileWatch watch() {
    return opened == null ? null : opened.watch();
  }

  private Map<String, Member> records(List<Member> members) {
    top = topFolder(members);
    Map<String, Member> found = new LinkedHashMap<>();
    for (Member member : members) {
      String path = member.name();
      checkName(path);
      if (path.startsWith(top) && !path.endsWith("/")) {
        String record = path.substring(top.length());
        if (found.put(record, member) != null) {
          throw damaged(record, named(record) + " occurs twice");
        }
      }
    }
    return Collections.unmodifiableMap(found);
  }

  /** The folder that holds {@code data.pkl}; otherwise that of the first member. */
  private String topFolder(List<Member> members) {
    if (members.isEmpty()) {
      throw damaged(name, name + " has no members");
    }
    for (Member member : members) {
      String path = member.name();
      int top = path.indexOf('/') + 1;
      if (top > 1 && path.substring(top).equals("data.pkl")) {
        return path.substring(0, top);
      }
    }
    String first = members.get(0).name();
    return first.substring(0, first.indexOf('/') + 1);
  }

  private void checkName(String member) {
    boolean escapes =
        member.startsWith("/")
            || member.indexOf('\\') >= 0
            || member.indexOf('\0') >= 0
            || List.of(member.split("/", -1)).contains("..");
    if (escapes) {
      throw damaged(member, Message.of("the member name %s leaves the folder of %s", member, name));
    }
  }

  /** The archive's file name. */
  public String name() {
    return name;
  }

  /** The folder of all records, with a trailing slash; empty if they are in none. */
  public String topFolder() {
    return top;
  }

  public Set<String> records() {
    return records.keySet();
  }

  public boolean has(String record) {
    return records.containsKey(record);
  }

  /** Returns the bytes of a record that will be parsed: code, a pickle or debug information. */
  public byte[] text(String record) {
    long claimed = member(record).unpacked();
    if (claimed > limits.maxTextBytes()) {
      String text = "%s has %d bytes, more than the %d that are parsed";
      throw damaged(record, Message.of(text, named(record), claimed, limits.maxTextBytes()));
    }
    RecordReader reader = reader(record);
    byte[] bytes = new byte[(int) reader.size()];
    reader.fill(MemorySegment.ofArray(bytes));
    return bytes;
  }

  /** The size of a record in bytes, checked against what the file can hold. */
  public long size(String record) {
    return reader(record).size();
  }

  private RecordReader reader(String record) {
    Member member = member(record);
    long start = start(record, member);
    RecordReader reader = new RecordReader(name, record, file, start, member);
    boolean sound =
        switch (member.method()) {
          case Member.STORED -> member.unpacked() == member.packed();
          case Member.DEFLATED -> checkRatio(record, member);
          default -> throw damaged(record, named(record) + " is packed in an unknown way");
        };
    if (!sound) {
      throw reader.missized();
    }
    return reader;
  }

  private boolean checkRatio(String record, Member member) {
    // deflate compresses at most about 1,032 to 1, so a claim beyond that is false
    if (member.unpacked() / 1_100 > member.packed() + 64) {
      throw damaged(record, named(record) + " claims to unpack to more than deflate can pack");
    }
    if (Math.max(member.unpacked(), member.packed()) > limits.maxInflatedBytes()) {
      String text = "%s has %d bytes, more than the %d that are unpacked; store it unpacked";
      long most = limits.maxInflatedBytes();
      throw damaged(record, Message.of(text, named(record), member.unpacked(), most));
    }
    return true;
  }

  /** Copies a record to {@code into}, which must have its {@link #size}, and checks it. */
  public void read(String record, MemorySegment into) {
    RecordReader reader = reader(record);
    if (into.byteSize() != reader.size()) {
      throw new IllegalArgumentException(into.byteSize() + " bytes for record " + record);
    }
    reader.fill(into);
  }

  /**
   * Maps a record's part of the file into the memory of {@code scope} and checks it. Returns a
   * storage that the caller must release; or null if the record must be copied, because it is
   * compressed or not aligned, or the archive is not a file. Nothing is read through the mapping
   * here; the file is read through it only when pages are first accessed.
   */
  public @Nullable Storage part(String record, ResourceScope scope) {
    RecordReader reader = reader(record);
    if (opened == null || !reader.isStored() || reader.start() % ALIGNMENT != 0) {
      return null;
    }
    reader.pass();
    Object part = scope.part(mapping(opened, scope), reader.start(), reader.size());
    return Fault.orThrow(part, Storage.class);
  }

  private synchronized Storage mapping(OpenFile from, ResourceScope scope) {
    Storage known = mapping == null ? from.map(scope) : mapping;
    mapping = known;
    return known;
  }

  /** The archive's format version, from 1 to {@link #NEWEST_VERSION}. */
  public int version() {
    String record = has(".data/version") ? ".data/version" : "version";
    String text = new String(text(record), StandardCharsets.US_ASCII).strip();
    int version;
    try {
      version = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      String shown = text.length() > 20 ? text.substring(0, 20) + "..." : text;
      throw damaged(record, named(record) + " should hold a number but holds '" + shown + "'");
    }
    if (version < 1 || version > NEWEST_VERSION) {
      String message = "%s has format version %d; versions 1 to %d can be read";
      throw damaged(record, Message.of(message, name, version, NEWEST_VERSION));
    }
    if (has("byteorder")) {
      String order = new String(text("byteorder"), StandardCharsets.US_ASCII).strip();
      if (!order.equals("little")) {
        throw Fault.of(
                FaultType.UNSUPPORTED,
                Message.of("the byte order of %s is %s, not little", name, order))
            .withInput("byteorder")
            .toException();
      }
    }
    return version;
  }

  private Member member(String record) {
    Member member = records.get(record);
    if (member == null) {
      throw damaged(record, name + " has no record " + record);
    }
    return member;
  }

  /** The offset of a member's bytes; checks that they are inside the file up to their end. */
  private long start(String record, Member member) {
    long header = member.headerOffset();
    if ((member.flags() & 1) != 0) {
      throw damaged(record, named(record) + " is encrypted");
    }
    long end = file.size();
    ByteBuffer local =
        header > end - LOCAL_HEADER_BYTES ? null : file.copy(header, LOCAL_HEADER_BYTES);
    if (local == null || local.getInt(0) != LOCAL_HEADER) {
      throw damaged(record, named(record) + " does not lie where the directory says");
    }
    int nameBytes = local.getShort(26) & 0xffff;
    int extraBytes = local.getShort(28) & 0xffff;
    long start = header + LOCAL_HEADER_BYTES + nameBytes + extraBytes;
    if (start > end || member.packed() > end - start) {
      throw damaged(record, named(record) + " reaches beyond the end of the file");
    }
    return start;
  }

  private String named(String record) {
    return "record " + record + " of " + name;
  }

  private static StaunchException damaged(String record, String message) {
    return Fault.data(record, message).toException();
  }
}
