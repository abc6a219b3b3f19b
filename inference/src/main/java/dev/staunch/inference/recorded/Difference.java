package dev.staunch.inference.recorded;

import dev.staunch.fault.Message;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.EnumMember;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says where a value differs from a recorded one. Real tensors may differ by 1e-5 absolute plus
 * 1e-5 relative (float64: 1e-9 each; float16: 1e-3 relative, bfloat16: 1.6e-2, as in {@code
 * torch.testing}). Real scalars may differ by 1e-12 relative, or by 1e-5 if both are float32
 * numbers, as scalars read from a tensor are. All else must be equal. If the recording also has
 * exact values for a tensor, the tensor may be {@value #TIMES_AS_FAR} times as far from them as the
 * recorded values are: how rounding affects a deep network's answer depends on the order of its
 * sums.
 */
final class Difference {
  private static final int TIMES_AS_FAR = 3;

  private final RecordedValues values;

  Difference(Path folder, ResourceScope scope) {
    this.values = new RecordedValues(folder, scope);
  }

  /** Describes the first difference in a sentence; null if there is none. */
  @Nullable String find(JsonNode expected, Object actual, String place) {
    return switch (expected.path("t").asString("")) {
      case "Tensor" -> tensor(expected, actual, place);
      case "List" ->
          actual instanceof List<?> list
              ? items(expected, list, place)
              : kind(expected, actual, place);
      case "Tuple", "NamedTuple" ->
          actual instanceof TupleValue tuple
              ? items(expected, tuple.elements(), place)
              : kind(expected, actual, place);
      case "Dict" ->
          actual instanceof Map<?, ?> map
              ? dict(expected, map, place)
              : kind(expected, actual, place);
      case "Enum" -> enumMember(expected, actual, place);
      case "Object" -> actual instanceof ObjectValue ? null : kind(expected, actual, place);
      default -> scalar(values.value(expected), actual, place);
    };
  }

  private static String kind(JsonNode expected, Object actual, String place) {
    return Message.of(
        "%s is %s, not a %s",
        place, actual.getClass().getSimpleName(), expected.path("t").asString(""));
  }

  private static @Nullable String enumMember(JsonNode expected, Object actual, String place) {
    String name = expected.path("name").asString("");
    return actual instanceof EnumMember member && member.toString().equals(name)
        ? null
        : Message.of("%s is %s, not %s", place, actual, name);
  }

  private @Nullable String items(JsonNode expected, List<?> actual, String place) {
    JsonNode items = expected.path("items");
    if (items.size() != actual.size()) {
      return Message.of("%s has %d items, not %d", place, actual.size(), items.size());
    }
    for (int i = 0; i < items.size(); i++) {
      Object item = Objects.requireNonNull(actual.get(i));
      String difference = find(items.path(i), item, place + "[" + i + "]");
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private @Nullable String dict(JsonNode expected, Map<?, ?> actual, String place) {
    JsonNode items = expected.path("items");
    if (items.size() != actual.size()) {
      return Message.of("%s has %d entries, not %d", place, actual.size(), items.size());
    }
    for (JsonNode entry : items) {
      Object key = values.value(entry.path(0));
      Object value = actual.get(key);
      String where = place + "[" + key + "]";
      String difference = value == null ? where + " is missing" : find(entry.path(1), value, where);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private static @Nullable String scalar(Object expected, Object actual, String place) {
    boolean same =
        switch (expected) {
          case Double number -> actual instanceof Double other && near(number, other);
          case ComplexNumber number ->
              actual instanceof ComplexNumber other
                  && near(number.re(), other.re())
                  && near(number.im(), other.im());
          case None none -> actual == none;
          default -> expected.equals(actual);
        };
    return same ? null : Message.of("%s is %s, not %s", place, actual, expected);
  }

  private static boolean near(double expected, double actual) {
    // a number read from a float32 tensor has only that tensor's precision
    double tolerance = isSingle(expected) && isSingle(actual) ? 1e-5 : 1e-12;
    return Double.compare(expected, actual) == 0
        || expected == actual
        || Math.abs(expected - actual) <= tolerance * Math.abs(expected);
  }

  private static boolean isSingle(double value) {
    return (float) value == value;
  }

  private @Nullable String tensor(JsonNode expected, Object actual, String place) {
    if (!(actual instanceof DenseTensor tensor)) {
      return kind(expected, actual, place);
    }
    DenseTensor wanted = (DenseTensor) values.value(expected);
    if (tensor.isClosed()) {
      return place + " was closed";
    }
    if (tensor.dtype() != wanted.dtype() || !tensor.shape().equals(wanted.shape())) {
      return Message.of("%s is %s, not %s", place, tensor.describe(), wanted.describe());
    }
    if (tensor.dtype().kind() == DType.Kind.COMPLEX) {
      boolean known = !expected.path("data").isEmpty(); // our own recordings have no elements
      double tolerance = tensor.dtype() == DType.COMPLEX128 ? 1e-9 : 1e-5;
      return known
          ? reals(RecordedValues.parts(wanted), RecordedValues.parts(tensor), tolerance, place)
          : null;
    }
    if (!tensor.dtype().isFloating()) {
      return integers(HostTensors.toLongs(wanted), HostTensors.toLongs(tensor), place);
    }
    double tolerance = tolerance(tensor.dtype().toString());
    double[] theirs = HostTensors.toDoubles(wanted);
    double[] ours = HostTensors.toDoubles(tensor);
    String difference = reals(theirs, ours, tolerance, place);
    if (difference == null || expected.path("exact").isMissingNode()) {
      return difference;
    }
    double[] exact = HostTensors.toDoubles((DenseTensor) values.value(expected.path("exact")));
    return farthest(ours, exact) <= TIMES_AS_FAR * farthest(theirs, exact) ? null : difference;
  }

  /**
   * The largest absolute difference; NaN if any difference is NaN, so that it fails every
   * comparison.
   */
  private static double farthest(double[] some, double[] exact) {
    double farthest = 0;
    for (int i = 0; i < exact.length; i++) {
      farthest = Math.max(farthest, Math.abs(some[i] - exact[i]));
    }
    return farthest;
  }

  private static @Nullable String integers(long[] expected, long[] actual, String place) {
    for (int i = 0; i < expected.length; i++) {
      if (expected[i] != actual[i]) {
        return Message.of("%s differs at element %d: %d, not %d", place, i, actual[i], expected[i]);
      }
    }
    return null;
  }

  /** How far, relatively, the elements of real tensors of this dtype may differ. */
  static double tolerance(String dtype) {
    return switch (dtype) {
      case "float64" -> 1e-9;
      case "float16" -> 1e-3;
      case "bfloat16" -> 1.6e-2;
      default -> 1e-5;
    };
  }

  /** Whether two numbers differ by no more than the relative and the absolute tolerance. */
  static boolean near(double expected, double actual, double tolerance) {
    return Math.abs(expected - actual)
        <= Math.min(tolerance, 1e-5) + tolerance * Math.abs(expected);
  }

  private static @Nullable String reals(
      double[] expected, double[] actual, double tolerance, String place) {
    for (int i = 0; i < expected.length; i++) {
      boolean same =
          Double.compare(expected[i], actual[i]) == 0 || near(expected[i], actual[i], tolerance);
      if (!same) {
        return String.format(
            Locale.ROOT, "%s differs at element %d: %s, not %s", place, i, actual[i], expected[i]);
      }
    }
    return null;
  }
}
