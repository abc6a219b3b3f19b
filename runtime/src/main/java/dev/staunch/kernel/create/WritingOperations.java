package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.PointwiseLoop;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.function.Function;

/** Operations that overwrite a tensor. */
final class WritingOperations {

  private WritingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder overwriting = catalog.with(Trait.OVERWRITES);
    add(
        overwriting.with(Trait.ASSIGNS),
        "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False)",
        WritingOperations::copied);
    add(overwriting, "copy_.Tensor(Tensor(a!) self, Tensor other)", WritingOperations::copied);
    add(overwriting, "copy_.float(Tensor(a!) self, float other)", WritingOperations::copied);
    add(overwriting, "copy_.int(Tensor(a!) self, int other)", WritingOperations::copied);
    add(overwriting, "fill_.Scalar(Tensor(a!) self, Scalar value)", call -> call.value(1));
    add(
        overwriting,
        "fill_.Tensor(Tensor(a!) self, Tensor value)",
        call ->
            call.rank(1) == 0
                ? call.value(1)
                : Fault.shape(
                    "fill_ takes a `value` without dimensions, but its shape is "
                        + call.shape(1)
                        + "; `copy_` broadcasts one with dimensions"));
    add(overwriting, "zero_(Tensor(a!) self)", call -> 0L);
  }

  /** What is copied, if each element of the target has a place of its own; or the fault. */
  private static Object copied(Operands operands) {
    Fault fault = OperandChecks.writable(operands.layout(0));
    return fault == null ? operands.value(1) : fault;
  }

  /** Adds an operation that casts {@code source}, of any dtype, into all elements of self. */
  private static void add(Catalog.Builder catalog, String head, Function<Operands, Object> source) {
    catalog
        .withInference(operands -> form(operands, wanted(operands, source.apply(operands))))
        .one(
            "aten::" + head + " -> Tensor(a!)",
            call -> write(call, wanted(call, source.apply(call))));
  }

  /** The combination to write; or a fault. */
  private static Object wanted(Operands operands, Object source) {
    if (source instanceof Fault) {
      return source;
    }
    DType stored = operands.dtype(0);
    DType read = Steps.isTensor(source) ? Steps.form(source).dtype() : stored;
    Fault fault = OperandChecks.fits(source, stored);
    return fault == null
        ? Combination.of("copy_", read, Formulas.identity(), source).giving(stored)
        : fault;
  }

  /** Whether the source is a single value; elements to fill may share memory. */
  private static boolean isSingle(Combination wanted) {
    Object source = wanted.operand(0);
    return !Steps.isTensor(source) || Steps.form(source).rank() == 0;
  }

  private static Object form(Operands operands, Object found) {
    if (!(found instanceof Combination wanted)) {
      return found;
    }
    return isSingle(wanted)
        ? new TensorForm(operands.dtype(0), operands.layout(0))
        : Pointwise.formInPlace(operands, wanted);
  }

  private static Object write(Call call, Object found) {
    if (!(found instanceof Combination wanted)) {
      return found;
    }
    if (!isSingle(wanted)) {
      return Pointwise.write(call, wanted);
    }
    DenseTensor self = call.tensor(0);
    Fault stop =
        PointwiseLoop.run(call, self, wanted.computed(), Formulas.identity(), wanted.operand(0));
    return stop == null ? Views.same(call, self) : stop;
  }
}
