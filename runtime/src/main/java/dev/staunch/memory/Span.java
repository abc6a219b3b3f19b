package dev.staunch.memory;

import java.lang.foreign.MemorySegment;

/** Some pages of a slab cut into blocks of one class. Used under the lock of the pool. */
final class Span {
  private final Slab slab;
  private final int firstPage;
  private final int pages;
  private final int sizeClass;
  private final int blocks;

  /** Free blocks counted so far; used only while the pool is trimmed. */
  int free;

  private Span(Slab slab, int firstPage, int pages, int sizeClass, int blocks) {
    this.slab = slab;
    this.firstPage = firstPage;
    this.pages = pages;
    this.sizeClass = sizeClass;
    this.blocks = blocks;
  }

  /**
   * How many pages a span of {@code sizeClass} has: enough for some blocks, with little left over.
   */
  static int pages(int sizeClass) {
    long block = SizeClasses.bytes(sizeClass);
    long wanted = Math.max(block, Math.min(block * 8, 1L << 20));
    return (int) ((wanted + Slab.PAGE - 1) / Slab.PAGE);
  }

  static Span of(Slab slab, int firstPage, int sizeClass) {
    int pages = pages(sizeClass);
    int blocks = (int) (pages * Slab.PAGE / SizeClasses.bytes(sizeClass));
    return new Span(slab, firstPage, pages, sizeClass, blocks);
  }

  int sizeClass() {
    return sizeClass;
  }

  int blocks() {
    return blocks;
  }

  /** The bytes of block {@code i}. */
  MemorySegment bytes(int i) {
    long size = SizeClasses.bytes(sizeClass);
    return slab.segment().asSlice(firstPage * Slab.PAGE + i * size, size);
  }

  void letGo() {
    slab.free(firstPage, pages);
  }
}
