package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What freezing a model makes a constant is among the archive's if its text is not ASCII. */
class ConstantContainersTest {
  private static final String TAG = "ctorch.jit._pickle\nrestore_type_tag\n";

  private static Object run(String constant, String type, String body) {
    String code =
        "class M(Module):\n"
            + "  __parameters__ = []\n"
            + "  def forward(self: __torch__.M,\n"
            + "    x: str) -> int:\n"
            + body;
    String tag = "X" + (char) type.length() + "\0\0\0" + type;
    String pickle = "\u0080\u0002" + TAG + constant + tag + "\u0086R\u0085.";
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      byte[] archive = SmallArchive.withConstants(pickle, code);
      TorchScriptModule module = TorchScriptModule.load("small", archive, scope);
      Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
      List<Object> arguments = List.of(module.root(), "\u00fc");
      return plan.run("__torch__.M.forward", arguments, RunOptions.in(scope)).get(0);
    }
  }

  @Test
  void aDictHasTheTypesOfItsEntries() {
    String words = "}(X\u0002\0\0\0\u00c3\u00bcK\u0003u";
    assertEquals(3L, run(words, "Dict[str, int]", "    return torch.get(CONSTANTS.c0, x, 7)\n"));
    assertEquals(
        4L,
        run(
            words,
            "Dict[str, int]",
            "    if torch.__contains__(CONSTANTS.c0, x):\n"
                + "      y = torch.add((CONSTANTS.c0)[x], 1)\n"
                + "    else:\n"
                + "      y = 0\n"
                + "    return y\n"));
  }

  @Test
  void theFirstOfTheValuesMayBeNone() {
    assertEquals(
        8L,
        run(
            "}(X\u0002\0\0\0\u00c3\u00bcNX\u0001\0\0\0bK\u0003u",
            "Dict[str, Optional[int]]",
            "    y = torch.get(CONSTANTS.c0, \"b\", 7)\n"
                + "    if torch.__is__(torch.get(CONSTANTS.c0, x, 7), None):\n"
                + "      n = torch.add(unchecked_cast(int, y), 5)\n"
                + "    else:\n"
                + "      n = 0\n"
                + "    return n\n"));
  }
}
