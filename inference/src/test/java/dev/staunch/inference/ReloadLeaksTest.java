package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.testkit.Conformance;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of a loaded model is not reported as a leak, whenever the collector runs (M7). */
@Timeout(120)
class ReloadLeaksTest {
  private static final int ROUNDS = 2;

  /** Forces collections by dropping tensors on purpose; returns the number of other leaks found. */
  private static long leaks(OffHeap memory) {
    try (ResourceScope scope = ResourceScope.open(memory, "dropping")) {
      for (int dropped = 1; dropped <= ROUNDS; dropped++) { // the second shows that the first ended
        Object unused = DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(1));
        assertEquals(DenseTensor.class, unused.getClass());
        unused = null;
        while (memory.metrics().leaks() < dropped) {
          System.gc();
          Thread.onSpinWait();
        }
      }
    }
    return memory.metrics().leaks() - ROUNDS;
  }

  @ParameterizedTest
  @ValueSource(strings = {"wide_deep", "mlp_bn_train", "bert_like_frozen"})
  void m7TheWeightsOfALoadedModelAreNoLeaks(String name) {
    Path archive = Conformance.torchscript().resolve("archives").resolve(name + ".pt");
    LoadOptions copied = LoadOptions.standard();
    for (LoadOptions options : new LoadOptions[] {copied, copied.withMappedWeights()}) {
      OffHeap memory = OffHeap.withBudget(64 << 20);
      try (Model model = Model.load(archive, memory, options)) {
        assertEquals(0, leaks(memory), model.name());
      }
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void m7WhatASetStateDoesNotKeepIsGivenBackAndNoLeak() {
    String start = "u = torch.zeros([4], dtype=6)\nself.t = torch.ones([4], dtype=6)";
    try (SmallModel small = SmallModel.of("t : Tensor\n", start, "")) {
      assertEquals(16, small.model.bytes());
      assertEquals(0, leaks(small.memory));
    }
  }
}
