package dev.staunch.eager;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The content of a tensor at one moment, row by row; all NaNs of a dtype count as one. */
record Snapshot(DType dtype, Layout layout, byte[] bytes) {

  static Snapshot of(DenseTensor tensor) {
    return new Snapshot(tensor.dtype(), tensor.layout(), bytes(tensor));
  }

  private static byte[] bytes(DenseTensor tensor) {
    byte[] bytes = new byte[Math.toIntExact(tensor.elements() * tensor.dtype().bytes())];
    MemorySegment to = MemorySegment.ofArray(bytes);
    copy(tensor, to);
    unify(to, tensor.dtype());
    return bytes;
  }

  /** Copies the elements, row by row. */
  static void copy(DenseTensor tensor, MemorySegment to) {
    int size = tensor.dtype().bytes();
    MemorySegment from = tensor.segment();
    if (tensor.isContiguous()) {
      long start = tensor.elements() == 0 ? 0 : tensor.layout().offset() * size;
      MemorySegment.copy(from, start, to, 0, tensor.elements() * size);
      return;
    }
    long[] positions = Elements.positions(tensor.layout());
    for (int i = 0; i < positions.length; i++) {
      MemorySegment.copy(from, positions[i] * size, to, (long) i * size, size);
    }
  }

  /** Which NaN a processor returns depends on the order of operands, which compilers swap. */
  private static void unify(MemorySegment values, DType dtype) {
    switch (dtype) {
      case FLOAT32, COMPLEX64 -> {
        for (long at = 0; at < values.byteSize(); at += 4) {
          if (Float.isNaN(values.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at))) {
            values.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, Float.NaN);
          }
        }
      }
      case FLOAT64, COMPLEX128 -> {
        for (long at = 0; at < values.byteSize(); at += 8) {
          if (Double.isNaN(values.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at))) {
            values.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, Double.NaN);
          }
        }
      }
      case FLOAT16 -> unify(values, 0x7c00);
      case BFLOAT16 -> unify(values, 0x7f80);
      default -> {}
    }
  }

  /** For floats of 16 bits, whose infinity is {@code infinity}. */
  private static void unify(MemorySegment values, int infinity) {
    for (long at = 0; at < values.byteSize(); at += 2) {
      if ((values.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) & 0x7fff) > infinity) {
        values.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Short.MAX_VALUE);
      }
    }
  }

  /** Where {@code tensor} differs, including its layout; or null. */
  @Nullable String difference(DenseTensor tensor) {
    if (tensor.dtype() != dtype || !tensor.layout().equals(layout)) {
      return dtype + " " + layout + ", got " + tensor.dtype() + " " + tensor.layout();
    }
    byte[] found = bytes(tensor);
    int at = Arrays.mismatch(bytes, found);
    if (at < 0) {
      return null;
    }
    int i = at / dtype.bytes();
    return message(found, i);
  }

  private String message(byte[] found, int i) {
    return "element "
        + i
        + " of "
        + dtype
        + layout.shape()
        + ": "
        + value(bytes, i)
        + ", got "
        + value(found, i);
  }

  private static MemorySegment aligned(byte... from) {
    MemorySegment words = MemorySegment.ofArray(new long[from.length / 8 + 1]);
    MemorySegment.copy(MemorySegment.ofArray(from), 0, words, 0, from.length);
    return words;
  }

  private String value(byte[] from, int i) {
    MemorySegment segment = aligned(from);
    return dtype.kind() == DType.Kind.COMPLEX
        ? "complex"
        : dtype.isFloating()
            ? String.valueOf(Elements.asDouble(segment, dtype, i))
            : String.valueOf(Elements.asLong(segment, dtype, i));
  }

  /** The largest difference of elements, relative to the larger of the two; for real floats. */
  double distance(Snapshot other) {
    MemorySegment a = aligned(bytes);
    MemorySegment b = aligned(other.bytes);
    double most = 0;
    long count = bytes.length / dtype.bytes();
    for (long i = 0; i < count; i++) {
      double x = Elements.asDouble(a, dtype, i);
      double y = Elements.asDouble(b, dtype, i);
      if (Double.compare(x, y) != 0 && x != y) {
        most = Math.max(most, Math.abs(x - y) / Math.max(1, Math.max(Math.abs(x), Math.abs(y))));
        most = Double.isNaN(most) ? Double.POSITIVE_INFINITY : most;
      }
    }
    return most;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Snapshot that
        && dtype == that.dtype
        && layout.equals(that.layout)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
