package dev.staunch.bench.model;

import com.sun.management.ThreadMXBean;
import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.LargeArchive;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Times the loading of 500 MB of weights in a process that has loaded a small archive before, and
 * the bytes of the heap that this takes. Then times what copying needs at least: reading the file,
 * which the system has in its memory, into memory that is new to the process and that the JDK
 * zeroes.
 */
public final class ModelLoading {
  private static final int WEIGHTS = 4;
  private static final int ELEMENTS = 30_720 * 1024;
  private static final int SMALL = 1024;

  private ModelLoading() {}

  /** Takes the archive, which is made if it is missing, and whether to map its weights. */
  public static void main(String[] arguments) throws IOException {
    Path archive = Path.of(arguments[0]);
    if (!Files.exists(archive)) {
      LargeArchive.write(archive, WEIGHTS, ELEMENTS);
    }
    LoadOptions standard = LoadOptions.standard();
    boolean mapped = Boolean.parseBoolean(arguments[1]);
    LoadOptions options = mapped ? standard.withMappedWeights() : standard;
    Path small = LargeArchive.write(archive.resolveSibling("small.pt"), WEIGHTS, SMALL);
    Model.load(small, OffHeap.withDefaultBudget(), options).close();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getTotalThreadAllocatedBytes();
    long start = System.nanoTime();
    try (Model model = Model.load(archive, OffHeap.withDefaultBudget(), options)) {
      System.out.println("load=" + (System.nanoTime() - start) / 1e6);
      System.out.println("heap=" + (threads.getTotalThreadAllocatedBytes() - before));
      System.out.println("bytes=" + (model.bytes() + model.mappedBytes()));
    }
    System.out.println("read=" + read(archive));
  }

  private static double read(Path archive) throws IOException {
    long start = System.nanoTime();
    try (FileChannel channel = FileChannel.open(archive);
        Arena arena = Arena.ofConfined()) {
      ByteBuffer bytes = arena.allocate(channel.size()).asByteBuffer();
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        continue;
      }
    }
    return (System.nanoTime() - start) / 1e6;
  }
}
