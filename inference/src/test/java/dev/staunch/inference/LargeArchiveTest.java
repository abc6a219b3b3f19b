package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.staunch.execute.RunOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.LargeArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S7: weights do not pass through the heap when they are loaded. */
class LargeArchiveTest {
  private static final int WEIGHTS = 4;

  /** 500 MB in all in the long run, 64 otherwise. */
  private static final int ELEMENTS = (Boolean.getBoolean("tests.whole") ? 30_720 : 4_096) * 1024;

  private static final long BYTES = (long) WEIGHTS * ELEMENTS * Float.BYTES;

  private static final int MOST_HEAP = 1 << 20;

  private final OffHeap memory = OffHeap.withBudget(BYTES + (1 << 20));

  @TempDir private Path folder = Path.of("");
  private Path archive = Path.of("");

  @BeforeEach
  void write() throws IOException {
    archive = LargeArchive.write(folder.resolve("large.pt"), WEIGHTS, ELEMENTS);
  }

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.mappedBytes());
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /** Loads the archive, with little more of the heap than one without large weights. */
  private Model load(LoadOptions options) throws IOException {
    Path small = LargeArchive.write(folder.resolve("small.pt"), WEIGHTS, 1024);
    Model.load(small, memory, options).close();
    long start = allocated();
    Model.load(small, memory, options).close();
    long before = allocated();
    Model model = Model.load(archive, memory, options);
    long more = allocated() - before - (before - start);
    assertTrue(more < MOST_HEAP, () -> more + " more bytes of heap for " + BYTES + " of weights");
    return model;
  }

  private void checkAnswer(Model model) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      DenseTensor zero = (DenseTensor) HostTensors.floats(scope, Shape.of(1), 0);
      Object sum = model.call("forward", List.of(zero), RunOptions.in(scope));
      float[] expected = {LargeArchive.sum(WEIGHTS)};
      assertArrayEquals(expected, HostTensors.toFloats((DenseTensor) sum));
    }
  }

  @Test
  void weightsAreCopiedFromTheFileToTheirPlace() throws IOException {
    try (Model model = load(LoadOptions.standard())) {
      assertEquals(BYTES, model.bytes());
      checkAnswer(model);
    }
  }

  @Test
  void weightsAreMapped() throws IOException {
    try (Model model = load(LoadOptions.standard().withMappedWeights())) {
      assertTrue(memory.mappedBytes() >= BYTES, () -> memory.mappedBytes() + " bytes are mapped");
      assertTrue(memory.account().bytes() < BYTES / 10);
      checkAnswer(model);
    }
  }
}
