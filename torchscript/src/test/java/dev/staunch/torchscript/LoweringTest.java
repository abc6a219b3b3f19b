package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Function;
import dev.staunch.ir.ProgramPrinter;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoweringTest {
  private static final String HEAD =
      "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n";
  private static final String FORWARD = HEAD + "  def forward(self: __torch__.M,\n    x: int) -> ";

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

  private Object run(String code, Object... arguments) {
    TorchScriptModule module = load(code);
    List<Object> all = new ArrayList<>(List.of(module.root()));
    all.addAll(Arrays.asList(arguments));
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    return plan.run(module.functionName("forward"), all, RunOptions.in(scope)).get(0);
  }

  private Fault fault(String code) {
    return assertThrows(StaunchException.class, () -> load(code)).fault();
  }

  private void assertFault(FaultType type, String message, String line, String code) {
    Fault fault = fault(code);
    assertEquals(type, fault.type(), fault.toString());
    assertTrue(fault.message().contains(message), fault.toString());
    assertNotNull(fault.source());
    assertEquals(line, fault.source().text());
  }

  /**
   * S7: a branch costs nothing for the names around it; in this test, that cost would add up to
   * billions.
   */
  @Test
  void manyNamesAndManyBranchesAreLoweredOneByOne() {
    StringBuilder code = new StringBuilder(FORWARD).append("int:\n");
    for (int i = 0; i < 60_000; i++) {
      code.append("    v").append(i).append(" = ").append(i).append('\n');
    }
    for (int i = 0; i < 20_000; i++) {
      code.append("    if torch.eq(x, ").append(i).append("):\n      v").append(i);
      code.append(" = 7\n    else:\n      pass\n");
    }
    TorchScriptModule module = load(code + "    return v19999\n");
    Function forward = Objects.requireNonNull(module.program().find("__torch__.M.forward"));
    long joined =
        forward.body().operations().stream()
            .filter(each -> each.name().equals("prim::If") && each.results().size() == 1)
            .count();
    assertEquals(20_000, joined);
  }

  /** Values used deep inside pass through each enclosing block; their total number is bounded. */
  @Test
  void blocksInBlocksThatUseTooMuchFromAroundThemAreRefused() {
    StringBuilder code = new StringBuilder(FORWARD).append("int:\n");
    for (int i = 0; i < 20_000; i++) {
      code.append("    v").append(i).append(" = ").append(i).append('\n');
    }
    String indent = "    ";
    for (int depth = 0; depth < 60; depth++) {
      code.append(indent).append("if torch.eq(x, 1):\n");
      indent += "  ";
    }
    for (int i = 0; i < 20_000; i++) {
      code.append(indent).append("x = torch.add(x, v").append(i).append(")\n");
    }
    code.append("    return x\n");
    assertFault(
        FaultType.DATA_FORMAT,
        "the blocks of the code use more than 2097152 values from around them",
        "def forward(self: __torch__.M,",
        code.toString());
  }

  @Test
  void branchesJoinWhatBothAssign() {
    String code =
        FORWARD
            + "int:\n"
            + "    if torch.gt(x, 3):\n"
            + "      y = torch.mul(x, 10)\n"
            + "    else:\n"
            + "      y = torch.neg(x)\n"
            + "    return y\n";
    assertEquals(50L, run(code, 5L));
    assertEquals(-2L, run(code, 2L));
  }

  @Test
  void loopsCarryWhatTheirBodyReassigns() {
    String code =
        FORWARD
            + "Tuple[int, int]:\n"
            + "    sum = 0\n"
            + "    for i in range(x):\n"
            + "      sum = torch.add(sum, i)\n"
            + "    n = x\n"
            + "    steps = 0\n"
            + "    more = torch.gt(n, 1)\n"
            + "    while more:\n"
            + "      n0 = torch.floordiv(n, 2)\n"
            + "      more, n, steps = torch.gt(n0, 1), n0, torch.add(steps, 1)\n"
            + "    return (sum, steps)\n";
    assertEquals(new TupleValue(List.of(28L, 3L)), run(code, 8L));
  }

  @Test
  void membersOfEnumsAreOneObjectEach() {
    String code =
        "class Color(Enum):\n  RED = 1\n  GREEN = 2\n"
            + FORWARD
            + "Tuple[str, int, bool]:\n"
            + "    if torch.gt(x, 1):\n"
            + "      c = __torch__.Color.GREEN\n"
            + "    else:\n"
            + "      c = __torch__.Color.RED\n"
            + "    return ((c).name, (c).value, torch.eq(c, __torch__.Color.RED))\n";
    assertEquals(new TupleValue(List.of("GREEN", 2L, false)), run(code, 2L));
    assertEquals(new TupleValue(List.of("RED", 1L, true)), run(code, 1L));
  }

  @Test
  void aForkedFunctionSeesTheNamesAroundIt() {
    String code =
        FORWARD
            + "int:\n"
            + "    y = torch.add(x, 1)\n"
            + "    def __forked_function():\n"
            + "      return torch.mul(y, x)\n"
            + "    f = fork(__forked_function)\n"
            + "    return torch.wait(f)\n";
    assertEquals(20L, run(code, 4L));
  }

  @Test
  void methodsFunctionsAndDefaultsAreFoundByName() {
    String code =
        HEAD
            + "  def twice(self: __torch__.M, x: int, by: int=2) -> int:\n"
            + "    return torch.mul(x, by)\n"
            + "  def forward(self: __torch__.M, x: int) -> int:\n"
            + "    return __torch__.plus((self).twice(x, ), (self).twice(x, by=3), )\n"
            + "def plus(a: int, b: int) -> int:\n"
            + "  return torch.add(a, b)\n";
    assertEquals(25L, run(code, 5L));
    assertEquals("twice(x: int, by: int=2) -> int", load(code).method("twice").toString());
  }

  @Test
  void namedTuplesAreTuplesWithNames() {
    String code =
        "class P(NamedTuple):\n  a : int\n  b : str\n"
            + FORWARD
            + "str:\n"
            + "    p = __torch__.P(x, \"q\")\n"
            + "    return torch.add((p)[1], str((p).a))\n";
    assertEquals("q7", run(code, 7L));
  }

  @Test
  void anOldArchiveCallsTheOldDivision() {
    String code =
        HEAD
            + "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
            + "    return torch.div(x, x)\n";
    TorchScriptModule old = TorchScriptModule.load("old", SmallArchive.ofVersion(3, code), scope);
    Function forward = old.program().find("__torch__.M.forward");
    assertNotNull(forward);
    assertTrue(ProgramPrinter.print(forward).contains("@staunch.library.div_tensor_before_4"));
    assertNotNull(old.program().find("staunch.library.div_tensor_before_4"));
    Function now = load(code).program().find("__torch__.M.forward");
    assertNotNull(now);
    assertTrue(ProgramPrinter.print(now).contains("\"aten.div.Tensor\"("));
  }

  @Test
  void aBoolInPlaceOfANumberIsConverted() {
    String code =
        HEAD
            + "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
            + "    return torch.dropout(torch.add(x, True), False, False)\n";
    Function forward = load(code).program().find("__torch__.M.forward");
    assertNotNull(forward);
    String printed = ProgramPrinter.print(forward);
    assertTrue(printed.contains("\"aten.Int.bool\"("), printed);
    assertTrue(printed.contains("\"aten.Float.bool\"("), printed);
    assertTrue(printed.contains("\"aten.add.Scalar\"("), printed);
  }

  @Test
  void everyLibraryFunctionLowers() {
    StringBuilder code = new StringBuilder(HEAD);
    String[] calls = {
      "torch.div(t, 1)",
      "torch.div(t, t)",
      "torch.div(t, t, out=t)",
      "torch.div_(t, t)",
      "torch.div_(t, 2.)",
      "torch.full([2], 1)",
      "torch.linspace(0, 1)",
      "torch.linspace(0, 1, out=t)",
      "torch.logspace(0, 1)",
      "torch.logspace(0, 1, out=t)",
      "torch.mul(2., t)",
      "torch.add(2, t)",
      "torch.ne(2, t)",
      "torch.eq(2., t)",
      "torch.sub(2, t)",
      "torch.div(1, t)",
      "torch.lt(2, t)",
      "torch.le(2., t)",
      "torch.gt(2, t)",
      "torch.ge(2., t)"
    };
    for (int i = 0; i < calls.length; i++) {
      code.append(Message.of("  def m%d(self: __torch__.M, t: Tensor) -> Tensor:\n", i));
      code.append("    return ").append(calls[i]).append('\n');
    }
    TorchScriptModule module =
        TorchScriptModule.load("old", SmallArchive.ofVersion(3, code.toString()), scope);
    assertEquals(
        calls.length,
        module.program().functions().stream()
            .filter(function -> function.name().startsWith("staunch.library."))
            .count());
  }

  @Test
  void whatTheCodeGetsWrongIsAFaultOfItsLine() {
    String start = FORWARD + "int:\n    ";
    assertFault(
        FaultType.UNKNOWN_OPERATION,
        "similar ones are aten::neg",
        "return torch.negg(x)",
        start + "return torch.negg(x)\n");
    assertFault(FaultType.DATA_FORMAT, "not defined here", "return y", start + "return y\n");
    assertFault(
        FaultType.DATA_FORMAT,
        "no overload of aten::neg",
        "return torch.neg()",
        start + "return torch.neg()\n");
    assertFault(FaultType.DATA_FORMAT, "returns int", "return \"\"", start + "return \"\"\n");
    assertFault(
        FaultType.DATA_FORMAT, "no attribute a", "return self.a", start + "return self.a\n");
    assertFault(
        FaultType.UNKNOWN_OPERATION,
        "there is no operator ops.x",
        "return ops.x(x)",
        start + "return ops.x(x)\n");
    assertFault(
        FaultType.UNSUPPORTED,
        "save the model before torch.jit.optimize_for_inference",
        "return ops.prim.ConstantMKLDNNTensor()",
        start + "return ops.prim.ConstantMKLDNNTensor()\n");
    assertFault(
        FaultType.INDEX, "out of range", "return ((x, x))[2]", start + "return ((x, x))[2]\n");
    assertFault(
        FaultType.DATA_FORMAT,
        "takes 2 arguments, got 3",
        "return (self).forward(x, x, )",
        start + "return (self).forward(x, x, )\n");
    assertFault(
        FaultType.DATA_FORMAT,
        "defined twice",
        "def f() -> int:",
        "def f() -> int:\n  return 1\ndef f() -> int:\n  return 2\n" + start + "return x\n");
  }

  @Test
  void nestingHasABoundHoweverItIsWritten() {
    String start = FORWARD + "int:\n    y = ";
    for (String nested :
        List.of(
            "x" + ".a".repeat(50_000),
            "x" + ".a()".repeat(50_000),
            "x" + "[0]".repeat(50_000),
            "(".repeat(50_000) + "x" + ")".repeat(50_000),
            "torch.neg(".repeat(50_000) + "x" + ")".repeat(50_000))) {
      assertEquals(FaultType.DATA_FORMAT, fault(start + nested + "\n    return x\n").type());
    }
  }

  @Test
  void forksWithinForksHaveABound() {
    StringBuilder code = new StringBuilder(FORWARD + "int:\n");
    for (int i = 0; i < 30; i++) {
      code.append("  ".repeat(i + 2)).append(Message.of("def f%d():\n", i));
    }
    code.append("  ".repeat(32)).append("return x\n");
    for (int i = 29; i >= 0; i--) {
      String indent = "  ".repeat(i + 2);
      code.append(indent).append(Message.of("y = fork(f%d)\n", i));
      code.append(indent).append(Message.of("z = fork(f%d)\n", i));
      code.append(indent).append("return x\n");
    }
    assertTrue(fault(code.toString()).message().contains("too often"));
  }

  @Test
  void anObjectThatRestoresItselfNeedsSomebodyWhoRunsCode() {
    String pickle = "\u0080\u0002c__torch__\nM\n)\u0081K\u0007b.";
    String code =
        """
        class M(Module):
          __parameters__ = []
          n : int
          def __setstate__(self: __torch__.M, n: int) -> NoneType:
            self.n = torch.add(n, 1)
            return None
        """;
    byte[] archive = SmallArchive.of(pickle, 10, code);
    StaunchException refused =
        assertThrows(StaunchException.class, () -> TorchScriptModule.load("state", archive, scope));
    assertEquals(FaultType.UNSUPPORTED, refused.fault().type());
    TorchScriptModule module =
        TorchScriptModule.load(
            "state",
            archive,
            scope,
            (program, function, object, state) ->
                Plan.prepare(program, StandardOperations.catalog())
                    .run(function, List.of(object, state), RunOptions.in(scope)));
    ObjectValue root = module.root();
    assertEquals(8L, root.get(root.layout().indexOf("n")));
  }

  @Test
  void anObjectThatRestoresNothingIsDamaged() {
    String pickle = "\u0080\u0002c__torch__\nM\n)\u0081K\u0007b.";
    String code =
        """
        class M(Module):
          __parameters__ = []
          n : int
          def __setstate__(self: __torch__.M, n: int) -> NoneType:
            return None
        """;
    byte[] archive = SmallArchive.of(pickle, 10, code);
    StaunchException thrown =
        assertThrows(
            StaunchException.class,
            () -> TorchScriptModule.load("state", archive, scope, (p, f, o, s) -> {}));
    assertEquals(FaultType.DATA_FORMAT, thrown.fault().type());
    assertTrue(thrown.getMessage().contains("attribute n"), thrown.getMessage());
  }

  @Test
  void mutatedCodeLoadsOrFailsWithATypedFault() {
    String good =
        "class Color(Enum):\n  RED = 1\n"
            + HEAD
            + "  def forward(self: __torch__.M, x: Tensor, k: Optional[int]=None) -> Tensor:\n"
            + "    c = __torch__.Color.RED\n"
            + "    if torch.__is__(k, None):\n"
            + "      y = torch.add(x, (c).value, alpha=2)\n"
            + "    else:\n"
            + "      k0 = unchecked_cast(int, k)\n"
            + "      y = torch.zeros([k0, 2])\n"
            + "    d = {\"a\": [1, 2]}\n"
            + "    for i in range(torch.len(d)):\n"
            + "      y = torch.mul(y, (d[\"a\"])[i])\n"
            + "    a, b, = torch.max(y, 0)\n"
            + "    return a\n";
    load(good);
    long seed = 20_26;
    Random random = new Random(seed);
    for (int i = 0; i < (Boolean.getBoolean("tests.whole") ? 5_000 : 1_000); i++) {
      StringBuilder text = new StringBuilder(good);
      for (int j = random.nextInt(3); j >= 0; j--) {
        int at = random.nextInt(text.length());
        int from = random.nextInt(good.length() - 12);
        switch (random.nextInt(3)) {
          case 0 -> text.setCharAt(at, good.charAt(from));
          case 1 -> text.insert(at, good, from, from + random.nextInt(12));
          default -> text.delete(at, Math.min(text.length(), at + random.nextInt(6)));
        }
      }
      String mutated = text.toString();
      try {
        load(mutated);
      } catch (StaunchException e) {
        assertTrue(e.fault().type() != FaultType.INTERNAL, "seed " + seed + ":\n" + mutated);
      }
    }
  }

  /** F7: the path lists calls, branches and iterations from the outside in. */
  @Test
  void aFaultSaysInWhichIterationAndBranchItArose() {
    String code =
        FORWARD
            + "int:\n"
            + "    y = x\n"
            + "    for i in range(10):\n"
            + "      if torch.eq(i, 3):\n"
            + "        y = torch.floordiv(y, torch.sub(i, 3))\n"
            + "      else:\n"
            + "        y = torch.add(y, 1)\n"
            + "    return y\n";
    Fault fault = (Fault) run(code, 5L);
    assertEquals(
        List.of("__torch__.M.forward", "iteration 3", "if true"),
        fault.path().stream().map(Fault.Frame::function).toList());
  }
}
