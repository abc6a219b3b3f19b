package dev.staunch.kernel.text;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Prints tensors as libtorch's C++ streams do, quirks included, because TorchScript's {@code str},
 * {@code format} and {@code print} show that text. It always writes all elements.
 */
final class TensorPrinter {
  private static final int LINE = 80;
  private static final int DIGITS = 4;
  private static final int GENERAL_DIGITS = 6;

  /** The number of elements whose copying costs as much as writing one. */
  private static final int COST = 16;

  private enum Notation {
    GENERAL,
    FIXED,
    SCIENTIFIC
  }

  private record Style(Notation notation, int width, double scale) {
    String number(double value) {
      String text =
          switch (notation) {
            case GENERAL -> NumberText.general(value / scale, GENERAL_DIGITS);
            case FIXED -> NumberText.fixed(value / scale, DIGITS);
            case SCIENTIFIC -> NumberText.scientific(value / scale, DIGITS);
          };
      return " ".repeat(Math.max(0, width - text.length())) + text;
    }
  }

  private final CancellationPoll poll;
  private final StringBuilder out;

  /** In which the last elements were written. */
  private Notation notation = Notation.GENERAL;

  private TensorPrinter(CancellationPoll poll, StringBuilder out) {
    this.poll = poll;
    this.out = out;
  }

  /**
   * Appends the elements over several lines, then {@code [ CPUFloatType{2,3} ]}; only part of that
   * if {@code poll} sees a cancellation.
   */
  static void print(CancellationPoll poll, DenseTensor tensor, StringBuilder out) {
    TensorPrinter printer = new TensorPrinter(poll, out);
    printer.begin(printer.values(tensor), tensor.shape(), typeName(tensor.dtype()));
    out.append(" ]");
  }

  /** As {@link #print(CancellationPoll, DenseTensor, StringBuilder)}, with the quantizer. */
  static void print(CancellationPoll poll, QuantizedTensor tensor, StringBuilder out) {
    TensorPrinter printer = new TensorPrinter(poll, out);
    String name = quantizedName(tensor.codes());
    printer.begin(printer.reals(tensor), tensor.shape(), name);
    switch (tensor.quantizer()) {
      case QuantizedTensor.PerTensor all -> {
        out.append(", qscheme: per_tensor_affine, scale: ");
        // in the notation of the elements before, which the stream has kept
        out.append(new Style(printer.notation, 0, 1).number(all.scale()));
        out.append(", zero_point: ").append(all.zeroPoint());
      }
      case QuantizedTensor.PerChannel each -> {
        boolean exact = !each.zeroPoints().dtype().isFloating();
        out.append(", qscheme: per_channel_affine").append(exact ? "" : "_float_qparams");
        out.append(", scales: ");
        printer.parameters(each.scales(), exact ? DType.FLOAT64 : DType.FLOAT32);
        out.append(", zero_points: ");
        printer.parameters(each.zeroPoints(), exact ? DType.INT64 : DType.FLOAT32);
        out.append(", axis: ").append(each.axis());
      }
    }
    out.append(" ]");
  }

  /** Prints the parameters of the channels, which libtorch keeps in {@code dtype}. */
  private void parameters(DenseTensor numbers, DType dtype) {
    begin(values(numbers), numbers.shape(), typeName(dtype));
    out.append(" ]");
  }

