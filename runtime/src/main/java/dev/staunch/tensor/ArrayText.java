package dev.staunch.tensor;

import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Prints a tensor as NumPy prints an array: in aligned columns and lines of at most 75 characters.
 * Beyond 1000 elements, only three are shown at each end of every dimension.
 */
public final class ArrayText {
  private static final int LINE = 75;
  private static final int THRESHOLD = 1000;
  private static final int EDGE = 3;

  private final DenseTensor tensor;
  private final boolean summary;
  private final LongFunction<String> words;

  private ArrayText(DenseTensor tensor) {
    this.tensor = tensor;
    this.summary = tensor.elements() > THRESHOLD;
    this.words = words();
  }

  /** The elements, followed by dtype and shape: {@code [1. 2.] dtype=float32, shape=(2,)}. */
  public static String described(DenseTensor tensor) {
    String elements = of(tensor);
    String sizes =
        Arrays.stream(tensor.shape().toArray())
            .mapToObj(Long::toString)
            .collect(Collectors.joining(", ", "(", tensor.rank() == 1 ? ",)" : ")"));
    char gap = elements.indexOf('\n') < 0 ? ' ' : '\n';
    return elements + gap + "dtype=" + tensor.dtype() + ", shape=" + sizes;
  }

  /**
   * The elements alone.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone
   */
  public static String of(DenseTensor tensor) {
    return HostTensors.reading(tensor, ArrayText::text);
  }

  private static String text(DenseTensor tensor) {
    if (tensor.elements() == 0) {
      return "[]";
    }
    if (tensor.rank() == 0) {
      return alone(tensor, tensor.layout().offset());
    }
    return new ArrayText(tensor).nested(0, tensor.layout().offset(), " ", LINE);
  }

  private static String alone(DenseTensor tensor, long at) {
    return switch (tensor.dtype().kind()) {
      case BOOL -> bit(tensor, at) ? "True" : "False";
      case INTEGRAL -> Long.toString(Elements.asLong(tensor.segment(), tensor.dtype(), at));
      case FLOATING ->
          FloatColumn.alone(
              Elements.asDouble(tensor.segment(), tensor.dtype(), at), tensor.dtype());
      case COMPLEX -> {
        DType type = partType(tensor.dtype());
        String real = FloatColumn.alone(part(tensor, at, 0), type).replaceAll("\\.0$", "");
        String other = FloatColumn.alone(part(tensor, at, 1), type).replaceAll("\\.0$", "") + "j";
        String sign = other.startsWith("-") ? "" : "+";
        yield real.equals("0") ? other : "(" + real + sign + other + ")";
      }
    };
  }

  private static boolean bit(DenseTensor tensor, long at) {
    return Elements.asLong(tensor.segment(), DType.BOOL, at) != 0;
  }

  private static DType partType(DType complex) {
    return complex == DType.COMPLEX64 ? DType.FLOAT32 : DType.FLOAT64;
  }

  /** The real (0) or imaginary (1) part of a complex element. */
  private static double part(DenseTensor tensor, long at, int which) {
    return Elements.asDouble(tensor.segment(), partType(tensor.dtype()), 2 * at + which);
  }

  /** Formats the element at a storage position; all results have the same width. */
  private LongFunction<String> words() {
    DType dtype = tensor.dtype();
    long[] shown = shown();
    return switch (dtype.kind()) {
      case BOOL -> at -> bit(tensor, at) ? " True" : "False";
      case INTEGRAL -> {
        LongFunction<String> word = at -> alone(tensor, at);
        int width = Arrays.stream(shown).mapToObj(word).mapToInt(String::length).max().orElse(0);
        yield at -> " ".repeat(width - word.apply(at).length()) + word.apply(at);
      }
      case FLOATING -> {
        double[] sample =
            Arrays.stream(shown)
                .mapToDouble(at -> Elements.asDouble(tensor.segment(), dtype, at))
                .toArray();
        FloatColumn column = new FloatColumn(sample, dtype, false);
        yield at -> column.format(Elements.asDouble(tensor.segment(), dtype, at));
      }
      case COMPLEX -> complexWords(shown, partType(dtype));
    };
  }

  private LongFunction<String> complexWords(long[] shown, DType type) {
    double[] reals = Arrays.stream(shown).mapToDouble(at -> part(tensor, at, 0)).toArray();
    double[] others = Arrays.stream(shown).mapToDouble(at -> part(tensor, at, 1)).toArray();
    FloatColumn real = new FloatColumn(reals, type, false);
    FloatColumn imaginary = new FloatColumn(others, type, true);
    return at -> {
      String text = imaginary.format(part(tensor, at, 1));
      String number = text.stripTrailing();
      return real.format(part(tensor, at, 0)) + number + "j" + text.substring(number.length());
    };
  }

  /** The storage positions of the elements to print. */
  private long[] shown() {
    long[] positions = {tensor.layout().offset()};
    for (int dim = 0; dim < tensor.rank(); dim++) {
      long stride = tensor.layout().stride(dim);
      long[] steps = Arrays.stream(indices(dim)).filter(i -> i >= 0).map(i -> i * stride).toArray();
      positions =
          Arrays.stream(positions)
              .flatMap(at -> Arrays.stream(steps).map(step -> at + step))
              .toArray();
    }
    return positions;
  }

  private boolean shortens(int dim) {
    return summary && tensor.shape().size(dim) > 2 * EDGE;
  }

  private String nested(int dim, long at, String indent, int width) {
    if (dim == tensor.rank()) {
      return words.apply(at);
    }
    boolean last = dim == tensor.rank() - 1;
    String inside = last ? row(dim, at, indent, width - 1) : rows(dim, at, indent, width);
    return "[" + inside.substring(indent.length()) + "]";
  }

  private long[] indices(int dim) {
    long size = tensor.shape().size(dim);
    if (!shortens(dim)) {
      return LongStream.range(0, size).toArray();
    }
    long[] indices = new long[2 * EDGE + 1];
    for (int i = 0; i < EDGE; i++) {
      indices[i] = i;
      indices[EDGE + 1 + i] = size - EDGE + i;
    }
    indices[EDGE] = -1;
    return indices;
  }

  private String row(int dim, long at, String indent, int width) {
    StringBuilder done = new StringBuilder();
    StringBuilder line = new StringBuilder(indent);
    long[] indices = indices(dim);
    for (int i = 0; i < indices.length; i++) {
      String word =
          indices[i] < 0 ? "..." : words.apply(at + indices[i] * tensor.layout().stride(dim));
      boolean full = line.length() + word.length() > width && line.length() > indent.length();
      if (full) {
        done.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder(indent);
      }
      line.append(word).append(i == indices.length - 1 ? "" : " ");
    }
    return done.append(line).toString();
  }

  private String rows(int dim, long at, String indent, int width) {
    StringBuilder text = new StringBuilder();
    String gap = "\n".repeat(tensor.rank() - 1 - dim);
    long[] indices = indices(dim);
    for (int i = 0; i < indices.length; i++) {
      long inner = at + indices[i] * tensor.layout().stride(dim);
      String part = indices[i] < 0 ? "..." : nested(dim + 1, inner, indent + " ", width - 1);
      text.append(indent).append(part).append(i == indices.length - 1 ? "" : gap);
    }
    return text.toString();
  }
}
