package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;

class InterruptedRunTest extends SmallProgram {
  /** Whichever thread takes the pieces of the work. */
  @RepeatedTest(20)
  void c3AnInterruptOfItsThreadEndsWhatTheThreadComputes() {
    Plan plan = plan(StandardOperations.plainKernels(), List.of(x), call("aten::matmul", x, x));
    DenseTensor matrix = filled(DType.FLOAT32, 300, 300);
    Thread.currentThread().interrupt();
    Object outcome;
    boolean stayed;
    try {
      outcome = run(plan, options -> options, matrix).getFirst();
    } finally {
      stayed = Thread.interrupted();
    }
    Fault fault = assertInstanceOf(Fault.class, outcome);
    assertEquals(FaultType.CANCELLED, fault.type());
    assertTrue(fault.message().contains("interrupted"), fault::message);
    assertTrue(stayed);
  }
}
