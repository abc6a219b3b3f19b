package dev.staunch.memory;

import dev.staunch.fault.Fault;

/**
 * Fills the default budget and touches every byte; says how many MiB its heap may have, how many
 * the budget has, how many it held, and the type of the fault at the end.
 */
final class FillDefaultBudget {
  private static final long MIB = 1 << 20;

  private FillDefaultBudget() {}

  public static void main(String[] arguments) {
    OffHeap memory = OffHeap.withDefaultBudget();
    try (ResourceScope scope = ResourceScope.open(memory, "everything")) {
      long held = 0;
      Object next = scope.allocate(MIB);
      while (next instanceof Storage storage) {
        storage.segment().fill((byte) 1);
        held++;
        next = scope.allocate(MIB);
      }
      Object end = next instanceof Fault fault ? fault.type() : next;
      System.out.printf(
          "%s %s %s %s%n",
          Runtime.getRuntime().maxMemory() / MIB, memory.budgetBytes() / MIB, held, end);
    }
  }
}
