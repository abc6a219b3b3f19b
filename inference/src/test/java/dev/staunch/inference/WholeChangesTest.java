package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * The changes that a request makes to a model take effect together at its end, or not at all (S6).
 */
class WholeChangesTest {
  private static final String ATTRIBUTES =
      """
      n : int
      t : Tensor
      items : List[Tensor]
      table : Dict[str, Tensor]
      names : List[str]
      """;
  private static final String START =
      """
      self.n = 0
      self.t = torch.zeros([100], dtype=6)
      self.items = [torch.zeros([3], dtype=6)]
      self.table = {"a": torch.zeros([3], dtype=6)}
      self.names = annotate(List[str], [])
      """;

  /** Changes everything, one step at a time, and prints after each step; may fail at the end. */
  private static final String METHODS =
      """
      def change(self: __torch__.M, fail: bool) -> int:
        self.n = torch.add(self.n, 1)
        print("n")
        _0 = torch.add_(self.t, 1.)
        print("t")
        _1 = torch.add_(torch.slice(self.t, 0, 10, 20), 1.)
        print("part")
        one = torch.ones([3], dtype=6)
        _2 = torch.append(self.items, torch.mul(torch.add(self.items[-1], one), 1.))
        print("items")
        torch._set_item(self.table, "b", torch.add(self.table["a"], one))
        print("table")
        _3 = torch.append(self.names, "x")
        print("names")
        _4 = torch.add_(self.items[0], 1.)
        self.t = torch.add(self.t, 1.)
        print("all")
        if fail:
          ops.prim.RaiseException("after the writes")
        else:
          pass
        return self.n
      def look(self: __torch__.M) -> str:
        sums = torch.format("{} {} {} ", self.n, torch.item(torch.sum(self.t)), torch.len(self.items))
        more = torch.format("{} {} ", torch.item(torch.sum(self.items[0])), torch.item(torch.sum(self.items[-1])))
        rest = torch.format("{} {}", torch.len(self.table), torch.len(self.names))
        return torch.add(torch.add(sums, more), rest)
      """;

  private final SmallModel small = SmallModel.of(ATTRIBUTES, START, METHODS);

  @AfterEach
  void nothingIsLeft() {
    small.close();
    assertEquals(0, small.memory.account().bytes());
  }

  private Fault failed(UnaryOperator<RunOptions> how, boolean raises) {
    return assertInstanceOf(Fault.class, small.call("change", how, raises));
  }

  @Test
  void s6ARequestThatEndsWellChangesEverything() {
    assertEquals("0 0. 1 0. 0. 1 0", small.call("look"));
    assertEquals(1L, small.call("change", false));
    assertEquals("1 210. 2 3. 3. 2 1", small.call("look"));
    assertEquals(2L, small.call("change", false));
    assertEquals("2 420. 3 6. 6. 2 2", small.call("look"));
  }

  @Test
  void s6ARequestThatRaisesAtItsEndChangesNothing() {
    small.call("change", false);
    Object before = small.call("look");
    long bytes = small.model.bytes();
    assertEquals(FaultType.SCRIPT_RAISED, failed(options -> options, true).type());
    assertEquals(before, small.call("look"));
    assertEquals(bytes, small.model.bytes());
    assertEquals(2L, small.call("change", false));
    assertEquals("2 420. 3 6. 6. 2 2", small.call("look"));
  }

  @Test
  void s6ARequestThatIsCancelledOrFailsAfterAnyOfItsStepsChangesNothing() {
    small.call("change", false);
    Object before = small.call("look");
    List<String> steps = new ArrayList<>();
    small.call("change", options -> options.withOutput(steps::add), true);
    assertEquals(before, small.call("look"));
    for (String step : steps) {
      CancelScope cancel = CancelScope.open();
      Fault cancelled =
          failed(
              options ->
                  options
                      .withCancel(cancel)
                      .withOutput(line -> cancel.cancel(line.equals(step) ? step : "later")),
              true);
      assertEquals(FaultType.CANCELLED, cancelled.type());
      assertEquals(before, small.call("look"), "cancelled after " + step);
      failed(options -> options.withOutput(line -> throwAt(step, line)), true);
      assertEquals(before, small.call("look"), "failed after " + step);
    }
    assertEquals(7, steps.size());
  }

  private static void throwAt(String step, String line) {
    if (line.equals(step)) {
      throw new IllegalStateException("the reader of " + line + " failed");
    }
  }

  @Test
  void s6AnAnswerThatCannotBeGivenChangesNothing() {
    small.call("change", false);
    Object before = small.call("look");
    InferenceRequest request =
        InferenceRequest.of("1").input("fail", Shape.of(), false).output("there is none");
    Answer answer = small.model.predict(request, "change");
    assertTrue(answer.failed());
    assertEquals(before, small.call("look"));
  }

  @Test
  void s6WhatARequestWroteIsCountedOnItWhileItRunsAndIsGivenBackAtItsEnd() {
    small.call("change", false);
    long before = small.memory.account().bytes();
    List<Long> during = new ArrayList<>();
    small.call(
        "change",
        options -> options.withOutput(line -> during.add(small.memory.account().bytes())),
        true);
    assertTrue(during.getLast() > before, "the copies of what it wrote");
    assertEquals(before, small.memory.account().bytes());
  }

  @Test
  void s6RequestsThatFailAtRandomLeaveWhatTheGoodOnesDid(TestInfo info) {
    long seed = Long.getLong("random.seed", 1);
    Random random = new Random(seed);
    long good = 0;
    for (int i = 0; i < 200; i++) {
      boolean fails = random.nextBoolean();
      Object outcome = small.call("change", fails);
      good += fails ? 0 : 1;
      if (!fails) {
        assertEquals(good, outcome, info.getDisplayName() + " seed " + seed);
      }
    }
    String looks = (String) small.call("look");
    assertTrue(looks.startsWith(good + " " + good * 210 + ". "), looks + ", seed " + seed);
  }

  private static final String MOVING =
      """
      def forward(self: __torch__.M, fail: bool) -> str:
        x = torch.reshape(torch.arange(12, dtype=6), [3, 4])
        y = torch.batch_norm(x, None, None, self.mean, self.var, True, 0.5, 1e-05, False)
        print("moved")
        if fail:
          ops.prim.RaiseException("after the statistics moved")
        else:
          pass
        return self.look()
      def look(self: __torch__.M) -> str:
        return torch.format("{} {}", torch.item(torch.sum(self.mean)), torch.item(torch.sum(self.var)))
      """;

  @Test
  void s6RunningStatisticsOfARequestThatIsStoppedHalfWayAreAsBefore() {
    String zeros = "self.mean = torch.zeros([4], dtype=6)\nself.var = torch.ones([4], dtype=6)\n";
    try (SmallModel moving = SmallModel.of("mean : Tensor\nvar : Tensor\n", zeros, MOVING)) {
      assertEquals("11. 34.", moving.call("forward", false));
      CancelScope cancel = CancelScope.open();
      Object cancelled =
          moving.call(
              "forward",
              options -> options.withCancel(cancel).withOutput(line -> cancel.cancel(line)),
              false);
      assertEquals(FaultType.CANCELLED, assertInstanceOf(Fault.class, cancelled).type());
      assertEquals("11. 34.", moving.call("look"));
      Object raised = moving.call("forward", true);
      assertEquals(FaultType.SCRIPT_RAISED, assertInstanceOf(Fault.class, raised).type());
      assertEquals("11. 34.", moving.call("look"));
      assertEquals("16.5 49.", moving.call("forward", false));
    }
  }
}
