package dev.staunch.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one storage at a time: a piece of a span or, if larger than the largest class, an
 * arena of its own. Whoever took the block from the pool has exclusive use of it.
 */
final class Block implements Source {
  /** The pool that blocks come from and return to. */
  interface Pool {
    void give(Block block);
  }

  private final Pool pool;
  final MemorySegment segment;
  final int sizeClass;
  final @Nullable Span span;
  final @Nullable Arena arena;

  /** How often the block was given out and returned; odd while it is out. */
  private int generation;

  /** The segment handed out last, ready for a storage of the same size. */
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
