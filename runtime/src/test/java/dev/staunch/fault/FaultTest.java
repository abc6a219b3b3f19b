package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One fault as a value: what it carries, how several are joined, who has read it. */
class FaultTest {

  /** F1: each {@code with} gives another value; all are the same fault. */
  @Test
  void aFaultIsImmutableAndItsCopiesAreOneFault() {
    Fault plain = Fault.shape("shapes differ");
    Fault full = plain.withOperation("aten::add.Tensor", List.of("self: float32[2]"));
    assertEquals(List.of(), plain.operands());
    assertEquals("aten::add.Tensor", full.operation());
    assertTrue(plain.isSameAs(full));
    assertFalse(plain.isSameAs(Fault.shape("shapes differ")));
  }

  /** F7: a report contains everything that a fault knows, one line each. */
  @Test
  void aReportTellsAllThatIsKnown() {
    Fault fault =
        Fault.shape("shapes do not fit")
            .withOperation("aten::linear", List.of("input: float32[3, 15]", "weight: float32[2]"))
            .withInput("features")
            .withSource(SourceLocation.of("ranker.py", 22, 0))
            .withModule("head.linear1")
            .withExpected("[*, 16]", "[3, 15]")
            .withCause(new IllegalStateException("root"))
            .within(new Fault.Frame("forward", null))
            .withSuppressed(List.of(Fault.value("another")));
    fault.reach().skip();
    fault.reach().skip();
    assertEquals(
        """
        shapes do not fit
          source: ranker.py:22
          module: head.linear1
          type: shape
          operation: aten::linear
          operand: input: float32[3, 15]
          operand: weight: float32[2]
          input: features
          expected: [*, 16]
          actual: [3, 15]
          in: forward
          skipped: 2 operations that needed its result
          cause: java.lang.IllegalStateException: root
          also: value: another
        """,
        Report.of(fault));
  }

