package dev.staunch.memory;

import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Where and when a resource was created: all that a leak report can say once the resource is gone.
 *
 * @param what the resource's description
 * @param scope the name of the scope that should free it: the last one that had it
 * @param nanos {@link System#nanoTime} at creation
 * @param site the stack, innermost first
 */
record Creation(String what, String scope, long nanos, List<StackTraceElement> site) {
  private static final int MOST_FRAMES = 32;
  private static final Set<String> OURS =
      Set.of(
          "dev.staunch.memory.Creation",
          "dev.staunch.memory.LeakWatch",
          "dev.staunch.memory.ResourceScope",
          "dev.staunch.tensor.DenseTensor",
          "dev.staunch.tensor.HostTensors");

  /**
   * @param description names the resource; may throw
   * @param type names it in that case
   */
  static Creation of(Supplier<String> description, Class<?> type, String scope) {
    List<StackTraceElement> site =
        StackWalker.getInstance()
            .walk(frames ->
                frames
                    .dropWhile(frame -> OURS.contains(frame.getClassName()))
                    .limit(MOST_FRAMES)
                    .map(StackFrame::toStackTraceElement)
                    .toList());
    return new Creation(described(description, type), scope, System.nanoTime(), site);
  }

  private static String described(Supplier<String> description, Class<?> type) {
    FutureTask<String> name = new FutureTask<>(description::get); // may be user code
    name.run();
    return name.state() == FutureTask.State.SUCCESS ? name.resultNow() : type.getName();
  }

  /** The same, after another scope became responsible for freeing the resource. */
  Creation handedTo(String other) {
    return new Creation(what, other, nanos, site);
  }

  /** The same, for a resource created by a thread that works for another. */
  Creation askedForAt(List<StackTraceElement> stack) {
    return new Creation(what, scope, nanos, stack.stream().limit(MOST_FRAMES).toList());
  }

  Leak leak(long bytes, boolean unreachable) {
    Duration age = Duration.ofNanos(System.nanoTime() - nanos);
    return new Leak(what, bytes, scope, age, unreachable, site);
  }
}
