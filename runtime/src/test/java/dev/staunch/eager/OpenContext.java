package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of tests of operations: a context for each test, which leaves nothing behind. */
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

  /** A vector of whole numbers, cast to {@code dtype}. */
  Tensor tensor(DType dtype, long... values) {
    return context.apply(
        "aten::to.dtype",
        context.of(Shape.of(values.length), values),
        (long) dtype.code(),
        false,
        false,
        None.NONE);
  }

  /** The real and imaginary parts, alternating. */
  double[] parts(Object complex) {
    return context.apply("aten::view_as_real", complex).doubles();
  }
}
