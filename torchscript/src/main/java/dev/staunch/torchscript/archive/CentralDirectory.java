package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a ZIP's directory, from its end, and checks every offset against the file. The local
 * headers of these archives contain no sizes, so nothing else can be trusted.
 */
final class CentralDirectory {
  private static final int END = 0x06054b50;
  private static final int END_64 = 0x06064b50;
  private static final int LOCATOR_64 = 0x07064b50;
  private static final int ENTRY = 0x02014b50;
  private static final int END_BYTES = 22;
  private static final int ENTRY_BYTES = 46;

  /** The largest 32-bit number, which marks a value that does not fit. */
  private static final long UNSIGNED = 0xffffffffL;

  private final String archive;
  private final FileBytes file;
  private final Limits limits;

  CentralDirectory(String archive, FileBytes file, Limits limits) {
    this.archive = archive;
    this.file = file;
    this.limits = limits;
  }

  List<Member> read() {
    long end = findEnd();
    long count = file.getShort(end + 10);
    long size = file.getUnsigned(end + 12);
    long offset = file.getUnsigned(end + 16);
    if (count == 0xffff || size == 0xffffffffL || offset == 0xffffffffL) {
      long end64 = findEnd64(end);
      count = file.getLong(end64 + 32);
      size = file.getLong(end64 + 40);
      offset = file.getLong(end64 + 48);
    }
    if (count < 0 || count > limits.maxMembers()) {
      throw damaged(Message.of("it claims %d members, more than %d", count, limits.maxMembers()));
    }
    if (offset < 0 || size < 0 || offset > end || size > end - offset) {
      throw damaged("its directory lies outside the file");
    }
    return entries(offset, offset + size, (int) count);
  }

  private long findEnd() {
    long lowest = Math.max(0, file.size() - END_BYTES - 0xffff);
    for (long at = file.size() - END_BYTES; at >= lowest; at--) {
      if (file.getInt(at) == END && at + END_BYTES + file.getShort(at + 20) <= file.size()) {
        return at;
      }
    }
    FileKind kind = FileKind.of(file);
    if (kind != null) {
      String text = archive + " is not a TorchScript archive but " + kind.words();
      throw Fault.data(archive, text).toException();
    }
    throw damaged(
        file.size() == 0
            ? "the file is empty"
            : "the end of a ZIP file is missing, so it is cut off or was never an archive");
  }

  private long findEnd64(long end) {
    long locator = end - 20;
    if (locator >= 0 && file.getInt(locator) == LOCATOR_64) {
      long at = file.getLong(locator + 8);
      if (at >= 0 && at <= locator - 56 && file.getInt(at) == END_64) {
        return at;
      }
    }
    throw damaged("its zip64 directory end is missing");
  }

  private List<Member> entries(long start, long limit, int count) {
    List<Member> members = new ArrayList<>();
    long at = start;
    for (int i = 0; i < count; i++) {
      ByteBuffer entry = at + ENTRY_BYTES > limit ? null : file.copy(at, ENTRY_BYTES);
      if (entry == null || entry.getInt(0) != ENTRY) {
        throw damaged("entry " + i + " of its directory is damaged");
      }
      int nameBytes = entry.getShort(28) & 0xffff;
      int extraBytes = entry.getShort(30) & 0xffff;
      int commentBytes = entry.getShort(32) & 0xffff;
      long name = at + ENTRY_BYTES;
      at = name + nameBytes + extraBytes + commentBytes;
      if (at > limit) {
        throw damaged("entry " + i + " of its directory is cut off");
      }
      members.add(
          member(entry, file.copy(name, nameBytes), file.copy(name + nameBytes, extraBytes)));
    }
    return members;
  }

  private Member member(ByteBuffer entry, ByteBuffer nameText, ByteBuffer extra) {
    String name = StandardCharsets.UTF_8.decode(nameText).toString();
    long[] sizes = {
      entry.getInt(24) & UNSIGNED, entry.getInt(20) & UNSIGNED, entry.getInt(42) & UNSIGNED
    };
    widen(sizes, extra);
    if (sizes[0] < 0 || sizes[0] > limits.maxMemberBytes() || sizes[1] < 0 || sizes[2] < 0) {
      throw damaged("its member " + name + " has an impossible size");
    }
    int method = entry.getShort(10) & 0xffff;
    int flags = entry.getShort(8) & 0xffff;
    long crc = entry.getInt(16) & UNSIGNED;
    return new Member(name, method, flags, crc, sizes[1], sizes[0], sizes[2]);
  }

  /** Takes the sizes that do not fit in 32 bits from the zip64 extra field. */
  private static void widen(long[] sizes, ByteBuffer extra) {
    int at = 0;
    while (at + 4 <= extra.limit()) {
      int id = extra.getShort(at) & 0xffff;
      int field = at + 4;
      at = field + (extra.getShort(at + 2) & 0xffff);
      int end = Math.min(extra.limit(), at);
      if (id == 1) {
        for (int i = 0; i < sizes.length; i++) {
          if (sizes[i] == UNSIGNED && field + 8 <= end) {
            sizes[i] = extra.getLong(field);
            field += 8;
          }
        }
      }
    }
  }

  private StaunchException damaged(String what) {
    return Fault.data(archive, archive + " is not a readable archive: " + what).toException();
  }
}
