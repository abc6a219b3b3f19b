package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sender of a request is told of faults inside the model. */
class RequestFaultsTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor, y: Tensor) -> Tensor:
          _0 = torch.linear(x, torch.ones([4, 12]))
          return torch.add(torch.sum(_0), torch.matmul(torch.relu(y), torch.ones([2, 2])))
      """;

  private static Fault fault(Shape x, Shape y) {
    return fault(
        InferenceRequest.of("7")
            .input("x", x, new float[(int) x.elements()])
            .input("y", y, new float[(int) y.elements()]));
  }

  private static Fault fault(InferenceRequest request) {
    return fault(CODE, request);
  }

  private static Fault fault(String code, InferenceRequest request) {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (Model model =
        Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      Fault fault = model.predict(request).fault();
      assertNotNull(fault);
      return fault;
    }
  }

  @Test
  void aFaultOfTheFirstOperationTellsHowTheInputWasSent() {
    Fault fault = fault(Shape.of(1, 5), Shape.of(2, 2));
    assertEquals("x", fault.input());
    assertEquals(
        "input 'x' is FP32[1, 5], where the model takes FP32[*, 12]; a 1x5 matrix cannot be"
            + " multiplied by a 12x4 matrix",
        fault.message());
  }

  private static String told(String archive, InferenceRequest request) {
    OffHeap memory = OffHeap.withBudget(64 << 20);
    Path file = Conformance.torchscript().resolve("archives").resolve(archive);
    try (Model model = Model.load(file, memory)) {
      Fault fault = model.predict(request).fault();
      assertNotNull(fault);
      return fault.message();
    }
  }

  private static InferenceRequest zeros(String name, long... sizes) {
    Shape shape = Shape.of(sizes);
    return InferenceRequest.of("7").input(name, shape, new float[(int) shape.elements()]);
  }

  @Test
  void aFaultAtTheModelsOwnWeightsTellsWhatTheyTake() {
    assertEquals(
        "input 'x' is FP32[1, 19], where the model takes FP32[*, 16]; a 1x19 matrix cannot be"
            + " multiplied by a 16x32 matrix",
        told("mlp_bn_sigmoid.pt", zeros("x", 1, 19)));
    assertEquals(
        "input 'x' is FP32[1, 4, 28, 28], where the model takes FP32[*, 1, *, *]; the weight [6, 1,"
            + " 5, 5] with 1 group takes 1 channel, but the input [1, 4, 28, 28] has 4",
        told("lenet.pt", zeros("x", 1, 4, 28, 28)));
  }

  @Test
  void anInputThatIsJoinedToOthersAndThenDoesNotFitIsNamed() {
    InferenceRequest ids = wide(4).input("y", Shape.of(2), 1, 2);
    assertEquals(
        "input 'x' is FP32[2, 4], where the model takes FP32[*, 3]; a 2x6 matrix cannot be"
            + " multiplied by a 5x3 matrix",
        joined("torch.add(x, 1), torch.embedding(torch.ones([7, 2]), y)", ids));
    assertEquals(
        "a 2x6 matrix cannot be multiplied by a 5x3 matrix; the request gave x FP32[2, 4], y"
            + " FP32[2, 2]",
        joined("torch.add(x, 1), y", wide(4).input("y", Shape.of(2, 2), 1f, 2f, 3f, 4f)),
        "which of two is wrong is not guessed");
  }

  private static InferenceRequest wide(int columns) {
    return InferenceRequest.of("7").input("x", Shape.of(2, columns), new float[2 * columns]);
  }

  /**
   * The message of a model that joins {@code parts} side by side and multiplies them by a matrix.
   */
  private static String joined(String parts, InferenceRequest request) {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor, y: Tensor) -> Tensor:
            both = torch.cat([%s], 1)
            return torch.matmul(torch.relu(both), torch.ones([5, 3]))
        """;
    return fault(code.formatted(parts), request).message();
  }

  @Test
  void theInputWithAnIndexOutOfBoundsIsNamed() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor, y: Tensor) -> Tensor:
            return %s
        """;
    InferenceRequest request = wide(4).input("y", Shape.of(1, 2), 1L, 4L);
    for (String call :
        List.of(
            "torch.gather(x, 1, y)",
            "torch.index_select(x, 1, torch.view(y, [-1]))",
            "torch.index(x, annotate(List[Optional[Tensor]], [None, y]))",
            "torch.scatter(x, 1, y, 2.)")) {
      Fault fault = fault(code.formatted(call), request);
      assertEquals("y", fault.input(), call);
      assertTrue(
          fault
              .message()
              .endsWith("index 4 at position 1 is out of bounds for dimension 1 with size 4"),
          fault.message());
    }
  }

  @Test
  void anInputThatTheModelTakesApartIsToldAsTheLayerSawIt() {
    assertEquals(
        "input 'x' is FP32[1, 4, 7], seen as FP32[1, 7], where the model takes FP32[*, 4]; a 1x7"
            + " matrix cannot be multiplied by a 4x24 matrix",
        told("lstm_loop.pt", zeros("x", 1, 4, 7)));
  }

  @Test
  void whatAModelTakesForAnotherDTypeIsWhatToSend() {
    assertEquals(
        "input 'ids' is FP32[1, 4]; send INT64 or INT32; `indices` of embedding must be int64 or"
            + " int32, but it is float32",
        told("bert_like.pt", zeros("ids", 1, 4)));
  }

  @Test
  void aLayerThatTakesNoIntegersAtAllSaysWhatItsWeightsAre() {
    assertEquals(
        "input 'x' is BOOL[1, 1, 28, 28]; send FP32; the input and `weight` of conv2d must have one"
            + " dtype, but are bool and float32",
        told(
            "lenet.pt",
            InferenceRequest.of("7").input("x", Shape.of(1, 1, 28, 28), new boolean[28 * 28])));
    assertEquals(
        "input 'x' is INT64[1, 2, 4]; the input and `params` of lstm must have one dtype, but are"
            + " int64 and float32; send FP32",
        fault(
                """
                class M(Module):
                  __parameters__ = []
                  def forward(self: __torch__.M, x: Tensor) -> Tensor:
                    h = torch.zeros([1, 2, 3], dtype=4)
                    p = [torch.ones([12, 4]), torch.ones([12, 3])]
                    y, _0, _1 = torch.lstm(x, [h, h], p, False, 1, 0., False, False, False)
                    return y
                """,
                InferenceRequest.of("7").input("x", Shape.of(1, 2, 4), new long[8]))
            .message());
  }

  @Test
  void anInputOfADTypeThatNoLayerOfItsKindTakesIsTheCallersMistake() {
    for (String layer :
        new String[] {
          "torch.max_pool1d(x, [2])",
          "torch.avg_pool1d(x, [2])",
          "torch.batch_norm(x, None, None, None, None, True, 0.1, 0.1, False)",
          "torch.layer_norm(x, [4])",
          "torch.group_norm(x, 1)"
        }) {
      Fault fault =
          fault(
              "class M(Module):\n  __parameters__ = []\n"
                  + "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return "
                  + layer
                  + "\n",
              InferenceRequest.of("7").input("x", Shape.of(2, 3, 4), new int[24]));
      assertEquals(FaultType.DTYPE, fault.type(), fault.message());
      assertTrue(fault.message().startsWith("input 'x' is INT32[2, 3, 4]; "), fault.message());
    }
  }

  @Test
  void whichOfTwoInputsThatDoNotFitIsRightIsNotGuessed() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor, y: Tensor) -> Tensor:
            return torch.add(x, y)
        """;
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (Model model =
        Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard())) {
      InferenceRequest request = zeros("x", 5).input("y", Shape.of(4), new float[4]);
      Fault fault = model.predict(request).fault();
      assertNotNull(fault);
      assertFalse(fault.message().contains("the model takes"), fault.message());
    }
  }

  @Test
  void anInputOfDoublesIsToldToBeSentAsFloats() {
    InferenceRequest doubles =
        InferenceRequest.of("7")
            .input("x", Shape.of(1, 12), new double[12])
            .input("y", Shape.of(2, 2), new float[4]);
    Fault fault = fault(doubles);
    assertEquals(FaultType.DTYPE, fault.type());
    assertEquals(
        "input 'x' is FP64[1, 12]; send FP32; the operands of a product must have one dtype, but"
            + " are float64 and float32",
        fault.message());
  }

  @Test
  void whatWasComputedOfEachElementAloneIsStillTheInput() {
    Fault fault = fault(Shape.of(1, 12), Shape.of(2, 3));
    assertEquals("y", fault.input());
    assertEquals(
        "input 'y' is FP32[2, 3], where the model takes FP32[*, 2]; a 2x3 matrix cannot be"
            + " multiplied by a 2x2 matrix",
        fault.message());
  }

  @Test
  void whicheverOfIdsAndOffsetsOfBagsIsWrongIsNamed() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, ids: Tensor, starts: Tensor) -> Tensor:
            table = torch.ones([5, 3])
            bags, _0, _1, _2 = torch.embedding_bag(table, ids, starts, False, 0, False, None, False)
            return bags
        """;
    Fault outside = fault(code, bags(7, 1));
    assertEquals("ids", outside.input());
    assertEquals(
        "input 'ids' is INT64[2]; id 7 at position 0 is outside the embedding table of 5 rows",
        outside.message());
    Fault late = fault(code, bags(0, 9));
    assertEquals("starts", late.input());
    assertEquals("the last of `offsets` is 9, beyond the end of `indices` at 2", late.message());
    Fault reals =
        fault(
            code,
            InferenceRequest.of("7")
                .input("ids", Shape.of(2), 1f, 2f)
                .input("starts", Shape.of(1), 0L));
    assertEquals("ids", reals.input());
    assertEquals(
        "input 'ids' is FP32[2]; `indices` of embedding_bag must be int64 or int32, but it is"
            + " float32; send INT64",
        reals.message());
  }

  private static InferenceRequest bags(long id, long last) {
    return InferenceRequest.of("7")
        .input("ids", Shape.of(2), id, 0)
        .input("starts", Shape.of(2), 0, last);
  }

  @Test
  void theOnlyInputOfAListThatIsNotJoinedIsNamed() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor, y: Tensor) -> Tensor:
            return torch.cat([torch.ones([4, 1]), torch.relu(%s)], 1)
        """;
    InferenceRequest request = zeros("x", 2, 2).input("y", Shape.of(5, 1), new float[5]);
    Fault fault = fault(code.formatted("x"), request);
    assertEquals("x", fault.input());
    assertEquals(
        "input 'x' is FP32[2, 2]; cat joins along dimension 1, but tensor 1 is [2, 2] after [4, 1],"
            + " which differs in dimension 0",
        fault.message());
    Fault either = fault(code.formatted("x), torch.relu(y"), request);
    assertNull(either.input(), "which of two is wrong is not guessed");
    Fault other = fault(code.formatted("x), torch.matmul(y, torch.ones([1, 2])"), request);
    assertNull(other.input(), "nor if one was made into something else before");
  }

  @Test
  void noInputIsToBlameForAKernelThatIsMissing() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.fbgemm_pack_gemm_matrix_fp16(x)
        """;
    Fault fault = fault(code, zeros("x", 2));
    assertEquals("there is no kernel for aten::fbgemm_pack_gemm_matrix_fp16", fault.message());
    assertNull(fault.input());
  }

  @Test
  void bothOperandsOfAProductOfBoolsAreToBeCast() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.matmul(x, torch.logical_not(x))
        """;
    Fault fault = fault(code, InferenceRequest.of("7").input("x", Shape.of(1, 1), new boolean[1]));
    assertEquals(FaultType.UNSUPPORTED, fault.type());
    assertEquals(
        "matmul is not implemented for bool; cast `self` and `other` with `to(float32)` before"
            + " `aten::matmul`",
        fault.message());
  }

  @Test
  void aFaultAtWhatALayerGaveIsNotBlamedOnAnInput() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.linear(torch.linear(x, torch.ones([4, 12])), torch.ones([4, 5]))
        """;
    Fault fault = fault(code, zeros("x", 1, 12));
    assertNull(fault.input());
    assertTrue(fault.message().endsWith("; the request gave x FP32[1, 12]"), fault.message());
  }
}
