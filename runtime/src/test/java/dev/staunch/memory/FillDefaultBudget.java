package dev.staunch.memory;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;

/**
 * Fills the default budget and touches every byte; prints the heap's limit, the budget and the
 * bytes held, all in MiB, and the type of the fault at the end.
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
      long heap = Runtime.getRuntime().maxMemory() / MIB;
      System.out.println(Message.of("%d %d %d %s", heap, memory.budgetBytes() / MIB, held, end));
    }
  }
}
