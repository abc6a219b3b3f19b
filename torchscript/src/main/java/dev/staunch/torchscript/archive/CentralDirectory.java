package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.nio.ByteBuffer;
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
  private final ByteBuffer file;
  private final Limits limits;

  /** {@code file} is little-endian and holds the whole archive. */
  CentralDirectory(String archive, ByteBuffer file, Limits limits) {
    this.archive = archive;
    this.file = file;
    this.limits = limits;
  }

  List<Member> read() {
    int end = findEnd();
    long count = file.getShort(end + 10) & 0xffff;
    long size = file.getInt(end + 12) & 0xffffffffL;
    long offset = file.getInt(end + 16) & 0xffffffffL;
    if (count == 0xffff || size == 0xffffffffL || offset == 0xffffffffL) {
      int end64 = findEnd64(end);
      count = file.getLong(end64 + 32);
      size = file.getLong(end64 + 40);
      offset = file.getLong(end64 + 48);
    }
    if (count < 0 || count > limits.maxMembers()) {
      throw damaged("it claims %d members, more than %d".formatted(count, limits.maxMembers()));
    }
    if (offset < 0 || size < 0 || offset > end || size > end - offset) {
      throw damaged("its directory lies outside the file");
    }
    return entries((int) offset, (int) (offset + size), (int) count);
  }

  private int findEnd() {
    int lowest = Math.max(0, file.limit() - END_BYTES - 0xffff);
    for (int at = file.limit() - END_BYTES; at >= lowest; at--) {
      if (file.getInt(at) == END
          && at + END_BYTES + (file.getShort(at + 20) & 0xffff) <= file.limit()) {
        return at;
      }
    }
    throw damaged(
        file.limit() == 0
            ? "the file is empty"
            : "the end of a ZIP archive is missing: the file is cut off or no archive");
  }

  private int findEnd64(int end) {
    int locator = end - 20;
    if (locator >= 0 && file.getInt(locator) == LOCATOR_64) {
      long at = file.getLong(locator + 8);
      if (at >= 0 && at <= locator - 56 && file.getInt((int) at) == END_64) {
        return (int) at;
      }
    }
    throw damaged("its zip64 directory end is missing");
  }

  private List<Member> entries(int start, int limit, int count) {
    List<Member> members = new ArrayList<>();
    int at = start;
    for (int i = 0; i < count; i++) {
      if (at + ENTRY_BYTES > limit || file.getInt(at) != ENTRY) {
        throw damaged("entry " + i + " of its directory is damaged");
      }
      int nameBytes = file.getShort(at + 28) & 0xffff;
      int extraBytes = file.getShort(at + 30) & 0xffff;
      int commentBytes = file.getShort(at + 32) & 0xffff;
      int next = at + ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
      if (next > limit) {
        throw damaged("entry " + i + " of its directory is cut off");
      }
      members.add(member(at, nameBytes, extraBytes));
      at = next;
    }
    return members;
  }

  private Member member(int at, int nameBytes, int extraBytes) {
    byte[] raw = new byte[nameBytes];
    file.get(at + ENTRY_BYTES, raw);
    String name = new String(raw, StandardCharsets.UTF_8);
    long[] sizes = {
      file.getInt(at + 24) & 0xffffffffL,
      file.getInt(at + 20) & 0xffffffffL,
      file.getInt(at + 42) & 0xffffffffL
    };
    widen(sizes, at + ENTRY_BYTES + nameBytes, extraBytes);
    if (sizes[0] < 0 || sizes[0] > limits.maxMemberBytes() || sizes[1] < 0 || sizes[2] < 0) {
      throw damaged("its member " + name + " has an impossible size");
    }
    int method = file.getShort(at + 10) & 0xffff;
    int flags = file.getShort(at + 8) & 0xffff;
    long crc = file.getInt(at + 16) & 0xffffffffL;
    return new Member(name, method, flags, crc, sizes[1], sizes[0], sizes[2]);
  }

  /** Takes the sizes that do not fit 32 bits from the zip64 extra field. */
  private void widen(long[] sizes, int start, int bytes) {
    int at = start;
    int limit = start + bytes;
    while (at + 4 <= limit) {
      int id = file.getShort(at) & 0xffff;
      int length = file.getShort(at + 2) & 0xffff;
      int field = at + 4;
      int end = Math.min(limit, field + length);
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
