package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A model is warmed until its times settle, by requests that leave nothing behind. */
class WarmUpTest {
  private static final List<InferenceRequest> TWO =
      List.of(InferenceRequest.of("a"), InferenceRequest.of("b"));
  private final OffHeap memory = OffHeap.withBudget(64 << 20);
  private long now;

  @Test
  void requestsAreAnsweredInTurnUntilTimesFallNoLonger() {
    List<String> asked = new ArrayList<>();
    WarmUp warm =
        WarmUp.of(
            TWO,
            Duration.ofHours(1),
            request -> {
              asked.add(String.valueOf(request.id()));
              now += Math.max(1_000_000, 200_000_000 / asked.size());
            },
            () -> now);
    assertEquals(List.of("a", "b", "a"), asked.subList(0, 3));
    assertTrue(warm.settled());
    assertEquals(Duration.ofMillis(200), warm.first());
    assertEquals(Duration.ofMillis(1), warm.usual());
    assertEquals(asked.size(), warm.requests());
    assertEquals(Duration.ofNanos(now), warm.took());
  }

  @Test
  void theLimitEndsWhatDoesNotSettle() {
    WarmUp warm = WarmUp.of(TWO, Duration.ofSeconds(3), request -> now += 1_000_000_000, () -> now);
    assertFalse(warm.settled());
    assertEquals(3, warm.requests());
  }

  @Test
  void aRequestThatFailsIsThrownAndNoneIsNoWarmUp() {
    try (Model model = doubling()) {
      List<InferenceRequest> wrong = List.of(InferenceRequest.of("7"));
      Duration limit = Duration.ofSeconds(1);
      assertThrows(
          StaunchException.RequestException.class, () -> model.warmUp(wrong, "forward", limit));
      assertThrows(
          StaunchException.RequestException.class, () -> model.warmUp(List.of(), "forward", limit));
    }
  }

  private Model doubling() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.mul(x, 2)
        """;
    return Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard());
  }

  @Test
  void aWarmUpLeavesTheStateOfTheModelAsItWas() {
    try (SmallModel counter =
        SmallModel.of(
            "count : int\n",
            "self.count = 0\n",
            """
            def forward(self: __torch__.M) -> int:
              self.count = torch.add(self.count, 1)
              return self.count
            """)) {
      WarmUp warm =
          counter.model.warmUp(List.of(InferenceRequest.of("7")), "forward", Duration.ofSeconds(1));
      assertTrue(warm.requests() > 1);
      assertEquals(1L, counter.call("forward"));
    }
  }

  @Test
  void anExampleThatNothingFitsIsAFault() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Dict[int, Tensor]) -> int:
            return 1
          def never(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.matmul(x, torch.ones([7777, 2]))
        """;
    try (Model model =
        Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      Duration limit = Duration.ofSeconds(5);
      StaunchException none =
          assertThrows(StaunchException.class, () -> model.example("forward", limit));
      assertTrue(none.getMessage().contains("input 'x', which is Dict[int, Tensor]"), none + "");
      assertThrows(StaunchException.class, () -> model.example("never", limit));
    }
    assertEquals(0, memory.account().bytes());
  }

  @ParameterizedTest
  @CsvSource({
    "mlp_bn_sigmoid",
    "lenet",
    "bert_like",
    "lstm_classifier",
    "nn_transformer_encoder",
    "arith"
  })
  void anExampleThatTheModelAnswersIsFoundFromItsWeights(String name) {
    try (Model model =
        Model.load(
            Conformance.root().resolve("conformance/torchscript/archives/" + name + ".pt"),
            memory)) {
      InferenceRequest example = model.example("forward", Duration.ofSeconds(20));
      assertFalse(model.predict(example).failed());
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void theFormsOfAnExampleAreShapes() {
    try (Model model = doubling()) {
      InferenceRequest example = model.example("forward", Duration.ofSeconds(5));
      assertEquals(Shape.of(1, 1), example.inputs().getFirst().shape());
    }
  }
}
