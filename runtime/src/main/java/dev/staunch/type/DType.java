package dev.staunch.type;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Element types. {@link #code()} is PyTorch's {@code ScalarType} number, which TorchScript programs
 * carry as a plain int.
 */
public enum DType {
  UINT8(0, 1, Kind.INTEGRAL),
  INT8(1, 1, Kind.INTEGRAL),
  INT16(2, 2, Kind.INTEGRAL),
  INT32(3, 4, Kind.INTEGRAL),
  INT64(4, 8, Kind.INTEGRAL),
  FLOAT16(5, 2, Kind.FLOATING),
  FLOAT32(6, 4, Kind.FLOATING),
  FLOAT64(7, 8, Kind.FLOATING),
  COMPLEX64(9, 8, Kind.COMPLEX),
  COMPLEX128(10, 16, Kind.COMPLEX),
  BOOL(11, 1, Kind.BOOL),
  BFLOAT16(15, 2, Kind.FLOATING);

  /** Categories of type promotion, from lowest to highest. */
  public enum Kind {
    BOOL,
    INTEGRAL,
    FLOATING,
    COMPLEX
  }

  private final int code;
  private final int bytes;
  private final Kind kind;
  private final String word;

  DType(int code, int bytes, Kind kind) {
    this.code = code;
    this.bytes = bytes;
    this.kind = kind;
    this.word = name().toLowerCase(Locale.ROOT);
  }

  /** All dtypes of these kinds. */
  public static Set<DType> of(Kind... kinds) {
    Set<DType> dtypes = EnumSet.noneOf(DType.class);
    for (DType dtype : values()) {
      if (List.of(kinds).contains(dtype.kind)) {
        dtypes.add(dtype);
      }
    }
    return Collections.unmodifiableSet(dtypes);
  }

  public int code() {
    return code;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  public Kind kind() {
    return kind;
  }

  public boolean isFloating() {
    return kind == Kind.FLOATING;
  }

  /** The dtype of the parts of complex numbers; any other dtype itself. */
  public DType parts() {
    return this == COMPLEX64 ? FLOAT32 : this == COMPLEX128 ? FLOAT64 : this;
  }

  /** The name in MLIR, such as {@code f32}. */
  public String mlirName() {
    return switch (this) {
      case BOOL -> "i1";
      case UINT8 -> "ui8";
      case BFLOAT16 -> "bf16";
      case COMPLEX64 -> "complex<f32>";
      case COMPLEX128 -> "complex<f64>";
      default -> (isFloating() ? "f" : "i") + 8 * bytes;
    };
  }

  /** The dtype whose MLIR name is {@code name}, or null if there is none. */
  public static @Nullable DType ofMlirName(String name) {
    for (DType dtype : values()) {
      if (dtype.mlirName().equals(name)) {
        return dtype;
      }
    }
    return null;
  }

  /** The dtype with PyTorch's {@code ScalarType} number {@code code}, or null if there is none. */
  public static @Nullable DType ofCode(long code) {
    for (DType dtype : values()) {
      if (dtype.code == code) {
        return dtype;
      }
    }
    return null;
  }

  /** The fault to report when {@link #ofCode} returns null. */
  public static Fault unknown(long code) {
    return Fault.unsupported(
        Message.of(
            "the dtype of number %s is not supported; give one of %s",
            code, Arrays.toString(values())));
  }

  /** Promotes two tensor dtypes of equal priority, as PyTorch does. */
  public static DType promote(DType a, DType b) {
    if (a == b) {
      return a;
    }
    if (a.kind != b.kind) {
      DType higher = a.kind.compareTo(b.kind) > 0 ? a : b;
      DType lower = higher == a ? b : a;
      boolean widen = higher == COMPLEX64 && lower == FLOAT64;
      return widen ? COMPLEX128 : higher;
    }
    if (a.kind == Kind.INTEGRAL && (a == UINT8 || b == UINT8)) {
      DType other = a == UINT8 ? b : a;
      return other == INT8 ? INT16 : other;
    }
    if (a.bytes == b.bytes) {
      return FLOAT32; // float16 with bfloat16
    }
    return a.bytes > b.bytes ? a : b;
  }

  /** The usual name in Python, such as {@code float32}. */
  @Override
  public String toString() {
    return word;
  }
}
