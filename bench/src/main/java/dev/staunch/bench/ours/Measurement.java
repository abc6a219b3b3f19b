package dev.staunch.bench.ours;

import java.util.Map;

/** What can be measured; each takes a JVM of its own and gives named figures. */
public enum Measurement {
  SERVICE,
  CHAINED,
  ROUND_TRIP,
  TASKS_1,
  TASKS_4,
  FAULT_COST,
  CONCURRENT_FAULTS,
  INTERRUPT,
  DEADLINE,
  CREATE_CLOSE,
  FAILED_AND_FREED;

  Map<String, Double> take(Effort effort) {
    return switch (this) {
      case SERVICE -> ServiceRequests.measure(effort);
      case CHAINED -> ChainedAdditions.measure(effort);
      case ROUND_TRIP -> RoundTrips.measure(effort);
      case TASKS_1 -> EmptyTasks.measure(effort, 1);
      case TASKS_4 -> EmptyTasks.measure(effort, 4);
      case FAULT_COST -> FaultCost.measure();
      case CONCURRENT_FAULTS -> ConcurrentFaults.measure();
      case INTERRUPT -> InterruptedWaits.measure(effort);
      case DEADLINE -> DeadlineWaits.measure();
      case CREATE_CLOSE -> CreateClose.measure(effort);
      case FAILED_AND_FREED -> FailedAndFreed.measure();
    };
  }
}
