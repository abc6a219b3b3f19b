package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.testkit.Conformance;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs on quantised tensors: what they may not do, what they keep, and what they free. */
class QuantizedModelTest {
  private static final String METHODS =
      """
      def q(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.quantize_per_tensor(x, 0.5, 8, 13)
      def added(self: __torch__.M, x: Tensor) -> Tensor:
        q = (self).q(x, )
        return torch.add(q, q)
      def joined(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.cat([(self).q(x, ), x])
      def listed(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.block_diag([(self).q(x, )])
      def real(self: __torch__.M, x: Tensor) -> Tensor:
        return ops.quantized.mul(x, x, 0.5, 0)
      def twice(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.quantize_per_tensor((self).q(x, ), 0.5, 8, 13)
      def scaleless(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.quantize_per_tensor(x, 0., 8, 13))
      def beyond(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.quantize_per_tensor(x, 0.5, 256, 13))
      def plain(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.quantize_per_tensor(x, 0.5, 8, 6))
      def wide(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.quantize_per_tensor(torch.to(x, 7), 0.5, 8, 13))
      def returned(self: __torch__.M, x: Tensor) -> Tensor:
        return (self).q(x, )
      def narrow(self: __torch__.M, x: Tensor) -> Tensor:
        weight = torch.quantize_per_tensor(torch.ones([3, 5]), 0.5, 0, 12)
        packed = ops.quantized.linear_prepack(weight, None)
        return torch.dequantize(ops.quantized.linear((self).q(x, ), packed, 0.5, 8))
      def channels(self: __torch__.M, x: Tensor) -> Tensor:
        q = torch.quantize_per_channel(x, torch.ones([2]), torch.zeros([2], dtype=4), 0, 12)
        return torch.dequantize(torch.flip(q, [0]))
      def displaced(self: __torch__.M, x: Tensor) -> Tensor:
        q = torch.quantize_per_channel(x, torch.ones([2]), torch.zeros([2], dtype=4), 0, 12)
        return torch.dequantize(torch.view(q, [1, 2]))
      def rearranged(self: __torch__.M, x: Tensor) -> Tensor:
        scales = torch.tensor([0.5, 2.])
        points = torch.tensor([1, 3])
        q = torch.quantize_per_channel(torch.view(x, [2, 2]), scales, points, 1, 12)
        q = torch.unsqueeze(torch.reshape(q, [2, 2, 1]), 0)
        axis = torch.q_per_channel_axis(q)
        q = torch.squeeze(torch.squeeze(q, 0))
        end = torch.tensor([axis, torch.q_per_channel_axis(q)])
        return torch.cat([torch.view(torch.dequantize(q), [-1]), end])
      def halves(self: __torch__.M, x: Tensor) -> Tensor:
        q = torch.quantize_per_channel(x, torch.ones([2]), torch.ones([2]), 0, 12)
        return torch.dequantize(q)
      def padded(self: __torch__.M, x: Tensor) -> Tensor:
        weight = torch.quantize_per_tensor(torch.ones([1, 1, 3]), 0.5, 0, 12)
        packed = ops.quantized.conv1d_prepack(weight, None, [1], [0, 1], [1], 1)
        row = torch.view((self).q(x, ), [1, 1, -1])
        return torch.dequantize(ops.quantized.conv1d(row, packed, 0.5, 8))
      def moved(self: __torch__.M, x: Tensor) -> Tensor:
        q = (self).q(x, )
        same = torch.to(q, torch.device("cpu"))
        copied = torch.to(q, dtype=13, layout=0, device=torch.device("cpu"), copy=True)
        _0 = torch.relu_(same)
        return torch.cat([torch.dequantize(q), torch.dequantize(copied)])
      def cast(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.to((self).q(x, ), torch.device("cpu"), 6)
      def q32(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.quantize_per_tensor(x, 0.5, 8, 14)
      def sigmoid(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.sigmoid((self).q32(x, )))
      def hardsigmoid(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.hardsigmoid((self).q32(x, )))
      def tanh(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.tanh((self).q32(x, )))
      def stacked(self: __torch__.M, x: Tensor) -> Tensor:
        q = (self).q(x, )
        wide = torch.hstack([q, q])
        return torch.dequantize(torch.view(torch.vstack([wide, wide]), [-1]))
      def written(self: __torch__.M, x: Tensor) -> Tensor:
        q = (self).q(x, )
        _0 = torch.copy_(torch.slice(q, 0, 0, 2), torch.mul(torch.slice(x, 0, 0, 2), 2))
        _1 = torch.fill_(torch.select(q, 0, 2), 0.7)
        _2 = torch.index_put_(q, [torch.gt(x, 5)], torch.tensor(9.2))
        other = torch.empty_like(q, dtype=13)
        _3 = torch.copy_(other, q)
        return torch.dequantize(other)
      def rescaled(self: __torch__.M, x: Tensor) -> Tensor:
        q = torch.quantize_per_tensor(x, 0.25, 8, 13)
        return torch.dequantize(torch.copy_((self).q(x, ), q))
      def parts(self: __torch__.M, x: Tensor) -> Tensor:
        parts = torch.tensor_split((self).q(x, ), 2)
        return torch.dequantize(parts[1])
      def spread(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(torch.view(torch.std((self).q(x, )), [1]))
      def rows(self: __torch__.M, x: Tensor) -> Tensor:
        scales = torch.tensor([0.5, 2.])
        points = torch.tensor([1, 3])
        q = torch.quantize_per_channel(torch.view(x, [2, 2]), scales, points, 0, 12)
        last = torch.dequantize(torch.select(q, 0, 1))
        left = torch.dequantize(torch.select(torch.slice(q, 0, 0, 1), 0, 0))
        halves = torch.chunk(q, 2, 1)
        return torch.cat([last, left, torch.view(torch.dequantize(halves[1]), [-1])])
      def each(self: __torch__.M, x: Tensor) -> Tensor:
        both = torch.quantize_per_tensor([x, x], torch.tensor([0.5, 2.]), torch.tensor([1, 3]), 13)
        return torch.cat(torch.dequantize(both))
      def unequal(self: __torch__.M, x: Tensor) -> Tensor:
        both = torch.quantize_per_tensor([x, x], torch.tensor([0.5]), torch.tensor([1]), 13)
        return torch.dequantize(both[0])
      def odd(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.quantize_per_tensor(torch.view(x, [1, 2, 1, -1]), 0.5, 7, 13)
      def mean(self: __torch__.M, q: Tensor) -> Tensor:
        return torch.view(torch.dequantize(torch.adaptive_avg_pool2d(q, [1, 1])), [-1])
      def pooled(self: __torch__.M, x: Tensor) -> Tensor:
        return (self).mean((self).odd(x, ), )
      def last(self: __torch__.M, x: Tensor) -> Tensor:
        return (self).mean(torch.contiguous((self).odd(x, ), memory_format=2), )
      def convolved(self: __torch__.M, x: Tensor) -> Tensor:
        weight = torch.quantize_per_tensor(torch.ones([2, 1, 1, 1]), 1., 0, 12)
        packed = ops.quantized.conv2d_prepack(weight, None, [1, 1], [0, 0], [1, 1], 2)
        return (self).mean(ops.quantized.conv2d((self).odd(x, ), packed, 0.5, 7), )
      def keep(self: __torch__.M, x: Tensor) -> Tensor:
        self.kept = (self).q(x, )
        return x
      def read(self: __torch__.M, x: Tensor) -> Tensor:
        return torch.dequantize(self.kept)
      def rectified(self: __torch__.M, x: Tensor) -> Tensor:
        q = (self).q(x, )
        view = torch.slice(q, 0, 1, 3)
        r = torch.relu_(view)
        return torch.dequantize(q)
      def separate(self: __torch__.M, x: Tensor) -> Tensor:
        q = (self).q(x, )
        r = torch.dequantize(q)
        _0 = torch.add_(r, 1)
        return torch.dequantize(q)
      def chain(self: __torch__.M, x: Tensor) -> Tensor:
        q = (self).q(x, )
        for _ in range(40):
          q = torch.relu(ops.quantized.mul(q, q, 0.5, 8))
        return torch.dequantize(q)
      """;

