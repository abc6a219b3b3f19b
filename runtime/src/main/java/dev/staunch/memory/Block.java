package dev.staunch.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one storage at a time: a piece of a span, or, if larger than the largest class, an
 * arena of its own. Whoever took it from the pool has it alone.
 */
final class Block implements Source {
  /** Where blocks come from, and go back to. */
  interface Pool {
    void give(Block block);
  }

  private final Pool pool;
  final MemorySegment segment;
  final int sizeClass;
  final @Nullable Span span;
  final @Nullable Arena arena;

  /** Counts the times it was given out and back; odd while out. */
  private int generation;

  /** The piece handed out last, at hand for a storage of the same size. */
  private MemorySegment lastPiece;

  private Block(
      Pool pool, MemorySegment segment, int sizeClass, @Nullable Span span, @Nullable Arena arena) {
    this.pool = pool;
    this.segment = segment;
    this.sizeClass = sizeClass;
    this.span = span;
    this.arena = arena;
    this.lastPiece = segment;
  }

  static Block of(Pool pool, Span span, MemorySegment segment) {
    return new Block(pool, segment, span.sizeClass(), span, null);
  }

  static Block large(Pool pool, MemorySegment segment, Arena arena) {
    return new Block(pool, segment, -1, null, arena);
  }

  long byteSize() {
    return segment.byteSize();
  }

  /** The block as a storage of {@code bytes} with one reference. */
  Storage storage(long bytes, Account owner) {
    generation++;
    MemorySegment piece = lastPiece;
    if (piece.byteSize() != bytes) {
      piece = segment.asSlice(0, bytes);
      lastPiece = piece;
    }
    return new Storage(piece, this, generation, owner);
  }

  @Override
  public void giveBack(int givenOutAs) {
    if (generation != givenOutAs) {
      throw new IllegalStateException("a block was given back twice");
    }
    generation++;
    pool.give(this);
  }
}
