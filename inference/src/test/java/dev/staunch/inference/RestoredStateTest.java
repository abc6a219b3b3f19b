package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.CancelScope;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that restore themselves by {@code __setstate__} when their archive is loaded. */
class RestoredStateTest {
  /** An object of class M whose saved state is 7. */
  private static final String PICKLE = "\u0080\u0002c__torch__\nM\n)\u0081K\u0007b.";

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  private Path archive(String... body) throws IOException {
    StringBuilder code =
        new StringBuilder(
            """
            class M(Module):
              __parameters__ = []
              n : int
              def forward(self: __torch__.M) -> int:
                return self.n
              def __setstate__(self: __torch__.M, n: int) -> NoneType:
            """);
    for (String line : body) {
      code.append("    ").append(line).append('\n');
    }
    return Files.write(folder.resolve("restored.pt"), SmallArchive.of(PICKLE, 10, code.toString()));
  }

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aModelAnswersWithWhatItsObjectsRestored() throws IOException {
    Path archive = archive("self.n = torch.add(n, 1)", "return None");
    try (Model model = Model.load(archive, memory);
        ResourceScope scope = ResourceScope.open(memory, "call")) {
      assertEquals(8L, model.call("forward", List.of(), RunOptions.in(scope)));
    }
  }

  @Test
  void aRestoreThatRaisesIsAFaultOfLoading() throws IOException {
    Path archive = archive("ops.prim.RaiseException(\"too old\")", "self.n = n", "return None");
    StaunchException e =
        assertThrows(StaunchException.class, () -> Model.load(archive, memory).close());
    assertEquals(FaultType.SCRIPT_RAISED, e.fault().type());
  }

  @Test
  void aRestoreThatNeverEndsCanBeStopped() throws IOException {
    Path archive =
        archive(
            "_0 = True", "while _0:", "  self.n = torch.add(n, 1)", "  _0 = True", "return None");
    CancelScope cancel = CancelScope.open();
    cancel.cancel("the service shuts down");
    StaunchException e =
        assertThrows(
            StaunchException.class,
            () -> Model.load(archive, memory, LoadOptions.standard().withCancel(cancel)).close());
    assertEquals(FaultType.CANCELLED, e.fault().type());
  }
}
