package dev.staunch.inference;

import dev.staunch.fault.Message;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A separate process that serves models to 64 threads. There are deadlines, cancellations,
 * interrupts and closes, while the files of the models are replaced, overwritten, truncated and
 * reloaded. Exits with status 0 if every answer was right and nothing is left; otherwise prints
 * what is wrong.
 */
final class UnderFire {
  private static final int CLIENTS = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PICKLE = "\u0080\u0002c__torch__\nM\n)\u0081K\u0007b.";
  private static final String COUNTING =
      """
      class M(Module):
        __parameters__ = []
        n : int
        t : Tensor
        def __setstate__(self: __torch__.M, n: int) -> NoneType:
          self.n = 0
          self.t = torch.zeros([500], dtype=6)
          return None
        def count(self: __torch__.M, fail: bool) -> int:
          self.n = torch.add(self.n, 1)
          _0 = torch.add_(self.t, 1.)
          low = torch.item(torch.min(self.t))
          high = torch.item(torch.max(self.t))
          if torch.ne(low, high):
            ops.prim.RaiseException("torn")
          else:
            pass
          if torch.ne(int(high), self.n):
            ops.prim.RaiseException("torn")
          else:
            pass
          if fail:
            ops.prim.RaiseException("as asked")
          else:
            pass
          return self.n
      """;

  private final long count;
  private final long seed;
  final OffHeap memory = OffHeap.withBudget(1L << 28);
  final ArchiveVersions versions;

  /** Models whose every answer has to be right. */
  final List<ServedModel> plain = new ArrayList<>();

  /** Mapped, although another thread writes to the file. */
  final ServedModel wild;

  /** Changes its state with each request. */
  final ServedModel counting;

  private final List<FileCorrupter> corrupters = new ArrayList<>();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Map<String, LongAdder> ends = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newScheduledThreadPool(2, Thread.ofPlatform().daemon().name("timer-", 0).factory());

  private UnderFire(Path folder, long count, long seed) throws IOException {
    this.count = count;
    this.seed = seed;
    this.versions = ArchiveVersions.read(folder);
    LoadOptions mapped = LoadOptions.standard().withMappedWeights();
    plain.add(serve(folder.resolve("copied.pt"), LoadOptions.standard(), /* inPlace= */ true));
    plain.add(serve(folder.resolve("renamed.pt"), mapped, /* inPlace= */ false));
    wild = serve(folder.resolve("wild.pt"), mapped, /* inPlace= */ true);
    Path counter =
        Files.write(folder.resolve("counting.pt"), SmallArchive.of(PICKLE, 10, COUNTING));
    counting = new ServedModel(counter, memory, LoadOptions.standard());
  }

  private ServedModel serve(Path file, LoadOptions options, boolean inPlace) throws IOException {
    Files.write(file, versions.versions().getFirst());
    ServedModel served = new ServedModel(file, memory, options);
    corrupters.add(new FileCorrupter(file, versions.versions(), inPlace, seed + corrupters.size()));
    return served;
  }

  /** Takes the number of requests and the seed. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("under-fire");
    List<String> wrong;
    UnderFire fire =
        new UnderFire(folder, Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
    try {
      wrong = fire.run();
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
    System.out.println(fire.figures());
    wrong.forEach(System.out::println);
    System.exit(wrong.isEmpty() ? 0 : 1);
  }

  private List<String> run() throws InterruptedException {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(seed * CLIENTS + i);
      Thread.Builder kind = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      clients.add(kind.name("client-" + i).start(() -> guarded(() -> client(random))));
    }
    List<Thread> fire = new ArrayList<>();
    for (FileCorrupter corrupter : corrupters) {
      fire.add(Thread.ofPlatform().start(() -> guarded(() -> strikes(corrupter))));
    }
    fire.add(Thread.ofPlatform().start(() -> guarded(() -> reloads(new Random(seed)))));
    watch(clients);
    over.set(true);
    for (Thread each : fire) {
      each.join();
    }
    timer.shutdownNow();
    plain.forEach(ServedModel::close);
    wild.close();
    counting.close();
    check("counts " + counting.current().counts.size(), counting.current().hasCountedWhole());
    awaitNothing();
    return List.copyOf(wrong);
  }

  /** Ends the process with the stacks of all threads if there is no progress. */
  private void watch(List<Thread> clients) throws InterruptedException {
    long last = -1;
    long since = System.nanoTime();
    for (Thread client : clients) {
      while (!client.join(Duration.ofSeconds(1))) {
        if (done.get() != last) {
          last = done.get();
          since = System.nanoTime();
        } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
          System.out.println("nothing has happened for " + PATIENCE + "\n" + stacks());
          Runtime.getRuntime().halt(2);
        }
      }
    }
  }

  private static String stacks() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> {
          text.append(thread).append('\n');
          Arrays.stream(stack).forEach(frame -> text.append("    ").append(frame).append('\n'));
        });
    return text.toString();
  }

  /** Waits for memory that a close left behind: the last request that uses it frees it. */
  private void awaitNothing() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (memory.account().bytes() + memory.mappedBytes() != 0 && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    check(memory.account().bytes() + " bytes are held", memory.account().bytes() == 0);
    check(memory.mappedBytes() + " bytes are mapped", memory.mappedBytes() == 0);
    memory.close();
    List<String> threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> !thread.isDaemon() && !thread.equals(Thread.currentThread()))
            .map(Thread::getName)
            .filter(name -> !name.equals("DestroyJavaVM"))
            .toList();
    check("threads " + threads, threads.isEmpty());
  }

  private void client(Random random) {
    ServedRequests requests = new ServedRequests(this, random, timer);
    while (!over.get() && next.getAndIncrement() < count) {
      requests.one();
      done.incrementAndGet();
    }
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      wrong.add(e + " at " + Arrays.asList(e.getStackTrace()));
      over.set(true);
    }
  }

  /** Records {@code what} as wrong unless {@code right}. */
  void check(String what, boolean right) {
    if (!right) {
      wrong.add(what);
      over.set(true);
    }
  }

  private void strikes(FileCorrupter corrupter) {
    try {
      while (!over.get()) {
        corrupter.strike();
        LockSupport.parkNanos(500_000);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void reloads(Random random) {
    List<ServedModel.Loaded> closed = new ArrayList<>();
    while (!over.get()) {
      Duration patience = Duration.ofMillis(random.nextInt(20));
      plain.get(random.nextInt(plain.size())).reload(patience);
      wild.reload(patience);
      if (random.nextInt(4) == 0) {
        closed.add(counting.reload(patience));
      }
      LockSupport.parkNanos(1_000_000);
    }
    for (ServedModel.Loaded each : closed) {
      check("counts " + each.counts.size(), each.hasCountedWhole());
    }
  }

  void ended(String kind, String how) {
    ends.computeIfAbsent(kind + ": " + how, end -> new LongAdder()).increment();
  }

  private String figures() {
    StringBuilder text = new StringBuilder();
    text.append(Message.of("%d requests of seed %d\n", done.get(), seed));
    new TreeMap<>(ends).forEach((end, count) -> text.append(Message.of("  %s: %s\n", end, count)));
    Stream.concat(plain.stream(), Stream.of(wild, counting))
        .forEach(each ->
            text.append(
                Message.of(
                    "  %s: loaded %s times, refused %s times\n",
                    each.file.getFileName(), each.loads, each.refused)));
    return text.append(Message.of("  wrong: %d", wrong.size())).toString();
  }
}
