package dev.staunch.kernel.create;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** What the scope of {@code torch.autocast} puts before an operation. */
final class AutocastOperations {
  private AutocastOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled,"
            + " ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)",
        call -> {
          boolean casts = call.bool(2) && call.tensor(0).dtype() == DType.FLOAT32;
          return casts ? cast(call, call.integer(4)) : Views.same(call, call.tensor(0));
        });
    catalog.one(
        "aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) ->"
            + " Tensor(a)",
        call -> {
          DType dtype = call.tensor(0).dtype();
          boolean casts = call.bool(2) && (dtype == DType.FLOAT16 || dtype == DType.BFLOAT16);
          return casts ? cast(call, DType.FLOAT32.code()) : Views.same(call, call.tensor(0));
        });
    catalog.one(
        "aten::get_autocast_dtype(str device_type) -> ScalarType",
        call -> (long) (call.string(0).equals("cpu") ? DType.BFLOAT16 : DType.FLOAT16).code());
  }

  private static Object cast(Call call, long code) {
    DenseTensor self = call.tensor(0);
    return Steps.within(call, (steps, inner) -> steps.run("to.dtype", self, code));
  }
}
