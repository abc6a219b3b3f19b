package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What random programs beside libtorch 2.10 found (module {@code peers}), as libtorch answers. */
class PeerFindingsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private Context context;

  @BeforeEach
  void open() {
    context = Context.open(memory);
  }

  @AfterEach
  void nothingLeaks() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  private Tensor tensor(DType dtype, long... values) {
    return context.apply(
        "aten::to.dtype",
        context.of(Shape.of(values.length), values),
        (long) dtype.code(),
        false,
        false,
        None.NONE);
  }

  @Test
  void paddedSequencesHaveTheDtypeOfTheFirst() {
    Tensor first = tensor(DType.INT32, 1, 2);
    Tensor second = tensor(DType.FLOAT32, 3);
    Tensor padded = context.apply("aten::pad_sequence", List.of(first, second), true, 0.0, "right");
    assertEquals(DType.INT32, padded.dtype());
    assertArrayEquals(new long[] {1, 2, 3, 0}, padded.longs());
  }

  @Test
  void anUnsignedNumberShiftedRightByItsWidthIsZero() {
    Tensor bytes = tensor(DType.UINT8, 252, 4);
    Tensor shifted = context.apply("aten::__rshift__.Tensor", bytes, tensor(DType.UINT8, 251, 1));
    assertArrayEquals(new long[] {0, 2}, shifted.longs());
  }
}
