package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads one record from its file in pieces that fit a processor's cache, so that the checksum finds
 * there what the read left. Used once.
 */
final class RecordReader {
  private static final int PIECE = 1 << 18;

  private final FileBytes file;
  private final long start;
  private final Member member;
  private final CRC32 checksum = new CRC32();

  RecordReader(FileBytes file, long start, Member member) {
    this.file = file;
    this.start = start;
    this.member = member;
  }

  /** Of the bytes that went through here. */
  long checksum() {
    return checksum.getValue();
  }

  /** Whether the record had as many bytes as {@code into}, which holds them now. */
  boolean fill(MemorySegment into) {
    if (member.method() == Member.DEFLATED) {
      return inflate(into);
    }
    for (long at = 0; at < into.byteSize(); at += PIECE) {
      ByteBuffer piece = piece(into, at);
      file.read(start + at, piece);
      checksum.update(piece.flip());
    }
    return true;
  }

  /** Reads the stored record for its checksum alone. */
  void pass() {
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    for (long at = 0; at < member.packed(); at += PIECE) {
      piece.clear().limit((int) Math.min(PIECE, member.packed() - at));
      file.read(start + at, piece);
      checksum.update(piece.flip());
    }
  }

  private static ByteBuffer piece(MemorySegment of, long at) {
    return of.asSlice(at, Math.min(PIECE, of.byteSize() - at)).asByteBuffer();
  }

  private boolean inflate(MemorySegment into) {
    ByteBuffer unpacked = into.asByteBuffer();
    try (Inflater inflater = new Inflater(true)) {
      ByteBuffer packed = ByteBuffer.allocate(PIECE);
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
      String record = member.name().substring(member.name().indexOf('/') + 1);
      throw Fault.data(record, "record " + record + " cannot be unpacked")
          .withCause(e)
          .toException();
    }
    for (long at = 0; at < into.byteSize(); at += PIECE) {
      checksum.update(piece(into, at));
    }
    return !unpacked.hasRemaining();
  }
}
