package dev.staunch.kernel.standard;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The in-place forms of operations that have no way to compute in place: the result is copied. */
final class InPlaceForms {
  private static final String NAMES =
      "lgamma digamma erfinv addmm addmv baddbmm addbmm addr cumsum cumprod tril triu";

  private InPlaceForms() {}

  /** Each form is a group, for each asks for another operation. */
  static List<Catalog.Group> groups() {
    return Arrays.stream(NAMES.split(" ", -1))
        .<Catalog.Group>map(name -> catalog -> add(catalog, name))
        .toList();
  }

  private static void add(Catalog.Builder catalog, String name) {
    CatalogEntry operation = Objects.requireNonNull(catalog.find("aten::" + name), name);
    Composite.addForm(
        catalog.taking(operation.definition().dtypes()),
        operation,
        "aten::" + name + "_",
        () -> schema(operation.schema()),
        (steps, operands) -> write(steps, operands, name));
  }

  private static Schema schema(Schema schema) {
    List<Schema.Parameter> parameters = new ArrayList<>(schema.parameters());
    Schema.Parameter self = parameters.get(0);
    parameters.set(0, new Schema.Parameter(self.name(), self.type(), 0, null, false, true, "a"));
    List<Schema.Result> results = List.of(new Schema.Result(self.type(), "a", true, null));
    return new Schema(schema.name() + "_", schema.overload(), parameters, results, false, false);
  }

  private static Object write(Steps steps, Operands operands, String name) {
    Object[] arguments = new Object[operands.size()];
    Arrays.setAll(arguments, operands::value);
    Object made = steps.run(name, arguments);
    return Steps.isTensor(made) ? OutForms.stored(steps, made, operands.value(0)) : made;
  }
}
