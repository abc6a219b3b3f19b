package dev.staunch.kernel;

import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.function.Supplier;

/**
 * Operands as text. {@code f[R,C]} is a tensor of floats, {@code p} one of floats above zero,
 * {@code d} one of doubles, {@code t} one of floats whose strides are those of its transpose,
 * {@code b} one of true, {@code s} one of short integers, {@code one} one of ints 1, and {@code
 * i<9>[N]} one of ints from 0 to 8. There are also ints, floats, {@code True}, {@code False},
 * {@code None}, {@code 'strings'}, lists in brackets, {@code repeated<1>[N]} for a list of many
 * ones, {@code last<1>[N]} for a list of zeros that ends with a one, and {@code text<65>[N]} for
 * many letters A. {@code nested}, {@code sparse} and {@code q} (quantised) are tensors of other
 * kinds, {@code packed[R,C]} the parameters of a quantised layer whose weight has that shape, and
 * {@code cells[G,F,S]} one recurrent cell.
 */
final class OperandText {
  private static final Map<String, Long> SIZES =
      Map.of("N", LongOperands.N, "R", LongOperands.ROWS, "C", LongOperands.COLUMNS);

  private final LongKernels.Operands operands;
  private final StringTokenizer tokens;
  private String token = "";

  private OperandText(LongKernels.Operands operands, String text) {
    this.operands = operands;
    this.tokens = new StringTokenizer(text, "[],<>", true);
    next();
  }

  static Object parse(LongKernels.Operands operands, String text) {
    return new OperandText(operands, text).value();
  }

  private String next() {
    String last = token;
    token = tokens.hasMoreTokens() ? tokens.nextToken() : "";
    return last;
  }

  private Object value() {
    if (token.equals("[")) {
      return list();
    }
    String word = next();
    while (word.startsWith("'") && !word.endsWith("'")) {
      word += next();
    }
    return switch (word) {
      case "None" -> None.NONE;
      case "True" -> true;
      case "False" -> false;
      case "f" -> operands.floats(sizes());
      case "p" -> operands.positives(sizes());
      case "d" -> operands.doubles(sizes());
      case "b" -> operands.bools(true, sizes());
      case "t" -> operands.transposed(sizes());
      case "one" -> ones(sizes());
      case "c" -> DenseTensor.allocate(operands.scope(), DType.COMPLEX64, Shape.of(sizes()));
      case "s" -> DenseTensor.allocate(operands.scope(), DType.INT8, Shape.of(sizes()));
      case "i" -> operands.ids(inAngles(), sizes());
      case "text" -> Character.toString((int) inAngles()).repeat((int) sizes()[0]);
      case "repeated" -> repeated(inAngles(), sizes());
      case "last" -> last(inAngles(), sizes());
      case "nested" -> nested(operands.floats(sizes()));
      case "sparse" -> sparse(sizes()[0]);
      case "q" -> quantized(operands.floats(sizes()));
      case "packed" -> packed(sizes());
      case "cells" -> List.of(cell(sizes()));
      default -> plain(word);
    };
  }

  private long inAngles() {
    next();
    long value = number(next());
    next();
    return value;
  }

  private static List<Object> repeated(long value, long... count) {
    return new ArrayList<>(Collections.nCopies((int) count[0], value));
  }

  private static List<Object> last(long value, long... count) {
    List<Object> list = repeated(0, count);
    list.set(list.size() - 1, value);
    return list;
  }

  private static Object nested(DenseTensor padded) {
    int[] lengths = new int[(int) padded.shape().size(0)];
    Arrays.fill(lengths, (int) padded.shape().size(1));
    return new NestedTensor(padded, lengths);
  }

  /** A square matrix of {@code rows} rows, with one element in each. */
  private Object sparse(long rows) {
    return new SparseTensor(
        operands.ids(9, 2, rows), operands.floats(rows), Shape.of(rows, rows), false);
  }

  private static QuantizedTensor quantized(DenseTensor reals) {
    return new QuantizedTensor(reals, DType.UINT8, new QuantizedTensor.PerTensor(0.5, 8));
  }

  /** The parameters of a layer, with a scale for each row of its weight. */
  private ObjectValue packed(long... sizes) {
    long[] rows = {sizes[0]};
    DenseTensor codes = allocated(DType.INT8, sizes);
    QuantizedTensor.PerChannel quantizer =
        new QuantizedTensor.PerChannel(operands.positives(rows), allocated(DType.INT64, rows), 0);
    int dimensions = Math.max(0, sizes.length - 2);
    Map<String, Object> slots = new LinkedHashMap<>();
    slots.put("weight", QuantizedTensor.of(codes, quantizer));
    slots.put("bias", None.NONE);
    slots.put("stride", repeated(1, dimensions));
    slots.put("padding", repeated(0, dimensions));
    slots.put("output_padding", repeated(0, dimensions));
    slots.put("dilation", repeated(1, dimensions));
    slots.put("groups", 1L);
    slots.put("transposed", false);
    return object(slots);
  }

  /** A recurrent cell: numbers of gates, features and states. */
  private ObjectValue cell(long... sizes) {
    Map<String, Object> slots = new LinkedHashMap<>();
    slots.put("kind", "quantized_dynamic");
    slots.put("halved", false);
    slots.put("packed", List.of(packed(sizes[0], sizes[1]), packed(sizes[0], sizes[2])));
    return object(slots);
  }

  private static ObjectValue object(Map<String, Object> slots) {
    ObjectValue object = new ObjectValue(new ClassLayout("Packed", List.copyOf(slots.keySet())));
    slots.forEach((name, value) -> object.set(object.layout().indexOf(name), value));
    return object;
  }

  /** Zeros. */
  private DenseTensor allocated(DType dtype, long... sizes) {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(operands.scope(), dtype, Shape.of(sizes));
    made.segment().fill((byte) 0);
    return made;
  }

  private static Object plain(String word) {
    if (word.startsWith("'")) {
      return word.substring(1, word.length() - 1);
    }
    return word.contains(".") ? (Object) Double.valueOf(word) : (Object) number(word);
  }

  private static long number(String word) {
    Long size = SIZES.get(word);
    return size == null ? Long.parseLong(word) : size;
  }

  private List<Object> list() {
    return parts(this::value);
  }

  private long[] sizes() {
    return parts(() -> (Object) number(next())).stream().mapToLong(Long.class::cast).toArray();
  }

  private List<Object> parts(Supplier<Object> part) {
    List<Object> parts = new ArrayList<>();
    next();
    while (!token.equals("]")) {
      parts.add(part.get());
      if (token.equals(",")) {
        next();
      }
    }
    next();
    return parts;
  }

  private DenseTensor ones(long... sizes) {
    DenseTensor ones = operands.ids(1, sizes);
    for (long i = 0; i < ones.elements(); i++) {
      ones.segment().setAtIndex(ValueLayout.JAVA_LONG, i, 1);
    }
    return ones;
  }
}
