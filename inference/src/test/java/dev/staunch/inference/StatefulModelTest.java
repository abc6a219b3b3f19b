package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.RunOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A model that changes its own state outside of training answers as if requests came one at a time
 * (S6).
 */
class StatefulModelTest {
  private static final int THREADS = 8;
  private static final int REQUESTS = 250;
  private static final String PICKLE = "\u0080\u0002c__torch__\nM\n)\u0081K\u0007b.";
  private static final String HEAD =
      """
      class M(Module):
        __parameters__ = []
        n : int
        items : List[int]
        t : Tensor
        def __setstate__(self: __torch__.M, n: int) -> NoneType:
          self.n = 0
          self.items = annotate(List[int], [])
          self.t = torch.zeros([20000], dtype=6)
          return None
        def same(self: __torch__.M) -> int:
          return self.n
      """;

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(16 << 20);

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  private Model model(String body) throws IOException {
    String code = HEAD + "  def forward(self: __torch__.M) -> int:\n" + body.indent(4);
    return Model.load(
        Files.write(folder.resolve("state.pt"), SmallArchive.of(PICKLE, 10, code)), memory);
  }

  private Object call(Model model, String method) {
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      return model.call(method, List.of(), RunOptions.in(scope));
    }
  }

  /** Each of many concurrent requests gets its own count. */
  private void countsOneByOne(String body) throws Exception {
    try (Model model = model(body)) {
      Set<Object> seen = ConcurrentHashMap.newKeySet();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int k = 0; k < REQUESTS; k++) {
                    seen.add(call(model, "forward"));
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      Set<Object> expected =
          LongStream.rangeClosed(1, THREADS * REQUESTS).boxed().collect(Collectors.toSet());
      assertEquals(expected, seen);
      assertTrue(model.stateUse("forward").state());
    }
  }

  @Test
  void aCounterInAnAttributeCountsEveryRequest() throws Exception {
    countsOneByOne("self.n = torch.add(self.n, 1)\nreturn self.n\n");
  }

  @Test
  void aListThatGrowsGrowsByOne() throws Exception {
    countsOneByOne("_0 = torch.append(self.items, 1)\nreturn torch.len(self.items)\n");
  }

  @Test
  void aBufferThatIsWrittenInPlaceIsNeverSeenHalfWritten() throws Exception {
    countsOneByOne(
        """
        _0 = torch.add_(self.t, 1.)
        low = torch.item(torch.min(self.t))
        high = torch.item(torch.max(self.t))
        if torch.ne(low, high):
          ops.prim.RaiseException("torn")
        else:
          pass
        return int(high)
        """);
  }
}
