package dev.staunch.eager;

import dev.staunch.kernel.TensorGoldens;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that operations take, by operation: those of the calls that were recorded with
 * libtorch. A tensor is a {@link TensorSpec}.
 */
final class RecordedCalls {
  private static final List<String> FILES =
      List.of(
          "tensor-golden.txt",
          "composed-golden.txt",
          "combined-golden.txt",
          "operator-golden.txt",
          "neural-golden.txt",
          "recurrent-golden.txt",
          "attention-golden.txt");

  /** A value's text until it is first asked for, then the value. */
  private final Map<String, List<Object>> calls = new HashMap<>();

  private RecordedCalls() {}

  static RecordedCalls read() {
    RecordedCalls recorded = new RecordedCalls();
    try {
      for (String file : FILES) {
        for (TensorGoldens.Case each : TensorGoldens.read(file)) {
          if (each.arguments().stream().allMatch(RecordedCalls::isReal)) {
            recorded
                .calls
                .computeIfAbsent("aten::" + each.name(), name -> new ArrayList<>())
                .add(each);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return recorded;
  }

  /** Programs have no complex tensors. */
  private static boolean isReal(TensorGoldens.Text text) {
    return !text.word().equals("complex")
        && !text.rest().startsWith("complex")
        && text.parts().stream().allMatch(RecordedCalls::isReal);
  }

  /** The arguments of one call of {@code operation}, or null if none was recorded. */
  @Nullable List<Object> any(String operation, Random random) {
    List<Object> known = calls.get(operation);
    if (known == null) {
      return null;
    }
    int i = random.nextInt(known.size());
    synchronized (known) {
      if (known.get(i) instanceof TensorGoldens.Case text) {
        known.set(i, text.arguments().stream().map(RecordedCalls::value).toList());
      }
      @SuppressWarnings("unchecked") // put there above
      List<Object> arguments = (List<Object>) known.get(i);
      return arguments;
    }
  }

  private static Object value(TensorGoldens.Text text) {
    return switch (text.word()) {
      case "tensor" -> tensor(text.rest().split(" ", -1));
      case "int" -> Long.valueOf(text.rest());
      case "float" -> Double.valueOf(text.rest());
      case "bool" -> text.rest().equals("1");
      case "str" -> text.rest();
      case "none" -> None.NONE;
      case "ints" -> Arrays.stream(longs(text.rest())).boxed().toList();
      case "list" -> text.parts().stream().map(RecordedCalls::value).toList();
      default -> throw new IllegalStateException(text.word());
    };
  }

  private static TensorSpec tensor(String[] parts) {
    DType dtype = DType.valueOf(parts[0].toUpperCase(Locale.ROOT));
    long[] sizes = longs(parts[1]);
    long[] strides = longs(parts[2]);
    String[] values = parts[4].equals("-") ? new String[0] : parts[4].split(",");
    int count = (int) Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
    double[] reals = new double[count];
    long[] integers = new long[count];
    for (int i = 0; i < count; i++) {
      String value = values[place(i, sizes, strides, Integer.parseInt(parts[3]))];
      if (dtype.isFloating()) {
        reals[i] = Double.parseDouble(value);
      } else {
        integers[i] = Long.parseLong(value);
      }
    }
    return new TensorSpec(
        dtype,
        sizes,
        dtype.isFloating() ? reals : null,
        dtype.isFloating() ? null : integers,
        TensorSpec.Spread.PLAIN);
  }

  private static int place(int i, long[] sizes, long[] strides, int offset) {
    int place = offset;
    for (int d = sizes.length - 1; d >= 0; d--) {
      place += (int) (i % sizes[d] * strides[d]);
      i /= (int) sizes[d];
    }
    return place;
  }

  private static long[] longs(String list) {
    return list.equals("-")
        ? new long[0]
        : Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
  }
}
