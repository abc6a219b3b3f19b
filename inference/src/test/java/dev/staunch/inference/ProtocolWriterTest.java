package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Answers and requests as lines of JSON. */
class ProtocolWriterTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor) -> Tuple[Tensor, bool, str]:
          return ((self).inner(x), True, "a\\"b")
        def inner(self: __torch__.M, x: Tensor) -> Tensor:
          return torch.matmul(x, torch.ones([2, 2]))
      """;

  private final ProtocolWriter writer = new ProtocolWriter("ranker");

  private static Answer answer(Shape shape, float... values) {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (Model model =
        Model.load("small.pt", SmallArchive.of(CODE), memory, LoadOptions.standard())) {
      return model.predict(InferenceRequest.of("7").input("x", shape, values));
    }
  }

  @Test
  void anAnswerIsOneLineWhateverItHolds() throws IOException {
    Answer answer = answer(Shape.of(1, 2), 1, Float.NaN);
    String line =
        "{\"model_name\":\"ranker\",\"id\":\"7\",\"outputs\":["
            + "{\"name\":\"output_0\",\"datatype\":\"FP32\",\"shape\":[1,2],\"data\":[\"NaN\",\"NaN\"]},"
            + "{\"name\":\"output_1\",\"datatype\":\"BOOL\",\"shape\":[1],\"data\":[true]},"
            + "{\"name\":\"output_2\",\"datatype\":\"BYTES\",\"shape\":[1],\"data\":[\"a\\\"b\"]}]}";
    assertEquals(line, writer.write(answer));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.write(answer, bytes);
    assertEquals(line, bytes.toString(StandardCharsets.UTF_8));
  }

  @Test
  void whatIsNoUtf8IsReplaced() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tuple[str, str]:
            return (chr(195), torch.add(chr(195), chr(169)))
        """;
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (Model model =
        Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      Answer answer = model.predict(InferenceRequest.of("7").input("x", Shape.of(1), 1));
      String line = writer.write(answer);
      assertTrue(line.contains("[\"\uFFFD\"]") && line.contains("[\"\u00e9\"]"), line);
    }
  }

  @Test
  void aFaultCarriesItsFramesUnlessSourcesAreHidden() {
    Answer failed = answer(Shape.of(1, 3), 1, 2, 3);
    assertNotNull(failed.fault());
    String whole = writer.write(failed);
    assertTrue(whole.contains("\"source\":\"code/__torch__.py:"), whole);
    assertTrue(whole.contains("\"frames\":[\"__torch__.M.forward at code/__torch__.py:"), whole);
    String hidden = writer.withoutSources().write(failed);
    assertTrue(hidden.contains("\"type\":\"shape\""), hidden);
    assertFalse(hidden.contains("__torch__"), hidden);
  }

  @Test
  void whatTheReaderOfAnAnswerThrowsIsThrownOn() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int each) throws IOException {
            throw new IOException("full");
          }
        };
    Answer answer = answer(Shape.of(1, 2), 1, 2);
    assertEquals(
        "full", assertThrows(IOException.class, () -> writer.write(answer, full)).getMessage());
  }

  @Test
  void aRequestThatIsWrittenIsReadAgain() {
    InferenceRequest request =
        InferenceRequest.of("7")
            .input("x", Shape.of(1, 2), 0.5f, Float.POSITIVE_INFINITY)
            .input("n", Shape.of(1), Long.MAX_VALUE)
            .input("flag", Shape.SCALAR, true)
            .input("word", Shape.of(1), "a")
            .output("y");
    String line = writer.write(request);
    InferenceRequest read = new ProtocolReader().read(line).orThrow();
    assertEquals(request.toString(), read.toString());
    assertEquals(line, writer.write(read));
  }
}
