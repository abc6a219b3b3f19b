package dev.staunch.tfrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.execute.CatalogContract;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Report;
import dev.staunch.ir.Program;
import dev.staunch.ir.ProgramText;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Schema;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** F6, F7: the program alone determines which fault is returned and which path it reports. */
class ProgramOrderTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  /** Values that have not arrived yet, by the number that the program gave them. */
  private final Map<Integer, Pending> missing = new ConcurrentHashMap<>();

  private List<Integer> order = List.of();

  private final Catalog catalog = catalog();

  private Catalog catalog() {
    Catalog.Builder builder = TfrtOperations.catalog().toBuilder();
    define(builder, "comes", List.of("i32"), "i1", (Kernel.One) this::comes);
    define(builder, "letall", List.of(), "i32", (Kernel.One) call -> letAllCome());
    Kernel.One failing = call -> Fault.value("failed with " + call.value(0));
    define(builder, "fail", List.of("i32"), "i32", failing);
    define(builder, "faillater", List.of("i32"), "i32", (Kernel.One) this::failsLater);
    return builder.build();
  }

  private static void define(
      Catalog.Builder builder, String name, List<String> takes, String gives, Kernel kernel) {
    List<Schema.Parameter> parameters =
        takes.stream()
            .map(type ->
                new Schema.Parameter("x", new Type.Named(type), 0, null, false, false, null))
            .toList();
    Schema.Result result = new Schema.Result(new Type.Named(gives), null, false, null);
    builder.define(
        new Schema("test::" + name, "", parameters, List.of(result), false, false), kernel);
  }

  private Object comes(Call call) {
    Pending later = new Pending();
    missing.put((Integer) call.value(0), later);
    return later;
  }

  private Object failsLater(Call call) {
    Object number = call.value(0);
    return call.environment().defer(() -> Fault.value("failed with " + number));
  }

  /** Lets the values that the program waits for arrive, in the order that the test chose. */
  private Object letAllCome() {
    for (int number : order) {
      Pending later = missing.remove(number);
      if (later != null) {
        later.settle(true);
      }
    }
    return 0;
  }

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Plan plan(String text) {
    CatalogContract contract = new CatalogContract(catalog);
    Program program = ProgramText.parse("order.mlir", text, contract);
    assertNull(Verifier.verify(program, contract));
    return Plan.prepare(program, catalog);
  }

  private static String told(Object result) {
    Fault fault = assertInstanceOf(Fault.class, result);
    return fault.message()
        + Stream.concat(
                Stream.of(way(fault)),
                fault.suppressed().stream().map(other -> other.message() + way(other)))
            .collect(Collectors.joining("; "));
  }

  private static String way(Fault fault) {
    return fault.path().stream()
        .map(
            frame -> frame.function() + (frame.source() == null ? "" : ":" + frame.source().line()))
        .collect(Collectors.joining(" > ", " in ", ""));
  }

  private static final String TWO_BRANCHES =
      """
      func.func @f() -> i32 {
        %one = tfrt.constant.i32 1
        %two = tfrt.constant.i32 2
        %a = "test.comes"(%one) : (i32) -> i1
        %b = "test.comes"(%two) : (i32) -> i1
        %x = tfrt.if %a, %one : (i32) -> i32 {
          %bad = "test.fail"(%one) : (i32) -> i32
          tfrt.return %bad : i32
        } else {
          tfrt.return %one : i32
        }
        %y = tfrt.if %b, %two : (i32) -> i32 {
          %bad = tfrt.call @g(%two) : (i32) -> i32
          tfrt.return %bad : i32
        } else {
          tfrt.return %two : i32
        }
        %sum = tfrt.add.i32 %y, %x
        %zero = "test.letall"() : () -> i32
        tfrt.return %sum : i32
      }
      func.func @g(%n: i32) -> i32 {
        %bad = "test.faillater"(%n) : (i32) -> i32
        tfrt.return %bad : i32
      }
      """;

  @Test
  void ofTwoBranchesThatFailTheFirstInTheTextIsToldWhicheverRanFirst() {
    Plan plan = plan(TWO_BRANCHES);
    for (List<Integer> each : List.of(List.of(1, 2), List.of(2, 1))) {
      order = each;
      Object result = plan.run("f", List.of(), RunOptions.in(scope)).get(0);
      assertEquals(
          "failed with 1 in f:7 > if true:6; failed with 2 in f:13 > if true:12 > g:23",
          told(result),
          "in the order " + each);
    }
  }

  @Test
  void aReportShowsTheWayFromTheOutsideIn() {
    Plan plan = plan(TWO_BRANCHES);
    order = List.of(1, 2);
    Fault fault = (Fault) plan.run("f", List.of(), RunOptions.in(scope)).get(0);
    assertEquals(
        """
        failed with 1
          source: order.mlir:7:12: %bad = "test.fail"(%one) : (i32) -> i32
          type: value
          operation: test::fail
          operand: x: 1
          in: f at order.mlir:7:12: %bad = "test.fail"(%one) : (i32) -> i32
          in: if true at order.mlir:6:8: %x = tfrt.if %a, %one : (i32) -> i32 {
          skipped: 1 operations that needed its result
          also: value: failed with 2
        """,
        Report.of(fault));
  }

  /** Six failing branches, each called twice, whose conditions arrive in any order. */
  @RepeatedTest(40)
  void theSameFaultComesFromEveryScheduleAndEveryOrderOfArrival() {
    int count = 6;
    StringBuilder text = new StringBuilder("func.func @f() -> i32 {\n");
    text.append("  %s0 = tfrt.constant.i32 0\n");
    for (int i = 1; i <= count; i++) {
      text.append("  %n").append(i).append(" = tfrt.constant.i32 ").append(i).append('\n');
      text.append("  %r").append(i).append(" = tfrt.call @g(%n").append(i);
      text.append(") : (i32) -> i32\n");
    }
    for (int i = 1; i <= count; i++) { // the last is added first
      text.append("  %s").append(i).append(" = tfrt.add.i32 %s").append(i - 1).append(", %r");
      text.append(count + 1 - i).append('\n');
    }
    text.append("  %zero = \"test.letall\"() : () -> i32\n  tfrt.return %s").append(count);
    text.append(" : i32\n}\n");
    text.append(
        """
        func.func @g(%n: i32) -> i32 {
          %c = "test.comes"(%n) : (i32) -> i1
          %r = tfrt.if %c, %n : (i32) -> i32 {
            %now = "test.fail"(%n) : (i32) -> i32
            %later = "test.faillater"(%n) : (i32) -> i32
            %both = tfrt.add.i32 %later, %now
            tfrt.return %both : i32
          } else {
            tfrt.return %n : i32
          }
          tfrt.return %r : i32
        }
        """);
    Plan plan = plan(text.toString());
    long seed = Long.getLong("random.seed", 1);
    List<Integer> chosen = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6));
    Collections.shuffle(chosen, new Random(seed));
    order = chosen;
    Map<String, Integer> seen = new TreeMap<>();
    for (int threads = 0; threads <= 4; threads++) {
      try (Workers workers = threads == 0 ? Workers.ofWaiter() : Workers.of(threads, "order")) {
        RunOptions options = RunOptions.in(scope).withWorkers(workers);
        seen.merge(told(plan.run("f", List.of(), options).get(0)), 1, Integer::sum);
      }
    }
    assertEquals(1, seen.size(), () -> "seed " + seed + ", order " + chosen + ": " + seen);
    String first = seen.keySet().iterator().next();
    assertEquals("failed with 1 in f:4 > g:27 > if true:26", first.split(";", -1)[0]);
  }

  /** Both calls run the same lines; the call that comes first in the text counts. */
  @Test
  void ofTwoCallsOfOneFunctionTheFirstInTheTextIsTold() {
    Plan plan =
        plan(
            """
            func.func @f() -> i32 {
              %one = tfrt.constant.i32 1
              %two = tfrt.constant.i32 2
              %x = tfrt.call @g(%one) : (i32) -> i32
              %y = tfrt.call @g(%two) : (i32) -> i32
              %sum = tfrt.add.i32 %y, %x
              tfrt.return %sum : i32
            }
            func.func @g(%n: i32) -> i32 {
              %bad = "test.fail"(%n) : (i32) -> i32
              tfrt.return %bad : i32
            }
            """);
    assertEquals(
        "failed with 1 in f:4 > g:10; failed with 2 in f:5 > g:10",
        told(plan.run("f", List.of(), RunOptions.in(scope)).get(0)));
  }
}
