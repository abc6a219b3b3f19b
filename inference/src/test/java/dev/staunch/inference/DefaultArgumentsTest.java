package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.type.Shape;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parameters whose defaults are not numbers or texts may be left out, too (P1, S6). */
class DefaultArgumentsTest {
  private final OffHeap memory = OffHeap.withDefaultBudget();

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  private Model load(String name) throws IOException {
    return Model.load(Conformance.torchscript().resolve("families/" + name + ".pt"), memory);
  }

  private static float[] answer(Model model, float first, float second) {
    InferenceRequest request = InferenceRequest.of("1").input("x", Shape.of(2), first, second);
    return model.predict(request).outputs().get(0).floats();
  }

  @Test
  void tensorsTuplesEnumMembersAndDevicesAreDefaults() throws IOException {
    try (Model model = load("lang_defaults")) {
      assertArrayEquals(new float[] {10, 13}, answer(model, 1, 2));
      assertFalse(model.signature("forward").inputs().get(1).required());
      String parameters =
          "x: Tensor, a: Tensor=float32[2], b: Optional[Tensor]=float32[1],"
              + " c: Tuple[Tensor, int]=(float32[1], 2), d: __torch__.Weighted=(float32[2], 3),"
              + " e: __torch__.Color=Color.RED, f: Device=\"cpu\", g: float=-Infinity";
      String declared = model.module().method("forward").toString();
      assertTrue(declared.startsWith("forward(" + parameters + ") -> "), declared);
    }
  }

  @Test
  void aDefaultThatACallWritesIsStateOfTheModel() throws IOException {
    try (Model model = load("lang_defaults_written")) {
      assertTrue(model.stateUse("forward").state());
      assertArrayEquals(new float[] {1, 2}, answer(model, 1, 2));
      assertArrayEquals(new float[] {4, 4}, answer(model, 3, 2));
    }
  }
}
