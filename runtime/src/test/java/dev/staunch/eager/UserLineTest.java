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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fault names the user's line, whichever group of operators it came through. */
class UserLineTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory, StandardOperations.catalog());

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  /** M7: the report is about a tensor that a worker made. */
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

  private record Call(String name, int line, Function<Tensor, Tensor> work) {}

  /** The line of the caller. */
  private static int here() {
    return new Throwable().getStackTrace()[1].getLineNumber();
  }

  private static List<Call> wrongCalls(Context in) {
    Tensor three = in.ones(3);
    Slice back = Slice.every(-1);
    List<Call> calls = new ArrayList<>();
    calls.add(new Call("arithmetic", here(), x -> x.add(three)));
    calls.add(new Call("comparison", here(), x -> x.lt(three)));
    calls.add(new Call("conversion", here(), x -> x.view(7).contiguous()));
    calls.add(new Call("functions", here(), x -> x.atan2(three)));
    calls.add(new Call("index", here(), x -> x.get(2)));
    calls.add(new Call("index far", here(), x -> x.get(Index.ellipsis(), back, back)));
    calls.add(new Call("in place", here(), x -> x.add_(three)));
    calls.add(new Call("layer", here(), x -> x.linear(three, null)));
    calls.add(new Call("matrix", here(), x -> x.mm(three)));
    calls.add(new Call("reduction", here(), x -> x.sum(3)));
    calls.add(new Call("sorting", here(), x -> x.topk(5).values()));
    calls.add(new Call("shape", here(), x -> x.permute(1, 0)));
    calls.add(new Call("activation", here(), x -> x.softmax(4)));
    calls.add(new Call("dtype", here(), x -> in.arange(3).mean()));
    calls.add(new Call("creation", here(), x -> in.cat(0, x, in.ones(1, 1))));
    return calls;
  }

  /** Computed where it is called, and handed to a worker. */
  @ParameterizedTest
  @ValueSource(longs = {ContextOptions.DEFAULT_LARGE_ELEMENTS, 1})
  void everyGroupHasItsFaultAtTheUsersLine(long largeElements) {
    ContextOptions options = ContextOptions.standard().withLargeElements(largeElements);
    try (Context own = Context.open(memory, options)) {
      for (Call call : wrongCalls(own)) {
        Fault fault = call.work().apply(own.ones(2)).fault();
        assertNotNull(fault, call.name());
        SourceLocation source = fault.source();
        assertNotNull(source, call.name());
        assertEquals("UserLineTest.java:" + call.line(), source.place(), call.name());
      }
    }
  }
}
