package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** New tensors of one value, and those shaped like another. */
public final class CreationOperations {
  /** The parameters at the end of the schema of each operation that makes a tensor. */
  public static final String TAIL =
      "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
          + " pin_memory=None) -> Tensor";

  private static final String LIKE =
      "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
          + " pin_memory=None, MemoryFormat? memory_format=None) -> Tensor";

  private CreationOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    catalog.one("aten::zeros(SymInt[] size, " + TAIL, call -> filled(call, 0, 0L, 1));
    catalog.one("aten::ones(SymInt[] size, " + TAIL, call -> filled(call, 0, 1L, 1));
    catalog.one("aten::empty.memory_format(SymInt[] size, " + LIKE, call -> filled(call, 0, 0L, 1));
    catalog.one(
        "aten::full(SymInt[] size, Scalar fill_value, " + TAIL,
        call -> filled(call, call.integers(0), call.scalar(1), inferred(call, 2), 4));
    likes(catalog);
    RangeOperations.addTo(catalog);
    TensorLiterals.addTo(catalog);
    SeriesOperations.addTo(catalog);
    ConversionOperations.addTo(catalog);
    WritingOperations.addTo(catalog);
  }

  private static void likes(Catalog.Builder catalog) {
    catalog.one("aten::zeros_like(Tensor self, " + LIKE, call -> like(call, 0L, 1));
    catalog.one("aten::ones_like(Tensor self, " + LIKE, call -> like(call, 1L, 1));
    catalog.one("aten::empty_like(Tensor self, " + LIKE, call -> like(call, 0L, 1));
    catalog.one(
        "aten::full_like(Tensor self, Scalar fill_value, " + LIKE,
        call -> like(call, call.scalar(1), 2));
    catalog.one("aten::new_zeros(Tensor self, SymInt[] size, " + TAIL, call -> fresh(call, 0L, 2));
    catalog.one("aten::new_ones(Tensor self, SymInt[] size, " + TAIL, call -> fresh(call, 1L, 2));
    catalog.one("aten::new_empty(Tensor self, SymInt[] size, " + TAIL, call -> fresh(call, 0L, 2));
    catalog.one(
        "aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, " + TAIL,
        call -> fresh(call, call.scalar(2), 3));
  }

  private static Object filled(Call call, int sizesAt, Object value, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    return filled(call, call.integers(sizesAt), value, dtype, dtypeAt + 2);
  }

  private static DType inferred(Call call, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    return asked == null ? ofScalar(call.scalar(1)) : asked;
  }

  /** The dtype of a tensor made of a Python number. */
  static DType ofScalar(Object scalar) {
    return switch (scalar) {
      case Boolean flag -> DType.BOOL;
      case Long integer -> DType.INT64;
      case Double real -> DType.FLOAT32;
      default -> DType.COMPLEX64;
    };
  }

  private static Object like(Call call, Object value, int dtypeAt) {
    DenseTensor self = call.tensor(0);
    DType asked = call.optionalDType(dtypeAt);
    Fault fault = ConversionOperations.elsewhere(call, dtypeAt + 2);
    DType dtype = asked == null ? self.dtype() : asked;
    return fault == null ? fill(call, DenseStrides.allocateLike(call, self, dtype), value) : fault;
  }

  private static Object fresh(Call call, Object value, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked == null ? call.tensor(0).dtype() : asked;
    return filled(call, call.integers(1), value, dtype, dtypeAt + 2);
  }

  private static Object filled(Call call, long[] sizes, Object value, DType dtype, int deviceAt) {
    return fill(call, allocated(call, sizes, dtype, deviceAt), value);
  }

  /** A new tensor of undefined content, or a fault; {@code deviceAt} is the device's argument. */
  public static Object allocated(Call call, long[] sizes, DType dtype, int deviceAt) {
    Fault fault = negative(sizes);
    fault = fault == null ? ConversionOperations.elsewhere(call, deviceAt) : fault;
    Object shape = fault == null ? Filling.shape(sizes) : fault;
    return shape instanceof Shape known ? call.allocate(dtype, known) : shape;
  }

  private static @Nullable Fault negative(long[] sizes) {
    for (long size : sizes) {
      if (size < 0) {
        String text = "a size must not be negative, but there is %d in %s";
        return Fault.value(Message.of(text, size, Arrays.toString(sizes)))
            .withExpected("sizes of 0 or more", Arrays.toString(sizes));
      }
    }
    return null;
  }

  /** Gives a new tensor its content; a fault is handed on. */
  private static Object fill(Call call, Object made, Object value) {
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    if (value.equals(0L)) {
      return Lookout.finished(target, Filling.zero(call, target));
    }
    if (value instanceof ComplexNumber || target.dtype().kind() == DType.Kind.COMPLEX) {
      target.close();
      return Fault.unsupported(
          "filling with complex numbers is not implemented; give `dtype` and the value as real"
              + " ones");
    }
    Fault misfit = Demands.fits(value, target.dtype());
    if (misfit != null) {
      target.close();
      return misfit;
    }
    Operand operand = Operand.of(target);
    int tile = Math.clamp(target.elements(), 1, 1024);
    double[] reals = new double[tile];
    long[] integers = new long[tile];
    Arrays.fill(reals, Scalars.real(value));
    Arrays.fill(integers, Scalars.integer(value));
    Fault stop =
        new Lookout(call)
            .inPieces(
                target.elements(),
                tile,
                (at, count) -> {
                  if (value instanceof Double) {
                    operand.store(reals, at, 1, count);
                  } else {
                    operand.store(integers, at, 1, count);
                  }
                });
    return Lookout.finished(target, stop);
  }

  /** The fault of a size that cannot be; for makers of ranges. */
  public static Fault tooLong(Object count) {
    return Fault.of(
        FaultType.OUT_OF_MEMORY, "a range of " + count + " elements does not fit the memory");
  }
}