  /** Appends the elements, then {@code [ CPUFloatType{2,3}}. */
  private void begin(double[] values, Shape shape, String name) {
    elements(values, shape);
    out.append("[ ").append(name).append("Type{");
    out.append(
        Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(",")));
    out.append('}');
  }

  /** What the codes stand for, row-major. */
  private double[] reals(QuantizedTensor tensor) {
    double[] values = values(tensor.elements());
    if (tensor.isReal()) {
      return values;
    }
    double[] scales;
    double[] zeros;
    int inner = 1;
    switch (tensor.quantizer()) {
      case QuantizedTensor.PerTensor all -> {
        scales = new double[] {all.scale()};
        zeros = new double[] {all.zeroPoint()};
      }
      case QuantizedTensor.PerChannel each -> {
        scales = values(each.scales());
        zeros = values(each.zeroPoints());
        for (int d = each.axis() + 1; d < tensor.shape().rank(); d++) {
          inner *= (int) tensor.shape().size(d);
        }
      }
    }
    for (int i = 0; i < values.length && poll.mayContinue(1); i++) {
      int channel = i / inner % scales.length;
      values[i] = (float) (values[i] - zeros[channel]) * (float) scales[channel];
    }
    return values;
  }

  /** The real parts of the elements, row-major. */
  private double[] values(DenseTensor tensor) {
    Places places = Places.of(tensor.layout());
    double[] values = new double[Shape.asInt(tensor.elements())];
    for (int i = 0; i < values.length && poll.mayContinue(1); i++) {
      values[i] = Scalars.real(CastOperations.element(tensor, places.at(i)));
    }
    return values;
  }

  private static String quantizedName(DType codes) {
    return "QuantizedCPU"
        + switch (codes) {
          case INT8 -> "QInt8";
          case UINT8 -> "QUInt8";
          default -> "QInt32";
        };
  }

  private static String typeName(DType dtype) {
    return "CPU"
        + switch (dtype) {
          case UINT8 -> "Byte";
          case INT8 -> "Char";
          case INT16 -> "Short";
          case INT32 -> "Int";
          case INT64 -> "Long";
          case FLOAT16 -> "Half";
          case FLOAT32 -> "Float";
          case FLOAT64 -> "Double";
          case COMPLEX64 -> "ComplexFloat";
          case COMPLEX128 -> "ComplexDouble";
          case BOOL -> "Bool";
          case BFLOAT16 -> "BFloat16";
        };
  }

  private void elements(double[] values, Shape shape) {
    if (shape.rank() == 0) {
      out.append(NumberText.general(values[0], GENERAL_DIGITS)).append('\n');
    } else if (values.length > 0) {
      switch (shape.rank()) {
        case 1 -> vector(values);
        case 2 -> matrix(values, (int) shape.size(1), 0);
        default -> slices(values, shape);
      }
    }
  }

  private void vector(double[] values) {
    Style style = style(values);
    scale(style, 0);
    for (int i = 0; i < values.length && poll.mayContinue(COST); i++) {
      out.append(style.number(values[i])).append('\n');
    }
  }

  private void scale(Style style, int indent) {
    if (style.scale() != 1) {
      out.append(NumberText.general(style.scale(), DIGITS)).append(" *\n");
      out.repeat(' ', indent);
    }
  }

  private void matrix(double[] values, int columns, int indent) {
    Style style = style(values);
    out.repeat(' ', indent);
    int perLine = Math.max(1, (LINE - indent) / (style.width() + 1));
    for (int first = 0; first < columns; first += perLine) {
      int last = Math.min(first + perLine, columns) - 1;
      if (perLine < columns) {
        out.append(first == 0 ? "" : "\n").append("Columns ").append(first + 1);
        out.append(" to ").append(last + 1).repeat(' ', indent);
      }
      scale(style, indent);
      rows(values, columns, style, first, last, indent);
    }
  }

  private void rows(double[] values, int columns, Style style, int first, int last, int indent) {
    int rows = values.length / columns;
    for (int row = 0; row < rows; row++) {
      for (int column = first; column <= last && poll.mayContinue(COST); column++) {
        out.append(style.number(values[row * columns + column]));
        out.append(column == last ? '\n' : ' ');
      }
      if (row < rows - 1) {
        out.repeat(' ', indent + (style.scale() == 1 ? 0 : 1));
      }
    }
  }

  /**
   * Prints the matrices of the last two dimensions; of the other dimensions, the first varies
   * fastest.
   */
  private void slices(double[] values, Shape shape) {
    int outer = shape.rank() - 2;
    int columns = (int) shape.size(outer + 1);
    int area = (int) shape.size(outer) * columns;
    long[] counter = new long[outer];
    for (int slice = 0; slice < values.length / area && poll.mayContinue(COST); slice++) {
      out.append(slice == 0 ? "" : "\n").append('(');
      int at = 0;
      for (int d = 0; d < outer; d++) {
        out.append(counter[d] + 1).append(',');
        at = (int) (at * shape.size(d) + counter[d]);
      }
      out.append(".,.) = \n");
      matrix(Arrays.copyOfRange(values, at * area, (at + 1) * area), columns, 1);
      for (int d = 0; d < outer && ++counter[d] == shape.size(d); d++) {
        counter[d] = 0;
      }
    }
  }

  /** The style for writing {@code values}; values that are not finite fit any style. */
  private Style style(double[] values) {
    double smallest = Double.NaN;
    double largest = Double.NaN;
    boolean whole = true;
    for (int i = 0; i < values.length && poll.mayContinue(1); i++) {
      double value = values[i];
      if (Double.isFinite(value)) {
        boolean first = Double.isNaN(smallest);
        smallest = first ? Math.abs(value) : Math.min(smallest, Math.abs(value));
        // libtorch omits negative numbers here, except the first
        largest = first ? Math.abs(value) : Math.max(largest, value);
        whole &= value == Math.ceil(value);
      }
    }
    int low = Double.isNaN(smallest) ? 1 : digits(smallest);
    int high = Double.isNaN(largest) ? 1 : digits(largest);
    Style style = whole ? wholeStyle(high) : realStyle(low, high);
    notation = style.notation();
    return style;
  }

  private static int digits(double value) {
    return value == 0 ? 1 : (int) Math.floor(Math.log10(value)) + 1;
  }

  private static Style wholeStyle(int high) {
    return high > 9
        ? new Style(Notation.SCIENTIFIC, 11, 1)
        : new Style(Notation.GENERAL, high + 1, 1);
  }

  private static Style realStyle(int low, int high) {
    if (high - low > 4) {
      boolean wide = Math.abs(high) > 99 || Math.abs(low) > 99;
      return new Style(Notation.SCIENTIFIC, wide ? 12 : 11, 1);
    }
    if (high > 5 || high < 0) {
      return new Style(Notation.FIXED, 7, Math.pow(10, high - 1));
    }
    return new Style(Notation.FIXED, high == 0 ? 7 : high + 6, 1);
  }
}
