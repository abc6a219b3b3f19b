package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operation made of others returns if one of its steps fails or is cancelled (C3). */
class StepResultsTest {
  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final DenseTensor operand = new LongKernels.Operands(scope).floats(LongKernels.N);
  private final long held = memory.account().bytes();

  @AfterEach
  void everyByteGoesBack() {
    assertEquals(held, memory.account().bytes());
    scope.close();
    memory.close();
  }

  private Object within(long polls, Steps.Body body) {
    Environment environment = new CountdownEnvironment(scope, polls);
    return Steps.within(new Call(environment, new Object[] {operand}), body);
  }

  @Test
  void theFaultOfOneOfSeveralResultsStandsForAll() {
    Fault fault = Fault.value("no second result");
    Object result =
        within(
            Long.MAX_VALUE,
            (steps, call) -> new Object[] {steps.run("clone", call.value(0)), fault});
    assertSame(fault, result);
  }

  @Test
  void aCancellationEndsTheOperationEvenIfNoResultNeedsTheStepThatSawIt() {
    Object result =
        within(
            0,
            (steps, call) -> {
              Object view = steps.run("alias", call.value(0));
              assertSame(CountdownEnvironment.STOP, steps.run("clone", call.value(0)));
              return view;
            });
    assertSame(CountdownEnvironment.STOP, result);
  }
}
