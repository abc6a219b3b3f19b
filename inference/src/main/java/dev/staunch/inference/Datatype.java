package dev.staunch.inference;

import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Datatypes of the Open Inference Protocol V2 and the dtypes they stand for. */
enum Datatype {
  BOOL(DType.BOOL, 0, 1),
  UINT8(DType.UINT8, 0, 255),
  INT8(DType.INT8, Byte.MIN_VALUE, Byte.MAX_VALUE),
  INT16(DType.INT16, Short.MIN_VALUE, Short.MAX_VALUE),
  INT32(DType.INT32, Integer.MIN_VALUE, Integer.MAX_VALUE),
  INT64(DType.INT64, Long.MIN_VALUE, Long.MAX_VALUE),
  FP16(DType.FLOAT16, 0, 0),
  BF16(DType.BFLOAT16, 0, 0),
  FP32(DType.FLOAT32, 0, 0),
  FP64(DType.FLOAT64, 0, 0),
  BYTES(null, 0, 0);

  private final @Nullable DType dtype;
  private final long least;
  private final long greatest;

  Datatype(@Nullable DType dtype, long least, long greatest) {
    this.dtype = dtype;
    this.least = least;
    this.greatest = greatest;
  }

  /** The element type, or null for {@code BYTES}. */
  @Nullable DType dtype() {
    return dtype;
  }

  boolean isInteger() {
    return least != greatest;
  }

  long least() {
    return least;
  }

  long greatest() {
    return greatest;
  }

  /** The datatype of that name, or null if the protocol has none (or we do not read it). */
  static @Nullable Datatype named(String word) {
    for (Datatype datatype : values()) {
      if (datatype.name().equals(word)) {
        return datatype;
      }
    }
    return null;
  }

  static @Nullable Datatype of(DType dtype) {
    for (Datatype datatype : values()) {
      if (datatype.dtype == dtype) {
        return datatype;
      }
    }
    return null;
  }
}
