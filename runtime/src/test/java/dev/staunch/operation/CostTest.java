package dev.staunch.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The cost of a call follows from forms alone. */
class CostTest {
  private static TensorForm floats(long... sizes) {
    return TensorForm.contiguous(DType.FLOAT32, Shape.of(sizes));
  }

  private static Cost cost(String name, Object... operands) {
    CatalogEntry entry =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::" + name), name);
    Operands given = Operands.of(operands);
    Object results = Objects.requireNonNull(entry.inference()).infer(given);
    return entry.definition().cost(given, results);
  }

  @Test
  void whatIsReadAndWrittenIsToldFromForms() {
    assertEquals(
        new Cost(12, 0, 4 * (2 * 5 + 2), 4 * 10),
        cost("add.Tensor", floats(2, 5), floats(2, 1), 1L));
  }

  @Test
  void whatGrowsIsAsLargeAsItsResult() {
    assertEquals(new Cost(600, 0, 12, 2400), cost("repeat", floats(3), List.of(200L)));
  }

  @Test
  void aListOfTensorsIsReadWhole() {
    assertEquals(new Cost(7, 0, 28, 28), cost("cat", List.of(floats(3), floats(4)), 0L));
  }

  @Test
  void aProductMultipliesForEachElementOfItsResult() {
    assertEquals(2 * 5 * 3, cost("mm", floats(2, 3), floats(3, 5)).multiplyAdds());
    assertEquals(2 * 5 * 3, cost("linear", floats(2, 3), floats(5, 3), None.NONE).multiplyAdds());
    assertEquals(
        2 * 5 * 3, cost("addmm", floats(5), floats(2, 3), floats(3, 5), 1L, 1L).multiplyAdds());
    assertEquals(4 * 2 * 5 * 3, cost("matmul", floats(4, 2, 3), floats(3, 5)).multiplyAdds());
  }

  @Test
  void aGeneralConvolutionOverAVolumeIsThatOfVolumes() {
    TensorForm volume = floats(1, 2, 4, 5, 6);
    TensorForm weight = floats(3, 2, 3, 3, 3);
    List<Long> ones = List.of(1L, 1L, 1L);
    List<Long> none = List.of(0L, 0L, 0L);
    long products = 3 * (2 * 3 * 4) * (2 * 3 * 3 * 3);
    assertEquals(
        products,
        cost("convolution", volume, weight, None.NONE, ones, none, ones, false, none, 1L)
            .multiplyAdds());
    assertEquals(
        products,
        cost("_convolution_mode", volume, weight, None.NONE, ones, "valid", ones, 1L)
            .multiplyAdds());
  }

  @Test
  void attentionMultipliesForItsScoresAndForWhatIsSeen() {
    TensorForm query = floats(2, 3, 5, 8);
    TensorForm key = floats(2, 3, 7, 8);
    long scores = 2 * 3 * 5 * 7 * 8;
    assertEquals(
        scores + 2 * 3 * 5 * 7 * 4,
        cost(
                "scaled_dot_product_attention",
                query,
                key,
                floats(2, 3, 7, 4),
                None.NONE,
                0.0,
                false,
                None.NONE,
                false)
            .multiplyAdds());
  }

  @Test
  void severalHeadsAreProjectedBeforeAndBehind() {
    TensorForm x = floats(2, 5, 8);
    Object[] weights = {floats(24, 8), floats(24), floats(8, 8), floats(8)};
    Cost cost =
        cost(
            "_native_multi_head_attention",
            x,
            x,
            x,
            8L,
            2L,
            weights[0],
            weights[1],
            weights[2],
            weights[3],
            None.NONE,
            false,
            true,
            None.NONE);
    assertEquals(2 * 5 * (24 * 8 + 8 * 8) + 2 * (2 * 5 * 5 * 8), cost.multiplyAdds());
  }

  @Test
  void aRecurrentLayerMultipliesEachStepWithEachMatrix() {
    List<Object> states = List.of(floats(1, 3, 4), floats(1, 3, 4));
    List<Object> parameters = List.of(floats(16, 6), floats(16, 4), floats(16), floats(16));
    assertEquals(
        5 * 3 * (16 * 6 + 16 * 4),
        cost("lstm.input", floats(5, 3, 6), states, parameters, true, 1L, 0.0, false, false, false)
            .multiplyAdds());
    assertEquals(
        3 * (12 * 6 + 12 * 4),
        cost(
                "gru_cell",
                floats(3, 6),
                floats(3, 4),
                floats(12, 6),
                floats(12, 4),
                None.NONE,
                None.NONE)
            .multiplyAdds());
  }

  @Test
  void whatIsMadeOfOthersCostsWhatTheyDo() {
    assertEquals(
        2 * 5 * 3, cost("mm.out", floats(2, 3), floats(3, 5), floats(2, 5)).multiplyAdds());
    assertEquals(2 * 5 * 3, cost("inner", floats(2, 3), floats(5, 3)).multiplyAdds());
  }

  @Test
  void aViewCostsNothing() {
    assertEquals(Cost.NONE, cost("t", floats(300, 400)));
  }
}
