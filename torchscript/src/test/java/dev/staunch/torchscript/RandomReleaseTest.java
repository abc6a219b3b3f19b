package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random programs whose tensors have several names compute the right result, whatever is released
 * or overwritten on the way. {@code -Drandom.scripts} sets the number of programs, {@code
 * -Drandom.seed} the first seed.
 */
class RandomReleaseTest {
  private static final long SCRIPTS = Long.getLong("random.scripts", 400);
  private static final long SEED = Long.getLong("random.seed", 20261123);
  private static final int ELEMENTS = 16;
  private static final String HEAD =
      """
      class M(Module):
        __parameters__ = []
        __buffers__ = []
        def forward(self: __torch__.M,
          x: Tensor) -> Tensor:
      """;

  @Test
  void nothingThatHasANameIsReleasedOrWrittenOver() {
    for (long seed = SEED; seed < SEED + SCRIPTS; seed++) {
      NamedTensors program = new NamedTensors(seed);
      String code = HEAD + program.script();
      String what = "program " + seed + "\n" + code;
      assertArrayEquals(program.rows(), rows(code), what);
    }
  }

  /** The first element of each row of the result of {@code code} for ones. */
  private static float[] rows(String code) {
    OffHeap memory = OffHeap.withBudget(1 << 22);
    float[] rows;
    try (ResourceScope model = ResourceScope.open(memory, "model");
        ResourceScope request = ResourceScope.open(memory, "request")) {
      TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), model);
      Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
      float[] ones = new float[ELEMENTS];
      Arrays.fill(ones, 1);
      Object x = HostTensors.floats(request, Shape.of(ELEMENTS), ones);
      List<Object> arguments = new ArrayList<>(List.of(module.root(), x));
      String forward = module.functionName("forward");
      Object result = plan.run(forward, arguments, RunOptions.in(request)).get(0);
      float[] all = HostTensors.toFloats(assertInstanceOf(DenseTensor.class, result, code));
      rows = new float[all.length / ELEMENTS];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = all[i * ELEMENTS];
      }
    }
    assertEquals(0, memory.account().bytes(), code);
    memory.close();
    return rows;
  }
}
