package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tuples, named tuples, lists and dicts, nested in each other, as inputs and outputs of a request.
 */
class ContainersTest {
  private static final String CODE =
      """
      class State(NamedTuple):
        h : int
        c : int
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, n: int, state: Optional[Tuple[int, int]]=None) -> Tuple[int, Tuple[int, int]]:
          if torch.__is__(state, None):
            s = (0, 0)
          else:
            s = unchecked_cast(Tuple[int, int], state)
          h, c, = s
          return (torch.add(n, h), (torch.add(h, 1), torch.add(c, n)))
        def named(self: __torch__.M, state: __torch__.State) -> Tuple[int, __torch__.State]:
          return (state.h, __torch__.State(state.c, state.h))
        def deep(self: __torch__.M, xs: List[Tuple[int, int]], d: Dict[str, List[int]]) -> Dict[str, Tuple[int, List[int]]]:
          a, b, = xs[1]
          return {"r.s": (torch.add(a, b), d["k.l"])}
        def numbered(self: __torch__.M, d: Dict[int, Tensor]) -> List[Tensor]:
          return [d[3], d[-1]]
        def tensors(self: __torch__.M, xs: List[Tensor], groups: Dict[str, List[Tensor]]) -> List[Tensor]:
          ys = annotate(List[Tensor], [])
          for i in range(torch.len(xs)):
            _0 = torch.append(ys, xs[i])
          for j in range(torch.len(groups["g"])):
            _1 = torch.append(ys, (groups["g"])[j])
          return ys
        def listed(self: __torch__.M, sizes: Optional[List[int]]=None, pair: Optional[Tuple[List[int], int]]=None) -> Optional[List[int]]:
          if torch.__is__(pair, None):
            _0 = sizes
          else:
            all, n, = unchecked_cast(Tuple[List[int], int], pair)
            _0 = torch.add(all, [n])
          return _0
        def clashing(self: __torch__.M, x: Tensor) -> Dict[str, Dict[str, Tensor]]:
          return {"a": {"b.c": x}, "a.b": {"c": torch.neg(x), "d": x}}
        def unnamed(self: __torch__.M, x: Tensor, key: str) -> Dict[str, Tensor]:
          return {"": x, key: torch.neg(x)}
        def alien(self: __torch__.M, x: Tensor) -> Tuple[Tensor, Tensor, complex, Tensor]:
          y = torch.to(x, 6)
          return (x, torch.complex(y, y), complex(1., 2.), torch.to_sparse(x))
        def joined(self: __torch__.M, words: List[str], weights: Dict[str, Tensor]) -> Tuple[Tensor, List[Tensor]]:
          x = torch.mul(weights["a"], torch.len(words))
          return (x, [weights["b.c"], x])
      """;

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private Model model;

  @BeforeEach
  void load() throws IOException {
    model = Model.load(Files.write(folder.resolve("m.pt"), SmallArchive.of(CODE)), memory);
  }

  @AfterEach
  void nothingLeaks() {
    model.close();
    assertEquals(0, memory.account().bytes());
  }

  private static InferenceRequest with(InferenceRequest request, String name, long... values) {
    return request.input(name, Shape.of(values.length), values);
  }

  private static InferenceRequest request(String name, long... values) {
    return with(InferenceRequest.of("1"), name, values);
  }

  private static List<String> texts(Answer answer) {
    assertNull(answer.fault());
    return answer.outputs().stream()
        .map(output -> output.name() + Arrays.toString(output.longs()))
        .toList();
  }

  private Fault fault(InferenceRequest request, String method) {
    Fault fault = model.predict(request, method).fault();
    assertNotNull(fault);
    assertEquals(FaultType.REQUEST, fault.type());
    return fault;
  }

  @Test
  void aStateThatIsGivenBackIsATupleAndMayBeLeftOut() {
    List<String> first = texts(model.predict(request("n", 5)));
    assertEquals(List.of("output_0[5]", "output_1.0[1]", "output_1.1[5]"), first);
    InferenceRequest next = with(with(request("n", 7), "state.0", 1), "state.1", 5);
    List<String> second = texts(model.predict(next));
    assertEquals(List.of("output_0[8]", "output_1.0[2]", "output_1.1[12]"), second);
  }

  @Test
  void aPartThatIsMissingOrUnknownIsNamed() {
    Fault missing = fault(with(request("n", 7), "state.0", 1), "forward");
    assertEquals("the request lacks the input 'state.1'", missing.message());
    assertEquals("state.1", missing.input());
    Fault unknown = fault(with(request("n", 7), "state.2", 1), "forward");
    assertEquals("'state' has no part '2'; it has 0, 1", unknown.message());
    Fault whole = fault(with(request("n", 7), "state", 1, 2), "forward");
    assertEquals(
        "input 'state' is a Tuple[int, int]; name each of its parts, such as 'state.0'",
        whole.message());
    Fault deeper = fault(with(request("n", 7), "state.0.1", 1), "forward");
    assertEquals("'state.0' is int, which has no parts", deeper.message());
  }

