package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A separate process in which a caller and its helper share work until it is compiled; then one of
 * them, which the second argument names, reads what was a mapped file. The JVM reports a lost page
 * not where it is read, but at the next point where it can stop the thread.
 */
final class LostPageProgram implements Processors.Piece {
  private static final int SIZE = 1 << 12;
  private static final int ENOUGH = 2_000;
  private static final int SPINS = 10_000;

  private final Processors processors = new Processors(2, 0);
  private final Thread caller = Thread.currentThread();
  private final ByteBuffer bytes;
  private final boolean callerReads;
  private final AtomicInteger began = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private int sum;

  private LostPageProgram(ByteBuffer bytes, boolean callerReads) {
    this.bytes = bytes;
    this.callerReads = callerReads;
  }

  public static void main(String[] arguments) throws IOException {
    Path file = Files.write(Path.of(arguments[0]), new byte[SIZE]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = channel.map(MapMode.READ_ONLY, 0, SIZE);
      LostPageProgram program = new LostPageProgram(bytes, arguments[1].equals("caller"));
      for (int i = 0; i < ENOUGH; i++) {
        require(program.shared() == null, "good work fails");
      }
      channel.truncate(0);
      require(program.shared() != null, "nobody was told");
      require(program.running.get() == 0, "a helper goes on");
      channel.write(ByteBuffer.allocate(SIZE));
      require(program.shared() == null, "nobody helps any more");
      System.out.println(program.sum);
    }
    System.exit(0);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      System.out.println(otherwise);
      System.exit(1);
    }
  }

  /** Runs two pieces, one for each thread; returns the fault, or what was thrown to the caller. */
  private Object shared() {
    began.set(0);
    return Guard.attempt(work -> processors.run(2, 1, work), this);
  }

  @Override
  public Fault run(long first, long end) {
    running.incrementAndGet();
    began.incrementAndGet();
    for (int i = 0; began.get() < 2; i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(1); // the other one may have no processor
      }
    }
    if (caller.equals(Thread.currentThread()) != callerReads) {
      for (int i = 0; i < 1_000; i++) {
        Thread.onSpinWait();
      }
      running.decrementAndGet();
      return null;
    }
    running.decrementAndGet();
    sum += bytes.get((int) first);
    return null;
  }
}
