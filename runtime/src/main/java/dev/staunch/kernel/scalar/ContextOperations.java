package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.operation.Inference;
import dev.staunch.operation.None;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;

/** Queries about the context that a program runs in, and about the device and dtype of a tensor. */
final class ContextOperations {
  private static final String DEFAULT_EXCEPTION = "RuntimeError";

  private ContextOperations() {}

  static void addTo(Catalog.Builder catalog) {
    modes(catalog);
    messages(catalog);
    missing(catalog);
    profiling(catalog);
    places(catalog);
    devices(catalog);
  }

  private static void modes(Catalog.Builder catalog) {
    catalog.one("aten::is_grad_enabled() -> bool", call -> call.environment().gradEnabled());
    catalog
        .with(Trait.HAS_SIDE_EFFECTS)
        .none(
            "aten::set_grad_enabled(bool val) -> ()",
            call -> {
              call.environment().setGradEnabled(call.bool(0));
              return null;
            });
    catalog.one("aten::is_scripting() -> bool", call -> true);
    for (String mode :
        List.of(
            "is_autocast_enabled",
            "is_autocast_cpu_enabled",
            "is_vulkan_available",
            "_get_tracing_state",
            "_nnpack_available",
            "_use_cudnn_rnn_flatten_weight")) {
      catalog.one("aten::" + mode + "() -> bool", call -> false);
    }
    catalog.one("aten::has_torch_function(...) -> bool", call -> false);
  }

  private static void messages(Catalog.Builder catalog) {
    catalog
        .with(Trait.HAS_SIDE_EFFECTS)
        .none(
            "aten::warn(str message, int stacklevel=2) -> ()",
            call -> {
              call.environment().print("warning: " + call.string(0));
              return null;
            });
    catalog
        .with(Trait.HAS_SIDE_EFFECTS, Trait.RAISES)
        .none(
            "prim::RaiseException(str msg, str? cls=None) -> ()",
            call ->
                Fault.of(FaultType.SCRIPT_RAISED, call.string(0))
                    .withRaised(call.isNone(1) ? DEFAULT_EXCEPTION : call.string(1)));
  }

  /** Profiler ranges; they do nothing, because there is no profiler to report them to. */
  private static void profiling(Catalog.Builder catalog) {
    String record = "__torch__.torch.classes.profiler._RecordFunction";
    Inference number = operands -> TensorForm.contiguous(DType.INT64, Shape.of());
    catalog
        .withInference(number)
        .one(
            "profiler::_record_function_enter(str name, str? args=None) -> Tensor",
            call -> HostTensors.longs(call.scope(), Shape.of(), new long[1]));
    catalog.one(
        "profiler::_record_function_enter_new(str name, str? args=None) -> " + record,
        call -> new ObjectValue(new ClassLayout(record, List.of())));
    catalog.none("profiler::_record_function_exit(Tensor _0) -> ()", call -> null);
    catalog.none(
        "profiler::_record_function_exit._RecordFunction(" + record + " _0) -> ()", call -> null);
  }

  /**
   * Calls of a function that loading found to be unable to run; they return the reason as a fault.
   */
  private static void missing(Catalog.Builder catalog) {
    catalog
        .with(Trait.HAS_SIDE_EFFECTS)
        .one(
            "staunch::missing(str type, str reason) -> Any",
            call -> Fault.of(missing(call.string(0)), call.string(1)));
  }

  private static FaultType missing(String name) {
    return Arrays.stream(FaultType.values())
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElse(FaultType.UNSUPPORTED);
  }

  private static void places(Catalog.Builder catalog) {
    Catalog.Builder ofAny = catalog.with(Trait.TAKES_NESTED);
    catalog
        .with(Trait.LAYOUT_AGNOSTIC)
        .one("prim::dtype(Tensor a) -> int", call -> (long) call.tensor(0).dtype().code());
    ofAny.one("prim::device(Tensor a) -> Device", call -> "cpu");
    catalog.one("prim::layout(Tensor a) -> Layout", call -> 0L);
    catalog.one("prim::requires_grad(Tensor a) -> bool", call -> call.tensor(0).requiresGrad());
    ofAny.one("prim::is_cpu(Tensor a) -> bool", call -> true);
    for (String kind :
        List.of(
            "cuda",
            "ipu",
            "meta",
            "mkldnn",
            "mps",
            "nested",
            "ort",
            "quantized",
            "sparse",
            "sparse_csr",
            "vulkan",
            "xpu")) {
      ofAny.one("prim::is_" + kind + "(Tensor a) -> bool", call -> false);
    }
    catalog.one("aten::get_device(Tensor self) -> int", call -> -1L);
    catalog.one(
        "aten::is_leaf(Tensor self) -> bool",
        call ->
            call.tensor(0).requiresGrad()
                ? Fault.unsupported(
                    "whether a tensor that requires a gradient is a leaf is not known; `detach`"
                        + " gives one that is")
                : true);
    catalog
        .with(Trait.NON_DIFFERENTIABLE, Trait.VIEWS)
        .withInference(operands -> new TensorForm(operands.dtype(0), operands.layout(0)))
        .one("prim::data(Tensor(a) a) -> Tensor(a)", ContextOperations::withoutGradient);
  }

  private static DenseTensor withoutGradient(Call call) {
    return call.tensor(0).requiringGrad(call.scope(), false);
  }

  private static void devices(Catalog.Builder catalog) {
    catalog.one("aten::device(str a) -> Device", call -> device(call.string(0)));
    catalog.one(
        "prim::type(Device self) -> str",
        call -> {
          String device = call.string(0);
          int colon = device.indexOf(':');
          return colon < 0 ? device : device.substring(0, colon);
        });
    catalog.one(
        "prim::index(Device self) -> int?",
        call -> {
          String device = call.string(0);
          int colon = device.indexOf(':');
          return colon < 0 ? None.NONE : NumberText.parseInt(device.substring(colon + 1));
        });
  }

  private static Object device(String name) {
    return name.matches("(cpu|cuda|mps|xpu|meta|vulkan|xla|hpu|ipu)(:\\d+)?")
        ? name
        : Fault.value("there is no device '" + name + "'; the name is one such as cpu or cuda:0");
  }
}
