package dev.staunch.kernel.loop;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A pointwise operation as data: what it combines is chosen from the forms of its operands, and
 * both its result's form and its kernel follow from that.
 */
public record PointwiseOperation(Choice choice, boolean inPlace)
    implements Kernel.One, Inference, PointwiseBody {

  /** Chooses what is combined, and how; or gives the fault of operands that cannot be. */
  @FunctionalInterface
  public interface Choice {
    /** A {@link Combination} of {@code operands}, without a look at their elements; or a fault. */
    Object of(Operands operands);
  }

  /** One that combines its arguments in the dtype that they are promoted to. */
  public static PointwiseOperation of(String name, Rule rule) {
    return new PointwiseOperation(new Elementwise(name, rule, Elementwise.Kind.SAME), false);
  }

  @Override
  public Object combination(Operands operands) {
    return choice.of(operands);
  }

  @Override
  public @Nullable Rows rows(Operands operands, Shape shape, KernelSet kernels) {
    return !inPlace && choice.of(operands) instanceof Combination wanted
        ? wanted.rows(operands, shape, kernels)
        : null;
  }

  @Override
  public Object infer(Operands operands) {
    Object chosen = choice.of(operands);
    if (!(chosen instanceof Combination wanted)) {
      return chosen;
    }
    return inPlace ? Pointwise.formInPlace(operands, wanted) : Pointwise.form(wanted);
  }

  @Override
  public Object run(Call call) {
    Object chosen = choice.of(call);
    if (!(chosen instanceof Combination wanted)) {
      return chosen;
    }
    return inPlace
        ? Pointwise.write(call, wanted)
        : Pointwise.compute(call, wanted, /* last= */ true);
  }
}
