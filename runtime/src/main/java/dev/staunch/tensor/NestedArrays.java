package dev.staunch.tensor;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies between tensors and Java values in arrays that are nested like the dimensions. */
public final class NestedArrays {
  /** The limit of the class file format. */
  private static final int MOST_DIMENSIONS = 255;

  private NestedArrays() {}

  /**
   * A tensor of a boxed value, an array, or an array of arrays, whose Java type gives the dtype.
   * Returns a shape fault if the arrays are ragged, a dtype fault for any other Java type, or the
   * fault of a closed scope.
   */
  public static Object toTensor(ResourceScope scope, Object values) {
    Class<?> element = values.getClass();
    while (element.isArray()) {
      element = element.getComponentType();
    }
    DType dtype = dtype(element);
    if (dtype == null) {
      return Fault.dtype(
              Message.of(
                  "a tensor cannot be made of %s; give numbers or booleans, or arrays of them",
                  values instanceof Collection
                      ? "a collection"
                      : values.getClass().getSimpleName()))
          .withExpected("numbers or booleans, or arrays of them", element.getSimpleName());
    }
    if (!values.getClass().isArray()) {
      return scalar(scope, dtype, values);
    }
    Object shape = shape(values);
    Object made = shape instanceof Shape known ? DenseTensor.allocate(scope, dtype, known) : shape;
    return HostTensors.filled(made, tensor -> write(values, tensor, 0));
  }

  private static @Nullable DType dtype(Class<?> element) {
    return switch (element.getName()) {
      case "float", "java.lang.Float" -> DType.FLOAT32;
      case "double", "java.lang.Double" -> DType.FLOAT64;
      case "long", "java.lang.Long" -> DType.INT64;
      case "int", "java.lang.Integer" -> DType.INT32;
      case "short", "java.lang.Short" -> DType.INT16;
      case "byte", "java.lang.Byte" -> DType.INT8;
      case "boolean", "java.lang.Boolean" -> DType.BOOL;
      default -> null;
    };
  }

  private static Object scalar(ResourceScope scope, DType dtype, Object value) {
    Object made = DenseTensor.allocate(scope, dtype, Shape.SCALAR);
    return HostTensors.filled(made, tensor -> put(tensor, 0, value));
  }

  private static void put(DenseTensor tensor, long at, Object value) {
    switch (value) {
      case Boolean flag -> Elements.putLong(tensor.segment(), DType.BOOL, at, flag ? 1 : 0);
      case Float real -> Elements.putDouble(tensor.segment(), DType.FLOAT32, at, real);
      case Double real -> Elements.putDouble(tensor.segment(), DType.FLOAT64, at, real);
      case Number number ->
          Elements.putLong(tensor.segment(), tensor.dtype(), at, number.longValue());
      default -> throw new IllegalArgumentException(value.getClass().getName());
    }
  }

  /** The shape that the first elements have, if all others have it too; or a fault. */
  private static Object shape(Object values) {
    List<Long> sizes = new ArrayList<>();
    Object level = values;
    while (level != null && level.getClass().isArray()) {
      int length = Array.getLength(level);
      sizes.add((long) length);
      level = length == 0 || isFlat(level) ? null : Array.get(level, 0);
    }
    for (Class<?> type = values.getClass(); depth(type) > sizes.size(); ) {
      sizes.add(0L);
    }
    Fault ragged = ragged(values, sizes, 0, "");
    long[] all = sizes.stream().mapToLong(Long::longValue).toArray();
    return ragged == null ? Shape.of(all) : ragged;
  }

  private static int depth(Class<?> type) {
    return type.isArray() ? 1 + depth(type.getComponentType()) : 0;
  }

