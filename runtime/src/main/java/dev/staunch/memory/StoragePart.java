package dev.staunch.memory;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Part of another storage, usually of a mapped file with many weights: keeps the whole, and holds
 * the copy that is made when the part is first written.
 */
final class StoragePart implements Source {
  private final Storage whole;
  private final ResourceScope scope;
  private @Nullable Storage copy;

  /** Takes over a reference to {@code whole}. */
  StoragePart(Storage whole, ResourceScope scope) {
    this.whole = whole;
    this.scope = scope;
  }

  /** A writable copy of {@code bytes}, or a fault; asked for once, under the storage's lock. */
  Object copy(MemorySegment bytes) {
    Object allocated = scope.allocate(bytes.byteSize());
    if (!(allocated instanceof Storage fresh)) {
      return allocated;
    }
    try {
      fresh.segment().copyFrom(bytes);
    } catch (InternalError e) { // a page of the file is gone
      fresh.release();
      return Fault.thrown(e);
    }
    copy = fresh;
    return fresh.segment();
  }

  @Override
  public void giveBack(int generation) {
    if (copy != null) {
      copy.release();
    }
    whole.release();
  }
}
