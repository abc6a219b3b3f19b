package dev.staunch.kernel.standard;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperationDefinition;
import dev.staunch.kernel.Schema;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The in-place forms of operations that have no way to compute in place: the result is copied. */
final class InPlaceForms {
  private static final String NAMES = "addmm addmv baddbmm addbmm addr cumsum cumprod tril triu";

  private InPlaceForms() {}

  /** Adds a form for operations that {@code catalog} has already. */
  static void addTo(Catalog.Builder catalog) {
    Catalog known = catalog.build();
    for (String name : NAMES.split(" ", -1)) {
      OperationDefinition operation = known.find("aten::" + name);
      if (operation != null) {
        Kernel.One kernel = call -> Steps.within(call, (steps, inner) -> write(steps, inner, name));
        catalog.define("aten::" + name + "_", () -> schema(operation.schema()), kernel);
      }
    }
  }

  private static Schema schema(Schema schema) {
    List<Schema.Parameter> parameters = new ArrayList<>(schema.parameters());
    Schema.Parameter self = parameters.get(0);
    parameters.set(0, new Schema.Parameter(self.name(), self.type(), 0, null, false, true, "a"));
    List<Schema.Result> results = List.of(new Schema.Result(self.type(), "a", true, null));
    return new Schema(schema.name() + "_", schema.overload(), parameters, results, false, false);
  }

  private static Object write(Steps steps, Call call, String name) {
    DenseTensor self = call.tensor(0);
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(arguments, call::value);
    Object made = steps.run(name, arguments);
    return made instanceof DenseTensor result ? OutForms.stored(steps, result, self) : made;
  }
}
