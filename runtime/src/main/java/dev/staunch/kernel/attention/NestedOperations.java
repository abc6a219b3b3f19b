package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.NestedTensor;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.PointwiseLoop;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Converts padded tensors to nested ones and nested tensors to padded ones. */
final class NestedOperations {
  private NestedOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool",
        NestedOperations::leftAligned);
    catalog
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .one(
            "aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor",
            NestedOperations::fromMask);
    Catalog.Builder nested = catalog.with(Trait.TAKES_NESTED);
    nested
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .one(
            "aten::to_padded_tensor(Tensor self, float padding, SymInt[]? output_size=None) ->"
                + " Tensor",
            NestedOperations::toPadded);
    nested
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .one(
            "aten::nested_to_padded_tensor(Tensor self, float padding, int[]? output_size=None)"
                + " -> Tensor",
            NestedOperations::toPadded);
    nested.one("prim::is_nested(Tensor a) -> bool", call -> call.value(0) instanceof NestedTensor);
    Catalog.Builder agnostic = nested.with(Trait.LAYOUT_AGNOSTIC);
    agnostic
        .with(Trait.SEES_SHAPES)
        .one("aten::dim(Tensor self) -> int", call -> (long) dense(call).rank());
    agnostic
        .withInference(operands -> (long) operands.dtype(0).code())
        .one("prim::dtype(Tensor a) -> int", call -> (long) dense(call).dtype().code());
    nested.one("prim::requires_grad(Tensor a) -> bool", call -> dense(call).requiresGrad());
  }

  private static DenseTensor dense(Call call) {
    return call.value(0) instanceof NestedTensor nested ? nested.padded() : call.tensor(0);
  }

  private static @Nullable Fault misfit(Call call) {
    DenseTensor tensor = call.tensor(0);
    DenseTensor mask = call.tensor(1);
    if (mask.dtype() != DType.BOOL) {
      return Fault.dtype("`mask` must be bool, but it is " + mask.dtype())
          .withExpected(ExpectedDType.of(DType.BOOL).in("mask"), mask.dtype());
    }
    if (tensor.rank() != 3 || mask.rank() != 2) {
      String text = "a padded tensor has 3 dimensions and its mask 2, but got %s and %s";
      return Fault.shape(Message.of(text, tensor.describe(), mask.describe()))
          .withExpected("[batch, length, features] and [batch, length]", mask.shape().toString());
    }
    boolean same =
        mask.shape().size(0) == tensor.shape().size(0)
            && mask.shape().size(1) == tensor.shape().size(1);
    return same
        ? null
        : OperandChecks.shape(
            "the mask " + mask.shape() + " does not fit the padded tensor " + tensor.shape(),
            "mask [" + tensor.shape().size(0) + ", " + tensor.shape().size(1) + "]",
            mask.shape());
  }

  /**
   * The number of true elements in each row of the mask; null if a true element follows a false
   * one.
   */
  private static int @Nullable [] lengths(CancellationPoll poll, DenseTensor mask, boolean check) {
    Integers flags = Integers.of(poll, mask);
    int width = Shape.asInt(mask.shape().size(1));
    int[] lengths = new int[Shape.asInt(mask.shape().size(0))];
    for (long i = 0; i < flags.size() && poll.fault() == null; i++) {
      if (flags.at(i) != 0) {
        int row = (int) (i / width);
        if (check && lengths[row] != i % width) {
          return null;
        }
        lengths[row]++;
      }
    }
    return lengths;
  }

  private static Object leftAligned(Call call) {
    Fault fault = misfit(call);
    if (fault != null) {
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    boolean aligned = lengths(poll, call.tensor(1), true) != null;
    return poll.fault() == null ? (Object) aligned : poll.fault();
  }

  private static Object fromMask(Call call) {
    Fault fault = misfit(call);
    if (fault != null) {
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    int[] lengths = lengths(poll, call.tensor(1), call.bool(2));
    if (poll.fault() != null) {
      return poll.fault();
    }
    if (lengths == null) {
      return Fault.value(
          "`mask` must keep the first elements of each row, but one follows a hidden element; move"
              + " the padding to the end");
    }
    DenseTensor source = call.tensor(0);
    long longest = Arrays.stream(lengths).max().orElse(0);
    Shape shape = Shape.of(lengths.length, longest, source.shape().size(2));
    Object made = padded(call, source, lengths, shape, 0.0);
    return made instanceof DenseTensor padded ? new NestedTensor(padded, lengths) : made;
  }

  private static Object toPadded(Call call) {
    if (!(call.value(0) instanceof NestedTensor nested)) {
      return Fault.value(
              "to_padded_tensor takes a nested tensor, but got " + call.tensor(0).describe())
          .withExpected("a nested tensor", call.tensor(0).describe());
    }
    long[] sizes = nested.padded().shape().toArray();
    if (!call.isNone(2)) {
      long[] asked = call.integers(2);
      boolean fits = asked.length == sizes.length;
      for (int i = 0; fits && i < sizes.length; i++) {
        fits = asked[i] >= sizes[i];
      }
      if (!fits || asked[2] != sizes[2] || asked[0] != sizes[0]) {
        String text =
            "`output_size` %s does not hold the padded tensor %s; only its length may grow";
        return Fault.value(Message.of(text, Arrays.toString(asked), Arrays.toString(sizes)))
            .withExpected(Arrays.toString(sizes), Arrays.toString(asked));
      }
      sizes = asked;
    }
    return padded(call, nested.padded(), nested.lengths(), Shape.of(sizes), call.real(1));
  }

  /**
   * The leading steps of each sequence of {@code source}, padded with {@code value}; or a fault.
   */
  private static Object padded(
      Call call, DenseTensor source, int[] lengths, Shape shape, double value) {
    Object made = call.allocate(source.dtype(), shape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault stop = PointwiseLoop.run(call, target, source.dtype(), Formulas.identity(), value);
    if (stop != null) {
      target.close();
      return stop;
    }
    CancellationPoll poll = new CancellationPoll(call);
    for (int b = 0; b < lengths.length && poll.fault() == null; b++) {
      Layout from = Views.narrowed(Views.selected(source.layout(), 0, b), 0, 0, lengths[b]);
      Layout to = Views.narrowed(Views.selected(target.layout(), 0, b), 0, 0, lengths[b]);
      Copying.copy(poll, source, from, target, to);
    }
    return CancellationPoll.finished(target, poll.fault());
  }
}
