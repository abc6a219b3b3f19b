package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Interceptor;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests read inputs from the caller's memory and write outputs to it. */
class CallersMemoryTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor) -> Dict[str, Tensor]:
          _0 = torch.add_(x, 1)
          return {"x": x, "sum": torch.sum(x)}
      """;

  private static final String SUM =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor) -> Tensor:
          return torch.sum(x)
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
  void anAlignedInputThatTheModelWritesIsCopiedFirst() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
    buffer.putFloat(1).putFloat(2).flip();
    Answer answer = answer(InferenceRequest.of("7").input("x", DType.FLOAT32, Shape.of(2), buffer));
    assertArrayEquals(new float[] {2, 3}, answer.output("x").floats());
    assertEquals(1f, buffer.getFloat(0));
  }

  @Test
  void offHeapMemoryIsReadWhereItLies() {
    OffHeap small = OffHeap.withBudget(32 << 10);
    try (Arena arena = Arena.ofShared();
        Model model = Model.load("sum.pt", SmallArchive.of(SUM), small, LoadOptions.standard())) {
      MemorySegment large = arena.allocate(64 << 10, 4);
      large.setAtIndex(ValueLayout.JAVA_FLOAT, 16383, 3);
      assertEquals(3, sum(model, large), "of more bytes than the model's memory has");
      try (Arena confined = Arena.ofConfined()) {
        MemorySegment copied = confined.allocate(64 << 10, 4);
        Answer answer = model.predict(request(copied));
        assertNotNull(answer.fault());
        assertEquals(FaultType.OUT_OF_MEMORY, answer.fault().type());
        assertEquals(0, sum(model, copied.asSlice(0, 4 << 10)));
      }
      assertEquals(0, sum(model, large.asSlice(2, 4 << 10)), "misaligned");
    }
    assertEquals(0, small.account().bytes());
  }

  /** The file may be truncated while kernels read it, so they read a copy. */
  @Test
  void aMappedFileIsCopied(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("x"), new byte[64 << 10]);
    OffHeap small = OffHeap.withBudget(32 << 10);
    try (Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file);
        Model model = Model.load("sum.pt", SmallArchive.of(SUM), small, LoadOptions.standard())) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 64 << 10, arena);
      Answer answer = model.predict(request(mapped));
      assertNotNull(answer.fault());
      assertEquals(FaultType.OUT_OF_MEMORY, answer.fault().type());
      assertEquals(0, sum(model, mapped.asSlice(0, 4 << 10)));
    }
  }

  private static InferenceRequest request(MemorySegment segment) {
    Shape shape = Shape.of(segment.byteSize() / 4);
    return InferenceRequest.of("7").input("x", DType.FLOAT32, shape, segment);
  }

  private static float sum(Model model, MemorySegment segment) {
    return model.predict(request(segment)).output().floats()[0];
  }

  @Test
  void aModelThatKeepsAnInputKeepsACopy() {
    String keep =
        """
        def forward(self: __torch__.M, x: Tensor) -> Tensor:
          before = self.last
          self.last = x
          return before
        """;
    try (SmallModel small =
            SmallModel.of("last : Tensor\n", "self.last = torch.zeros([2], dtype=6)\n", keep);
        Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2);
      for (float[] before : new float[][] {{0, 0}, {1, 2}, {3, 2}}) {
        assertArrayEquals(before, small.model.predict(request(segment)).output().floats());
        segment.setAtIndex(ValueLayout.JAVA_FLOAT, 0, 3);
      }
    }
  }

  @Test
  void m1AnArenaThatIsClosedWhileTheRequestIsAnsweredIsAFaultOfTheRequest() {
    Arena arena = Arena.ofShared();
    try (Model model = Model.load("sum.pt", SmallArchive.of(SUM), memory, LoadOptions.standard())) {
      InferenceRequest request = request(arena.allocate(64, 4));
      Interceptor closing =
          (operation, arguments, source) -> {
            arena.close();
            return null;
          };
      Answer answer =
          model.predict(request, "forward", scope -> RunOptions.in(scope).withInterceptor(closing));
      assertNotNull(answer.fault());
      assertEquals(FaultType.CLOSED, answer.fault().type());
      assertEquals(
          "the memory of input 'x' was closed before the request was answered",
          answer.fault().message());
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void anOutputInMemoryThatWasClosedThrowsWhenItIsRead() {
    Answer answer;
    try (Arena arena = Arena.ofShared()) {
      InferenceRequest request = InferenceRequest.of("7").input("x", Shape.of(2), 1f, 2f);
      answer = answer(request.output("x", arena.allocate(8, 4)));
      assertEquals(2f, answer.output().floats()[0]);
    }
    ResponseTensor output = answer.output();
    assertThrows(StaunchException.ClosedException.class, output::floats);
    assertThrows(StaunchException.ClosedException.class, output::segment);
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

  /** The first output is a view of the input; the second is copied after the first was written. */
  @Test
  void anOutputMayBeWrittenOverAnInput() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Dict[str, Tensor]:
            return {"t": torch.t(x), "x": x}
        """;
    try (Arena arena = Arena.ofShared();
        Model model = Model.load("t.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      MemorySegment both = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2, 3, 4);
      InferenceRequest request =
          InferenceRequest.of("7").input("x", DType.FLOAT32, Shape.of(2, 2), both);
      Answer answer = model.predict(request.output("t", both).output("x"));
      assertArrayEquals(new float[] {1, 3, 2, 4}, answer.output("t").floats());
      assertArrayEquals(new float[] {1, 2, 3, 4}, answer.output("x").floats());
      MemorySegment target = arena.allocate(32, 4);
      Answer overlapping =
          model.predict(request.output("t", target).output("x", target.asSlice(12)));
      assertNotNull(overlapping.fault());
      assertEquals(
          "the memory for output 't' overlaps that for output 'x'", overlapping.fault().message());
      Answer apart = model.predict(request.output("t", target).output("x", target.asSlice(16)));
      assertArrayEquals(new float[] {1, 2, 3, 4}, apart.output("t").floats());
      assertArrayEquals(new float[] {1, 3, 2, 4}, apart.output("x").floats());
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