  @Test
  void theFieldsOfANamedTupleHaveTheirNames() {
    InferenceRequest request = with(request("state.c", 3), "state.h", 4);
    List<String> answer = texts(model.predict(request, "named"));
    assertEquals(List.of("output_0[4]", "output_1.h[3]", "output_1.c[4]"), answer);
    Fault fault = fault(request("state.0", 3), "named");
    assertEquals("'state' has no part '0'; it has h, c", fault.message());
  }

  @Test
  void containersAreInEachOther() {
    InferenceRequest request = with(with(request("xs.0.0", 1), "xs.0.1", 2), "xs.1.1", 30);
    request = with(with(request, "xs.1.0", 4), "d.k.l", 8, 9);
    assertEquals(
        List.of("r.s.0[34]", "r.s.1.0[8]", "r.s.1.1[9]"), texts(model.predict(request, "deep")));
    Fault gap = fault(with(request("xs.1.0", 1), "xs.1.1", 2), "deep");
    assertEquals("'xs' has no part '1'; it has 0", gap.message());
  }

  @Test
  void aListOfTensorsGoesByNumbersOrInTheOrderOfItsInputs() {
    List<String> answer = List.of("output_0[4]", "output_1[5]", "output_2[6]", "output_3[7]");
    InferenceRequest numbered = with(with(request("xs.1", 5), "groups.g.1", 7), "xs.0", 4);
    assertEquals(answer, texts(model.predict(with(numbered, "groups.g.0", 6), "tensors")));
    InferenceRequest repeated = with(with(request("xs", 4), "xs", 5), "groups.g", 6);
    assertEquals(answer, texts(model.predict(with(repeated, "groups.g", 7), "tensors")));
    InferenceRequest more = request("groups.g", 6);
    assertEquals(
        "'xs' has no part '2'; it has 0, 1",
        fault(with(with(more, "xs.0", 4), "xs.2", 5), "tensors").message());
    assertEquals(
        "'xs' has no part 'a'; it has 0", fault(with(more, "xs.a", 4), "tensors").message());
    assertEquals(
        "input 'xs.0' is given more than once",
        fault(with(with(with(more, "xs.0", 4), "xs.0", 5), "xs.1", 5), "tensors").message());
    assertEquals(
        "input 'xs' is a List[Tensor]; name each of its parts, such as 'xs.0'",
        fault(with(with(more, "xs.0", 4), "xs", 5), "tensors").message());
  }

  @Test
  void aListOfNumbersGoesAsOneInputOrAsItComes() {
    List<String> listed = List.of("output_0[4]", "output_1[5]");
    InferenceRequest apart = with(request("sizes.0", 4), "sizes.1", 5);
    assertEquals(listed, texts(model.predict(apart, "listed")));
    assertEquals(listed, texts(model.predict(request("sizes", 4, 5), "listed")));
    InferenceRequest deeper = with(request("pair.0.0", 4), "pair.1", 5);
    assertEquals(listed, texts(model.predict(deeper, "listed")));
    assertEquals(
        "'sizes' has no part '2'; it has 0, 1",
        fault(with(request("sizes.0", 4), "sizes.2", 5), "listed").message());
    assertEquals(
        "input 'sizes.0' is INT64 of shape [2], where the model takes int",
        fault(request("sizes.0", 4, 5), "listed").message());
    assertEquals(
        "input 'sizes' is a List[int]; name each of its parts, such as 'sizes.0'",
        fault(with(request("sizes.0", 4), "sizes", 5), "listed").message());
  }

  @Test
  void theKeysOfADictMayBeNumbers() {
    InferenceRequest request = with(request("d.3", 1), "d.-1", 2);
    assertEquals(List.of("output_0[1]", "output_1[2]"), texts(model.predict(request, "numbered")));
    Fault fault = fault(request("d.x", 1), "numbered");
    assertEquals("'x' is not a key of 'd', which is a Dict[int, Tensor]", fault.message());
    InferenceRequest extremes =
        with(with(request, "d." + Long.MAX_VALUE, 5), "d." + Long.MIN_VALUE, 6);
    assertNull(model.predict(extremes, "numbered").fault());
    for (String other : List.of("03", "-0", "9223372036854775808", "+3", "3.0")) {
      InferenceRequest twice = with(request, "d." + other, 7);
      assertTrue(
          fault(twice, "numbered").message().startsWith("'" + other + "' is not a key of"), other);
    }
  }

  @Test
  void inputsThatWereTakenInOrderAreSaidSo() {
    Answer answer = model.predict(request("whatever", 5));
    assertEquals("output_0[5]", texts(answer).getFirst());
    String warning =
        "no input has the name of a parameter, so they were taken in order: 'whatever' as 'n'";
    assertEquals(warning, answer.warning());
    String line = new ProtocolWriter("m").write(answer);
    String start = "{\"model_name\":\"m\",\"id\":\"1\",\"parameters\":{\"warning\":\"" + warning;
    assertEquals(start, line.substring(0, start.length()));
    assertNull(model.predict(request("n", 5)).warning());
  }

