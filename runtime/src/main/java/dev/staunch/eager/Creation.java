package dev.staunch.eager;

import static dev.staunch.eager.operators.Arguments.code;
import static dev.staunch.eager.operators.Arguments.longs;
import static dev.staunch.operation.None.NONE;
import static java.util.Objects.requireNonNull;

import dev.staunch.eager.operators.Arguments;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.tensor.NestedArrays;
import dev.staunch.tensor.NpyFormat;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * Creates tensors that the context owns. Constants and sequences are float32 unless a dtype is
 * given or the method says otherwise. A negative size gives a value fault and an allocation beyond
 * the budget an out-of-memory fault; the handle holds either. A null argument throws a
 * NullPointerException that names the parameter.
 */
public sealed interface Creation permits Context {

  /** As {@link Context#apply}. */
  Tensor apply(String operation, Object... arguments);

  /** As {@link Context#make}. */
  Tensor make(Function<ResourceScope, Object> maker);

  /**
   * A float32 tensor of row-major values; a shape fault unless their number is that of the shape's
   * elements.
   */
  default Tensor of(Shape shape, float... values) {
    requireNonNull(shape, "shape");
    requireNonNull(values, "values");
    return ((Context) this).fresh(scope -> HostTensors.floats(scope, shape, values));
  }

  /**
   * A float64 tensor of row-major values; a shape fault unless their number is that of the shape's
   * elements.
   */
  default Tensor of(Shape shape, double... values) {
    requireNonNull(shape, "shape");
    requireNonNull(values, "values");
    return ((Context) this).fresh(scope -> HostTensors.doubles(scope, shape, values));
  }

  /**
   * An int64 tensor of row-major values; a shape fault unless their number is that of the shape's
   * elements.
   */
  default Tensor of(Shape shape, long... values) {
    requireNonNull(shape, "shape");
    requireNonNull(values, "values");
    return ((Context) this).fresh(scope -> HostTensors.longs(scope, shape, values));
  }

  /**
   * A copy of a boxed Java value, an array, or an array of arrays. The nesting gives the shape and
   * the Java type the dtype (byte is int8, short int16, int int32, long int64, float float32,
   * double float64, boolean bool). Ragged arrays give a shape fault that names the place.
   */
  default Tensor tensor(Object values) {
    requireNonNull(values, "values");
    return ((Context) this).fresh(scope -> NestedArrays.toTensor(scope, values));
  }

  /** As {@link #tensor(Object)}, converted to {@code dtype}. */
  default Tensor tensor(Object values, DType dtype) {
    requireNonNull(dtype, "dtype");
    Tensor made = tensor(values);
    if (made.peekFault() != null || made.dtype() == dtype) {
      return made;
    }
    Tensor cast = made.to(dtype);
    made.close();
    return cast;
  }

  /** A copy of the raw little-endian, row-major elements in {@code elements}. */
  default Tensor tensor(DType dtype, Shape shape, MemorySegment elements) {
    requireNonNull(dtype, "dtype");
    requireNonNull(shape, "shape");
    requireNonNull(elements, "elements");
    return ((Context) this).fresh(scope -> HostTensors.bytes(scope, dtype, shape, elements));
  }

  /**
   * Loads a NumPy .npy file. A missing, damaged or truncated file gives a data-format fault; a
   * dtype that Staunch lacks gives an unsupported fault.
   */
  default Tensor load(Path file) {
    requireNonNull(file, "file");
    return make(scope -> NpyFormat.read(scope, file));
  }

  /** All 0, float32. */
  default Tensor zeros(long... shape) {
    return zeros(DType.FLOAT32, shape);
  }

  /** All 0. */
  default Tensor zeros(DType dtype, long... shape) {
    return apply("aten::zeros", longs("shape", shape), code(dtype), NONE, NONE, NONE);
  }

  /** All 1, float32. */
  default Tensor ones(long... shape) {
    return ones(DType.FLOAT32, shape);
  }

  /** All 1. */
  default Tensor ones(DType dtype, long... shape) {
    return apply("aten::ones", longs("shape", shape), code(dtype), NONE, NONE, NONE);
  }

  /** All {@code value}, float32. */
  default Tensor full(double value, long... shape) {
    return apply("aten::full", longs("shape", shape), value, NONE, NONE, NONE, NONE);
  }

  /** All {@code value}, int64. */
  default Tensor full(long value, long... shape) {
    return apply("aten::full", longs("shape", shape), value, NONE, NONE, NONE, NONE);
  }

  /** All {@code value}. */
  default Tensor full(DType dtype, double value, long... shape) {
    return apply("aten::full", longs("shape", shape), value, code(dtype), NONE, NONE, NONE);
  }

  /** All {@code value}. */
  default Tensor full(DType dtype, long value, long... shape) {
    return apply("aten::full", longs("shape", shape), value, code(dtype), NONE, NONE, NONE);
  }

  /** Uninitialized elements, to be overwritten. */
  default Tensor empty(DType dtype, long... shape) {
    requireNonNull(dtype, "dtype");
    return Shape.misfit(requireNonNull(shape, "shape")) == null
        ? ((Context) this).fresh(scope -> DenseTensor.allocate(scope, dtype, Shape.of(shape)))
        : apply(
            "aten::empty.memory_format",
            longs("shape", shape),
            code(dtype),
            NONE,
            NONE,
            NONE,
            NONE);
  }

  /** All 0, with the shape and dtype of {@code other}. */
  default Tensor zerosLike(Tensor other) {
    return apply("aten::zeros_like", other, NONE, NONE, NONE, NONE, NONE);
  }

