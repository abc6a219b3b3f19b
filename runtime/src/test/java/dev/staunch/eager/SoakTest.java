package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Message;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@linkplain SoakRequests Requests of all kinds} on several threads, half of them virtual, over
 * one engine and a tight budget, for a while (F10, E8, C3, M1, M2, M4, M5). Each ends as it should,
 * and afterwards nothing is held, no thread is left, and neither the heap nor the process has
 * grown. {@code -Dsoak.time=PT10M} sets the duration, {@code -Dsoak.seed} the requests; the figures
 * are written to {@code target/soak.txt}.
 */
class SoakTest {
  private static final int CLIENTS = 6;
  private static final long BUDGET = 6 << 20;
  private static final long MOST_GROWTH = 96 << 20;
  private static final String ENGINE = "soak";

  /** What the process holds at one moment. */
  private record Figures(long heap, long resident) {
    static Figures now() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return new Figures(runtime.totalMemory() - runtime.freeMemory(), residentBytes());
    }

    private static long residentBytes() {
      try {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
            .findFirst()
            .orElse(0);
      } catch (IOException e) {
        return 0; // this system has no such figure
      }
    }

    @Override
    public String toString() {
      return Message.of("heap %d MiB, resident %d MiB", heap >> 20, resident >> 20);
    }
  }

  private final long seed = Long.getLong("soak.seed", 1);
  private final Duration time = Duration.parse(System.getProperty("soak.time", "PT5S"));
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong unread = new AtomicLong();

  @Test
  void requestsOfAllKindsLeaveNothingBehind() throws Exception {
    Set<Thread> others = ourThreads();
    OffHeap memory = OffHeap.of(MemoryOptions.withBudget(BUDGET));
    Engine engine =
        Engine.start(
            EngineOptions.threaded(3)
                .withName(ENGINE)
                .withUnreadFaults(fault -> unread.incrementAndGet()));
    SoakRequests requests = new SoakRequests(memory, engine);
    long begun = System.nanoTime();
    long quarter = begun + time.toNanos() / 4;
    List<Thread> clients = start(requests, begun + time.toNanos());
    for (Thread client : clients) {
      client.join(Duration.ofNanos(Math.max(1, quarter - System.nanoTime())));
    }
    Figures early = Figures.now();
    for (Thread client : clients) {
      client.join();
    }
    Figures late = Figures.now();
    boolean quiet = engine.close(Duration.ofSeconds(10));
    List<String> left = left(thread -> thread.getName().startsWith(ENGINE));
    write(requests, early, late, memory, left);
    assertNull(failure.get(), () -> "seed " + seed + ": " + trace(failure.get()));
    assertAll(
        "seed " + seed,
        () -> assertTrue(quiet, "a task is still running"),
        () -> assertEquals(List.of(), left, "threads left"),
        () -> assertEquals(0, memory.account().bytes(), "bytes held"),
        () -> assertEquals(List.of(), memory.openResources(), "resources left"),
        () -> assertTrue(unread.get() > 0, "nobody was told of faults that nobody read"),
        () -> assertFlat(early, late));
    memory.close();
    assertEquals(0, memory.reservedBytes());
    List<String> last = left(thread -> !others.contains(thread));
    assertEquals(List.of(), last, "threads left when the memory is closed");
  }

  /** The process's size counts only if the collector does not choose the size of the heap. */
  private static void assertFlat(Figures early, Figures late) {
    Runtime runtime = Runtime.getRuntime();
    boolean fixed = runtime.totalMemory() == runtime.maxMemory();
    assertTrue(late.heap() - early.heap() < MOST_GROWTH, () -> early + " became " + late);
    assertTrue(
        !fixed || late.resident() - early.resident() < MOST_GROWTH,
        () -> early + " became " + late);
  }

  private List<Thread> start(SoakRequests requests, long end) {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(seed * CLIENTS + i);
      Thread.Builder kind = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      clients.add(kind.name("client-" + i).start(() -> work(requests, random, end)));
    }
    return clients;
  }

  private void work(SoakRequests requests, Random random, long end) {
    try {
      while (System.nanoTime() - end < 0 && failure.get() == null) {
        requests.one(random);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  private static String trace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** Threads of engines and of memories. */
  private static Set<Thread> ourThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("(staunch|" + ENGINE + ").*"))
        .collect(Collectors.toSet());
  }

  /** Our threads that are still alive; a thread that is about to end may take its time. */
  private static List<String> left(Predicate<Thread> chosen) throws InterruptedException {
    List<String> left = new ArrayList<>();
    for (Thread thread : ourThreads()) {
      if (chosen.test(thread) && !thread.join(Duration.ofSeconds(10))) {
        left.add(thread.getName());
      }
    }
    return left;
  }

  private void write(
      SoakRequests requests, Figures early, Figures late, OffHeap memory, List<String> left)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("time " + time + ", seed " + seed + ", clients " + CLIENTS);
    lines.add(requests.count() + " requests");
    requests.ends().forEach((end, count) -> lines.add("  " + end + ": " + count));
    lines.add("faults handed over unread: " + unread.get());
    lines.add("after a quarter: " + early);
    lines.add("at the end: " + late);
    lines.add("bytes held: " + memory.account().bytes() + ", threads left: " + left.size());
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target/soak.txt"), lines);
  }
}
