package dev.staunch.kernel.create;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;

/** The casts that {@code torch.autocast} inserts before an operation. */
final class AutocastOperations {
  private AutocastOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.add(
        catalog,
        "aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled,"
            + " ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)",
        (steps, operands) ->
            cast(steps, operands, operands.dtype(0) == DType.FLOAT32, operands.integer(4)));
    Composite.add(
        catalog,
        "aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) ->"
            + " Tensor(a)",
        (steps, operands) -> {
          DType dtype = operands.dtype(0);
          boolean narrow = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
          return cast(steps, operands, narrow, DType.FLOAT32.code());
        });
    catalog.one(
        "aten::get_autocast_dtype(str device_type) -> ScalarType",
        call -> (long) (call.string(0).equals("cpu") ? DType.BFLOAT16 : DType.FLOAT16).code());
  }

  /**
   * The tensor cast to another dtype if autocast is on and the tensor {@code fits}; else unchanged.
   */
  private static Object cast(Steps steps, Operands operands, boolean fits, long code) {
    long own = operands.dtype(0).code();
    return steps.run("to.dtype", operands.value(0), operands.bool(2) && fits ? code : own);
  }
}
