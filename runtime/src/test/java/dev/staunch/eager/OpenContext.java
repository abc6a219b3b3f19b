package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of operations stand on: a context for each, which leaves nothing behind. */
class OpenContext {
  private final OffHeap memory = OffHeap.withBudget(16 << 20);
  Context context;

  @BeforeEach
  void open() {
    context = Context.open(memory);
  }

  @AfterEach
  void nothingLeaks() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  /** The real and imaginary parts in turn. */
  double[] parts(Object complex) {
    return context.apply("aten::view_as_real", complex).doubles();
  }
}