  /** The fault of the first array that is missing or differs in length from its neighbours. */
  private static @Nullable Fault ragged(
      @Nullable Object level, List<Long> sizes, int dim, String place) {
    if (level == null) {
      return Fault.value("the nested array has null at " + place);
    }
    int length = Array.getLength(level);
    if (length != sizes.get(dim)) {
      String text = "the nested array is ragged: %s has %s where %d are expected";
      return Fault.shape(Message.of(text, place, Message.count(length, "element"), sizes.get(dim)))
          .withExpected(Message.count(sizes.get(dim), "element"), Message.count(length, "element"));
    }
    boolean boxed = !level.getClass().getComponentType().isPrimitive();
    for (int i = 0; boxed && i < length; i++) {
      Object part = Array.get(level, i);
      String inside = place + "[" + i + "]";
      boolean leaf = dim + 1 == sizes.size() && part != null;
      Fault fault = leaf ? null : ragged(part, sizes, dim + 1, inside);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static boolean isFlat(Object array) {
    return !array.getClass().getComponentType().isArray();
  }

  /**
   * Writes the elements of one level from position {@code at} on; returns the position behind them.
   */
  private static long write(Object level, DenseTensor target, long at) {
    long next = at;
    int length = Array.getLength(level);
    MemorySegment raw = isFlat(level) ? segment(level) : null;
    if (raw != null) {
      long bytes = raw.byteSize();
      MemorySegment.copy(raw, 0, target.segment(), at * target.dtype().bytes(), bytes);
      return at + length;
    }
    for (int i = 0; i < length; i++) {
      Object part = Array.get(level, i);
      if (isFlat(level)) {
        put(target, next++, part);
      } else {
        next = write(part, target, next);
      }
    }
    return next;
  }

  private static @Nullable MemorySegment segment(Object array) {
    return switch (array) {
      case float[] values -> MemorySegment.ofArray(values);
      case double[] values -> MemorySegment.ofArray(values);
      case long[] values -> MemorySegment.ofArray(values);
      case int[] values -> MemorySegment.ofArray(values);
      case short[] values -> MemorySegment.ofArray(values);
      case byte[] values -> MemorySegment.ofArray(values);
      default -> null;
    };
  }

  /** The elements, row-major, as a flat array of the Java type for {@code dtype}. */
  public static Object flat(DenseTensor tensor, DType dtype) {
    return HostTensors.reading(
        tensor, open -> flat(open, dtype, Elements.positions(open.layout())));
  }

  private static Object flat(DenseTensor tensor, DType dtype, long[] positions) {
    Object array = Array.newInstance(javaType(dtype), positions.length);
    boolean reals = tensor.dtype().isFloating();
    for (int i = 0; i < positions.length; i++) {
      double real = Elements.asDouble(tensor.segment(), tensor.dtype(), positions[i]);
      long integer = Elements.asLong(tensor.segment(), tensor.dtype(), positions[i]);
      switch (array) {
        case float[] values -> values[i] = reals ? (float) real : (float) integer;
        case double[] values -> values[i] = real;
        case long[] values -> values[i] = integer;
        case int[] values -> values[i] = reals ? (int) real : (int) integer;
        case short[] values -> values[i] = reals ? (short) real : (short) integer;
        case byte[] values -> values[i] = reals ? (byte) real : (byte) integer;
        case boolean[] values -> values[i] = real != 0;
        default -> throw new IllegalArgumentException(array.getClass().getName());
      }
    }
    return array;
  }

  private static Class<?> javaType(DType dtype) {
    return switch (dtype) {
      case FLOAT32, FLOAT16, BFLOAT16 -> float.class;
      case FLOAT64 -> double.class;
      case INT64 -> long.class;
      case INT32 -> int.class;
      case INT16, UINT8 -> short.class;
      case INT8 -> byte.class;
      case BOOL -> boolean.class;
      case COMPLEX64, COMPLEX128 -> throw new IllegalArgumentException(dtype + " has no Java type");
    };
  }

  /**
   * The elements as arrays nested like the dimensions; a boxed value for a tensor without
   * dimensions.
   *
   * @throws StaunchException.ShapeException if there are more dimensions than Java's arrays support
   */
  public static Object of(DenseTensor tensor) {
    if (tensor.rank() > MOST_DIMENSIONS) {
      String text =
          "a Java array has at most %d dimensions, and the tensor has %d; reshape it before";
      throw Fault.shape(Message.of(text, MOST_DIMENSIONS, tensor.rank())).toUnreadException();
    }
    Object flat = flat(tensor, tensor.dtype());
    long[] sizes = tensor.shape().toArray();
    return sizes.length == 0 ? Array.get(flat, 0) : nested(flat, sizes, 0);
  }

  private static Object nested(Object flat, long[] sizes, int from) {
    int length = Shape.asInt(sizes[0]);
    if (sizes.length == 1) {
      Object row = Array.newInstance(flat.getClass().getComponentType(), length);
      System.arraycopy(flat, from, row, 0, length);
      return row;
    }
    Class<?> part = flat.getClass();
    for (int i = 2; i < sizes.length; i++) {
      part = part.arrayType();
    }
    long[] inner = Arrays.copyOfRange(sizes, 1, sizes.length);
    Object[] rows = (Object[]) Array.newInstance(part, length);
    long width = Shape.of(inner).elements();
    for (int i = 0; i < length; i++) {
      rows[i] = nested(flat, inner, (int) (from + i * width));
    }
    return rows;
  }
}
