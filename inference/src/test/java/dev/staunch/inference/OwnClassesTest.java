package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive may use classes of {@code torch.classes} if the user supplies stand-ins (S2). */
class OwnClassesTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        vocabulary : __torch__.torch.classes.text.Vocabulary
        def forward(self: __torch__.M, word: str) -> int:
          vocabulary = self.vocabulary
          return (vocabulary).index(word, )
        def learn(self: __torch__.M, word: str) -> int:
          vocabulary = self.vocabulary
          _0 = (vocabulary).add(word, )
          return (vocabulary).index(word, )
        def fresh(self: __torch__.M, word: str) -> int:
          made = __torch__.torch.classes.text.Vocabulary.__new__(__torch__.torch.classes.text.Vocabulary)
          _0 = (made).__init__([word], )
          return (made).index(word, )
        def plain(self: __torch__.M, word: str) -> int:
          return torch.len(word)
      """;

  private static final String VOCABULARY =
      """
      class Vocabulary:
        words : List[str]
        def __init__(self: __torch__.torch.classes.text.Vocabulary, words: List[str]) -> NoneType:
          self.words = words
        def __setstate__(self: __torch__.torch.classes.text.Vocabulary, words: List[str]) -> NoneType:
          self.words = words
        def index(self: __torch__.torch.classes.text.Vocabulary, word: str) -> int:
          return ops.text.index(self.words, word)
        def add(self: __torch__.torch.classes.text.Vocabulary, word: str) -> NoneType:
          _0 = torch.append(self.words, word)
      """;

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  /**
   * An archive whose module holds an object of the class, with a list of two words as its state.
   */
  private Path archive() throws IOException {
    String words = "](" + text("sea") + text("ship") + "e";
    String vocabulary = "c__torch__.torch.classes.text\nVocabulary\n)\u0081" + words + "b";
    String pickle =
        "\u0080\u0002c__torch__\nM\n)\u0081}(" + text("vocabulary") + vocabulary + "ub.";
    return Files.write(folder.resolve("words.pt"), SmallArchive.of(pickle, 10, CODE));
  }

  private static String text(String word) {
    return "X" + (char) word.length() + "\0\0\0" + word;
  }

  private static LoadOptions options(String code) {
    Catalog catalog =
        StandardOperations.catalog().toBuilder()
            .one(
                "text::index(str[] words, str word) -> int",
                call -> (long) call.list(0).indexOf(call.value(1)))
            .build();
    return LoadOptions.standard().withCatalog(catalog).withClasses("text", code);
  }

  private static long answer(Model model, String method, String word) {
    InferenceRequest request = InferenceRequest.of("1").input("word", Shape.of(), word);
    return model.predict(request, method).outputs().getFirst().longs()[0];
  }

  @Test
  void s2ItsObjectsAreRestoredAndTheirMethodsComeToJava() throws IOException {
    try (Model model = Model.load(archive(), memory, options(VOCABULARY))) {
      assertEquals(1, answer(model, "forward", "ship"));
      assertEquals(-1, answer(model, "forward", "tide"));
      assertEquals(0, answer(model, "fresh", "tide"));
    }
  }

  @Test
  void s6WhatItsMethodsChangeIsThereForTheNextRequest() throws IOException {
    try (Model model = Model.load(archive(), memory, options(VOCABULARY))) {
      assertEquals(2, answer(model, "learn", "tide"));
      assertEquals(2, answer(model, "forward", "tide"));
    }
  }

  @Test
  void s2WithoutCodeThatStandsInOnlyTheMethodsThatNeedItAreMissing() throws IOException {
    try (Model model = Model.load(archive(), memory)) {
      Map<String, Fault> missing = model.module().missingMethods();
      assertEquals(List.of("forward", "learn", "fresh"), List.copyOf(missing.keySet()));
      Fault why = Objects.requireNonNull(missing.get("forward"));
      assertEquals(FaultType.UNSUPPORTED, why.type());
      assertTrue(why.message().contains("__torch__.torch.classes.text.Vocabulary"), why.message());
      assertTrue(why.message().contains("LoadOptions.withClasses"), why.message());
      assertEquals(4, answer(model, "plain", "tide"));
    }
  }

  @Test
  void s2AMethodThatIsLeftDoesNotAnswerForTheForwardThatIsMissing() throws IOException {
    try (Model model = Model.load(archive(), memory)) {
      assertEquals(1, model.module().methods().size());
      InferenceRequest request = InferenceRequest.of("7").input("word", Shape.of(), "tide");
      Fault why = model.predict(request).fault();
      assertNotNull(why);
      assertEquals(FaultType.UNSUPPORTED, why.type());
      assertTrue(why.message().contains("LoadOptions.withClasses"), why.message());
    }
  }

  @Test
  void s2CodeThatDoesNotHoldWhatWasSavedIsRefusedByTheAttribute() throws IOException {
    Path archive = archive();
    LoadOptions numbers = options(VOCABULARY.replace("words: List[str]", "words: List[int]"));
    StaunchException refused =
        assertThrows(StaunchException.class, () -> Model.load(archive, memory, numbers).close());
    assertTrue(refused.getMessage().contains("vocabulary"), refused.getMessage());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void s2AMethodThatTheCodeLacksIsNamedWithItsLine() throws IOException {
    LoadOptions lacking = options(VOCABULARY.replace("def add(", "def put("));
    try (Model model = Model.load(archive(), memory, lacking)) {
      Fault why = model.module().missingMethods().get("learn");
      assertNotNull(why);
      assertTrue(why.message().contains("has no method add"), why.message());
      assertNotNull(why.source());
      assertArrayEquals(
          new long[] {0, 1},
          new long[] {answer(model, "forward", "sea"), answer(model, "forward", "ship")});
    }
  }
}
