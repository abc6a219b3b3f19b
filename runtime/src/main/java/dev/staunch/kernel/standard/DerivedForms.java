package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Storing;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forms that are derived from other operations: the result is copied into the first parameter (in
 * place), or into a given tensor {@code out}. That tensor must have the result's shape, because no
 * tensor is ever resized here.
 */
final class DerivedForms {
  private DerivedForms() {}

  /** Adds the forms that an operation's definition asks for. */
  static void add(Catalog.Builder forms, CatalogEntry operation) {
    OperationDefinition known = operation.definition();
    Catalog.Builder alike = forms.withDTypes(known.dtypes());
    String name = known.name();
    int dot = (name + ".").indexOf('.');
    if (known.has(Trait.COPIED_IN_PLACE)) {
      Composite.addForm(
          alike,
          operation,
          name.substring(0, dot) + "_" + name.substring(dot),
          () -> inPlace(operation.schema()),
          (steps, operands) -> {
            Fault unfit = otherDType(operation.schema(), operands, 0);
            return unfit == null
                ? Storing.into(steps, operands.value(0), run(steps, name, operands.arguments()))
                : unfit;
          });
    }
    String out = known.out();
    if (out != null && operation.effects().written().length == 0) {
      Composite.addForm(
          alike,
          operation,
          name.substring(0, dot) + "." + out,
          () -> out(operation.schema(), out),
          (steps, operands) -> written(steps, operands, operation));
    }
  }

  private static Schema inPlace(Schema schema) {
    List<Schema.Parameter> parameters = new ArrayList<>(schema.parameters());
    Schema.Parameter self = parameters.get(0);
    parameters.set(0, new Schema.Parameter(self.name(), self.type(), 0, null, false, true, "a"));
    List<Schema.Result> results = List.of(new Schema.Result(self.type(), "a", true, null));
    return new Schema(schema.name() + "_", schema.overload(), parameters, results, false, false);
  }

  private static Schema out(Schema schema, String overload) {
    List<Schema.Parameter> parameters = new ArrayList<>(schema.parameters());
    Type tensor = schema.results().get(0).type();
    parameters.add(new Schema.Parameter("out", tensor, 0, null, true, true, "a"));
    List<Schema.Result> results = List.of(new Schema.Result(tensor, "a", true, null));
    return new Schema(schema.name(), overload, parameters, results, false, false);
  }

  /**
   * The index of the argument that sets the dtype of the computation, else that of {@code out}; or
   * -1.
   */
  private static int dtypeAt(Schema schema) {
    return schema.parameters().stream().map(Schema.Parameter::name).toList().indexOf("dtype");
  }

  /**
   * A fault if a dtype is given that is not the one of the tensor to write; else null. A dtype that
   * must be given, as for {@code norm}, is that of the computation alone.
   */
  private static @Nullable Fault otherDType(Schema schema, Operands operands, int target) {
    int dtypeAt = dtypeAt(schema);
    DType asked = dtypeAt < 0 ? null : operands.optionalDType(dtypeAt);
    DType stored = operands.dtype(target);
    String text = "a result of %s is asked for, but the tensor to write is of %s";
    boolean optional =
        dtypeAt >= 0 && schema.parameters().get(dtypeAt).type() instanceof Type.Optional;
    return asked == null || asked == stored || !optional
        ? null
        : Fault.dtype(Message.of(text, asked, stored))
            .withExpected(ExpectedDType.of(asked), stored);
  }

  private static Object written(Steps steps, Operands operands, CatalogEntry operation) {
    int last = operands.size() - 1;
    Object[] arguments = Arrays.copyOf(operands.arguments(), last);
    Fault unfit = otherDType(operation.schema(), operands, last);
    if (unfit != null) {
      return unfit;
    }
    int dtypeAt = dtypeAt(operation.schema());
    if (dtypeAt >= 0 && arguments[dtypeAt] == None.NONE) {
      arguments[dtypeAt] = (long) operands.dtype(last).code();
    }
    return Storing.into(steps, operands.value(last), run(steps, operation.name(), arguments));
  }

  private static Object run(Steps steps, String name, Object[] arguments) {
    return steps.run(name.substring(name.indexOf("::") + 2), arguments);
  }
}
