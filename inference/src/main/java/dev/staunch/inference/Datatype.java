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
  FP16(DType.FLOAT16, 65520),
  BF16(DType.BFLOAT16, 0x1.FFp127),
  FP32(DType.FLOAT32, 0x1.FFFFFFp127),
  FP64(DType.FLOAT64, Double.POSITIVE_INFINITY),
  BYTES(null, Double.POSITIVE_INFINITY);

  private final @Nullable DType dtype;
  private final long least;
  private final long greatest;
  private final double tooLarge;

  Datatype(@Nullable DType dtype, long least, long greatest) {
    this.dtype = dtype;
    this.least = least;
    this.greatest = greatest;
    this.tooLarge = Double.POSITIVE_INFINITY;
  }

  Datatype(@Nullable DType dtype, double tooLarge) {
    this.dtype = dtype;
    this.least = 0;
    this.greatest = 0;
    this.tooLarge = tooLarge;
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

  /** The smallest magnitude that would round to infinity. */
  double tooLarge() {
    return tooLarge;
  }

  /**
   * The datatype with that name, or null if the protocol has none or this runtime does not read it.
   */
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

  /** Returns {@code text} with dtypes replaced by the protocol's names. */
  static String inProtocol(String text) {
    String told = text;
    for (Datatype datatype : values()) {
      if (datatype.dtype != null) {
        told = told.replaceAll("\\b" + datatype.dtype + "\\b", datatype.name());
      }
    }
    return told;
  }
}
