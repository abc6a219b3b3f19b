package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** New tensors filled with one value, and tensors shaped like another. */
public final class CreationOperations {
  private static final String LIKE =
      "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
          + " pin_memory=None, MemoryFormat? memory_format=None) -> Tensor";

  private CreationOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        CreationOperations::constants,
        catalog -> likes(catalog.with(Trait.NON_DIFFERENTIABLE)),
        RangeOperations::addTo,
        TensorLiterals::addTo,
        NestedLists::addTo,
        AutocastOperations::addTo,
        SeriesOperations::addTo,
        ConversionOperations::addTo,
        TypeQueries::addTo,
        WritingOperations::addTo);
  }

  private static void constants(Catalog.Builder catalog) {
    sized(catalog, "zeros(SymInt[] size, " + NewTensors.TAIL, 0L);
    sized(catalog, "ones(SymInt[] size, " + NewTensors.TAIL, 1L);
    add(
        catalog,
        "empty.memory_format(SymInt[] size, " + LIKE,
        operands ->
            switch (form(operands, 0, asked(operands, 1, DType.FLOAT32), 3)) {
              case TensorForm known ->
                  ConversionOperations.laid(
                      known.dtype(),
                      Layout.contiguous(known.shape()),
                      operands.integerOr(5, MemoryFormats.CONTIGUOUS));
              case Object fault -> fault;
            },
        operands -> 0L);
    add(
        catalog,
        "full(SymInt[] size, Scalar fill_value, " + NewTensors.TAIL,
        operands -> form(operands, 0, inferred(operands, 2), 4),
        operands -> operands.scalar(1));
  }

  private static void likes(Catalog.Builder catalog) {
    like(catalog, "zeros_like(Tensor self, " + LIKE, 1, operands -> 0L);
    like(catalog, "ones_like(Tensor self, " + LIKE, 1, operands -> 1L);
    like(catalog, "empty_like(Tensor self, " + LIKE, 1, operands -> 0L);
    like(
        catalog,
        "full_like(Tensor self, Scalar fill_value, " + LIKE,
        2,
        operands -> operands.scalar(1));
    fresh(catalog, "new_zeros(Tensor self, SymInt[] size, " + NewTensors.TAIL, 2, operands -> 0L);
    fresh(catalog, "new_ones(Tensor self, SymInt[] size, " + NewTensors.TAIL, 2, operands -> 1L);
    fresh(catalog, "new_empty(Tensor self, SymInt[] size, " + NewTensors.TAIL, 2, operands -> 0L);
    fresh(
        catalog,
        "new_full(Tensor self, SymInt[] size, Scalar fill_value, " + NewTensors.TAIL,
        3,
        operands -> operands.scalar(2));
  }

  /**
   * Adds an operation that returns a new tensor filled with one value.
   *
   * @param form returns the tensor's form, or a fault
   */
  private static void add(
      Catalog.Builder catalog,
      String head,
      Function<Operands, Object> form,
      Function<Operands, Object> value) {
    Inference inference =
        operands -> {
          Object made = form.apply(operands);
          Fault unfit =
              made instanceof TensorForm known ? unfit(value.apply(operands), known.dtype()) : null;
          return unfit == null ? made : unfit;
        };
    catalog
        .withInference(inference)
        .one(
            "aten::" + head,
            call -> {
              Object made = inference.infer(call);
              return made instanceof TensorForm known
                  ? fill(call, DenseStrides.allocate(call, known), value.apply(call))
                  : made;
            });
  }

  private static void sized(Catalog.Builder catalog, String head, long value) {
    add(
        catalog,
        head,
        operands -> form(operands, 0, asked(operands, 1, DType.FLOAT32), 3),
        operands -> value);
  }

  private static void like(
      Catalog.Builder catalog, String head, int dtypeAt, Function<Operands, Object> value) {
    Function<Operands, Object> form =
        operands -> {
          DType dtype = asked(operands, dtypeAt, operands.dtype(0));
          Fault fault = Placement.fault(operands, dtypeAt + 1);
          long format = operands.integerOr(dtypeAt + 4, MemoryFormats.PRESERVE);
          return fault == null
              ? ConversionOperations.laid(dtype, operands.layout(0), format)
              : fault;
        };
    add(catalog, head, form, value);
  }

  private static void fresh(
      Catalog.Builder catalog, String head, int dtypeAt, Function<Operands, Object> value) {
    Function<Operands, Object> form =
        operands -> form(operands, 1, asked(operands, dtypeAt, operands.dtype(0)), dtypeAt + 2);
    add(catalog, head, form, value);
  }

  private static DType asked(Operands operands, int dtypeAt, DType standard) {
    DType asked = operands.optionalDType(dtypeAt);
    return asked == null ? standard : asked;
  }

  private static DType inferred(Operands operands, int dtypeAt) {
    return asked(operands, dtypeAt, NewTensors.ofScalar(operands.scalar(1)));
  }

  private static Object form(Operands operands, int sizesAt, DType dtype, int deviceAt) {
    return form(operands, operands.integers(sizesAt), dtype, deviceAt);
  }

  /** The form of a new tensor, or a fault; {@code deviceAt} is the index of the device argument. */
  public static Object form(Operands operands, long[] sizes, DType dtype, int deviceAt) {
    Fault fault = negative(sizes);
    fault = fault == null ? Placement.fault(operands, deviceAt - 1) : fault;
    Object shape = fault == null ? Filling.shape(sizes) : fault;
    return shape instanceof Shape known ? TensorForm.contiguous(dtype, known) : shape;
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

  /** The fault for a value that cannot fill a tensor of {@code dtype}; else null. */
  static @Nullable Fault unfit(Object value, DType dtype) {
    return value instanceof ComplexNumber number
            && number.im() != 0
            && dtype.kind() != DType.Kind.COMPLEX
        ? Fault.value(
                "the complex number " + value + " does not fit " + dtype + "; give a real one")
            .withExpected("a real number", number.toString())
        : OperandChecks.fits(value, dtype);
  }

  /** Fills a new tensor; returns a fault unchanged. */
  private static Object fill(Call call, Object made, Object value) {
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    return CancellationPoll.finished(
        target, Filling.fill(new CancellationPoll(call), target, value));
  }
}
