package dev.staunch.inference.fuzz;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import java.nio.charset.StandardCharsets;

/**
 * Loads input that may be hostile (S7). The outcome is a model or a typed fault, never an internal
 * one, and no bytes stay allocated. The other classes in this package are targets of the Jazzer
 * fuzzer, which needs only their method.
 */
final class HostileInput {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        x : Tensor
        n : int
        l : List[int]
        d : Dict[str, Tensor]
        s : str
        def forward(self: __torch__.M, y: Tensor) -> Tensor:
          return torch.add(y, self.x)
      """;

  private HostileInput() {}

  /** Loads a whole file. */
  static void archive(byte... bytes) {
    OffHeap memory = OffHeap.withBudget(16 << 20);
    try (memory) {
      LoadOptions options = LoadOptions.standard().withWarnings(text -> {});
      Model.load("fuzzed.pt", bytes, memory, options).close();
    } catch (StaunchException e) {
      if (e.fault().type() == FaultType.INTERNAL) {
        throw new AssertionError("a fault of the runtime's own: " + e.fault(), e);
      }
    }
    if (memory.account().bytes() != 0) {
      throw new AssertionError(memory.account().bytes() + " bytes are held");
    }
  }

  /** Loads an otherwise sound archive with these objects. */
  static void pickle(byte... bytes) {
    archive(SmallArchive.of(new String(bytes, StandardCharsets.ISO_8859_1), 10, CODE));
  }

  /** Loads an otherwise sound archive with this code. */
  static void source(byte... bytes) {
    archive(SmallArchive.of(new String(bytes, StandardCharsets.UTF_8)));
  }
}
