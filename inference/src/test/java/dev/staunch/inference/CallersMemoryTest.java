package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Inputs are read from memory of the caller's, and outputs written to it. */
class CallersMemoryTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor) -> Dict[str, Tensor]:
          _0 = torch.add_(x, 1)
          return {"x": x, "sum": torch.sum(x)}
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  private Answer answer(InferenceRequest request) {
    try (Model model =
        Model.load("small.pt", SmallArchive.of(CODE), memory, LoadOptions.standard())) {
      return model.predict(request);
    }
  }

  private static ByteBuffer buffer(ByteOrder order, float... values) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(values.length * 4 + 1).order(order);
    buffer.position(1); // misaligned
    for (float value : values) {
      buffer.putFloat(value);
    }
    return buffer.position(1);
  }

  @Test
  void anInputLiesInABufferThatTheModelDoesNotWrite() {
    ByteBuffer buffer = buffer(ByteOrder.nativeOrder(), 1, 2);
    Answer answer = answer(InferenceRequest.of("7").input("x", DType.FLOAT32, Shape.of(2), buffer));
    assertArrayEquals(new float[] {2, 3}, answer.output("x").floats());
    assertEquals(1f, buffer.getFloat(1));
  }

  @Test
  void aBufferInTheOtherByteOrderIsRefusedBeforeItsNumbersAreTakenForOthers() {
    ByteOrder other =
        ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            ? ByteOrder.BIG_ENDIAN
            : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer buffer = buffer(other, 1, 2);
    StaunchException.RequestException thrown =
        assertThrows(
            StaunchException.RequestException.class,
            () -> InferenceRequest.of("7").input("x", DType.FLOAT32, Shape.of(2), buffer));
    assertTrue(
        thrown.fault().message().contains("call order(ByteOrder.nativeOrder())"),
        thrown.fault().message());
  }

  @Test
  void aSegmentOfAnotherSizeThanTheShapeNeedsIsRefused() {
    MemorySegment nine = MemorySegment.ofArray(new byte[9]);
    InferenceRequest request = InferenceRequest.of("7");
    assertThrows(
        StaunchException.RequestException.class,
        () -> request.input("x", DType.FLOAT32, Shape.of(2), nine));
    MemorySegment twelve = MemorySegment.ofArray(new float[3]);
    assertThrows(
        StaunchException.RequestException.class,
        () -> request.input("x", DType.FLOAT32, Shape.of(2), twelve));
    assertThrows(
        StaunchException.RequestException.class,
        () -> request.input("x", DType.COMPLEX64, Shape.of(1), MemorySegment.ofArray(new long[1])));
  }

  @Test
  void aSegmentWhoseArenaIsClosedIsAFaultOfTheRequest() {
    InferenceRequest request;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocate(8, 4);
      request = InferenceRequest.of("7").input("x", DType.FLOAT32, Shape.of(2), segment);
    }
    Answer answer = answer(request);
    assertNotNull(answer.fault());
    assertEquals(FaultType.CLOSED, answer.fault().type());
    assertEquals("x", answer.fault().input());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void anOutputIsWrittenToMemoryOfTheCallers() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(16, 4);
      InferenceRequest request =
          InferenceRequest.of("7")
              .input("x", Shape.of(2), 1f, 2f)
              .output("x", target)
              .output("sum");
      Answer answer = answer(request);
      assertEquals(3f, target.getAtIndex(ValueLayout.JAVA_FLOAT, 1));
      assertEquals(8, answer.output("x").segment().byteSize());
      assertArrayEquals(new float[] {2, 3}, answer.output("x").floats());
      assertArrayEquals(new float[] {5}, answer.output("sum").floats());
    }
  }

  @Test
  void memoryThatIsTooSmallOrReadOnlyIsAFault() {
    InferenceRequest request = InferenceRequest.of("7").input("x", Shape.of(2), 1f, 2f);
    MemorySegment small = MemorySegment.ofArray(new byte[7]);
    Answer answer = answer(request.output("x", small));
    assertNotNull(answer.fault());
    assertEquals(
        "output 'x' cannot be written: the tensor's 8 bytes do not fit the 7 of the target",
        answer.fault().message());
    MemorySegment fixed = MemorySegment.ofArray(new byte[8]).asReadOnly();
    assertTrue(answer(request.output("x", fixed)).failed());
  }
}
