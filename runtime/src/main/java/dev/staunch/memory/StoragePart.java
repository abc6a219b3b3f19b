package dev.staunch.memory;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Part of another storage, usually of a mapped file with many weights, or all of a lent segment.
 * Keeps the whole alive, and holds the copy that is created when the part is first written.
 */
final class StoragePart implements Source {
  private final Storage whole;
  private final LongFunction<Object> allocate;
  private @Nullable Storage copy;

  private StoragePart(Storage whole, LongFunction<Object> allocate) {
    this.whole = whole;
    this.allocate = allocate;
  }

  /**
   * Some bytes of {@code whole} as a storage, or a fault; {@code allocate} provides memory for
   * their copy.
   */
  static Object of(Storage whole, long offset, long length, LongFunction<Object> allocate) {
    if (offset < 0 || length < 0 || length > whole.byteSize() - offset) {
      return Fault.value(
          Message.of("a storage of %d bytes has no %d at %d", whole.byteSize(), length, offset));
    }
    if (!whole.retain()) {
      return Fault.of(FaultType.CLOSED, "the storage was released before this use");
    }
    return new Storage(
        whole.segment().asSlice(offset, length),
        new StoragePart(whole, allocate),
        0,
        /* owner= */ null);
  }

  /**
   * All of {@code bytes}, which stay the lender's; {@code allocate} provides memory for their copy.
   */
  static Storage ofLent(MemorySegment bytes, LongFunction<Object> allocate) {
    Source lender = generation -> {};
    Storage whole = new Storage(bytes.asReadOnly(), lender, 0, /* owner= */ null);
    return new Storage(whole.segment(), new StoragePart(whole, allocate), 0, /* owner= */ null);
  }

  @Override
  public Object copy(MemorySegment bytes) {
    Object allocated = allocate.apply(bytes.byteSize());
    if (!(allocated instanceof Storage fresh)) {
      return allocated;
    }
    try {
      fresh.segment().copyFrom(bytes);
    } catch (InternalError | IllegalStateException e) { // a page of the file, or its arena, is gone
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
