package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.EngineOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A wider operand is rounded to float16 or bfloat16 before it is combined, as in PyTorch. */
class NarrowFloatGoldenTest {

  @TestFactory
  Stream<DynamicTest> aWiderOperandIsRoundedFirst() throws IOException {
    try (InputStream in =
            NarrowFloatGoldenTest.class.getResourceAsStream("narrow-float-golden.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .map(line ->
              DynamicTest.dynamicTest(line.substring(0, line.lastIndexOf(' ')), () -> check(line)))
          .toList()
          .stream();
    }
  }

  private static void check(String line) {
    String[] words = line.split(" ", -1);
    OffHeap memory = OffHeap.withBudget(1 << 20);
    ContextOptions serial = ContextOptions.standard().withEngine(EngineOptions.serial());
    try (Context context = Context.open(memory, serial)) {
      double[] values = {0.1, 1.5, -2.25, 7.3, 100.3, 2049.0, 0.33333, -0.7};
      Tensor narrow = context.tensor(values, DType.valueOf(words[0].toUpperCase(Locale.ROOT)));
      Tensor result = combined(words[1], narrow, other(context, words[2]));
      double[] expected =
          Arrays.stream(words[3].split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      assertArrayEquals(expected, result.doubles());
    }
    assertEquals(0, memory.account().bytes());
  }

  private static Object other(Context context, String name) {
    return switch (name) {
      case "longs" -> context.tensor(new long[] {3, 2049, -4097, 7, 2051, 1001, 5, -3});
      case "wide0" -> context.tensor(2049.1);
      case "tenth0" -> context.tensor(0.1);
      case "long0" -> context.tensor(4097L);
      case "4097" -> 4097L;
      default -> Double.valueOf(name);
    };
  }

  private static Tensor combined(String name, Tensor narrow, Object other) {
    boolean tensor = other instanceof Tensor;
    String operation =
        switch (name) {
          case "pow" -> tensor ? "aten::pow.Tensor_Tensor" : "aten::pow.Tensor_Scalar";
          case "floor_divide" -> tensor ? "aten::floor_divide" : "aten::floor_divide.Scalar";
          default -> "aten::" + name + (tensor ? ".Tensor" : ".Scalar");
        };
    return name.equals("add") || name.equals("sub")
        ? narrow.apply(operation, narrow, other, 1L)
        : narrow.apply(operation, narrow, other);
  }
}