  /** All 1, with the shape and dtype of {@code other}. */
  default Tensor onesLike(Tensor other) {
    return apply("aten::ones_like", other, NONE, NONE, NONE, NONE, NONE);
  }

  /** All {@code value}, with the shape and dtype of {@code other}. */
  default Tensor fullLike(Tensor other, double value) {
    return apply("aten::full_like", other, value, NONE, NONE, NONE, NONE, NONE);
  }

  /** All {@code value}, with the shape and dtype of {@code other}. */
  default Tensor fullLike(Tensor other, long value) {
    return apply("aten::full_like", other, value, NONE, NONE, NONE, NONE, NONE);
  }

  /** Uninitialized elements, with the shape and dtype of {@code other}. */
  default Tensor emptyLike(Tensor other) {
    return apply("aten::empty_like", other, NONE, NONE, NONE, NONE, NONE);
  }

  /** 0, 1, 2 and so on up to but excluding {@code end}; int64. */
  default Tensor arange(long end) {
    return apply("aten::arange", end, NONE, NONE, NONE, NONE);
  }

  /** 0, 1, 2 and so on up to but excluding {@code end}. */
  default Tensor arange(DType dtype, long end) {
    return apply("aten::arange", end, code(dtype), NONE, NONE, NONE);
  }

  /** From {@code start} up to but excluding {@code end}, by {@code step}; int64. */
  default Tensor arange(long start, long end, long step) {
    return apply("aten::arange.start_step", start, end, step, NONE, NONE, NONE, NONE);
  }

  /** From {@code start} up to but excluding {@code end}, by {@code step}; float32. */
  default Tensor arange(double start, double end, double step) {
    return apply("aten::arange.start_step", start, end, step, NONE, NONE, NONE, NONE);
  }

  /** From {@code start} up to but excluding {@code end}, by {@code step}. */
  default Tensor arange(DType dtype, long start, long end, long step) {
    return apply("aten::arange.start_step", start, end, step, code(dtype), NONE, NONE, NONE);
  }

  /** From {@code start} up to but excluding {@code end}, by {@code step}. */
  default Tensor arange(DType dtype, double start, double end, double step) {
    return apply("aten::arange.start_step", start, end, step, code(dtype), NONE, NONE, NONE);
  }

  /** {@code steps} evenly spaced numbers from {@code start} to {@code end}, both included. */
  default Tensor linspace(double start, double end, long steps) {
    return linspace(DType.FLOAT32, start, end, steps);
  }

  /** {@code steps} evenly spaced numbers from {@code start} to {@code end}, both included. */
  default Tensor linspace(DType dtype, double start, double end, long steps) {
    return apply("aten::linspace", start, end, steps, code(dtype), NONE, NONE, NONE);
  }

  /** {@code base} to the power of each number of {@link #linspace}. */
  default Tensor logspace(double start, double end, long steps, double base) {
    Tensor exponents = linspace(DType.FLOAT64, start, end, steps);
    Tensor wide = apply("aten::pow.Scalar", base, exponents);
    Tensor powers = wide.to(DType.FLOAT32);
    exponents.close();
    wide.close();
    return powers;
  }

  /** {@code [n, n]} with 1 on the diagonal and 0 elsewhere. */
  default Tensor eye(long n) {
    return apply("aten::eye", n, NONE, NONE, NONE, NONE);
  }

  /** {@code [n, m]} with 1 on the diagonal and 0 elsewhere. */
  default Tensor eye(long n, long m) {
    return apply("aten::eye.m", n, m, NONE, NONE, NONE, NONE);
  }

  /** Concatenates the tensors along {@code dim}; all other sizes must match; dtypes promote. */
  default Tensor cat(long dim, Tensor... tensors) {
    return apply("aten::cat", Arguments.tensors("tensors", tensors), dim);
  }

  /** Stacks tensors of one shape along a new dimension {@code dim}; dtypes promote. */
  default Tensor stack(long dim, Tensor... tensors) {
    return apply("aten::stack", Arguments.tensors("tensors", tensors), dim);
  }

  /** As {@link #cat(long, Tensor...)}. */
  default Tensor cat(long dim, List<Tensor> tensors) {
    return cat(dim, requireNonNull(tensors, "tensors").toArray(Tensor[]::new));
  }

  /** As {@link #stack(long, Tensor...)}. */
  default Tensor stack(long dim, List<Tensor> tensors) {
    return stack(dim, requireNonNull(tensors, "tensors").toArray(Tensor[]::new));
  }

  /** The element of {@code x} where {@code condition} holds, else that of {@code y}. */
  default Tensor where(Tensor condition, Tensor x, Tensor y) {
    return apply("aten::where.self", condition, x, y);
  }

  /**
   * Sums of products, given by letters for the dimensions: {@code einsum("ij,jk->ik", a, b)} is the
   * matrix product.
   */
  default Tensor einsum(String equation, Tensor... tensors) {
    return apply("aten::einsum", equation, Arguments.tensors("tensors", tensors), NONE);
  }

  /**
   * For each vector a tensor of all their lengths, in which it runs along its own dimension and
   * repeats along the others ({@code indexing="ij"} in PyTorch). Waits for the vectors; throws
   * their fault.
   */
  default Tensor[] meshgrid(Tensor... vectors) {
    return ((Context) this)
        .applyList("aten::meshgrid.indexing", Arguments.tensors("vectors", vectors), "ij");
  }
}
