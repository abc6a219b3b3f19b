package dev.staunch.tensor;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Reads a segment from start to end. */
final class SegmentChannel implements ReadableByteChannel {
  private final MemorySegment bytes;
  private long at;

  SegmentChannel(MemorySegment bytes) {
    this.bytes = bytes;
  }

  @Override
  public int read(ByteBuffer target) {
    int count = (int) Math.min(target.remaining(), bytes.byteSize() - at);
    if (count == 0 && target.hasRemaining()) {
      return -1;
    }
    MemorySegment.copy(bytes, at, MemorySegment.ofBuffer(target), 0, count);
    target.position(target.position() + count);
    at += count;
    return count;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
