package dev.staunch.peers;

import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random arguments for an operation: recorded ones with something changed, or such as fit the
 * schema. A new tensor is a {@link TwinSpec}, one of the program's a {@link Twin}.
 */
final class Arguments {
  private static final String[] TEXTS = {
    "",
    "mean",
    "a",
    "sum",
    "none",
    "ij,jk->ik",
    "i,j->ij",
    "floor",
    "trunc",
    "tanh",
    "reflect",
    "constant",
    "bilinear",
    "left",
    "right",
    "amax",
    "prod",
    "abc",
    "A b",
    "é",
    " x "
  };

  private final Random random;
  private final Tensors tensors;
  private final Recorded recorded;
  private final List<Twin> pool;

  /** The first tensor among the arguments so far. */
  private long @Nullable [] sizes;

  private DType dtype = DType.FLOAT32;

  Arguments(Random random, Recorded recorded, List<Twin> pool) {
    this.random = random;
    this.tensors = new Tensors(random);
    this.recorded = recorded;
    this.pool = pool;
  }

  /** Arguments for {@code schema}, or null if none are known. */
  @Nullable List<Object> of(Schema schema) {
    List<Object> known =
        random.nextInt(5) < 3 ? recorded.any(schema.qualifiedName(), random) : null;
    if (known != null && known.size() == schema.parameters().size()) {
      return changed(schema, known);
    }
    List<Object> arguments = new ArrayList<>();
    for (Schema.Parameter each : schema.parameters()) {
      Object standard = standard(each);
      arguments.add(
          standard != null && random.nextInt(5) < 3
              ? standard
              : fitting(each.name(), each.type(), each.broadcastSize()));
    }
    return arguments.contains(null) ? null : arguments;
  }

  private static @Nullable Object standard(Schema.Parameter parameter) {
    Object value = parameter.defaultValue();
    boolean repeats =
        value instanceof Long
            && parameter.broadcastSize() > 0
            && parameter.type() instanceof Type.ListOf;
    return repeats ? Collections.nCopies(parameter.broadcastSize(), value) : value;
  }

  // recorded ones

