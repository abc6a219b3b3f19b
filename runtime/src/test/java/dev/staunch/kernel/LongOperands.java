package dev.staunch.kernel;

import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Arguments with {@value #N} elements for any operation of the catalog: from its recipe in {@code
 * long-operands.txt}, else a default of the schema, else whatever fits the parameter's type.
 */
final class LongOperands {
  static final long N = 1 << 19;
  static final long ROWS = 1 << 9;
  static final long COLUMNS = 1 << 10;

  /** The number of elements of lists, dicts and strings; each counts as two of a tensor. */
  private static final int FEWER = (int) N / 2;

  /** By operation name: the operand's text, by parameter name. */
  private final Map<String, Map<String, String>> recipes;

  private LongOperands(Map<String, Map<String, String>> recipes) {
    this.recipes = recipes;
  }

  /** Reads lines {@code name name ...: parameter=value parameter=value ...}. */
  static LongOperands read() {
    Map<String, Map<String, String>> recipes = new HashMap<>();
    for (String line : lines("long-operands.txt")) {
      String[] halves = line.split(": ", 2);
      for (String name : halves[0].split(" ", -1)) {
        Map<String, String> recipe = recipes.computeIfAbsent(name, absent -> new HashMap<>());
        for (String operand : halves[1].split(" ", -1)) {
          String[] parts = operand.split("=", 2);
          recipe.put(parts[0], parts[1]);
        }
      }
    }
    return new LongOperands(recipes);
  }

  /** The lines of a resource, except empty ones and comments. */
  static List<String> lines(String resource) {
    try (InputStream in = LongOperands.class.getResourceAsStream(resource)) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Arguments for {@code schema}, in the scope of {@code operands}. */
  Object[] of(Schema schema, LongKernels.Operands operands) {
    Map<String, String> recipe = recipe(schema);
    List<Object> arguments = new ArrayList<>();
    for (Schema.Parameter parameter : schema.parameters()) {
      String text = recipe.get(parameter.name());
      arguments.add(text == null ? usual(parameter, operands) : OperandText.parse(operands, text));
    }
    if (schema.variadic()) {
      arguments.add(many(i -> (long) i));
    }
    return arguments.toArray();
  }

  private Map<String, String> recipe(Schema schema) {
    String own = schema.name().replaceFirst("^\\w+::", "");
    String plain = own.replaceFirst("([a-z0-9])_$", "$1");
    String exact = plain + "." + schema.overload();
    Map<String, String> recipe = new HashMap<>(recipes.getOrDefault(plain, Map.of()));
    recipe.putAll(recipes.getOrDefault(exact, Map.of()));
    recipe.putAll(recipes.getOrDefault(own + "." + schema.overload(), Map.of()));
    recipe.putAll(recipes.getOrDefault(schema.name(), Map.of()));
    return recipe;
  }

  private static Object usual(Schema.Parameter parameter, LongKernels.Operands operands) {
    Object standard = parameter.defaultValue();
    if (standard == null) {
      return usual(parameter.name(), parameter.type(), operands);
    }
    int copies = standard instanceof Long ? parameter.broadcastSize() : 0;
    return copies == 0 ? standard : Collections.nCopies(copies, standard);
  }

  private static Object usual(String name, Type type, LongKernels.Operands operands) {
    return switch (type) {
      case Type.Plain plain -> usual(name, plain, operands);
      case Type.ListOf list ->
          name.startsWith("dim") ? List.of(0L) : list(list.element(), operands);
      case Type.Dict dict -> dict();
      case Type.Optional optional -> usual(name, optional.element(), operands);
      default -> 1L;
    };
  }

  private static Object usual(String name, Type.Plain type, LongKernels.Operands operands) {
    return switch (type) {
      case TENSOR ->
          switch (name) {
            case "index", "indices" -> operands.ids(N, N);
            case "mask", "condition" -> operands.bools(true, N);
            default -> operands.floats(N);
          };
      case INT -> name.equals("dtype") ? (long) DType.FLOAT32.code() : 0L;
      case FLOAT -> 0.5;
      case BOOL -> false;
      case STRING -> "a".repeat(FEWER);
      case COMPLEX -> new ComplexNumber(1, 2);
      case DEVICE -> "cpu";
      default -> 2L;
    };
  }

  private static Object list(Type element, LongKernels.Operands operands) {
    if (element instanceof Type.Tuple pair) {
      return many(i -> TupleValue.of(element(pair.elements().get(0), i, operands), 1L));
    }
    return many(i -> element(element, i, operands));
  }

  /** A dict with keys of type int, whatever the schema says: to loops it makes no difference. */
  private static Object dict() {
    Map<Object, Object> dict = new LinkedHashMap<>();
    for (long i = 0; i < FEWER; i++) {
      dict.put(i, 1L);
    }
    return dict;
  }

  private static List<Object> many(IntFunction<Object> element) {
    return IntStream.range(0, FEWER)
        .mapToObj(element)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Object element(Type type, int i, LongKernels.Operands operands) {
    return type instanceof Type.Plain plain
        ? switch (plain) {
          case FLOAT -> (double) i;
          case BOOL -> i % 2 == 0;
          case STRING -> Integer.toString(i);
          case COMPLEX -> new ComplexNumber(i, 1);
          case TENSOR -> operands.floats(1);
          default -> (long) i;
        }
        : (Object) (long) i;
  }

  /** How many elements of tensors, lists, dicts and strings a value has. */
  static long elements(@Nullable Object value) {
    return switch (value) {
      case DenseTensor tensor -> tensor.elements();
      case CompoundTensor compound ->
          compound.parts().stream().mapToLong(DenseTensor::elements).max().orElse(0);
      case String text -> 2L * text.length();
      case Collection<?> list -> list.stream().mapToLong(LongOperands::inList).sum();
      case Map<?, ?> dict -> 2L * dict.size();
      case null, default -> 0;
    };
  }

  private static long inList(Object element) {
    return element instanceof DenseTensor tensor ? Math.max(2, tensor.elements()) : 2;
  }
}
