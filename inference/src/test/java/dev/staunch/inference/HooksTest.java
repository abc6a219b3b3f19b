package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forward hooks of the outermost module run around {@code forward}, as PyTorch runs them. */
class HooksTest {
  private static final String HEAD =
      """
      class M(Module):
        __parameters__ = []
        __forward_pre_hooks__ = ["before", ]
        __forward_hooks__ = ["look", "after", ]
        def forward(self: __torch__.M, x: int, k: int) -> int:
          return torch.mul(x, k)
        def other(self: __torch__.M, x: int) -> int:
          return x
        def look(self: __torch__.M, input: Tuple[int, int], output: int) -> NoneType:
          return None
      """;
  private static final String BEFORE =
      """
        def before(self: __torch__.M, input: Tuple[int, int]) -> Tuple[int, int]:
          return (torch.add((input)[0], 1), torch.add((input)[1], 1))
      """;
  private static final String AFTER =
      """
        def after(self: __torch__.M, input: Tuple[int, int], output: int) -> int:
          return torch.add(output, torch.mul((input)[0], 10))
      """;

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  private Object call(String code, String method, Object... arguments) throws IOException {
    Path archive = Files.write(folder.resolve("hooks.pt"), SmallArchive.of(code));
    try (Model model = Model.load(archive, memory);
        ResourceScope scope = ResourceScope.open(memory, "call")) {
      return model.call(method, List.of(arguments), RunOptions.in(scope));
    }
  }

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void hooksChangeArgumentsAndResultOrLeaveThemAlone() throws IOException {
    assertEquals(3L * 4 + 30, call(HEAD + BEFORE + AFTER, "forward", 2L, 3L));
  }

  @Test
  void otherMethodsHaveNoHooks() throws IOException {
    assertEquals(2L, call(HEAD + BEFORE + AFTER, "other", 2L));
  }

  @Test
  void aHookThatFailsIsTheFaultOfTheRequest() throws IOException {
    String raising = AFTER.replace("return ", "ops.prim.RaiseException(\"no good\")\n    return ");
    Fault fault = assertInstanceOf(Fault.class, call(HEAD + BEFORE + raising, "forward", 2L, 3L));
    assertEquals(FaultType.SCRIPT_RAISED, fault.type());
    assertTrue(fault.message().contains("no good"), fault.message());
  }

  @Test
  void aHookThatHandsOnTheWrongArgumentsIsNamed() throws IOException {
    String single =
        """
          def before(self: __torch__.M, input: Tuple[int, int]) -> int:
            return 7
        """;
    Fault fault = assertInstanceOf(Fault.class, call(HEAD + single + AFTER, "forward", 2L, 3L));
    assertTrue(fault.message().contains("takes 2 arguments, got 1"), fault.message());
  }

  @Test
  void aHookThatIsListedAndNotThereIsAFaultOfLoading() {
    StaunchException e =
        assertThrows(StaunchException.class, () -> call(HEAD + AFTER, "forward", 2L, 3L));
    assertEquals(FaultType.DATA_FORMAT, e.fault().type());
    assertTrue(e.getMessage().contains("no hook before"), e.getMessage());
  }
}
