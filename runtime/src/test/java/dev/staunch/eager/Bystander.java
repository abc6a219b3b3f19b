package dev.staunch.eager;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Another user of the same memory. It holds a few tensors with patterns of its own, in blocks that
 * were just given back if there are any, and checks each of their bytes.
 */
final class Bystander implements AutoCloseable {
  private static final int MOST = 4;

  /** A tensor all of whose bytes are {@code pattern}. */
  private record Held(DenseTensor tensor, byte pattern) {
    @Nullable String difference() {
      MemorySegment bytes = tensor.segment();
      long last = bytes.byteSize() - 1;
      long at = bytes.get(ValueLayout.JAVA_BYTE, 0) == pattern ? same(bytes, last) : 0;
      return at < 0
          ? null
          : "byte " + at + " of a bystander's " + tensor.describe() + " was overwritten";
    }

    /** The first byte that differs from the one before it, or -1. */
    private static long same(MemorySegment bytes, long last) {
      long at = MemorySegment.mismatch(bytes, 0, last, bytes, 1, last + 1);
      return at < 0 ? -1 : at + 1;
    }
  }

  private final ResourceScope scope;
  private final Deque<Held> held = new ArrayDeque<>();
  private byte next = 1;

  Bystander(OffHeap memory) {
    this.scope = ResourceScope.open(memory, "bystander");
  }

  /**
   * Returns the first difference that it finds, or null; then takes a block of {@code bytes} and
   * gives its oldest block back.
   */
  @Nullable String look(long bytes) {
    String wrong = null;
    for (Held each : held) {
      wrong = wrong == null ? each.difference() : wrong;
    }
    if (held.size() >= MOST) {
      held.removeFirst().tensor().close();
    }
    Shape shape = Shape.of(Math.max(1, bytes));
    if (DenseTensor.allocate(scope, DType.INT8, shape) instanceof DenseTensor fresh) {
      next = (byte) (next + 37);
      fresh.segment().fill(next);
      held.addLast(new Held(fresh, next));
    }
    return wrong;
  }

  @Override
  public void close() {
    scope.close();
  }
}
