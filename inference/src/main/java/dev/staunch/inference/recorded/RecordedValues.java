package dev.staunch.inference.recorded;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.tensor.NpyFormat;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Converts recorded values to run-time values. */
final class RecordedValues {
  private final Path folder;
  private final ResourceScope scope;

  RecordedValues(Path folder, ResourceScope scope) {
    this.folder = folder;
    this.scope = scope;
  }

  Object value(JsonNode node) {
    return switch (node.path("t").asString("")) {
      case "Tensor" -> tensor(node);
      case "None" -> None.NONE;
      case "bool" -> node.path("v").asBoolean();
      case "int" -> node.path("v").asLong();
      case "float" -> real(node.path("v"));
      case "complex" ->
          new ComplexNumber(real(node.path("v").path(0)), real(node.path("v").path(1)));
      case "str", "device" -> node.path("v").asString("");
      case "List" -> items(node);
      case "Tuple", "NamedTuple" -> new TupleValue(items(node));
      case "Dict" -> dict(node);
      default -> throw unreadable("a value of kind " + node.path("t"));
    };
  }

  /** What PyTorch's Python binding passes when None is given for a tensor. */
  Object undefinedTensor() {
    return DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(0));
  }

  private List<Object> items(JsonNode node) {
    List<Object> items = new ArrayList<>();
    node.path("items").forEach(item -> items.add(value(item)));
    return items;
  }

  private Map<Object, Object> dict(JsonNode node) {
    Map<Object, Object> dict = new LinkedHashMap<>();
    node.path("items").forEach(entry -> dict.put(value(entry.path(0)), value(entry.path(1))));
    return dict;
  }

  static DType dtype(JsonNode node) {
    try {
      return DType.valueOf(node.path("dtype").asString("").toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw unreadable("dtype " + node.path("dtype"));
    }
  }

  static Shape shape(JsonNode node) {
    long[] sizes = new long[node.path("shape").size()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = node.path("shape").path(i).asLong();
    }
    if (Shape.misfit(sizes) != null) {
      throw unreadable("shape " + node.path("shape"));
    }
    return Shape.of(sizes);
  }

  private DenseTensor tensor(JsonNode node) {
    DType dtype = dtype(node);
    Shape shape = shape(node);
    if (node.has("npy")) {
      return tensor(folder.resolve("npy").resolve(node.path("npy").asString("")), dtype, shape);
    }
    DenseTensor tensor =
        Fault.orThrow(DenseTensor.allocate(scope, dtype, shape), DenseTensor.class);
    JsonNode data = node.path("data");
    for (int i = 0; i < data.size(); i++) {
      switch (dtype.kind()) {
        case FLOATING -> Elements.putDouble(tensor.segment(), dtype, i, real(data.path(i)));
        case INTEGRAL -> Elements.putLong(tensor.segment(), dtype, i, data.path(i).asLong());
        case BOOL -> Elements.putLong(tensor.segment(), dtype, i, data.path(i).asBoolean() ? 1 : 0);
        case COMPLEX -> {
          for (int part = 0; part < 2; part++) {
            double value = real(data.path(i).path(part));
            Elements.putDouble(tensor.segment(), dtype.parts(), 2L * i + part, value);
          }
        }
      }
    }
    return tensor;
  }

  private DenseTensor tensor(Path file, DType dtype, Shape shape) {
    DenseTensor tensor = Fault.orThrow(NpyFormat.read(scope, file), DenseTensor.class);
    if (tensor.dtype() != dtype || !tensor.shape().equals(shape)) {
      String text = file + " holds " + tensor.describe() + ", not " + dtype + shape;
      throw Fault.data(file.toString(), text).toException();
    }
    return tensor;
  }

  /** Row-major elements of a complex tensor, real and imaginary parts in turn. */
  static double[] parts(DenseTensor tensor) {
    long[] positions = Elements.positions(tensor.layout());
    double[] parts = new double[2 * positions.length];
    DType real = tensor.dtype().parts();
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Elements.asDouble(tensor.segment(), real, 2 * positions[i / 2] + i % 2);
    }
    return parts;
  }

  /** A number, or a word for a number that JSON cannot express, as answers or Python write it. */
  static double real(JsonNode node) {
    if (!node.isString()) {
      return node.asDouble();
    }
    return switch (node.asString()) {
      case "NaN", "nan" -> Double.NaN;
      case "Infinity", "inf" -> Double.POSITIVE_INFINITY;
      case "-Infinity", "-inf" -> Double.NEGATIVE_INFINITY;
      default -> throw unreadable("the text " + node + " for a number");
    };
  }

  private static StaunchException unreadable(String what) {
    return Fault.unsupported("the recording holds " + what + ", which cannot be replayed yet")
        .toException();
  }
}
