package dev.staunch.eager;

import dev.staunch.kernel.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Whether a call of an operation is small, told from its arguments before it runs: by the elements
 * that it reads, and by an upper bound of those that it writes (E5). The bound is that of shapes
 * that broadcast, of sizes and counts among the arguments, and of {@link Growth} for operations
 * whose results grow faster. Where it is too high, that costs a hand-over; it must not be too low,
 * for what runs where it was called heeds no interrupt. Operands that are not there yet do not
 * count: what waits for them is run by a worker anyhow.
 */
final class Workload {
  /** How large a result may become of operands that are small. */
  enum Growth {
    /** No element is touched. */
    VIEW,
    /** As the shapes broadcast, or as the sizes among the arguments say. */
    BROADCAST,
    /** An element for each combination of the operands' elements. */
    PRODUCT,
    /** An element for each pair of rows of the first two operands. */
    PAIRS,
    /** A row of the first operand for each element of the others, which broadcast. */
    ROWS,
    /** As many elements as the sizes among the arguments say, for each that there is. */
    TIMES,
    /** As {@link #TIMES}, in the place of the last dimensions. */
    RESIZED,
    /** The numbers in the operands say. */
    UNKNOWN;

    static Growth of(String name) {
      return switch (name) {
        case "outer",
            "ger",
            "kron",
            "meshgrid",
            "tensordot",
            "einsum",
            "bilinear",
            "diag",
            "diagflat",
            "diag_embed" ->
            PRODUCT;
        case "linear", "inner", "cdist", "_cdist_forward" -> PAIRS;
        case "index", "index_select", "embedding", "embedding_bag" -> ROWS;
        case "repeat", "tile", "multinomial" -> TIMES;
        case "repeat_interleave", "bincount", "one_hot" -> UNKNOWN;
        default ->
            name.contains("conv")
                ? PRODUCT
                : isPadding(name) ? TIMES : name.contains("upsample") ? RESIZED : BROADCAST;
      };
    }
  }

  /** What parameters are called that say how long a result is. */
  private static final Set<String> SIZES =
      Set.of(
          "size",
          "output_size",
          "scale_factors",
          "repeats",
          "steps",
          "n",
          "m",
          "row",
          "col",
          "num_samples",
          "bins",
          "total_length",
          "pad");

  private final String name;
  private final Growth growth;

  /** The places of the parameters that say how long a result is. */
  private final int[] sizes;

  private Workload(String name, List<String> parameters, boolean alwaysViews) {
    this.name = name;
    this.growth = alwaysViews ? Growth.VIEW : Growth.of(name);
    this.sizes =
        IntStream.range(0, parameters.size())
            .filter(i -> isSize(name, parameters.get(i)))
            .toArray();
  }

  static Workload of(Schema schema, boolean alwaysViews) {
    return new Workload(
        schema.name().substring(schema.name().indexOf("::") + 2),
        schema.parameters().stream().map(Schema.Parameter::name).toList(),
        alwaysViews);
  }

  private static boolean isPadding(String name) {
    return name.equals("pad") || name.contains("_pad");
  }

  private static boolean isSize(String name, String parameter) {
    return switch (name) {
      case "diag", "diagflat", "diag_embed" ->
          parameter.equals("diagonal") || parameter.equals("offset");
      case "arange" -> Set.of("start", "end", "step").contains(parameter);
      case "tile" -> parameter.equals("dims");
      default -> SIZES.contains(parameter) || (isPadding(name) && parameter.equals("padding"));
    };
  }

  /** Whether a call with {@code arguments} goes through fewer than {@code large} elements. */
  boolean isSmall(Object[] arguments, long large) {
    if (growth == Growth.VIEW) {
      return large > 1;
    }
    long read = 0;
    long product = 1;
    for (Object argument : arguments) {
      long elements = elements(argument);
      read += elements;
      if (read < 0 || read >= large) {
        return false;
      }
      product = times(product, Math.max(1, elements));
    }
    boolean grows = growth != Growth.BROADCAST || sizes.length > 0 || product >= large;
    return !grows || bound(arguments) < large;
  }

  private static long elements(Object argument) {
    if (argument instanceof Tensor tensor) {
      return tensor.content() instanceof DenseTensor dense ? extent(dense.shape()) : 0;
    }
    long sum = 0;
    if (argument instanceof List<?> list) {
      for (Object element : list) {
        sum += elements(element);
      }
    }
    return sum;
  }

  /** How many elements the result has at most, but for a small factor, as far as can be told. */
  private long bound(Object[] arguments) {
    List<Shape> shapes = new ArrayList<>();
    Handles.forEach(
        arguments,
        it -> {
          if (it.content() instanceof DenseTensor dense && (shapes.isEmpty() || !isMask(dense))) {
            shapes.add(dense.shape());
          }
        });
    return switch (growth) {
      case VIEW -> 0;
      case BROADCAST -> Math.max(broadcast(shapes), asked(arguments));
      case PRODUCT -> shapes.size() == 1 ? squared(shapes, arguments) : product(shapes);
      case PAIRS -> pairs(shapes);
      case ROWS -> rows(shapes);
      case TIMES -> times(product(shapes), asked(arguments));
      case RESIZED -> resized(shapes, arguments);
      case UNKNOWN -> Long.MAX_VALUE;
    };
  }

