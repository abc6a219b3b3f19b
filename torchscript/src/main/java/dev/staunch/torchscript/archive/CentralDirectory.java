package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a ZIP's directory, from its end, with every offset checked against the file. The local
 * headers of these archives hold no sizes, so nothing else can be trusted.
 */
final class CentralDirectory {
  private static final int END = 0x06054b50;
  private static final int END_64 = 0x06064b50;
  private static final int LOCATOR_64 = 0x07064b50;
  private static final int ENTRY = 0x02014b50;
  private static final int END_BYTES = 22;
  private static final int ENTRY_BYTES = 46;

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
      String text = archive + " is no TorchScript archive but " + kind.words();
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
      if (at + ENTRY_BYTES > limit || file.getInt(at) != ENTRY) {
        throw damaged("entry " + i + " of its directory is damaged");
      }
      int nameBytes = file.getShort(at + 28);
      int extraBytes = file.getShort(at + 30);
      int commentBytes = file.getShort(at + 32);
      long next = at + ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
      if (next > limit) {
        throw damaged("entry " + i + " of its directory is cut off");
      }
      members.add(member(at, nameBytes, extraBytes));
      at = next;
    }
    return members;
  }

  private Member member(long at, int nameBytes, int extraBytes) {
    String name = new String(file.array(at + ENTRY_BYTES, nameBytes), StandardCharsets.UTF_8);
    long[] sizes = {
      file.getUnsigned(at + 24), file.getUnsigned(at + 20), file.getUnsigned(at + 42)
    };
    widen(sizes, at + ENTRY_BYTES + nameBytes, extraBytes);
    if (sizes[0] < 0 || sizes[0] > limits.maxMemberBytes() || sizes[1] < 0 || sizes[2] < 0) {
      throw damaged("its member " + name + " has an impossible size");
    }
    int method = file.getShort(at + 10);
    int flags = file.getShort(at + 8);
    long crc = file.getUnsigned(at + 16);
    return new Member(name, method, flags, crc, sizes[1], sizes[0], sizes[2]);
  }

  /** Takes the sizes that do not fit 32 bits from the zip64 extra field. */
  private void widen(long[] sizes, long start, int bytes) {
    long at = start;
    long limit = start + bytes;
    while (at + 4 <= limit) {
      int id = file.getShort(at);
      int length = file.getShort(at + 2);
      long field = at + 4;
      long end = Math.min(limit, field + length);
      if (id == 1) {
        for (int i = 0; i < sizes.length; i++) {
          if (sizes[i] == 0xffffffffL && field + 8 <= end) {
            sizes[i] = file.getLong(field);
            field += 8;
          }
        }
      }
      at += 4 + length;
    }
  }

  private StaunchException damaged(String what) {
    return Fault.data(archive, archive + " is no readable archive: " + what).toException();
  }
}