  private final SmallModel small =
      SmallModel.of("kept : Tensor\n", "self.kept = torch.zeros([1])", METHODS);

  @AfterEach
  void allIsFreed() {
    small.close();
  }

  private Answer ask(String method, float... x) {
    return small.model.predict(InferenceRequest.of("1").input("x", Shape.of(x.length), x), method);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "added|UNSUPPORTED|aten::add.Tensor does not take a quantised tensor; make it real with"
            + " `dequantize` before",
        "joined|UNSUPPORTED|cat takes quantised tensors or real ones, but not both; use"
            + " `dequantize`",
        "listed|UNSUPPORTED|aten::block_diag does not take a quantised tensor; make it real with"
            + " `dequantize` before",
        "real|UNSUPPORTED|this takes quantised tensors; make them so with `quantize_per_tensor`"
            + " before",
        "twice|UNSUPPORTED|this is quantised already; make it real with `dequantize` before",
        "scaleless|VALUE|the scale of a quantised tensor must be positive, but it is 0.0",
        "beyond|VALUE|a zero point of 256 does not fit codes of uint8",
        "plain|VALUE|`dtype` must be qint8, quint8 or qint32, but it is the dtype of number 6",
        "wide|DTYPE|only float32 is quantised, but this is float64; cast `self` with `to(float32)`"
            + " before `aten::quantize_per_tensor`; the request gave x FP32[2]",
        "channels|UNSUPPORTED|this takes a tensor with one scale, but quantised int8[2] has one"
            + " for each channel",
        "displaced|UNSUPPORTED|quantised int8[2] has its scales along dimension 0, for which the"
            + " shape [1, 2] has no place",
        "cast|UNSUPPORTED|aten::to.device does not take a quantised tensor; make it real with"
            + " `dequantize` before",
        "rescaled|UNSUPPORTED|a tensor keeps its scale and zero point; copy reals, made with"
            + " `dequantize`, into it",
        "unequal|SHAPE|1 scales and 1 zero points do not fit 2 tensors; the request gave x FP32[2]",
        "halves|UNSUPPORTED|zero points must be integers here, but these are float32; cast"
            + " `zero_points` with `to(int64)` before `aten::quantize_per_channel`",
      })
  void aWrongUseIsTold(String method, FaultType type, String message) {
    Fault fault = ask(method, 1, 2).fault();
    assertNotNull(fault);
    assertEquals(message, fault.message());
    assertEquals(type, fault.type());
  }

  @Test
  void whatDoesNotFitAWeightIsToldAsForReals() {
    Fault fault = ask("narrow", 1, 2).fault();
    assertNotNull(fault);
    assertEquals(FaultType.SHAPE, fault.type());
    assertNull(ask("narrow", 1, 2, 3, 4, 5).fault());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "padded|1 2 3|3 6 5", // of two paddings the last counts
        "moved|-1 2|0 2 -1 2",
        "stacked|1.3 2|1.5 2 1.5 2 1.5 2 1.5 2",
        "written|1 2 3 8|2 4 0.5 9",
        "parts|1 2 3|3",
        "spread|1 2 3 8|3",
        "rows|1.3 2 7 11|8 12 1.5 2 2 12",
        "rearranged|1.3 2 7 11|1.5 2 7 12 2 1",
        "each|1.3 9|1.5 9 2 8",
        "pooled|1 1.5 1.5 2|1.5 1.5",
        "last|1 1.5 1.5 2|1 2",
        "convolved|1 1.5 1.5 2|1 2",
        "sigmoid|-9 0 1.5|0.0001233946532011032 0.5 0.5",
        "hardsigmoid|-9 0 1.5|0 0.5 0.5",
        "tanh|-9 0 1.5|-0.9999999403953552 0 0.9051482677459717",
      })
  void answersAreThoseOfLibtorch(String method, String x, String expected) {
    Answer answer = ask(method, floats(x));
    assertNull(answer.fault());
    assertArrayEquals(floats(expected), answer.output().floats());
  }

  private static float[] floats(String text) {
    String[] words = text.split(" ");
    float[] made = new float[words.length];
    for (int i = 0; i < made.length; i++) {
      made[i] = Float.parseFloat(words[i]);
    }
    return made;
  }

  @Test
  void aQuantisedTensorDoesNotLeaveTheModel() {
    Fault fault = ask("returned", 1, 2).fault();
    assertNotNull(fault);
    assertEquals(FaultType.UNSUPPORTED, fault.type());
  }

  @Test
  void s6WhatARequestKeepsIsThereForTheNext() {
    assertNull(ask("keep", 1.2f, -9, 300).fault());
    assertArrayEquals(new float[] {1, -4, 123.5f}, ask("read", 0).output().floats());
  }

  @Test
  void aWriteThroughAViewIsSeen() {
    float[] found = ask("rectified", -1, -2, 3, -2).output().floats();
    assertArrayEquals(new float[] {-1, 0, 3, -2}, found);
  }

  @Test
  void whatIsMadeRealIsACopy() {
    assertArrayEquals(new float[] {1, 2}, ask("separate", 1, 2).output().floats());
  }

  /** Each of 80 tensors has 4 MiB; there is room for 16. */
  @Test
  void m2WhatIsNotReadAnyMoreIsFreed() {
    float[] ones = new float[1 << 20];
    Arrays.fill(ones, 1);
    Answer answer = ask("chain", ones);
    assertNull(answer.fault());
    assertEquals(1, answer.output().floats()[7]);
    assertEquals(DType.FLOAT32, answer.output().dtype());
    assertEquals(List.of(1L << 20), List.of(answer.output().shape().elements()));
  }

  /** Its convolutions make their weights' object when they are restored. */
  @Test
  void packedWeightsAreListedAndAnExampleFitsThem() {
    Path archive = Conformance.torchscript().resolve("families/quantized_block.pt");
    try (Model model = Model.load(archive, small.memory)) {
      List<String> shapes =
          model.module().tensors().stream()
              .filter(each -> each.name().equals("a._packed_params.weight"))
              .map(each -> each.dtype() + each.shape().toString())
              .toList();
      assertEquals(List.of("int8[8, 4, 1, 1]"), shapes, model.module().tensors()::toString);
      InferenceRequest example = model.example("forward", Duration.ofSeconds(30));
      assertNull(model.predict(example, "forward").fault());
    }
  }
}
