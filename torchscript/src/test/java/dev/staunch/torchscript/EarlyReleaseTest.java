package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Message;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tensors that are no longer reachable are released while a request runs, also in loops, branches,
 * lists and called functions; tensors that something still holds are not.
 */
class EarlyReleaseTest {
  private static final String HEAD =
      "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n";
  private static final String FORWARD =
      HEAD + "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n";
  private static final int ELEMENTS = 1024;
  private static final long BYTES = 4L * ELEMENTS;

  private final OffHeap memory = OffHeap.withBudget(1 << 22);
  private final ResourceScope model = ResourceScope.open(memory, "model");

  @AfterEach
  void nothingLeaks() {
    model.close();
    assertEquals(0, memory.account().bytes());
  }

  /**
   * The first element of the result, which equals all others if x consists of ones, and the peak
   * number of tensors.
   */
  private record Outcome(float value, long peakTensors) {}

  private Outcome run(String code) {
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), model);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    try (ResourceScope request = ResourceScope.open(memory, "request")) {
      float[] ones = new float[ELEMENTS];
      Arrays.fill(ones, 1);
      Object x = HostTensors.floats(request, Shape.of(ELEMENTS), ones);
      List<Object> arguments = new ArrayList<>(List.of(module.root(), x));
      Object result =
          plan.run(module.functionName("forward"), arguments, RunOptions.in(request)).get(0);
      float[] values = HostTensors.toFloats(assertInstanceOf(DenseTensor.class, result));
      return new Outcome(values[0], request.account().peakBytes() / BYTES);
    }
  }

  @Test
  void aTensorThatIsAKeyOfADictStays() {
    Outcome outcome =
        run(
            FORWARD
                + "    weights = annotate(Dict[Tensor, float], {})\n"
                + "    torch._set_item(weights, torch.add(x, 1), 2.)\n"
                + "    _0 = torch.setdefault(weights, torch.add(x, 4), 3.)\n"
                + "    keys = torch.keys(weights)\n"
                + "    return torch.sub(keys[1], keys[0])\n");
    assertEquals(5 - 2, outcome.value());
  }

  @Test
  void aLoopHoldsOneIterationAtATime() {
    Outcome outcome =
        run(
            FORWARD
                + "    y = x\n"
                + "    for i in range(100):\n"
                + "      z = torch.add(y, 1)\n"
                + "      y = torch.mul(z, 1)\n"
                + "    return y\n");
    assertEquals(101, outcome.value());
    assertTrue(outcome.peakTensors() <= 4, outcome.toString());
  }

  @Test
  void aLoopThatNeverRunsHandsOnWhatItBeganWith() {
    Outcome outcome =
        run(
            FORWARD
                + "    y = torch.add(x, 1)\n"
                + "    a = y\n"
                + "    for i in range(0):\n"
                + "      a = torch.add(a, 1)\n"
                + "    b = torch.mul(a, 2)\n"
                + "    return torch.add(b, y)\n");
    assertEquals(6, outcome.value());
  }

  @Test
  void aLoopKeepsWhatItCollects() {
    Outcome outcome =
        run(
            FORWARD
                + "    kept = annotate(List[Tensor], [])\n"
                + "    y = x\n"
                + "    for i in range(5):\n"
                + "      y = torch.add(y, 1)\n"
                + "      _0 = torch.append(kept, y)\n"
                + "    return torch.add(kept[0], kept[4])\n");
    assertEquals(8, outcome.value());
  }

  @Test
  void aLoopMaySwapWhatItCarries() {
    Outcome outcome =
        run(
            FORWARD
                + "    a = torch.add(x, 1)\n"
                + "    b = torch.add(x, 2)\n"
                + "    for i in range(3):\n"
                + "      t = a\n"
                + "      a = b\n"
                + "      b = torch.add(t, 10)\n"
                + "    return torch.add(torch.mul(a, 100), b)\n");
    assertEquals(1322, outcome.value());
  }

  @Test
  void bothBranchesMayMakeTheResult() {
    String code =
        FORWARD
            + "    y = x\n"
            + "    for i in range(50):\n"
            + "      if torch.gt(torch.remainder(i, 2), 0):\n"
            + "        z = torch.add(y, 1)\n"
            + "      else:\n"
            + "        z = torch.add(y, 2)\n"
            + "      y = torch.mul(z, 1)\n"
            + "    return y\n";
    Outcome outcome = run(code);
    assertEquals(76, outcome.value());
    assertTrue(outcome.peakTensors() <= 4, outcome.toString());
  }

  @Test
  void listsThatAreOnlyReadDoNotKeepWhatTheyHold() {
    StringBuilder code = new StringBuilder(FORWARD).append("    y0 = x\n");
    for (int i = 0; i < 20; i++) {
      code.append(Message.of("    a%d = torch.add(y%d, 1)\n", i, i));
      code.append(Message.of("    s%d = torch.stack([a%d, a%d])\n", i, i, i));
      code.append(Message.of("    y%d = torch.mean(s%d, [0])\n", i + 1, i));
    }
    Outcome outcome = run(code + "    return y20\n");
    assertEquals(21, outcome.value());
    assertTrue(outcome.peakTensors() <= 6, outcome.toString());
  }

  @Test
  void aBlockThatOnlyReadsWhatItIsHandedDoesNotKeepIt() {
    StringBuilder code = new StringBuilder(FORWARD).append("    y = x\n");
    for (int i = 0; i < 20; i++) {
      code.append("    n = torch.dim(y)\n    a = torch.add(y, 1)\n    b = torch.mul(y, 0)\n");
      code.append("    l = [a, b]\n    if torch.eq(n, 1):\n      if torch.eq(n, 1):\n");
      code.append("        y = torch.select(torch.stack(l), 0, 0)\n");
      code.append("      else:\n        y = torch.neg(a)\n");
      code.append("    else:\n      y = torch.neg(a)\n");
    }
    Outcome outcome = run(code + "    return y\n");
    assertEquals(21, outcome.value());
    assertTrue(outcome.peakTensors() <= 8, outcome.toString());
  }

  @Test
  void whatABlockStoresOfWhatItIsHandedStays() {
    Outcome outcome =
        run(
            FORWARD
                + "    kept = annotate(List[Tensor], [])\n"
                + "    n = torch.dim(x)\n"
                + "    a = torch.add(x, 1)\n"
                + "    if torch.eq(n, 1):\n"
                + "      for i in range(n):\n"
                + "        _0 = torch.append(kept, a)\n"
                + "    else:\n"
                + "      pass\n"
                + "    b = torch.mul(a, 0)\n"
                + "    c = torch.add(b, 7)\n"
                + "    return torch.add(kept[0], c)\n");
    assertEquals(9, outcome.value());
  }

  @Test
  void whatABlockInABlockGivesAgainStaysForBoth() {
    Outcome outcome =
        run(
            FORWARD
                + "    n = torch.dim(x)\n"
                + "    if torch.eq(n, 1):\n"
                + "      v = torch.add(x, 1)\n"
                + "      if torch.eq(n, 1):\n"
                + "        w = v\n"
                + "      else:\n"
                + "        w = x\n"
                + "    else:\n"
                + "      v = torch.add(x, 2)\n"
                + "      w = torch.add(x, 3)\n"
                + "    a = torch.mul(v, 10)\n"
                + "    b = torch.unsqueeze(w, 0)\n"
                + "    return torch.add(a, torch.squeeze(b))\n");
    assertEquals(22, outcome.value());
  }

  @Test
  void soItDoesInALoop() {
    Outcome outcome =
        run(
            FORWARD
                + "    v = x\n"
                + "    w = x\n"
                + "    for i in range(3):\n"
                + "      v = torch.add(v, 1)\n"
                + "      if torch.lt(i, 1):\n"
                + "        w = v\n"
                + "      else:\n"
                + "        pass\n"
                + "    return torch.add(torch.mul(v, 10), torch.mul(w, 100))\n");
    assertEquals(240, outcome.value());
  }

  @Test
  void whatAListHandsOutStaysWhileTheListDoes() {
    Outcome outcome =
        run(
            FORWARD
                + "    l = [x, torch.add(x, 1)]\n"
                + "    y = l[1]\n"
                + "    z = torch.mul(y, 2)\n"
                + "    w = torch.add(l[1], 3)\n"
                + "    d = {\"a\": torch.mul(x, 5)}\n"
                + "    q = torch.add(d[\"a\"], 1)\n"
                + "    r = torch.add(d[\"a\"], 2)\n"
                + "    return torch.add(torch.add(z, w), torch.add(q, r))\n");
    assertEquals(22, outcome.value());
  }

  @Test
  void calledFunctionsBorrowAndGive() {
    StringBuilder code =
        new StringBuilder(HEAD)
            .append("  def step(self: __torch__.M,\n    x: Tensor) -> Tensor:\n")
            .append("    y = torch.add(x, 1)\n")
            .append("    return torch.mul(y, 1)\n")
            .append("  def same(self: __torch__.M,\n    x: Tensor) -> Tensor:\n")
            .append("    return x\n")
            .append("  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n")
            .append("    y0 = x\n");
    for (int i = 0; i < 20; i++) {
      code.append(Message.of("    y%d = (self).step(y%d, )\n", i + 1, i));
    }
    code.append("    z = (self).same(y20, )\n");
    code.append("    w = torch.add(z, 1)\n");
    Outcome outcome = run(code + "    return torch.add(torch.add(y20, z), w)\n");
    assertEquals(64, outcome.value());
    assertTrue(outcome.peakTensors() <= 6, outcome.toString());
  }

  @Test
  void aResultThatNobodyReadsIsGoneAtOnce() {
    Outcome outcome =
        run(
            FORWARD
                + "    y = torch.add(x, 1)\n"
                + "    for i in range(50):\n"
                + "      _0 = torch.mul(y, 2)\n"
                + "      _1 = torch.add_(y, 1)\n"
                + "      _2 = torch.contiguous(y)\n"
                + "      _3, _4 = torch.max(torch.unsqueeze(y, 0), 0)\n"
                + "    return y\n");
    assertEquals(52, outcome.value());
    assertTrue(outcome.peakTensors() <= 6, outcome.toString());
  }

  @Test
  void whatIsWrittenLastAndNotReadIsGoneAtOnceToo() {
    Outcome outcome =
        run(
            FORWARD
                + "    for i in range(50):\n"
                + "      y = torch.mul(x, 2)\n"
                + "      _0 = torch.add_(y, 1)\n"
                + "    return torch.add(x, 1)\n");
    assertEquals(2, outcome.value());
    assertTrue(outcome.peakTensors() <= 3, outcome.toString());
  }
}
