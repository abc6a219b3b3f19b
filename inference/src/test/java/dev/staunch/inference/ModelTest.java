package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.Gap;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a model reports about itself, and how a closed model behaves. */
class ModelTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor) -> Tensor:
          if torch.gt(torch.dim(x), 1):
            y = torch.native_channel_shuffle(x, 2)
          else:
            y = torch.relu(x)
          return y
        def never(self: __torch__.M, x: Tensor) -> Tensor:
          return torch.fbgemm_pack_gemm_matrix_fp16(x)
        def whole(self: __torch__.M, x: Tensor) -> Tensor:
          return torch.relu(x)
        def endless(self: __torch__.M, x: Tensor) -> List[Any]:
          a = annotate(List[Any], [])
          _0 = torch.append(a, x)
          _1 = torch.append(a, a)
          return a
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  private Model load() {
    return Model.load("small.pt", SmallArchive.of(CODE), memory, LoadOptions.standard());
  }

  @Test
  void whatAMethodMayComeToAndHasNoKernelIsToldOnceItIsLoaded() {
    try (Model model = load()) {
      Gap gap = model.gaps("never").getFirst();
      assertEquals("there is no kernel for aten::fbgemm_pack_gemm_matrix_fp16", gap.what());
      assertEquals(10, Objects.requireNonNull(gap.source()).line());
      assertEquals(List.of(), model.gaps("whole"));
      assertThrows(StaunchException.class, () -> model.gaps("none"));
    }
  }

  /** What the JDK's streams throw for more than 2 GiB, or more than the heap has room for. */
  @Test
  void aStreamThatNoArrayHoldsIsAFault() {
    InputStream large =
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }

          @Override
          public byte[] readAllBytes() {
            throw new OutOfMemoryError("Required array size too large");
          }
        };
    StaunchException refused =
        assertThrows(
            StaunchException.OutOfMemoryException.class,
            () -> Model.load("large.pt", large, memory, LoadOptions.standard()));
    assertEquals(
        "the archive large.pt does not fit in the Java heap; load it from its file",
        refused.fault().message());
  }

  @Test
  void aModelAndItsMemorySayWhatTheyAreAndWhatTheyHold() {
    Model model = load();
    assertEquals("model small.pt: 0 bytes", model.toString());
    assertEquals("off-heap memory: 0 bytes of 1 MiB in use", memory.toString());
    String archive = model.module().toString();
    assertTrue(archive.startsWith("__torch__.M with forward(x: Tensor) -> Tensor, "), archive);
    model.close();
    assertEquals("model small.pt (closed): 0 bytes", model.toString());
  }

  @Test
  void aClosedModelSaysSoHoweverItIsAsked() {
    Model model = load();
    InferenceRequest request = InferenceRequest.of("7").input("x", Shape.of(1), 1f);
    model.close();
    Duration limit = Duration.ofSeconds(1);
    assertEquals(FaultType.CLOSED, Objects.requireNonNull(model.predict(request).fault()).type());
    for (var asking :
        List.<Runnable>of(
            () -> model.warmUp(limit),
            () -> model.warmUp(List.of(request), "forward", limit),
            () -> model.example("forward", limit))) {
      StaunchException closed = assertThrows(StaunchException.class, asking::run);
      assertEquals("the model small was closed", closed.getMessage());
    }
  }

  @Test
  void aCallMayLeaveOutArgumentsThatHaveDefaults() {
    String code =
        """
        def forward(self: __torch__.M, x: int, y: int=20, z: Optional[int]=None) -> int:
          return torch.add(torch.mul(x, 100), torch.add(y, 3))
        def needs(self: __torch__.M, x: int, y: int, z: int=1) -> int:
          return x
        """;
    try (SmallModel small = SmallModel.of("", "pass\n", code)) {
      assertEquals(123L, small.call("forward", 1L));
      assertEquals(105L, small.call("forward", 1L, 2L));
      assertEquals(105L, small.call("forward", 1L, 2L, None.NONE));
      Fault none = assertInstanceOf(Fault.class, small.call("forward"));
      assertEquals("forward takes 3 arguments, got 0", none.message());
      Fault few = assertInstanceOf(Fault.class, small.call("needs", 1L));
      assertEquals("needs takes 3 arguments, got 1", few.message());
      Fault many = assertInstanceOf(Fault.class, small.call("forward", 1L, 2L, 3L, 4L));
      assertEquals("forward takes 3 arguments, got 4", many.message());
      Fault wrong = assertInstanceOf(Fault.class, small.call("forward", 1L, "y"));
      assertEquals(FaultType.REQUEST, wrong.type());
    }
  }

  @Test
  void aResultThatHoldsItselfIsAFaultOfTheRequest() {
    try (Model model = load()) {
      InferenceRequest request = InferenceRequest.of("7").input("x", Shape.of(1), 1f);
      Fault fault = Objects.requireNonNull(model.predict(request, "endless").fault());
      assertEquals(FaultType.VALUE, fault.type());
      assertEquals(
          "the model's result has containers that lie more than 64 deep in each other, or in"
              + " themselves, which no answer can hold",
          fault.message());
    }
    assertEquals(0, memory.account().bytes());
  }
}
