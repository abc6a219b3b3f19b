package dev.staunch.kernel.algebra;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.PrimitiveBody;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;

/**
 * A function of each matrix of a batch. The forms of its operands determine the computation, and
 * both the forms of its results and its kernel follow from that.
 */
record MatrixFunction(Choice choice) implements Kernel.One, Inference, PrimitiveBody {

  /** Chooses the computation; or returns the fault for operands that have none. */
  @FunctionalInterface
  interface Choice {
    /** A {@link Matrices.Mapping} of the leading tensors; or a fault. */
    Object of(Operands operands);
  }

  /** Adds an operation with one result. */
  static void add(Catalog.Builder catalog, String schema, Choice choice) {
    MatrixFunction function = new MatrixFunction(choice);
    catalog.withInference(function).one(schema, function);
  }

  /** Adds an operation with several results, the first of which is marked. */
  static void addMany(Catalog.Builder catalog, String schema, Choice choice) {
    Several several = new Several(new MatrixFunction(choice));
    catalog.withInference(several.one()).many(schema, several);
  }

  private record Several(MatrixFunction one) implements Kernel.Many, PrimitiveBody {
    @Override
    public Object run(Call call) {
      return one.run(call);
    }
  }

  /** The result of {@code choice} for these arguments, as a step of an operation made of others. */
  static Object step(Steps steps, Choice choice, Object... given) {
    MatrixFunction function = new MatrixFunction(choice);
    return steps.apply(function, given);
  }

  @Override
  public Object infer(Operands operands) {
    Object chosen = choice.of(operands);
    return chosen instanceof Matrices.Mapping mapping ? mapping.forms(operands.form(0)) : chosen;
  }

  @Override
  public Object run(Call call) {
    Object chosen = choice.of(call);
    return chosen instanceof Matrices.Mapping mapping ? Matrices.map(call, mapping) : chosen;
  }
}
