package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Blocks are reused by size, never shared, and go back to the system when trimmed (M6). */
class BlockPoolTest {
  private static final long MIB = 1 << 20;

  /** Guarded memory has no pool. */
  private static OffHeap pooled(long budget) {
    return OffHeap.of(MemoryOptions.withBudget(budget).withGuard(false));
  }

  private final OffHeap memory = pooled(512 * MIB);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  private Storage take(long bytes) {
    return assertInstanceOf(Storage.class, scope.allocate(bytes));
  }

  @Test
  void m6SizeClassesAreMultiplesOf64InOrderAndWasteLittle() {
    long before = 0;
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      long bytes = SizeClasses.bytes(i);
      assertTrue(bytes > before && bytes % 64 == 0, "class " + i);
      assertEquals(i, SizeClasses.of(bytes));
      assertEquals(i, SizeClasses.of(before + 1));
      assertTrue(before < 512 || bytes - before <= bytes / 5 + 1, "class " + i);
      before = bytes;
    }
    assertEquals(SizeClasses.LARGEST, before);
    assertEquals(0, SizeClasses.of(0));
  }

  @Test
  void m6AFreedBlockServesTheNextOfItsSize() {
    for (long bytes : List.of(16L, 4096L, 3 * MIB, 40 * MIB)) {
      Storage first = take(bytes);
      long address = first.segment().address();
      assertEquals(0, address % 64);
      first.release();
      Storage second = take(bytes);
      assertEquals(address, second.segment().address(), bytes + " bytes");
      second.release();
    }
    MemoryMetrics metrics = memory.metrics();
    assertEquals(4, metrics.poolHits());
    assertEquals(4, metrics.poolMisses());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m6ABlockGivenBackTwiceIsCaught() {
    BlockPool pool = new BlockPool(0, false);
    Block block = pool.takeNew(100);
    block.storage(100, memory.account());
    block.giveBack(1);
    assertThrows(IllegalStateException.class, () -> block.giveBack(1));
    assertSame(block, pool.takeFree(100));
    block.storage(100, memory.account());
    assertThrows(IllegalStateException.class, () -> block.giveBack(1), "a stale storage");
    block.giveBack(3);
    assertTrue(pool.trim() > 0);
  }

  @Test
  void m6TrimGivesFreeSlabsBackAndKeepsThoseInUse() {
    List<Storage> many = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      many.add(take(20_000));
    }
    many.add(take(30 * MIB));
    long most = memory.reservedBytes();
    assertTrue(most >= 90 * MIB, "reserved " + most);
    Storage kept = many.removeFirst();
    kept.segment().fill((byte) 5);
    many.forEach(Storage::release);
    assertTrue(memory.metrics().pooledBytesTotal() > 80 * MIB);
    long freed = memory.trim();
    assertEquals(most - freed, memory.reservedBytes());
    assertTrue(memory.reservedBytes() <= 8 * MIB, "one slab is in use");
    assertEquals(5, kept.segment().get(ValueLayout.JAVA_BYTE, 19_999));
    kept.release();
    memory.trim();
    assertEquals(0, memory.reservedBytes());
    assertEquals(0, memory.metrics().pooledBytesTotal());
    assertEquals(2, memory.metrics().trims());
    take(100).release();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m6LargeBlocksAreKeptUpToTheCap() {
    OffHeap capped =
        OffHeap.of(MemoryOptions.withBudget(512 * MIB).withCachedBytes(20 * MIB).withGuard(false));
    try (ResourceScope small = ResourceScope.open(capped, "test")) {
      Storage first = assertInstanceOf(Storage.class, small.allocate(16 * MIB));
      Storage second = assertInstanceOf(Storage.class, small.allocate(16 * MIB));
      first.release();
      second.release();
      assertEquals(16 * MIB, capped.reservedBytes());
      Storage similar = assertInstanceOf(Storage.class, small.allocate(15 * MIB + 1));
      assertEquals(16 * MIB, capped.reservedBytes(), "a similar size is served from the kept one");
      similar.release();
      Storage smaller = assertInstanceOf(Storage.class, small.allocate(5 * MIB));
      assertEquals(21 * MIB, capped.reservedBytes(), "a much smaller one is not");
      smaller.release();
    }
    assertEquals(0, capped.account().bytes());
  }

  @Test
  void m5WhatThePoolKeepsIsTrimmedBeforeTheSystemHasToGiveMoreThanTheBudget() {
    OffHeap tight =
        OffHeap.of(MemoryOptions.withBudget(64 * MIB).withCachedBytes(64 * MIB).withGuard(false));
    try (ResourceScope small = ResourceScope.open(tight, "test")) {
      assertInstanceOf(Storage.class, small.allocate(40 * MIB)).release();
      Storage other = assertInstanceOf(Storage.class, small.allocate(60 * MIB));
      assertTrue(tight.reservedBytes() <= 64 * MIB, "reserved " + tight.reservedBytes());
      other.release();
    }
    assertEquals(0, tight.account().bytes());
  }

  /** What {@link MemoryOptions} promises, for the sizes of each class that waste the most. */
  @Test
  void m5WhatIsReservedForOpenStoragesIsAtMostTwiceTheirBytesAnd16MiB() {
    for (int i = 0; i <= SizeClasses.COUNT; i++) {
      long wasteful = i == 0 ? 1 : SizeClasses.bytes(i - 1) + 1;
      assertReservedWithinBound(() -> wasteful, 20 * MIB);
    }
    Random random = new Random(7);
    assertReservedWithinBound(() -> 1 + random.nextLong(1L << random.nextInt(7, 24)), 200 * MIB);
  }

  /** Opens storages of {@code sizes} until they total {@code enough} bytes. */
  private static void assertReservedWithinBound(LongSupplier sizes, long enough) {
    OffHeap fresh = pooled(512 * MIB);
    List<Storage> open = new ArrayList<>();
    long counted = 0;
    try (ResourceScope own = ResourceScope.open(fresh, "test")) {
      while (counted < enough) {
        long bytes = sizes.getAsLong();
        open.add(assertInstanceOf(Storage.class, own.allocate(bytes)));
        counted += Math.max(64, bytes);
        long reserved = fresh.reservedBytes();
        assertTrue(reserved <= 2 * counted + 16 * MIB, reserved + " for " + counted);
      }
      open.forEach(Storage::release);
    }
    fresh.trim();
    assertEquals(0, fresh.reservedBytes());
    assertEquals(0, fresh.account().bytes());
  }

  @Test
  void m6NoTwoThreadsEverHaveTheSameBlockWhileAnotherTrims() throws Exception {
    long seed = 5;
    ConcurrentLinkedQueue<Storage> passed = new ConcurrentLinkedQueue<>();
    LifeTest.atOnce(
        4,
        thread -> {
          Random random = new Random(seed + thread);
          List<Storage> mine = new ArrayList<>();
          for (int i = 0; i < 20_000; i++) {
            if (thread == 0 && i % 500 == 0) {
              memory.trim();
            }
            if (mine.size() < 50 && random.nextBoolean()) {
              Storage storage = take(1 + random.nextInt(3000));
              storage.segment().fill((byte) thread);
              mine.add(storage);
            } else if (!mine.isEmpty()) {
              Storage storage = mine.remove(random.nextInt(mine.size()));
              for (long at : new long[] {0, storage.byteSize() / 2, storage.byteSize() - 1}) {
                byte found = storage.segment().get(ValueLayout.JAVA_BYTE, at);
                assertEquals(thread, found, "seed " + seed);
              }
              passed.add(storage); // freed by whichever thread comes next
              Storage other = passed.poll();
              if (other != null) {
                other.release();
              }
            }
          }
          mine.forEach(Storage::release);
        });
    passed.forEach(Storage::release);
    assertEquals(0, memory.account().bytes());
    memory.trim();
    assertEquals(0, memory.reservedBytes());
  }
}
