package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long kernels look for cancellation between pieces of their work and leave nothing (C3). */
class KernelCancellationTest {
  private static final String CASES = "dev.staunch.kernel.LongKernels#all";

  /** The most elements of work between two looks. */
  private static final long STRIDE = 1 << 18;

  private final OffHeap memory = OffHeap.withBudget(256L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Catalog catalog = StandardOperations.catalog();

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private long pollsOf(LongKernels.Case work, Object... arguments) {
    CountdownEnvironment environment = new CountdownEnvironment(scope, Long.MAX_VALUE);
    for (Object result : run(work, environment, arguments)) {
      assertFalse(result instanceof Fault, result::toString);
      if (result instanceof DenseTensor tensor && tensor != arguments[0]) {
        tensor.close();
      }
    }
    return environment.polls();
  }

  private Object[] run(LongKernels.Case work, Environment environment, Object... arguments) {
    OperationDefinition definition = Objects.requireNonNull(catalog.find(work.name()), work.name());
    Call call = new Call(environment, arguments.clone());
    Object result =
        switch (Objects.requireNonNull(definition.kernel())) {
          case Kernel.One one -> one.run(call);
          case Kernel.Many many -> many.run(call);
          case Kernel.NoResult none -> throw new IllegalStateException(work.name());
        };
    return result instanceof Object[] several ? several : new Object[] {result};
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

  @ParameterizedTest
  @MethodSource(CASES)
  void aCancelledKernelReturnsTheFaultAndLeavesNoBytes(LongKernels.Case work) {
    Object[] arguments = work.arguments().apply(new LongKernels.Operands(scope));
    long polls = pollsOf(work, arguments);
    long held = memory.account().bytes();
    for (long last : new long[] {0, polls / 2, polls - 1}) {
      CountdownEnvironment environment = new CountdownEnvironment(scope, last);
      Object[] results = run(work, environment, arguments);
      assertEquals(1, results.length, "one fault stands for all results");
      assertSame(CountdownEnvironment.STOP, results[0], "after " + last + " of " + polls);
      assertEquals(last + 1, environment.polls(), "looks after the cancellation was seen");
      assertEquals(held, memory.account().bytes(), "after " + last + " of " + polls);
    }
  }
}
