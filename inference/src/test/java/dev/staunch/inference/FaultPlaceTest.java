package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Program;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A fault names the part of the model where it arose, and the author's own source line. */
class FaultPlaceTest {
  private static final Program EMPTY = new Program(List.of());

  private static Fault fault(String archive, InferenceRequest request) {
    Path file = Conformance.torchscript().resolve("archives").resolve(archive);
    try (Model model = Model.load(file, OffHeap.withBudget(64 << 20))) {
      Fault fault = model.predict(request).fault();
      assertNotNull(fault);
      return fault;
    }
  }

  private static InferenceRequest zeros(String name, long... sizes) {
    Shape shape = Shape.of(sizes);
    return InferenceRequest.of("7").input(name, shape, new float[(int) shape.elements()]);
  }

  @Test
  void thePartOfAScriptedModelIsNamed() {
    assertEquals("conv1", fault("lenet.pt", zeros("x", 1, 4, 28, 28)).module());
  }

  @Test
  void thePartOfATracedModelIsNamed() {
    assertEquals("body.0", fault("mlp_bn_sigmoid_traced.pt", zeros("x", 1, 19)).module());
  }

  @Test
  void theWayToAPartDeepInsideIsNamed() {
    InferenceRequest request = zeros("x", 1, 7, 3);
    assertEquals("enc.layers.0", fault("nn_transformer_encoder.pt", request).module());
  }

  @Test
  void theModelItselfNeedsNoName() {
    InferenceRequest request = zeros("x", 2, 3).input("i", Shape.of(1), 99L);
    Fault fault = fault("indexing.pt", request);
    assertEquals(FaultType.INDEX, fault.type());
    assertNull(fault.module());
  }

  @Test
  void theUsersOwnLineComesBeforeThoseOfTheLibrary() {
    SourceLocation own = SourceLocation.of("/home/me/ranker.py", 12, 0);
    SourceLocation linear =
        SourceLocation.of("/usr/lib/python3/dist-packages/torch/nn/modules/linear.py", 114, 0);
    Fault inside =
        Fault.of(FaultType.VALUE, "no")
            .withOperation("aten::linear", List.of())
            .withSource(linear)
            .withPath(List.of(new Fault.Frame("Ranker.forward", own)));
    Fault told = FaultPlace.told(inside, EMPTY);
    assertEquals(own, told.source());
    assertEquals(
        List.of(new Fault.Frame("Ranker.forward", own), new Fault.Frame("aten::linear", linear)),
        told.path());
    Fault alone = inside.withPath(List.of(new Fault.Frame("Linear.forward", linear)));
    assertEquals(linear, FaultPlace.told(alone, EMPTY).source());
  }
}
