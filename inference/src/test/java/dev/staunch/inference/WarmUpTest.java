package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Warms a model up until its times settle, with requests that leave nothing behind. */
class WarmUpTest {
  private static final List<InferenceRequest> TWO =
      List.of(InferenceRequest.of("a"), InferenceRequest.of("b"));
  private final OffHeap memory = OffHeap.withBudget(1L << 30);
  private long now;

  @Test
  void requestsAreAnsweredInTurnUntilTimesFallNoLonger() {
    List<String> asked = new ArrayList<>();
    WarmUp warm =
        WarmUp.of(
            TWO,
            Duration.ofHours(1),
            request -> {
              now += Math.max(1_000_000, 200_000_000 / (asked.size() + 1));
              return asked.add(String.valueOf(request.id()));
            },
            () -> now,
            () -> 0,
            () -> true);
    assertEquals(List.of("a", "b", "a"), asked.subList(0, 3));
    assertTrue(warm.settled());
    assertEquals(Duration.ofMillis(200), warm.first());
    assertEquals(Duration.ofMillis(1), warm.typical());
    assertEquals(asked.size(), warm.requests());
    assertEquals(Duration.ofNanos(now), warm.total());
  }

  @Test
  void timesHaveNotSettledWhileTheJvmStillCompiles() {
    Duration compiling = Duration.ofSeconds(7);
    WarmUp warm =
        WarmUp.of(
            TWO,
            Duration.ofHours(1),
            request -> passes(1_000_000),
            () -> now,
            () -> Math.min(now / 2_000_000, compiling.toMillis() / 2),
            () -> true);
    assertTrue(warm.settled());
    assertTrue(warm.total().compareTo(compiling) > 0, warm.total() + "");
    assertTrue(warm.total().compareTo(compiling.plusSeconds(1)) < 0, warm.total() + "");
  }

  @Test
  void timesHaveNotSettledWhileOtherKernelsAreStillToCome() {
    Duration warm = Duration.ofSeconds(7);
    WarmUp done =
        WarmUp.of(
            TWO,
            Duration.ofHours(1),
            request -> passes(1_000_000),
            () -> now,
            () -> 0,
            () -> now > warm.toNanos());
    assertTrue(done.settled());
    assertTrue(done.total().compareTo(warm) > 0, done.total() + "");
    assertTrue(done.total().compareTo(warm.plusSeconds(1)) < 0, done.total() + "");
  }

  @Test
  void theLimitEndsWhatDoesNotSettle() {
    WarmUp warm =
        WarmUp.of(
            TWO,
            Duration.ofSeconds(3),
            request -> passes(1_000_000_000),
            () -> now,
            () -> 0,
            () -> true);
    assertFalse(warm.settled());
    assertEquals(3, warm.requests());
  }

  private boolean passes(long nanos) {
    now += nanos;
    return true;
  }