  /** Whether this picks, and so no more than there is. */
  private boolean isMask(DenseTensor operand) {
    return growth == Growth.ROWS
        && (operand.dtype() == DType.BOOL || operand.dtype() == DType.UINT8);
  }

  private static long broadcast(List<Shape> shapes) {
    int rank = shapes.stream().mapToInt(Shape::rank).max().orElse(0);
    long all = shapes.isEmpty() ? 0 : 1;
    for (int back = 1; back <= rank; back++) {
      long most = 1;
      for (Shape shape : shapes) {
        most = Math.max(most, back <= shape.rank() ? shape.size(shape.rank() - back) : 1);
      }
      all = times(all, most);
    }
    return all;
  }

  private static long product(List<Shape> shapes) {
    return shapes.stream().mapToLong(Workload::extent).reduce(1, Workload::times);
  }

  /** Of a diagonal, which may stand beside the middle. */
  private long squared(List<Shape> shapes, Object[] arguments) {
    long side = product(shapes);
    for (int place : sizes) {
      side += arguments[place] instanceof Long off ? Math.abs(off) : 0;
    }
    return times(side, side);
  }

  /** What is nothing along one dimension may yield something for each index of the others. */
  private static long extent(Shape shape) {
    long all = shape.elements();
    if (all == 0) {
      all = 1;
      for (int i = 0; i < shape.rank(); i++) {
        all = times(all, Math.max(1, shape.size(i)));
      }
    }
    return all;
  }

  private static long pairs(List<Shape> shapes) {
    return shapes.stream()
        .limit(2)
        .mapToLong(it -> extent(it) / Math.max(1, it.rank() == 0 ? 1 : it.size(it.rank() - 1)))
        .reduce(1, Workload::times);
  }

  /** Of the table's dimensions the shortest could be the one that is picked from. */
  private static long rows(List<Shape> shapes) {
    if (shapes.isEmpty()) {
      return 0;
    }
    Shape table = shapes.getFirst();
    long shortest = IntStream.range(0, table.rank()).mapToLong(table::size).min().orElse(1);
    return times(
        broadcast(shapes.subList(1, shapes.size())), extent(table) / Math.max(1, shortest));
  }

  private long resized(List<Shape> shapes, Object[] arguments) {
    if (shapes.isEmpty()) {
      return 0;
    }
    Shape image = shapes.getFirst();
    long kept = image.elements();
    for (int place : sizes) {
      if (arguments[place] instanceof List<?> size
          && size.stream().allMatch(Long.class::isInstance)) {
        for (int back = 1; back <= Math.min(size.size(), image.rank()); back++) {
          kept /= Math.max(1, image.size(image.rank() - back));
        }
      }
    }
    return times(kept, asked(arguments));
  }

  /** What the sizes among {@code arguments} come to. */
  private long asked(Object[] arguments) {
    if (name.equals("arange")) {
      return range(arguments);
    }
    long all = 1;
    for (int place : sizes) {
      long size = isPadding(name) ? padded(arguments[place]) : size(arguments[place]);
      all = times(all, name.equals("eye") && sizes.length == 1 ? times(size, size) : size);
    }
    return all;
  }

  private static long size(Object argument) {
    if (argument instanceof List<?> list) {
      return list.stream().mapToLong(Workload::size).reduce(1, Workload::times);
    }
    return argument instanceof Number number
        ? Math.max(1, (long) Math.ceil(number.doubleValue()))
        : 1;
  }

  /** For each dimension what is added on both sides, and one for what there is. */
  private static long padded(Object argument) {
    long all = 1;
    if (argument instanceof List<?> list) {
      for (int i = 0; i + 1 < list.size(); i += 2) {
        all = times(all, size(list.get(i)) + size(list.get(i + 1)) + 1);
      }
    }
    return all;
  }

  private long range(Object[] arguments) {
    double[] bounds = new double[sizes.length];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = arguments[sizes[i]] instanceof Number number ? number.doubleValue() : 0;
    }
    return switch (bounds.length) {
      case 1 -> (long) Math.ceil(bounds[0]);
      case 2 -> (long) Math.ceil(bounds[1] - bounds[0]);
      default -> (long) Math.ceil((bounds[1] - bounds[0]) / bounds[2]);
    };
  }

  /** The product of two numbers that are not negative, or the largest that there is. */
  private static long times(long one, long other) {
    long low = one * other;
    return Math.multiplyHigh(one, other) != 0 || low < 0 ? Long.MAX_VALUE : low;
  }
}
