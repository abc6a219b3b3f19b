package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Schema;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The forms of operations that write a tensor given for the result, {@code out}. It must have the
 * result's shape: a tensor never changes its size here.
 */
final class OutForms {
  /** Operations whose form is called {@code out}. */
  private static final String PLAIN =
      "abs neg exp log log2 log1p sqrt rsqrt reciprocal sigmoid tanh sin cos floor ceil round erf"
          + " add.Tensor sub.Tensor mul.Tensor div.Tensor maximum minimum matmul mm bmm addmm"
          + " baddbmm tensordot cat stack mean.dim clamp index_select gather cumsum cumprod"
          + " softplus mse_loss kron inner take diag";

  /** Operations whose form has another name. */
  private static final String NAMED =
      "div.Tensor_mode:out_mode pow.Tensor_Tensor:Tensor_Tensor_out"
          + " pow.Tensor_Scalar:Tensor_Scalar_out sum.dim_IntList:IntList_out"
          + " norm.ScalarOpt_dim:out norm.ScalarOpt_dim_dtype:dtype_out where.self:self_out"
          + " eq.Tensor:Tensor_out ne.Tensor:Tensor_out lt.Tensor:Tensor_out gt.Tensor:Tensor_out"
          + " le.Tensor:Tensor_out ge.Tensor:Tensor_out";

  private OutForms() {}

  /** As {@link InPlaceForms#groups}. */
  static List<Catalog.Group> groups() {
    List<Catalog.Group> groups = new ArrayList<>();
    for (String name : PLAIN.split(" ", -1)) {
      groups.add(catalog -> add(catalog, name, "out"));
    }
    for (String entry : NAMED.split(" ", -1)) {
      String[] parts = entry.split(":", -1);
      groups.add(catalog -> add(catalog, parts[0], parts[1]));
    }
    return groups;
  }

  private static void add(Catalog.Builder catalog, String name, String overload) {
    CatalogEntry operation = Objects.requireNonNull(catalog.find("aten::" + name), name);
    String plain = name.substring(0, (name + ".").indexOf('.'));
    Composite.addForm(
        catalog.taking(operation.definition().dtypes()),
        operation,
        "aten::" + plain + "." + overload,
        () -> schema(operation.schema(), overload),
        (steps, operands) -> write(steps, operands, name, operation));
  }

  private static Schema schema(Schema schema, String overload) {
    List<Schema.Parameter> parameters = new ArrayList<>(schema.parameters());
    Type tensor = schema.results().get(0).type();
    parameters.add(new Schema.Parameter("out", tensor, 0, null, true, true, "a"));
    List<Schema.Result> results = List.of(new Schema.Result(tensor, "a", true, null));
    return new Schema(schema.name(), overload, parameters, results, false, false);
  }

  /** The argument that tells in which dtype is computed, else that of out; or -1. */
  private static int dtypeAt(Schema schema) {
    return schema.parameters().stream().map(Schema.Parameter::name).toList().indexOf("dtype");
  }

  private static Object write(Steps steps, Operands operands, String name, CatalogEntry operation) {
    int last = operands.size() - 1;
    Object[] arguments = new Object[last];
    Arrays.setAll(arguments, operands::value);
    int dtypeAt = dtypeAt(operation.schema());
    if (dtypeAt >= 0 && arguments[dtypeAt] == None.NONE) {
      arguments[dtypeAt] = (long) operands.dtype(last).code();
    }
    Object made = steps.run(name, arguments);
    return Steps.isTensor(made) ? stored(steps, made, operands.value(last)) : made;
  }

  /** Copies {@code result} into {@code target}, which is given back; or a fault. */
  static Object stored(Steps steps, Object result, Object target) {
    TensorForm form = Steps.form(result);
    TensorForm out = Steps.form(target);
    Fault fault = Promotion.inPlace(form.dtype(), out.dtype());
    fault = fault == null ? OperandChecks.writable(out.layout()) : fault;
    if (fault == null && !out.shape().equals(form.shape())) {
      String text = "a tensor of shape %s cannot hold a result of shape %s; give it that shape";
      fault =
          Fault.shape(Message.of(text, out.shape(), form.shape()))
              .withExpected(form.shape().toString(), out.shape().toString());
    }
    Object written = fault == null ? steps.run("copy_", target, result) : fault;
    return Steps.isTensor(written) ? target : written;
  }
}
