package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests made from Java arrays, dicts of tensors, and the outputs that a request selects. */
class InferenceRequestTest {
  private static final String PARTS =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor, n: int=1) -> Dict[str, Tensor]:
          return {"twice": torch.mul(x, 2), "more": torch.add(x, n)}
      """;
  private static final String DICT =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, features: Dict[str, Tensor]) -> Tensor:
          return torch.sub(features["age"], features["income.net"])
      """;

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  private Answer answer(String code, InferenceRequest request) throws IOException {
    Path archive = Files.write(folder.resolve("model.pt"), SmallArchive.of(code));
    try (Model model = Model.load(archive, memory)) {
      return model.predict(request, "forward");
    }
  }

  private static InferenceRequest read(String json) {
    return new ProtocolReader().read(json).orThrow();
  }

  private static Fault faultOf(Answer answer) {
    Fault fault = answer.fault();
    assertNotNull(fault);
    assertEquals(FaultType.REQUEST, fault.type(), fault::toString);
    return fault;
  }

  @Test
  void aRequestPrintsWhatItGivesAndAsksFor() {
    InferenceRequest request = InferenceRequest.of(null).input("x", Shape.of(1, 2), 0.5f, 1f);
    assertEquals("InferenceRequest[x FP32[1, 2]]", request.toString());
    assertEquals(
        "InferenceRequest[id=7, x BOOL[] -> more, twice]",
        InferenceRequest.of("7")
            .input("x", Shape.SCALAR, true)
            .output("more")
            .output("twice")
            .toString());
  }

  @Test
  void everyJavaArrayBecomesATensorOfItsDatatype() throws IOException {
    Shape two = Shape.of(2);
    InferenceRequest request = InferenceRequest.of("7");
    Answer floats = answer(PARTS, request.input("x", two, 0.5f, -1f));
    assertEquals("Answer[id=7, twice FP32[2], more FP32[2]]", floats.toString());
    assertArrayEquals(new float[] {1, -2}, floats.outputs().get(0).floats());
    Answer doubles = answer(PARTS, request.input("x", two, 0.1, 0.2));
    assertArrayEquals(new double[] {0.2, 0.4}, doubles.outputs().get(0).doubles());
    Answer ints = answer(PARTS, request.input("x", two, 1, -2));
    assertEquals("INT32", ints.outputs().get(0).datatype());
    Answer longs = answer(PARTS, request.input("x", two, 1L << 60, -2L));
    assertArrayEquals(new long[] {1L << 61, -4}, longs.outputs().get(0).longs());
    Answer flags = answer(PARTS, request.input("x", two, true, false));
    assertArrayEquals(new long[] {2, 1}, flags.outputs().get(1).longs());
  }

  @Test
  void arraysAreCopiedAndRequestsNeverChange() throws IOException {
    double[] values = {1, 2};
    InferenceRequest bare = InferenceRequest.of(null);
    InferenceRequest request = bare.input("x", Shape.of(2), values);
    values[0] = 9;
    Answer answer = answer(PARTS, request.input("n", Shape.SCALAR, 3L).output("more"));
    assertArrayEquals(new double[] {4, 5}, answer.outputs().get(0).doubles());
    assertTrue(faultOf(answer(PARTS, bare)).message().contains("lacks the input 'x'"));
  }

  @Test
  void anotherNumberOfValuesThanTheShapeSaysIsThrownAtOnce() {
    StaunchException.RequestException thrown =
        assertThrows(
            StaunchException.RequestException.class,
            () -> InferenceRequest.of("7").input("x", Shape.of(2, 2), 1f, 2f, 3f));
    assertEquals("x", thrown.fault().input());
    assertEquals(
        "input 'x' has shape [2, 2], which needs 4 values, but carries 3",
        thrown.fault().message());
  }

  @Test
  void outputsComeInTheOrderAskedFor() throws IOException {
    String inputs =
        "\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP32\",\"data\":[1]}]";
    String outputs =
        "\"outputs\":[{\"name\":\"more\",\"parameters\":{\"a\":[1]}},{\"name\":\"twice\"}]";
    Answer answer = answer(PARTS, read("{" + inputs + "," + outputs + "}"));
    assertEquals("Answer[more FP32[1], twice FP32[1]]", answer.toString());
    Answer all = answer(PARTS, read("{\"outputs\":[]," + inputs + "}"));
    assertEquals(2, all.outputs().size());
    for (String wrong :
        List.of("\"outputs\":[{}]", "\"outputs\":1", "\"outputs\":[{\"name\":1}]")) {
      assertNotNull(new ProtocolReader().read("{" + inputs + "," + wrong + "}").fault(), wrong);
    }
  }

  @Test
  void anOutputThatIsNotThereIsAFaultWithTheNamesThereAre() throws IOException {
    Answer answer =
        answer(PARTS, InferenceRequest.of("7").input("x", Shape.of(1), 1f).output("thrice"));
    assertEquals("the model has no output 'thrice'; it has twice, more", faultOf(answer).message());
    assertEquals(
        "Answer[id=7, request: the model has no output 'thrice'; it has twice, more]",
        answer.toString());
  }

  @Test
  void aDictOfTensorsIsGivenByItsKeys() throws IOException {
    Shape one = Shape.of(1);
    InferenceRequest age = InferenceRequest.of("7").input("features.age", one, 5f);
    Answer answer = answer(DICT, age.input("features.income.net", one, 3f));
    assertNull(answer.fault());
    assertArrayEquals(new float[] {2}, answer.outputs().get(0).floats());
    Fault twice = faultOf(answer(DICT, age.input("features.age", one, 3f)));
    assertEquals("input 'features.age' is given more than once", twice.message());
    Fault bare = faultOf(answer(DICT, InferenceRequest.of("7").input("features", one, 3f)));
    assertEquals("features", bare.input());
    assertTrue(bare.message().contains("'features.key'"), bare.message());
  }
}
