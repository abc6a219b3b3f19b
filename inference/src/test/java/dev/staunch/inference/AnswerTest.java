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
import dev.staunch.type.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a caller uses a model and its answers. */
class AnswerTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def kinds(self: __torch__.M, x: Tensor) -> Dict[str, Tensor]:
          return {"single": x, "double": torch.to(x, 7), "half": torch.to(x, 5), "small": torch.to(x, 3), "large": torch.to(x, 4), "flag": torch.to(x, 11)}
        def word(self: __torch__.M) -> str:
          return "yes"
      """;
  private static final String ONE =
      """
      class M(Module):
        __parameters__ = []
        def score(self: __torch__.M, x: Tensor, k: int=2) -> Tensor:
          return torch.mul(x, k)
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  private Model load(String code) {
    return Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard());
  }

  private static InferenceRequest request() {
    return InferenceRequest.of("7").input("x", Shape.of(2), 1f, 3f);
  }

  @Test
  void everyDatatypeHasItsReader() {
    try (Model model = load(CODE)) {
      Answer answer = model.predict(request(), "kinds");
      assertArrayEquals(new float[] {1, 3}, answer.output("single").floats());
      assertArrayEquals(new double[] {1, 3}, answer.output("single").doubles());
      assertArrayEquals(new double[] {1, 3}, answer.output("double").doubles());
      assertArrayEquals(new float[] {1, 3}, answer.output("half").floats());
      assertArrayEquals(new int[] {1, 3}, answer.output("small").ints());
      assertArrayEquals(new long[] {1, 3}, answer.output("small").longs());
      assertArrayEquals(new long[] {1, 3}, answer.output("large").longs());
      assertArrayEquals(new boolean[] {true, true}, answer.output("flag").booleans());
      assertEquals(Shape.of(2), answer.output("flag").shape());
      Answer word = model.predict(InferenceRequest.of(null), "word");
      assertArrayEquals(new String[] {"yes"}, word.output().strings());
    }
  }

  @Test
  void aReaderThatWouldLoseDigitsNamesTheOneToTake() {
    try (Model model = load(CODE)) {
      Answer answer = model.predict(request(), "kinds");
      StaunchException.DTypeException thrown =
          assertThrows(
              StaunchException.DTypeException.class, () -> answer.output("double").floats());
      assertEquals(
          "output 'double' is FP64, which floats() does not read; call doubles()",
          thrown.fault().message());
      assertThrows(StaunchException.DTypeException.class, () -> answer.output("large").ints());
      assertThrows(StaunchException.DTypeException.class, () -> answer.output("flag").longs());
      assertThrows(StaunchException.DTypeException.class, () -> answer.output("single").strings());
    }
  }

  @Test
  void anOutputThatIsNotThereIsThrownWithTheNamesThereAre() {
    try (Model model = load(CODE)) {
      Answer answer = model.predict(request().output("flag").output("half"), "kinds");
      StaunchException thrown = assertThrows(StaunchException.class, () -> answer.output("scores"));
      assertEquals("there is no output 'scores'; there is flag, half", thrown.fault().message());
      assertThrows(StaunchException.class, answer::output);
    }
  }

  @Test
  void readingAnAnswerThatFailedThrowsItsFault() {
    try (Model model = load(ONE)) {
      Answer failed = model.predict(InferenceRequest.of("7"));
      assertThrows(StaunchException.RequestException.class, failed::output);
      assertThrows(StaunchException.RequestException.class, () -> failed.output("output"));
      assertThrows(StaunchException.RequestException.class, failed::orThrow);
    }
  }

  @Test
  void withoutAMethodTheOnlyOneIsMeant() {
    try (Model model = load(ONE)) {
      assertArrayEquals(new float[] {2, 6}, model.predict(request()).output().floats());
    }
  }

  @Test
  void aMethodThatTheModelLacksIsAFaultOfTheAnswer() {
    try (Model model = load(CODE)) {
      Answer unnamed = model.predict(request());
      assertNotNull(unnamed.fault());
      assertEquals(FaultType.VALUE, unnamed.fault().type());
      assertEquals(
          "the model has no method forward; it has kinds, word", unnamed.fault().message());
      assertTrue(model.predict(request(), "score").failed());
    }
  }

  @Test
  void aSignatureTellsWhatAMethodTakesAndGives() {
    try (Model model = load(ONE)) {
      assertEquals(
          new Signature(
              "score",
              List.of(
                  new Signature.Input("x", "Tensor", true), new Signature.Input("k", "int", false)),
              List.of(new Signature.Output("output", "Tensor", null)),
              "Tensor"),
          model.signature("score"));
      assertThrows(StaunchException.class, () -> model.signature("forward"));
    }
  }

  @Test
  void aModelComesFromAStreamToo() throws IOException {
    ByteArrayInputStream stream = new ByteArrayInputStream(SmallArchive.of(ONE));
    try (Model model = Model.load("ranker.pt", stream, memory, LoadOptions.standard())) {
      assertEquals("ranker", model.name());
      assertArrayEquals(new float[] {2, 6}, model.predict(request()).output().floats());
    }
    byte[] damaged = new byte[100];
    assertThrows(
        StaunchException.class,
        () -> Model.load("bad.pt", damaged, memory, LoadOptions.standard()));
  }
}
