package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.Leak;
import dev.staunch.memory.LeakDetection;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A fault names the user's line, whichever group of operators it came through. */
class UserLineTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory, StandardOperations.catalog());

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  /** M7: a report of what a worker made. */
  @Test
  void aLeakIsReportedWithTheLineThatAskedForIt() {
    OffHeap watched =
        OffHeap.of(MemoryOptions.withBudget(1 << 20).withLeakDetection(LeakDetection.FULL));
    ContextOptions options = ContextOptions.standard().withLargeElements(1);
    try (Context busy = Context.open(watched, options.withName("shop"))) {
      try (Tensor one = busy.ones(10)) {
        one.add(1);
      }
      busy.waitAll();
      Leak leak = watched.openResources().getLast();
      assertEquals("shop", leak.scope());
      assertEquals(
          "aLeakIsReportedWithTheLineThatAskedForIt", leak.madeAt().getFirst().getMethodName());
    }
  }

  /** The file of the fault's source line. */
  static String file(StaunchException thrown) {
    SourceLocation source = thrown.fault().source();
    return source == null ? "none" : source.file();
  }

  @Test
  void everyGroupHasItsFaultAtTheUsersLine() {
    Tensor two = context.ones(2);
    Tensor three = context.ones(3);
    Tensor integers = context.arange(3);
    Map<String, Function<Tensor, Tensor>> calls = new TreeMap<>();
    calls.put("arithmetic", x -> x.add(three));
    calls.put("comparison", x -> x.lt(three));
    calls.put("conversion", x -> x.view(7).contiguous());
    calls.put("functions", x -> x.atan2(three));
    calls.put("index", x -> x.get(2));
    calls.put("index far", x -> x.get(Index.ellipsis(), Slice.every(-1), Slice.every(-1)));
    calls.put("in place", x -> x.add_(three));
    calls.put("layer", x -> x.linear(three, null));
    calls.put("matrix", x -> x.mm(three));
    calls.put("reduction", x -> x.sum(3));
    calls.put("sorting", x -> x.topk(5).values());
    calls.put("shape", x -> x.permute(1, 0));
    calls.put("activation", x -> x.softmax(4));
    calls.put("dtype", x -> integers.mean());
    calls.put("creation", x -> context.cat(0, x, context.ones(1, 1)));
    calls.forEach((name, call) -> {
      Fault fault = call.apply(two).fault();
      assertNotNull(fault, name);
      SourceLocation source = fault.source();
      assertNotNull(source, name);
      assertEquals("UserLineTest.java", source.file(), name);
    });
  }
}
