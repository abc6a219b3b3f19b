package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A problem in one method leaves the others usable (S2). */
class MissingFunctionsTest {
  private static final String HEAD = "class M(Module):\n  __parameters__ = []\n";

  /** A method that works. */
  private static final String TWICE =
      """
        def twice(self: __torch__.M, x: int) -> int:
          return torch.mul(x, 2)
      """;

  private static final String UNKNOWN =
      """
        def forward(self: __torch__.M, x: int) -> int:
          y = torch.no_such_thing(x)
          return y
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private TorchScriptModule load(String code) {
    return TorchScriptModule.load("small", SmallArchive.of(code), scope);
  }

  private Fault refusal(String code) {
    return assertThrows(StaunchException.class, () -> load(code)).fault();
  }

  private Object run(TorchScriptModule module, String method, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(module.root()));
    all.addAll(Arrays.asList(arguments));
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    return plan.run("__torch__.M." + method, all, RunOptions.in(scope)).get(0);
  }

  @Test
  void theMethodsBesideOneThatCannotBeLoweredAnswer() {
    TorchScriptModule module = load(HEAD + UNKNOWN + TWICE);
    assertEquals(42L, run(module, "twice", 21L));
    assertEquals(List.of("twice"), module.methods().stream().map(each -> each.name()).toList());
    Fault why = module.missingMethods().get("forward");
    assertEquals(FaultType.UNKNOWN_OPERATION, why.type());
    assertEquals("y = torch.no_such_thing(x)", why.source().text());
    StaunchException asked = assertThrows(StaunchException.class, () -> module.method("forward"));
    assertTrue(asked.fault().isSameAs(why));
  }

  @Test
  void whatStandsInForAMissingMethodIsNoOperationOfTheArchive() {
    List<String> names =
        load(HEAD + UNKNOWN + TWICE).operations(StandardOperations.catalog()).stream()
            .map(each -> each.name())
            .toList();
    assertEquals(List.of("aten::mul.int"), names);
  }

  @Test
  void anArchiveWithoutAMethodThatCanRunIsRefused() {
    assertEquals(FaultType.UNKNOWN_OPERATION, refusal(HEAD + UNKNOWN).type());
  }

  @Test
  void aMethodThatSurelyCallsAMissingOneIsMissingAndSaysTheWay() {
    String caller =
        """
          def outer(self: __torch__.M, x: int) -> int:
            return (self).forward(x, )
        """;
    TorchScriptModule module = load(HEAD + UNKNOWN + caller + TWICE);
    Fault why = module.missingMethods().get("outer");
    assertEquals("__torch__.M.outer", why.path().get(0).function());
    assertEquals("y = torch.no_such_thing(x)", why.source().text());
  }

  @Test
  void aMethodThatMayPassByAMissingOneRunsUntilItComesToIt() {
    String caller =
        """
          def outer(self: __torch__.M, x: int) -> int:
            if torch.gt(x, 3):
              y = (self).forward(x, )
            else:
              y = x
            return y
        """;
    TorchScriptModule module = load(HEAD + UNKNOWN + caller);
    assertEquals(2L, run(module, "outer", 2L));
    Fault fault = (Fault) run(module, "outer", 5L);
    assertEquals(FaultType.UNKNOWN_OPERATION, fault.type());
    assertEquals("there is no operator aten::no_such_thing", fault.message());
    assertEquals("y = torch.no_such_thing(x)", fault.source().text());
  }

  @Test
  void theGradientOperatorIsMissedUnderItsOwnName() {
    String caller =
        """
          def forward(self: __torch__.M, x: Tensor) -> List[Optional[Tensor]]:
            return torch.autograd.grad([x], [x])
        """;
    TorchScriptModule module = load(HEAD + caller);
    Fault fault = (Fault) run(module, "forward", HostTensors.floats(scope, Shape.of(1), 2));
    assertEquals(FaultType.UNSUPPORTED, fault.type());
    assertEquals("there is no kernel for aten::grad", fault.message());
  }

  @Test
  void aMethodThatIsNoTorchScriptLeavesTheOthersReadable() {
    String unreadable =
        """
          def forward(self: __torch__.M, x: int) -> int:
            y = (lambda ((x: (
              $ 3))
            return y
        """;
    TorchScriptModule module = load(HEAD + unreadable + TWICE);
    assertEquals(42L, run(module, "twice", 21L));
    assertEquals(FaultType.DATA_FORMAT, module.missingMethods().get("forward").type());
  }

  @Test
  void aMethodThatBreaksASchemaLeavesTheOthersUsable() {
    String broken =
        """
          def forward(self: __torch__.M, x: int) -> str:
            return torch.add(x, 1)
        """;
    TorchScriptModule module = load(HEAD + broken + TWICE);
    assertEquals(42L, run(module, "twice", 21L));
    assertEquals(FaultType.DATA_FORMAT, module.missingMethods().get("forward").type());
  }

  @Test
  void aMethodThatReadsAnEnumOfBooleansLeavesTheOthersUsable() {
    String flag =
        """
          def forward(self: __torch__.M, x: int) -> bool:
            c = __torch__.Flag.ON
            return (c).value
        """;
    TorchScriptModule module = load("class Flag(Enum):\n  ON = True\n" + HEAD + flag + TWICE);
    assertEquals(42L, run(module, "twice", 21L));
    Fault why = module.missingMethods().get("forward");
    assertEquals(FaultType.UNKNOWN_OPERATION, why.type());
    assertEquals("there is no operator prim::EnumValue.bool", why.message());
    assertEquals("return (c).value", why.source().text());
  }

  @Test
  void interfacesNeedNotSayWhatSelfIs() {
    String code =
        "class I(ModuleInterface):\n  def forward(self,\n    x: int) -> int:\n    pass\n"
            + HEAD
            + TWICE;
    assertEquals(4L, run(load(code), "twice", 2L));
  }
}
