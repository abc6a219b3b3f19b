package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The memory and the reports of one test; closing it checks for leaks. */
final class Trial implements AutoCloseable {
  final OffHeap memory = OffHeap.withBudget(64 << 20);
  final List<Fault> reports = Collections.synchronizedList(new ArrayList<>());
  final AtomicInteger made = new AtomicInteger();
  final PrefetchOptions options = PrefetchOptions.defaults().withReports(reports::add);
  private final List<Prefetcher<?>> prefetchers = Collections.synchronizedList(new ArrayList<>());

  NumberBatch batch(long epoch, long number, long bytes) {
    ResourceScope scope = ResourceScope.open(memory, "batch " + number);
    Object tensor = DenseTensor.allocate(scope, DType.UINT8, Shape.of(bytes));
    made.incrementAndGet();
    return new NumberBatch(
        epoch, number, bytes, scope, assertInstanceOf(DenseTensor.class, tensor));
  }

  Prefetcher<NumberBatch> open(Source<NumberBatch> source) {
    return open(source, options, FaultPolicy.stop());
  }

  Prefetcher<NumberBatch> open(
      Source<NumberBatch> source, PrefetchOptions chosen, FaultPolicy<NumberBatch> policy) {
    Prefetcher<NumberBatch> opened = Prefetcher.open(source, chosen, policy);
    prefetchers.add(opened);
    return opened;
  }

  /** The items of the prefetcher up to its end or a fault: numbers of batches, then any fault. */
  static List<Object> rest(Prefetcher<NumberBatch> prefetcher) {
    List<Object> seen = new ArrayList<>();
    while (true) {
      switch (prefetcher.next()) {
        case Item.Good<NumberBatch>(NumberBatch batch) -> {
          seen.add(batch.number());
          batch.close();
        }
        case Item.Bad<NumberBatch>(Fault fault) -> {
          seen.add(fault.type());
          return seen;
        }
        case Item.End<NumberBatch> _ -> {
          return seen;
        }
      }
    }
  }

  static NumberBatch good(Item<NumberBatch> item) {
    if (item instanceof Item.Good<NumberBatch>(NumberBatch batch)) {
      return batch;
    }
    throw new AssertionError("a batch was expected, got " + item);
  }

  static Fault bad(Item<NumberBatch> item) {
    if (item instanceof Item.Bad<NumberBatch>(Fault fault)) {
      return fault;
    }
    throw new AssertionError("a fault was expected, got " + item);
  }

  @Override
  public void close() {
    for (Prefetcher<?> prefetcher : List.copyOf(prefetchers)) {
      prefetcher.close();
      joinOf(prefetcher.thread());
    }
    assertEquals(0, memory.account().bytes(), "bytes of batches that nobody closed");
  }

  /**
   * The messages of the reports, except that a close ran out of patience with its producer, which
   * can happen on a busy machine.
   */
  List<String> reported() {
    return List.copyOf(reports).stream()
        .map(Fault::message)
        .filter(message -> !message.contains("did not end within 30 ms"))
        .toList();
  }

  static void joinOf(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("the test was interrupted", e);
    }
  }
}
