package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads one record from its file in pieces that fit in a processor cache, so that the checksum
 * finds the data still in the cache. Used once.
 */
final class RecordReader {
  private static final int PIECE = 1 << 18;

  private final String archive;
  private final String record;
  private final FileBytes file;
  private final long start;
  private final Member member;
  private final CRC32 checksum = new CRC32();

  /**
   * @param archive the file's name in faults
   * @param start the offset of the record's bytes, all of which are inside the file
   */
  RecordReader(String archive, String record, FileBytes file, long start, Member member) {
    this.archive = archive;
    this.record = record;
    this.file = file;
    this.start = start;
    this.member = member;
  }

  /** The size in bytes, decompressed. */
  long size() {
    return member.unpacked();
  }

  long start() {
    return start;
  }

  boolean isStored() {
    return member.method() == Member.STORED;
  }

  /** Copies the record to {@code into}, which must have its size. */
  void fill(MemorySegment into) {
    if (!isStored() && !inflate(into)) {
      throw missized();
    }
    for (long at = 0; at < into.byteSize(); at += PIECE) {
      ByteBuffer piece = piece(into, at);
      if (isStored()) {
        file.read(start + at, piece);
        piece.flip();
      }
      checksum.update(piece);
    }
    check();
  }

  /** Reads the stored record only to verify its checksum. */
  void pass() {
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    for (long at = 0; at < member.packed(); at += PIECE) {
      piece.clear().limit((int) Math.min(PIECE, member.packed() - at));
      file.read(start + at, piece);
      checksum.update(piece.flip());
    }
    check();
  }

  private void check() {
    if (checksum.getValue() != member.crc()) {
      throw damaged("is damaged: its checksum does not match; copy the archive anew").toException();
    }
  }

  StaunchException missized() {
    return damaged("does not have the size its directory says").toException();
  }

  private Fault damaged(String how) {
    return Fault.data(record, Message.of("record %s of %s %s", record, archive, how));
  }

  private static ByteBuffer piece(MemorySegment of, long at) {
    return of.asSlice(at, Math.min(PIECE, of.byteSize() - at)).asByteBuffer();
  }

  private boolean inflate(MemorySegment into) {
    ByteBuffer unpacked = into.asByteBuffer();
    try (Inflater inflater = new Inflater(true)) {
      ByteBuffer packed = ByteBuffer.allocate((int) Math.min(PIECE, member.packed()));
      long read = 0;
      while (unpacked.hasRemaining() && !inflater.finished() && !inflater.needsDictionary()) {
        if (inflater.needsInput()) {
          packed.clear().limit((int) Math.min(PIECE, member.packed() - read));
          if (!packed.hasRemaining()) {
            return false;
          }
          file.read(start + read, packed);
          read += packed.limit();
          inflater.setInput(packed.flip());
        }
        inflater.inflate(unpacked);
      }
    } catch (DataFormatException e) {
      throw damaged("cannot be unpacked").withCause(e).toException();
    }
    return !unpacked.hasRemaining();
  }
}
