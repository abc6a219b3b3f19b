package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Look-ups of table rows by id. */
final class EmbeddingOperations {
  private EmbeddingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog
        .with(Trait.FAILS_ON_VALUES)
        .withInference(EmbeddingOperations::embedded)
        .one(
            "aten::embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool"
                + " scale_grad_by_freq=False, bool sparse=False) -> Tensor",
            EmbeddingOperations::embedding);
    Composite.add(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type)"
            + " -> Tensor(a!)",
        EmbeddingOperations::shortened);
    String results = " -> (Tensor, Tensor, Tensor, Tensor)";
    Catalog.Builder bags =
        catalog
            .with(Trait.NARROW_AS_FLOAT32, Trait.FAILS_ON_VALUES)
            .withDTypes(DType.of(DType.Kind.FLOATING))
            .withInference(EmbeddingBag::forms);
    bags.many(
        "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool"
            + " scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor?"
            + " per_sample_weights=None, bool include_last_offset=False)"
            + results,
        EmbeddingBag::run);
    bags.many(
        "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool"
            + " scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool"
            + " include_last_offset, int? padding_idx)"
            + results,
        EmbeddingBag::run);
    catalog
        .with(Trait.FAILS_ON_VALUES)
        .withInference(EmbeddingOperations::spread)
        .withDTypes(Set.of(DType.INT64))
        .one(
            "aten::one_hot(Tensor self, int num_classes=-1) -> Tensor",
            EmbeddingOperations::oneHot);
  }

  /** Scales the rows that are looked up, in the table itself, so that their norms have a limit. */
  private static Object shortened(Steps steps, Operands call) {
    DType dtype = call.dtype(0);
    Fault fault =
        OperandChecks.first(
            TableIds.table(call.form(0)),
            dtype.isFloating()
                ? null
                : Fault.dtype("embedding_renorm_ takes a floating dtype, but self is " + dtype)
                    .withExpected(ExpectedDType.of(DType.FLOAT32).in("self"), dtype),
            TableIds.integral("embedding_renorm_", "indices", call.form(1)));
    if (fault != null) {
      return fault;
    }
    Object ids = steps.cast(steps.view(call.value(1), -1), DType.INT64);
    Object rows = steps.run("index_select", call.value(0), 0L, ids);
    Object limited = steps.run("renorm", rows, call.value(3), 0L, call.value(2));
    Object written = steps.run("index_copy_", call.value(0), 0L, ids, limited);
    return Steps.isTensor(written) ? call.value(0) : written;
  }

  private static Object embedded(Operands operands) {
    TensorForm weight = operands.form(0);
    Fault fault = TableIds.table(weight);
    fault = fault != null ? fault : TableIds.integral("embedding", "indices", operands.form(1));
    return fault == null ? wider(operands.shape(1), weight.shape().size(1), weight.dtype()) : fault;
  }

  /** A form with one more dimension, the last. */
  private static Object wider(Shape shape, long size, DType dtype) {
    long[] sizes = Arrays.copyOf(shape.toArray(), shape.rank() + 1);
    sizes[sizes.length - 1] = size;
    Object wide = Filling.shape(sizes);
    return wide instanceof Shape known ? TensorForm.contiguous(dtype, known) : wide;
  }

  private static Object spread(Operands operands) {
    long classes = operands.integer(1);
    Fault fault = checkClasses(operands.form(0), classes);
    return fault != null
        ? fault
        : classes == -1
            ? Inference.Unknown.UNBOUNDED
            : wider(operands.shape(0), classes, DType.INT64);
  }

  private static Object embedding(Call call) {
    DenseTensor weight = call.tensor(0);
    DenseTensor indices = call.tensor(1);
    if (SmallLookup.fits(weight, indices)) {
      return SmallLookup.run(call, weight, indices);
    }
    Object found = embedded(call);
    if (!(found instanceof TensorForm form)) {
      return found;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Integers ids = Integers.of(poll, indices);
    Fault fault = TableIds.outside(poll, ids, weight.shape().size(0));
    if (fault != null) {
      return fault;
    }
    Object made = call.allocate(form.dtype(), form.shape());
    if (!(made instanceof DenseTensor result) || result.elements() == 0) {
      return made;
    }
    copyRows(poll, weight, ids, result);
    return CancellationPoll.finished(result, poll.fault());
  }

  private static void copyRows(
      CancellationPoll poll, DenseTensor weight, Integers ids, DenseTensor result) {
    Layout layout = weight.layout();
    int bytes = weight.dtype().bytes();
    long width = weight.shape().size(1);
    boolean whole = layout.stride(1) == 1 || width <= 1;
    long to = 0;
    MemorySegment table = weight.segment();
    MemorySegment out = result.segment();
    for (long k = 0; k < ids.size() && poll.fault() == null; k++) {
      long from = layout.offset() + ids.at(k) * layout.stride(0);
      long row = to;
      if (whole) {
        long length = width * bytes;
        poll.copy(table, from * bytes, out, row * bytes, length);
      } else {
        poll.inPieces(
            width,
            (first, count) -> {
              for (long i = first; i < first + count; i++) {
                long at = from + i * layout.stride(1);
                Copying.element(table, at, out, row + i, bytes);
              }
            });
      }
      to += width;
    }
  }

  private static Object oneHot(Call call) {
    DenseTensor ids = call.tensor(0);
    Fault fault = checkClasses(call.form(0), call.integer(1));
    if (fault != null) {
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Integers values = Integers.of(poll, ids);
    long largest = -1;
    for (long i = 0; i < values.size() && poll.fault() == null; i++) {
      largest = Math.max(largest, values.at(i));
    }
    boolean counts = call.integer(1) == -1;
    if (counts && largest == Long.MAX_VALUE) {
      return Fault.value("class " + largest + " has too great a number to count the classes");
    }
    long classes = counts ? largest + 1 : call.integer(1);
    Fault outside = outside(poll, values, classes);
    if (outside != null) {
      return outside;
    }
    long[] sizes = Arrays.copyOf(ids.shape().toArray(), ids.rank() + 1);
    sizes[sizes.length - 1] = classes;
    Object shape = Filling.shape(sizes);
    Object made = shape instanceof Shape fits ? Filling.zeros(call, DType.INT64, fits) : shape;
    if (!(made instanceof DenseTensor result)) {
      return made;
    }
    for (long i = 0; i < values.size() && poll.fault() == null; i++) {
      result.segment().setAtIndex(ValueLayout.JAVA_LONG, i * classes + values.at(i), 1);
    }
    return CancellationPoll.finished(result, poll.fault());
  }

  private static @Nullable Fault outside(CancellationPoll poll, Integers values, long classes) {
    for (long i = 0; i < values.size() && poll.fault() == null; i++) {
      long id = values.at(i);
      if (id < 0 || id >= classes) {
        String text = "class %d at position %d is not one of %d classes, counted from 0";
        return Fault.index(Message.of(text, id, i, classes))
            .withExpected("0 <= class < " + classes, Long.toString(id));
      }
    }
    return poll.fault();
  }

  private static @Nullable Fault checkClasses(TensorForm ids, long classes) {
    if (ids.dtype() != DType.INT64) {
      return Fault.dtype("one_hot takes classes of int64, but they are " + ids.dtype())
          .withExpected(ExpectedDType.of(DType.INT64), ids.dtype());
    }
    if (ids.shape().elements() == 0 && classes <= 0) {
      return Fault.value(
          "an empty tensor does not tell how many classes there are; give `num_classes`");
    }
    return classes >= -1 && classes != 0
        ? null
        : Fault.value("`num_classes` must be positive, or -1 to count them, but it is " + classes);
  }
}
