package dev.staunch.peers;

import dev.staunch.kernel.TensorGoldens;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Arguments that operations are known to take, from the golden cases of the kernels. */
final class Recorded {
  private static final List<String> FILES =
      List.of(
          "tensor-golden.txt",
          "composed-golden.txt",
          "combined-golden.txt",
          "family-golden.txt",
          "neural-golden.txt",
          "recurrent-golden.txt",
          "attention-golden.txt");
  private static final int LARGEST = 3000;

  private final Map<String, List<TensorGoldens.Case>> cases = new HashMap<>();

  Recorded() throws IOException {
    for (String file : FILES) {
      for (TensorGoldens.Case each : TensorGoldens.read(file)) {
        cases.computeIfAbsent("aten::" + each.name(), name -> new ArrayList<>()).add(each);
      }
    }
  }

  /** The arguments of one call of {@code operation}, tensors as {@link TwinSpec}, or null. */
  @Nullable List<Object> any(String operation, Random random) {
    List<TensorGoldens.Case> known = cases.get(operation);
    if (known == null) {
      return null;
    }
    List<Object> values =
        known.get(random.nextInt(known.size())).arguments().stream().map(Recorded::value).toList();
    return values.contains(None.class) ? null : values;
  }

  /** The value; {@code None.class} in place of one that is too large or of another kind. */
  private static Object value(TensorGoldens.Text text) {
    return switch (text.word()) {
      case "tensor" -> tensor(text.rest().split(" ", -1));
      case "int" -> Long.valueOf(text.rest());
      case "float" -> Double.valueOf(text.rest());
      case "bool" -> text.rest().equals("1");
      case "str" -> text.rest();
      case "none" -> None.NONE;
      case "ints" -> Arrays.stream(longs(text.rest())).boxed().toList();
      case "list" -> {
        List<Object> parts = text.parts().stream().map(Recorded::value).toList();
        yield parts.contains(None.class) ? None.class : parts;
      }
      default -> None.class;
    };
  }

  private static Object tensor(String[] parts) {
    DType dtype = DType.valueOf(parts[0].toUpperCase(Locale.ROOT));
    String[] values = parts[4].equals("-") ? new String[0] : parts[4].split(",");
    if (dtype.kind() == DType.Kind.COMPLEX || values.length > LARGEST) {
      return None.class;
    }
    Layout layout =
        new Layout(Shape.of(longs(parts[1])), longs(parts[2]), Long.parseLong(parts[3]));
    return new TwinSpec(
        dtype, layout, Arrays.stream(values).mapToDouble(Double::parseDouble).toArray());
  }

  private static long[] longs(String list) {
    return list.equals("-")
        ? new long[0]
        : Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
  }
}
