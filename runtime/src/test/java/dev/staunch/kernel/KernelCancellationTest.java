package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.Hold;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long kernels poll for cancellation between pieces of their work and leave nothing (C3). By
 * default a {@link Sample} of them.
 */
class KernelCancellationTest {
  private static final String CASES = "cases";

  /** By then, and after this many runs, the compilers have removed from a loop what they can. */
  private static final Duration COMPILED = Duration.ofSeconds(40);

  private static final int RUNS = 100;

  /** The most elements of work between two polls. */
  private static final long STRIDE = 1 << 18;

  /** The most heap, in bytes: a table of ints for the elements of a case takes twice as much. */
  private static final long HEAP = 2L * LongKernels.N;

  /** What operations of many small steps may leave on the heap, a little at each step. */
  private static final Map<String, Long> LITTER =
      Map.of(
          "aten::einsum", 12L << 20, // a product of two rows for each element
          "aten::index_fill_.int_Scalar", 24L << 20, // a call for each slice
          "aten::conv2d", 6L << 20, // a panel of patches for each band of rows
          "aten::_pack_padded_sequence", 12L << 20); // the lengths of all sequences

  /** Otherwise each block is fresh, and timing decides how often a wait for one polls. */
  private static final boolean POOLED = !MemoryOptions.withBudget(1).guarded();

  private static final Catalog CATALOG = StandardOperations.catalog();

  private final OffHeap memory = OffHeap.withBudget(256L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  static Stream<LongKernels.Case> cases() {
    return Sample.of(LongKernels.all(), work -> Sample.family(operation(work)));
  }

  private static CatalogEntry operation(LongKernels.Case work) {
    return Objects.requireNonNull(CATALOG.find(work.name()), work.name());
  }

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    memory.close(); // otherwise the blocks of all cases are kept until a collection
  }

  private long pollsOf(LongKernels.Case work, Object... arguments) {
    CountdownEnvironment environment = new CountdownEnvironment(scope, Long.MAX_VALUE);
    close(run(work, environment, arguments), arguments);
    return environment.polls();
  }

  private static void close(Object[] results, Object... arguments) {
    for (Object result : results) {
      assertFalse(result instanceof Fault, result::toString);
      if (result instanceof DenseTensor tensor && tensor != arguments[0]) {
        tensor.close();
      }
    }
  }

  private Object[] run(LongKernels.Case work, Environment environment, Object... arguments) {
    Call call = new Call(environment, arguments.clone());
    Hold hold = Objects.requireNonNull(scope.hold(work::name)); // as every run of a program does
    try {
      Object result = operation(work).run(call);
      return result instanceof Object[] several ? several : new Object[] {result};
    } finally {
      hold.end();
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void aLongKernelLooksOften(LongKernels.Case work) {
    Object[] arguments = work.arguments().apply(new LongKernels.Operands(scope));
    long held = memory.account().bytes();
    long polls = pollsOf(work, arguments);
    long wanted = work.elements() / STRIDE;
    assertTrue(polls >= wanted, () -> polls + " looks where at least " + wanted + " are due");
    assertEquals(held, memory.account().bytes());
  }

  /** If every run made a table, none would stay below it; so one run below it is enough. */
  @ParameterizedTest
  @MethodSource(CASES)
  void aLongKernelKeepsNoTableOfItsElementsOnTheHeap(LongKernels.Case work) {
    Object[] arguments = work.arguments().apply(new LongKernels.Operands(scope));
    long most = Math.max(HEAP, LITTER.getOrDefault(work.name(), 0L));
    long least = Long.MAX_VALUE;
    long end = System.nanoTime() + COMPILED.toNanos();
    for (int run = 0; least >= most && (run < RUNS || System.nanoTime() - end < 0); run++) {
      least = Math.min(least, heapOf(work, arguments));
    }
    long bytes = least;
    assertTrue(
        bytes < most,
        () -> work.name() + " " + bytes + " bytes of heap for " + work.elements() + " elements");
  }

  private long heapOf(LongKernels.Case work, Object... arguments) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    pollsOf(work, arguments);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void aCancelledKernelReturnsTheFaultAndLeavesNoBytes(LongKernels.Case work) {
    Object[] arguments = work.arguments().apply(new LongKernels.Operands(scope));
    pollsOf(
        work, arguments); // from here on the pool has the blocks; waits for fresh blocks poll too
    long polls = pollsOf(work, arguments);
    long held = memory.account().bytes();
    // The first looks come while memory is asked for, where blocks are fresh.
    for (long last :
        LongStream.of(0, 1, 2, 4, polls / 2).filter(looks -> looks < polls).toArray()) {
      assertTrue(cancelled(work, arguments, last, held), () -> last + " of " + polls);
    }
    if (POOLED) {
      cancelledAtTheLastLook(work, arguments, polls, held);
    }
  }

  /** Less is waited for in some runs, which then look less often: the last look is one of these. */
  private void cancelledAtTheLastLook(
      LongKernels.Case work, Object[] arguments, long polls, long held) {
    long looks = polls;
    while (!cancelled(work, arguments, looks - 1, held)) {
      looks--;
      assertTrue(looks > polls / 2, "a cancellation is not seen at the last looks");
    }
  }

  /** False if the kernel finished before it looked that often. */
  private boolean cancelled(LongKernels.Case work, Object[] arguments, long last, long held) {
    CountdownEnvironment environment = new CountdownEnvironment(scope, last);
    Object[] results = run(work, environment, arguments);
    if (environment.polls() <= last) {
      close(results, arguments);
      return false;
    }
    assertEquals(1, results.length, "one fault stands for all results");
    assertSame(CountdownEnvironment.STOP, results[0], "after " + last + " looks");
    assertEquals(last + 1, environment.polls(), "looks after the cancellation was seen");
    assertEquals(held, memory.account().bytes(), "after " + last + " looks");
    return true;
  }

  /** Also if nothing is computed: this matrix is refused for its first element. */
  @Test
  void aLargeMatrixIsReadInPieces() {
    DenseTensor matrix = new LongKernels.Operands(scope).floats(LongKernels.SIDE, LongKernels.SIDE);
    CountdownEnvironment environment = new CountdownEnvironment(scope, Long.MAX_VALUE);
    CatalogEntry cholesky = Objects.requireNonNull(CATALOG.find("aten::linalg_cholesky"));
    Object result = cholesky.run(new Call(environment, new Object[] {matrix, false}));
    assertInstanceOf(Fault.class, result);
    assertTrue(environment.polls() >= LongKernels.N / STRIDE, environment.polls() + " looks");
    matrix.close();
  }
}
