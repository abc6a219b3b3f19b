package dev.staunch.peers;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** The program of a seed: up to three operations, each on what is there and on new tensors. */
final class RandomCase {
  private static final long SPREAD_OF_SEEDS = 0x9E3779B97F4A7C15L;

  /** What was called, and what differed, or null. */
  record Outcome(String operation, String call, @Nullable String difference, String theirMessage) {}

  private final Context context;
  private final Libtorch libtorch;
  private final List<CatalogEntry> operations;
  private final Accepted accepted;
  private final Random random;
  private final Arguments arguments;
  private final List<Twin> pool = new ArrayList<>();

  RandomCase(
      long seed,
      Context context,
      Libtorch libtorch,
      List<CatalogEntry> operations,
      Recorded recorded,
      Accepted accepted) {
    this.context = context;
    this.libtorch = libtorch;
    this.operations = operations;
    this.accepted = accepted;
    this.random = new Random(seed * SPREAD_OF_SEEDS);
    this.arguments = new Arguments(random, recorded, pool);
  }

  /** Runs it; {@code began} hears of each call before it is made. */
  Outcome run(Consumer<String> began) {
    int steps = random.nextInt(10) < 7 ? 1 : 2 + random.nextInt(2);
    Outcome last = new Outcome("none", "none", null, "");
    for (int i = 0; i < steps && last.difference() == null; i++) {
      CatalogEntry entry = operations.get(random.nextInt(operations.size()));
      List<Object> drawn = arguments.of(entry.schema());
      if (drawn == null) {
        continue;
      }
      String call = entry.name() + drawn;
      began.accept(call);
      last = step(entry.schema(), call, drawn.stream().map(this::made).toList());
      if (last.theirMessage().length() > 0 && entry.schema().mutates()) {
        break; // what a failed write leaves is a fault here
      }
    }
    return last;
  }

  private Object made(Object value) {
    return switch (value) {
      case TwinSpec spec -> spec.make(context);
      case List<?> list -> list.stream().map(this::made).toList();
      default -> value;
    };
  }

  private Outcome step(Schema schema, String call, List<Object> values) {
    List<Object> precise = values.stream().map(RandomCase::precise).toList();
    String kind = Comparison.kind(values);
    Object theirs = libtorch.call(schema, values);
    Object ours = ours(schema, values);
    String name = schema.qualifiedName();
    if (theirs instanceof RuntimeException e) {
      String message = firstLine(e);
      return new Outcome(name, call, oneSided(ours, message), message);
    }
    if (ours instanceof StaunchException e) {
      String type = e.fault().type().word();
      return new Outcome(name, call, "refused " + type + ": " + e.fault().message(), "");
    }
    List<?> results = results(ours);
    List<?> expected = (List<?>) theirs;
    Comparison plain =
        new Comparison(0, each -> accepted.contains(name, each + kind + " in " + call));
    Comparison comparison = comparison(schema, values, plain);
    String difference = comparison.of(results, expected, null);
    boolean changed = values.stream().anyMatch(each -> changed(comparison, each, null) != null);
    if (changed || (difference != null && isValue(comparison, difference))) {
      difference = comparison.of(results, expected, libtorch.call(schema, precise));
    }
    for (int i = 0; changed && !comparison.isBad(difference) && i < values.size(); i++) {
      difference = comparison.worse(difference, changed(comparison, values.get(i), precise.get(i)));
    }
    if (!comparison.isBad(difference)) {
      difference = comparison.worse(difference, Sharing.difference(values, results, expected));
    }
    if (difference == null) {
      keep(results, expected);
    } else if (isValue(comparison, difference) && Factors.areRight(name, values, results)) {
      difference = null;
    }
    return new Outcome(name, call, difference == null ? null : difference + kind, "");
  }

  private static boolean isValue(Comparison comparison, String difference) {
    return comparison.isBad(difference) && difference.startsWith("value");
  }

  /** What is written into a tensor of the caller's is computed in its operands' dtype. */
  private static Comparison comparison(Schema schema, List<Object> values, Comparison plain) {
    boolean written = schema.parameters().stream().anyMatch(each -> each.name().equals("out"));
    DType least = DType.FLOAT64;
    for (Object value : values) {
      if (value instanceof Twin twin) {
        DType own = twin.ours().dtype().isFloating() ? twin.ours().dtype() : DType.FLOAT32;
        least = own.bytes() < least.bytes() ? own : least;
      }
    }
    return written ? plain.computedIn(least) : plain;
  }

  private static @Nullable String oneSided(Object ours, String message) {
    if (!(ours instanceof StaunchException e)) {
      return "computed: " + shown(ours) + " where libtorch says: " + message;
    }
    return e.fault().type() == FaultType.INTERNAL ? "internal: " + e.fault() : null;
  }

  private static String shown(Object value) {
    String text = value instanceof Object[] several ? Arrays.deepToString(several) : "" + value;
    return text.length() < 200 ? text : text.substring(0, 200) + "...";
  }

  /** Whether an argument is another tensor now than on the other side, or null. */
  private static @Nullable String changed(
      Comparison comparison, Object value, @Nullable Object precise) {
    if (value instanceof List<?> list) {
      return list.stream()
          .map(each -> changed(comparison, each, null))
          .filter(Objects::nonNull)
          .findFirst()
          .orElse(null);
    }
    Object exact = precise instanceof Twin twin ? twin.theirs() : null;
    String difference =
        value instanceof Twin twin ? comparison.of(twin.ours(), twin.theirs(), exact) : null;
    return difference == null ? null : "argument " + difference;
  }

  private Object ours(Schema schema, List<Object> values) {
    try {
      Object result =
          context.applyValue(
              schema.qualifiedName(), values.stream().map(RandomCase::own).toArray());
      results(result).forEach(RandomCase::await);
      return result;
    } catch (StaunchException e) {
      return e;
    }
  }

  private static void await(Object value) {
    if (value instanceof Tensor tensor) {
      tensor.value();
    } else if (value instanceof List<?> list) {
      list.forEach(RandomCase::await);
    }
  }

  private static Object own(Object value) {
    return switch (value) {
      case Twin twin -> twin.ours();
      case List<?> list -> new ArrayList<>(list.stream().map(RandomCase::own).toList());
      default -> value;
    };
  }

  private static Object precise(Object value) {
    return switch (value) {
      case Twin twin -> {
        org.bytedeco.pytorch.Tensor tensor = twin.theirs();
        yield new Twin(
            twin.ours(),
            tensor.is_complex()
                ? tensor.to(torch.ScalarType.ComplexDouble).clone()
                : tensor.is_floating_point()
                    ? tensor.to(torch.ScalarType.Double).clone()
                    : tensor.clone());
      }
      case List<?> list -> list.stream().map(RandomCase::precise).toList();
      default -> value;
    };
  }

  private static List<?> results(Object value) {
    return value instanceof Object[] several ? Arrays.asList(several) : List.of(value);
  }

  /** Later operations take what is equal to the last bit, or they would carry differences on. */
  private void keep(List<?> ours, List<?> theirs) {
    for (int i = 0; i < ours.size(); i++) {
      if (ours.get(i) instanceof Tensor a
          && theirs.get(i) instanceof org.bytedeco.pytorch.Tensor b
          && Comparison.areEqual(a.value(), b)) {
        pool.add(new Twin(a, b));
      } else if (ours.get(i) instanceof List<?> list && theirs.get(i) instanceof List<?> other) {
        keep(list, other);
      }
    }
  }

  static String firstLine(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