  /** A request that runs out of time is not the model's fault: the model answered earlier. */
  @Test
  void aRequestThatIsGivenUpEndsTheWarmUp() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, n: int) -> int:
            for i in range(n):
              pass
            return n
        """;
    try (Model model =
        Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      List<InferenceRequest> requests =
          Stream.of(1L, Long.MAX_VALUE)
              .map(n -> InferenceRequest.of(n.toString()).input("n", Shape.of(), n))
              .toList();
      WarmUp warm = warmed(model, requests);
      assertEquals(1, warm.requests());
      assertFalse(warm.settled());
      List<InferenceRequest> endless = requests.subList(1, 2);
      StaunchException late =
          assertThrows(
              StaunchException.DeadlineException.class,
              () -> model.warmUp(endless, "forward", Duration.ofMillis(5)));
      String text =
          "the first request of the warm-up had no answer in twice its limit: the deadline of 10"
              + " ms";
      assertTrue(late.fault().message().startsWith(text), late::toString);
    }
  }

  /** The shortest warm-up that gets past its first request, which takes long on a busy machine. */
  private static WarmUp warmed(Model model, List<InferenceRequest> requests) {
    for (Duration limit = Duration.ofMillis(25); ; limit = limit.multipliedBy(2)) {
      try {
        WarmUp warm = model.warmUp(requests, "forward", limit);
        if (warm.total().compareTo(warm.first()) > 0) {
          return warm;
        }
      } catch (StaunchException.DeadlineException e) {
        assertTrue(limit.compareTo(Duration.ofMinutes(1)) < 0, e::toString);
      }
    }
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
      WarmUp warm = warmed(counter.model, List.of(InferenceRequest.of("7")));
      assertTrue(warm.requests() > 0);
      assertEquals(1L, counter.call("forward"));
    }
  }

  @Test
  void aWarmUpLeavesNoMemoryBehindAndTheRequestAsItWas() {
    String row = "def forward(self: __torch__.M, x: Tensor, i: Tensor) -> Tensor:\n";
    for (String body : List.of("  y = i", "  y = torch.add_(i, 1)")) {
      // an index that grew with each request would soon be out of range
      String code = row + body + "\n  return torch.index_select(x, 0, torch.sub(y, 1))\n";
      try (SmallModel small = SmallModel.of("", "pass\n", code)) {
        InferenceRequest request =
            InferenceRequest.of("7")
                .input("x", Shape.of(3), 10F, 20, 30)
                .input("i", Shape.of(1), new long[] {1});
        float[] before = small.model.predict(request).outputs().getFirst().floats();
        long bytes = small.memory.account().bytes();
        assertTrue(warmed(small.model, List.of(request)).requests() > 0);
        assertEquals(bytes, small.memory.account().bytes());
        Answer after = small.model.predict(request);
        assertArrayEquals(before, after.outputs().getFirst().floats());
        assertEquals(List.of(), List.copyOf(small.leaks));
      }
    }
  }

  @Test
  void anExampleThatNothingFitsIsAFault() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: complex) -> int:
            return 1
          def never(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.matmul(x, torch.ones([7777, 2]))
        """;
    try (Model model =
        Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      Duration limit = Duration.ofSeconds(5);
      StaunchException none =
          assertThrows(StaunchException.class, () -> model.example("forward", limit));
      assertTrue(none.getMessage().contains("input 'x', which is complex"), none + "");
      assertThrows(StaunchException.class, () -> model.example("never", limit));
    }
    assertEquals(0, memory.account().bytes());
  }

  /**
   * No example is found if rows are divided into bags of one, or if shapes need four properties at
   * once. One archive raises whatever its input is; two need operations or classes of native
   * libraries.
   */
  @Test
  void anExampleThatTheModelAnswersIsFoundForMostArchives() throws IOException {
    Set<String> tried = new TreeSet<>();
    Set<String> without = new TreeSet<>();
    for (Path archive : archives()) {
      String name = String.valueOf(archive.getFileName());
      tried.add(name);
      try (Model model = Model.load(archive, memory)) {
        InferenceRequest example = model.example(model.defaultMethod(), Duration.ofSeconds(60));
        assertFalse(model.predict(example).failed(), name);
      } catch (StaunchException.UnsupportedException e) {
        without.add(name);
      }
    }
    tried.retainAll(
        Set.of(
            "activation_zoo.pt",
            "dlrm.pt",
            "edited_raise_rezipped.pt",
            "quirk_custom_op_torchvision_nms.pt"));
    assertEquals(tried, without);
    assertEquals(0, memory.account().bytes());
  }

  /** All archives, or by default every fourth. */
  private static List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(Conformance.torchscript().resolve("archives"))) {
      List<Path> all = files.filter(file -> file.toString().endsWith(".pt")).sorted().toList();
      int step = Boolean.getBoolean("tests.whole") ? 1 : 4;
      return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get).toList();
    }
  }

  @Test
  void whoeverGetsNoExampleIsToldWhatCameFarthestAndWhy() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.matmul(torch.relu(x), torch.ones([7777, 2]))
        """;
    try (Model model =
        Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      StaunchException none =
          assertThrows(
              StaunchException.class, () -> model.example("forward", Duration.ofSeconds(5)));
      String text = none.getMessage();
      assertTrue(text.contains("the one that came farthest, InferenceRequest"), text);
      assertTrue(text.contains("cannot be multiplied by a 7777x2 matrix"), text);
    }
  }

  @Test
  void theFormsOfAnExampleAreShapes() {
    try (Model model = doubling()) {
      InferenceRequest example = model.example("forward", Duration.ofSeconds(5));
      assertEquals(Shape.of(1, 1), example.inputs().getFirst().shape());
    }
  }

  @Test
  void anyLimitIsTaken() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.mm(x, x)
        """;
    Duration forever = ChronoUnit.FOREVER.getDuration();
    List<InferenceRequest> bad = List.of(InferenceRequest.of("x").input("x", Shape.of(1), 1f));
    try (Model model = Model.load("m", SmallArchive.of(code), memory, LoadOptions.standard())) {
      assertThrows(
          StaunchException.ShapeException.class, () -> model.warmUp(bad, "forward", forever));
      assertEquals(0, model.warmUp(bad, "forward", Duration.ZERO.minus(forever)).requests());
    }
  }
}
