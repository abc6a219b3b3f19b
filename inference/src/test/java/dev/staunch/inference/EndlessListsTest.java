package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.inference.recorded.Trace;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A script may put a list or dict into itself. What walks over values comes to an end there. */
class EndlessListsTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, n: int) -> int:
          a = annotate(List[Any], [])
          _0 = torch.append(a, n)
          _1 = torch.append(a, a)
          d = annotate(Dict[str, Any], {})
          _2 = torch._set_item(d, "a", a)
          _3 = torch._set_item(d, "d", d)
          %s
          return n
        def made(self: __torch__.M, n: int) -> List[Any]:
          a = annotate(List[Any], [])
          _0 = torch.append(a, n)
          _1 = torch.append(a, a)
          return a
        def taken(self: __torch__.M, a: List[Any]) -> int:
          return torch.len(a)
      """;

  private static final InferenceRequest REQUEST =
      InferenceRequest.of("1").input("n", Shape.of(), 7L);

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final List<String> printed = new ArrayList<>();

  private Model model(String line) {
    Catalog catalog =
        StandardOperations.catalog().toBuilder()
            .one(
                "mine::inner(Any[] list) -> int",
                call -> (long) ((List<?>) call.list(0).get(1)).size())
            .build();
    return Model.load(
        "endless.pt",
        SmallArchive.of(CODE.formatted(line)),
        memory,
        LoadOptions.standard().withCatalog(catalog));
  }

  private Answer answer(String line) {
    try (Model model = model(line)) {
      return model.predict(
          REQUEST, "forward", scope -> RunOptions.in(scope).withOutput(printed::add));
    }
  }

  @Test
  void thePartInsideItselfIsPrintedAsDots() {
    Answer answer = answer("print(a, d)");
    assertNull(answer.fault());
    assertEquals(List.of("[7, [...]] {a: [7, [...]], d: {...}}"), printed);
  }

  @Test
  void aFaultAboutItIsThatOfAnyOtherList() {
    Fault fault = Objects.requireNonNull(answer("b = torch.__getitem__(a, 5)").fault());
    assertEquals(FaultType.INDEX, fault.type(), fault.toString());
  }

  @Test
  void anOperationOfTheUsersReadsIt() {
    Answer answer = answer("print(ops.mine.inner(a))");
    assertNull(answer.fault());
    assertEquals(List.of("2"), printed);
  }

  @Test
  void itIsPassedToTheCallerAndBack() {
    try (Model model = model("b = 1");
        ResourceScope scope = ResourceScope.open(memory, "caller")) {
      Object list = model.call("made", List.of(7L), RunOptions.in(scope));
      assertEquals(2L, model.call("taken", List.of(list), RunOptions.in(scope)));
    }
  }

  @Test
  void aTraceHoldsItOnce() {
    Trace trace = new Trace(StandardOperations.catalog(), 8);
    try (Model model = model("b = torch.len(a)")) {
      model.predict(REQUEST, "forward", scope -> RunOptions.in(scope).withInterceptor(trace));
    }
    assertEquals(List.of("a: [7, [...]]"), trace.steps().getLast().given());
  }
}