  @Test
  void allOfAListOrTupleIsAskedForByItsName() {
    assertEquals(
        List.of("output_1.0[1]", "output_1.1[5]"),
        texts(model.predict(request("n", 5).output("output_1"))));
    InferenceRequest deep = with(with(request("xs.0.0", 1), "xs.0.1", 2), "xs.1.0", 4);
    deep = with(with(deep, "xs.1.1", 30), "d.k.l", 8, 9).output("r.s.1").output("r.s.0");
    assertEquals(
        List.of("r.s.1.0[8]", "r.s.1.1[9]", "r.s.0[34]"), texts(model.predict(deep, "deep")));
    MemorySegment target = MemorySegment.ofArray(new long[2]);
    assertEquals(
        "output 'output_1' has parts; give memory for each of them",
        fault(request("n", 5).output("output_1", target), "forward").message());
    assertEquals(
        "the model has no output 'output'; it has output_0, output_1.0, output_1.1",
        fault(request("n", 5).output("output"), "forward").message());
  }

  @Test
  void noPartTakesTheNameOfAnother() {
    String lost =
        "the model's result has several parts of the name '%s'; give its dicts other keys";
    Fault fault = model.predict(request("x", 1), "clashing").fault();
    assertNotNull(fault);
    assertEquals(lost.replace("%s", "a.b.c"), fault.message());
    InferenceRequest keyed = request("x", 1).input("key", Shape.of(1), "output");
    Fault unnamed = model.predict(keyed, "unnamed").fault();
    assertNotNull(unnamed);
    assertEquals(lost.replace("%s", "output"), unnamed.message());
    InferenceRequest other = request("x", 1).input("key", Shape.of(1), "k");
    assertEquals(List.of("output[1]", "k[-1]"), texts(model.predict(other, "unnamed")));
  }

  @Test
  void whatTheProtocolCannotCarryIsNamedWithWhatToReturnInstead() {
    assertEquals(
        List.of("output_0[1]"), texts(model.predict(request("x", 1).output("output_0"), "alien")));
    List<String> messages =
        List.of(
            "output 'output_1' is complex64, which the protocol cannot carry; return its"
                + " `view_as_real`",
            "output 'output_2' is a complex number, which the protocol cannot carry; return its"
                + " real and imaginary parts",
            "output 'output_3' is a sparse tensor, which the protocol cannot carry; return its"
                + " `to_dense()`");
    for (int i = 0; i < messages.size(); i++) {
      InferenceRequest one = request("x", 1).output("output_" + (i + 1));
      Fault fault = model.predict(one, "alien").fault();
      assertNotNull(fault);
      assertEquals(messages.get(i), fault.message());
    }
  }

  @Test
  void theKeysOfAnExampleAreThoseThatTheCodeLooksUp() {
    for (String method : List.of("forward", "named", "deep", "numbered", "listed", "joined")) {
      InferenceRequest example = model.example(method, Duration.ofSeconds(30));
      assertNull(model.predict(example, method).fault(), method);
    }
  }

  @Test
  void theMetadataListsWhatIsKnownOfOutputs() {
    assertEquals(
        List.of(
            new Signature.Output("output_0", "int", "INT64"),
            new Signature.Output("output_1.h", "int", "INT64"),
            new Signature.Output("output_1.c", "int", "INT64")),
        model.signature("named").outputs());
    assertEquals(List.of(), model.signature("numbered").outputs());
    String metadata = new ProtocolWriter("m").write(model.signature("joined"));
    String outputs =
        "\"outputs\":[{\"name\":\"output_0\",\"parameters\":{\"type\":\"Tensor\"}},"
            + "{\"name\":\"output_1\",\"parameters\":{\"type\":\"List[Tensor]\"}}]";
    assertTrue(metadata.contains(outputs), metadata);
    String number =
        "{\"name\":\"output_0\",\"datatype\":\"INT64\",\"shape\":[1],\"parameters\":{\"type\":\"int\"}}";
    String named = new ProtocolWriter("m").write(model.signature("named"));
    assertTrue(named.contains(number), named);
  }

  @Test
  void theMetadataSaysHowInputsGoAndWhereAWarningStands() {
    String metadata = new ProtocolWriter("m").write(model.signature("forward"));
    String input = "{\"name\":\"n\",\"parameters\":{\"type\":\"int\",\"required\":true}}";
    assertTrue(metadata.startsWith("{\"name\":\"m\",\"platform\":\"torchscript\""), metadata);
    assertTrue(metadata.contains(input), metadata);
    assertTrue(metadata.contains("by position, which the answer says"), metadata);
  }
}