  private static List<Fault> placed(int count) {
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      faults.add(Fault.value("fault " + i).withOrigin(ProgramPoint.of(1, i)));
    }
    return faults;
  }

  private static String told(Fault fault) {
    return fault.message() + fault.suppressed();
  }

  /**
   * F6: in whatever order and grouping faults merge, the same one leads and the same ones follow.
   */
  @Test
  void theOrderOfMergingDoesNotMatter() {
    List<Fault> faults = placed(10);
    String expected = told(Fault.joined(faults));
    Random random = new Random(3);
    for (int round = 0; round < 1000; round++) {
      List<Fault> left = new ArrayList<>(faults);
      while (left.size() > 1) {
        Fault one = left.remove(random.nextInt(left.size()));
        int at = random.nextInt(left.size());
        left.set(at, random.nextBoolean() ? left.get(at).merge(one) : one.merge(left.get(at)));
      }
      assertEquals(expected, told(left.getFirst()), "round " + round);
    }
  }

  /** C2, F6: whichever came first, because a cancelled value might just as well have arrived. */
  @Test
  void aFailureOutranksACancellationThatArrivesWithIt() {
    List<Fault> faults = new ArrayList<>(placed(3));
    Fault stop = Fault.cancelled(CancelReason.USER, "stop").withOrigin(ProgramPoint.of(0, 0));
    Fault late = Fault.cancelled(CancelReason.DEADLINE, "late");
    faults.addAll(List.of(stop, late));
    Collections.shuffle(faults, new Random(7));
    Fault all = faults.stream().reduce(Fault::merge).orElseThrow();
    assertEquals("fault 0", all.message());
    assertEquals(
        List.of("fault 1", "fault 2"),
        all.suppressed().stream().limit(2).map(Fault::message).toList());
    assertEquals(4, all.suppressed().size(), "and that two were cancelled");
    assertEquals("stop", stop.merge(late).message());
  }

  /** F2, C6: a cancellation carries the sibling's failure that caused it. */
  @Test
  void whatACancellationCarriesNeverLeads() {
    Fault root = Fault.value("root").withOrigin(ProgramPoint.of(1, 0));
    Fault sibling = Fault.cancelled(CancelReason.SIBLING_FAILED, "x").withSuppressed(List.of(root));
    Fault here = sibling.withOrigin(ProgramPoint.of(1, 5));
    Fault stop = Fault.cancelled(CancelReason.USER, "stop").withOrigin(ProgramPoint.of(1, 7));
    assertSame(here, here.merge(sibling));
    for (Fault cancelled : List.of(here.merge(stop), stop.merge(here).merge(sibling))) {
      assertEquals(CancelReason.SIBLING_FAILED, cancelled.reason());
      assertTrue(cancelled.suppressed().getFirst().isSameAs(root), "it says which");
      assertTrue(cancelled.suppressed().getLast().isSameAs(stop));
      assertEquals(2, cancelled.suppressed().size());
    }
    List<Fault> failed = placed(10).subList(8, 10);
    Fault one = failed.get(0).merge(here).merge(failed.get(1));
    Fault other = here.merge(failed.get(1)).merge(failed.get(0));
    for (Fault both : List.of(one, other)) {
      assertEquals("fault 8", both.message());
      assertEquals(
          List.of("fault 9", "x"), both.suppressed().stream().map(Fault::message).toList());
    }
  }

  /**
   * F2, F6: merging a fault with itself, or with one that it already carries, returns the same
   * object.
   */
  @Test
  void aMergeThatAddsNothingIsTheSameObject() {
    List<Fault> faults = placed(3);
    Fault both = faults.get(0).merge(faults.get(1));
    assertSame(faults.get(0), faults.get(0).merge(faults.get(0)));
    assertSame(both, both.merge(faults.get(1)));
    assertSame(both, both.merge(faults.get(0)));
    assertNotSame(both, both.merge(faults.get(2)));
  }

  /** F12: however many faults merge, the result carries a bounded number, the earliest. */
  @Test
  void aJoinCarriesTheEarliestAndNoMore() {
    List<Fault> faults = placed(1000);
    Collections.shuffle(faults, new Random(5));
    Fault all = faults.getFirst();
    for (Fault fault : faults) {
      all = all.merge(fault);
    }
    assertEquals("fault 0", all.message());
    assertEquals(Fault.MAX_SUPPRESSED, all.suppressed().size());
    assertEquals("fault " + Fault.MAX_SUPPRESSED, all.suppressed().getLast().message());
  }

  /** E4: a wait for everything loses none of the faults that a fault carries. */
  @Test
  void aWaitForAllTellsWhatItsFaultsCarryToo() {
    List<Fault> faults = placed(40);
    Fault carrying = faults.get(39).withSuppressed(faults.subList(0, 39));
    Fault all = Fault.joined(List.of(carrying, Fault.value("without a place")));
    assertEquals("fault 0", all.message());
    assertEquals(40, all.suppressed().size(), "the other 39, and the one without a place");
    assertEquals("without a place", all.suppressed().getLast().message());
  }

  /** F3, F10: each exception is new, so that its stack is the reader's; the fault is the same. */
  @Test
  void everyReadThrowsAnExceptionOfItsOwnForTheSameFault() {
    Fault fault = Fault.value("bad").withSuppressed(List.of(Fault.value("worse")));
    AtomicInteger told = new AtomicInteger();
    fault.reach().whenRead(told::incrementAndGet);
    StaunchException first = fault.toException();
    StaunchException second = fault.toException();
    assertNotSame(first, second);
    assertSame(first.fault(), second.fault());
    assertEquals("worse", first.getSuppressed()[0].getMessage());
    assertEquals(0, first.getSuppressed()[0].getStackTrace().length, "one line in a print");
    assertEquals(1, told.get(), "who wants to know hears of it once");
    assertTrue(fault.suppressed().getFirst().reach().isRead());
  }

  /**
   * F10: whoever catches the whole has seen each part, including what an attached fault carries.
   */
  @Test
  void whatAnAttachedFaultCarriesIsReadWithIt() {
    Fault innermost = Fault.value("worst");
    Fault inner = Fault.value("worse").withSuppressed(List.of(innermost));
    StaunchException thrown = Fault.value("bad").withSuppressed(List.of(inner)).toException();
    assertEquals("worst", thrown.getSuppressed()[0].getSuppressed()[0].getMessage());
    assertTrue(innermost.reach().isRead());
  }

  @Test
  void anExceptionThatWasSerializedStillHasAFault() throws Exception {
    StaunchException thrown =
        Fault.shape("shapes differ")
            .withCause(new ArithmeticException("overflow"))
            .withSuppressed(List.of(Fault.index("too far")))
            .toException();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(thrown);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      Fault read = assertInstanceOf(StaunchException.ShapeException.class, in.readObject()).fault();
      assertEquals("shape: shapes differ", read.toString());
      assertInstanceOf(ArithmeticException.class, read.cause());
      assertEquals("index: too far", read.suppressed().getFirst().toString());
    }
  }

  @Test
  void aCopyIsReadOnItsOwnAndCountsTheSameSkips() {
    Fault fault = Fault.value("bad");
    Fault copy = fault.copy();
    copy.markRead();
    assertFalse(fault.reach().isRead());
    fault.reach().skip();
    assertEquals(1, copy.reach().skipped());
  }
}