  private List<Object> changed(Schema schema, List<Object> known) {
    DType floats = random.nextInt(3) == 0 ? tensors.dtype() : null;
    boolean others = random.nextInt(4) == 0;
    boolean numbers = random.nextInt(4) == 0;
    List<Object> changed = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      boolean counted = schema.parameters().get(i).name().equals("reduction");
      changed.add(changed(known.get(i), floats, others, numbers && !counted));
    }
    return changed;
  }

  private Object changed(Object value, @Nullable DType floats, boolean others, boolean numbers) {
    return switch (value) {
      case TwinSpec spec -> changed(spec, floats, others);
      case List<?> list ->
          list.stream().map(each -> changed(each, floats, others, numbers)).toList();
      case Long number when numbers && random.nextInt(3) == 0 ->
          random.nextBoolean() ? number + random.nextInt(-1, 2) : (Object) random.nextLong(-3, 5);
      case Double number when numbers && random.nextInt(3) == 0 -> real();
      case Boolean flag when random.nextInt(5) == 0 -> !flag;
      default -> value;
    };
  }

  private Object changed(TwinSpec spec, @Nullable DType floats, boolean others) {
    Twin twin = like(spec);
    if (twin != null) {
      return twin;
    }
    DType type = spec.dtype();
    if (floats != null && type.isFloating()) {
      type = floats;
    } else if (others && random.nextInt(3) == 0) {
      type = tensors.dtype();
    }
    TwinSpec same = tensors.relaid(new TwinSpec(type, spec.layout(), spec.elements()));
    long[] shape = same.layout().shape().toArray();
    if (others && random.nextInt(4) == 0) {
      return tensors.any(type, resized(shape));
    }
    return type.isFloating() && random.nextInt(3) == 0 ? tensors.any(type, shape) : same;
  }

  private @Nullable Twin like(TwinSpec spec) {
    for (Twin twin : pool) {
      if (random.nextBoolean()
          && twin.ours().dtype() == spec.dtype()
          && twin.ours().shape().equals(spec.layout().shape())) {
        return twin;
      }
    }
    return null;
  }

  private long[] resized(long[] shape) {
    if (shape.length == 0) {
      return new long[] {random.nextInt(3)};
    }
    long[] other = shape.clone();
    int d = random.nextInt(shape.length);
    return switch (random.nextInt(4)) {
      case 0 -> Arrays.copyOfRange(other, 1, other.length);
      case 1 -> {
        other[d] = 0;
        yield other;
      }
      case 2 -> {
        other[d] = 1;
        yield other;
      }
      default -> {
        other[d] += random.nextInt(2) * 2 - (other[d] > 0 ? 1 : 0);
        yield other;
      }
    };
  }

  // by the schema

  private @Nullable Object fitting(String name, Type type, int length) {
    return switch (type) {
      case Type.Plain plain -> fitting(name, plain);
      case Type.Optional optional ->
          random.nextInt(5) < 3 ? None.NONE : fitting(name, optional.element(), length);
      case Type.ListOf list -> list(name, list.element(), length);
      case Type.Variable variable -> random.nextLong(-3, 4);
      default -> null;
    };
  }

  private @Nullable Object fitting(String name, Type.Plain type) {
    return switch (type) {
      case TENSOR -> tensor(name);
      case INT -> integer(name);
      case FLOAT -> real();
      case BOOL -> random.nextBoolean();
      case STRING -> TEXTS[random.nextInt(TEXTS.length)];
      case NUMBER -> number();
      case DEVICE -> "cpu";
      case NONE -> None.NONE;
      default -> null;
    };
  }

  private Object number() {
    return switch (random.nextInt(6)) {
      case 0 -> (Object) random.nextLong(-3, 6);
      case 1 -> random.nextLong(-300, 300);
      case 2 -> 2L;
      default -> real();
    };
  }

  private Double real() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextGaussian();
      case 1 -> random.nextInt(3) == 0 ? tensors.special() : 0.5;
      default -> random.nextInt(-4, 9) / 4.0;
    };
  }

  private Long integer(String name) {
    int rank = sizes == null ? 2 : sizes.length;
    return switch (name) {
      case "dim", "dim0", "dim1", "axis", "start_dim", "end_dim", "axis0", "axis1", "dim2" ->
          random.nextInt(12) == 0
              ? (Long) random.nextLong(-6, 6)
              : (Long) random.nextLong(-Math.max(1, rank), Math.max(1, rank));
      case "dtype" -> (long) tensors.dtype().code();
      case "memory_format" -> (long) random.nextInt(4);
      case "reduction" -> (long) random.nextInt(3);
      case "layout" -> 0L;
      default -> random.nextInt(20) == 0 ? (Long) random.nextLong(-40, 40) : random.nextLong(-2, 5);
    };
  }

  private @Nullable Object list(String name, Type element, int length) {
    if (element == Type.Plain.INT) {
      return integers(name, length);
    }
    List<Object> values = new ArrayList<>();
    int count = length > 0 ? length : random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      values.add(fitting(name, element, 0));
    }
    return values.contains(null) ? null : values;
  }

  private List<Long> integers(String name, int length) {
    List<Long> values = new ArrayList<>();
    int rank = sizes == null ? 2 : sizes.length;
    boolean dims = name.equals("dim") || name.equals("dims") || name.equals("axis");
    int count = length > 0 ? length : random.nextInt(dims ? rank + 1 : 4);
    for (int i = 0; i < count; i++) {
      values.add(
          dims
              ? integer("dim")
              : sizes != null && i < rank && random.nextBoolean()
                  ? (Long) sizes[i]
                  : random.nextLong(random.nextInt(8) == 0 ? -2 : 0, 5));
    }
    return values;
  }

  private Object tensor(String name) {
    if (!pool.isEmpty() && random.nextInt(5) < 3) {
      Twin twin = pool.get(random.nextInt(pool.size()));
      begin(twin.ours().dtype(), twin.ours().shape().toArray());
      return twin;
    }
    long[] first = sizes;
    if (first == null) {
      TwinSpec spec = tensors.any(tensors.dtype(), tensors.sizes());
      begin(spec.dtype(), spec.layout().shape().toArray());
      return spec;
    }
    long[] shape = partner(first);
    if (name.contains("ind") || name.equals("target") || name.equals("offsets")) {
      long limit = first.length == 0 ? 1 : first[random.nextInt(first.length)];
      return tensors.indices(Math.max(1, limit), shape);
    }
    DType type =
        name.equals("mask") || name.equals("condition")
            ? DType.BOOL
            : random.nextInt(5) < 3 ? dtype : tensors.dtype();
    return tensors.any(type, shape);
  }

  private void begin(DType type, long[] shape) {
    if (sizes == null) {
      sizes = shape;
      dtype = type;
    }
  }

  /** Sizes that go with {@code first}: the same, broadcast, a matrix to multiply with, or any. */
  private long[] partner(long[] first) {
    int kind = random.nextInt(20);
    if (kind < 9) {
      return first;
    } else if (kind < 13) {
      long[] some = first.clone();
      for (int i = 0; i < some.length; i++) {
        some[i] = random.nextInt(3) == 0 ? 1 : some[i];
      }
      return Arrays.copyOfRange(some, random.nextInt(some.length + 1), some.length);
    } else if (kind < 16 && first.length >= 2) {
      long[] some = first.clone();
      some[some.length - 2] = first[first.length - 1];
      some[some.length - 1] = random.nextBoolean() ? first[first.length - 2] : random.nextInt(1, 4);
      return some;
    } else if (kind < 18 && first.length > 0) {
      return new long[] {first[random.nextInt(first.length)]};
    }
    return tensors.sizes();
  }
}
