package dev.staunch.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException.ClosedException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Use after close is a fault that names the tensor, whatever is done with it (F1, M2). */
class ClosedTensorTest {
  private static final String CLOSED = "the tensor float32[2] was closed before this use";

  @TempDir private Path folder;
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final DenseTensor tensor =
      assertInstanceOf(DenseTensor.class, HostTensors.floats(scope, Shape.of(2), 1, 2));

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private byte[] file() {
    byte[] file = new byte[(int) NpyFormat.size(tensor)];
    assertEquals(null, NpyFormat.write(tensor, MemorySegment.ofArray(file)));
    return file;
  }

  @Test
  void makersInAClosedScopeGiveTheFaultThatNamesIt() {
    byte[] file = file();
    scope.close();
    MemorySegment raw = MemorySegment.ofArray(new byte[8]);
    for (Object made :
        List.of(
            HostTensors.floats(scope, Shape.of(2), 1, 2),
            HostTensors.bytes(scope, DType.FLOAT32, Shape.of(2), raw),
            NestedArrays.toTensor(scope, new float[] {1, 2}),
            NpyFormat.read(scope, "two.npy", MemorySegment.ofArray(file)))) {
      Fault fault = assertInstanceOf(Fault.class, made, "F1");
      assertEquals(FaultType.CLOSED, fault.type());
      assertEquals(
          "the tensor float32[2] was closed by scope test before this use", fault.message());
    }
    Fault scalar = assertInstanceOf(Fault.class, NestedArrays.toTensor(scope, 1.5f));
    assertEquals(FaultType.CLOSED, scalar.type());
  }

  @Test
  void whatIsCopiedOutOfAClosedTensorIsAFaultAndTheTargetStaysAsItWas() throws IOException {
    Path old = Files.writeString(folder.resolve("old.npy"), "old");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MemorySegment target = MemorySegment.ofArray(new byte[8]);
    tensor.close();
    for (Object refused :
        new Object[] {
          HostTensors.copyTo(tensor, target),
          NpyFormat.write(tensor, old),
          NpyFormat.write(tensor, "stream", out)
        }) {
      Fault fault = assertInstanceOf(Fault.class, refused, "F1");
      assertEquals(FaultType.CLOSED, fault.type());
      assertEquals(CLOSED, fault.message());
    }
    assertEquals(-1, target.mismatch(MemorySegment.ofArray(new byte[8])));
    assertEquals(0, out.size());
    assertEquals("old", Files.readString(old));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(old), files.toList());
    }
  }

  @Test
  void whoAsksAClosedTensorForItsElementsHearsSo() {
    tensor.close();
    for (Executable use :
        List.<Executable>of(tensor::segment, () -> tensor.requiringGrad(scope, true))) {
      assertEquals(CLOSED, assertThrows(ClosedException.class, use).fault().message(), "M2");
    }
  }

  /** M1: an operation in flight holds its operands. */
  @Test
  void whatIsHeldIsCopiedAlthoughItIsClosedMeanwhile() {
    byte[] bytes = new byte[8];
    assertEquals(true, tensor.retain());
    tensor.close();
    assertEquals(null, HostTensors.copyTo(tensor, MemorySegment.ofArray(bytes)));
    assertEquals(-1, MemorySegment.ofArray(bytes).mismatch(tensor.segment()));
    tensor.release();
  }
}
