package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.engine.EngineOptions;
import dev.staunch.type.DType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Reals cast to integers, as PyTorch 1.13 casts them on x86: {@code
 * torch.tensor(values).to(from).to(to)}, including values beyond the integers' range. Each line of
 * the file is two dtypes and pairs of a value and its cast.
 */
class CastGoldenTest {

  @TestFactory
  Stream<DynamicTest> realsBecomeTheIntegersThatPyTorchMakesOfThem() throws IOException {
    try (InputStream in = CastGoldenTest.class.getResourceAsStream("cast-golden.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      return lines.lines().map(line -> line.split(" ")).map(CastGoldenTest::test).toList().stream();
    }
  }

  private static DynamicTest test(String[] words) {
    return DynamicTest.dynamicTest(
        words[0] + " to " + words[1],
        () -> {
          List<String[]> pairs = Arrays.stream(words).skip(2).map(pair -> pair.split(":")).toList();
          double[] values = pairs.stream().mapToDouble(pair -> real(pair[0])).toArray();
          long[] expected = pairs.stream().mapToLong(pair -> Long.parseLong(pair[1])).toArray();
          try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
            check(trial.context, dtype(words[0]), dtype(words[1]), values, expected);
          }
        });
  }

  private static void check(
      Context context, DType from, DType to, double[] values, long[] expected) {
    Tensor source = context.tensor(values).to(from);
    assertArrayEquals(expected, source.to(to).longs());
    Tensor strided = source.unsqueeze(1).expand(values.length, 3).select(1, 1);
    assertArrayEquals(expected, strided.to(to).longs(), "strided");
    assertArrayEquals(
        expected, context.zeros(to, values.length).copy_(source).longs(), "copied into");
  }

  private static DType dtype(String name) {
    return DType.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static double real(String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }
}
