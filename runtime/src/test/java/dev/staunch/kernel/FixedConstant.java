package dev.staunch.kernel;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A constant whose forms are in a scope of the test. */
final class FixedConstant implements Constant {
  final Map<Object, DenseTensor> forms = new HashMap<>();
  boolean current = true;
  private final DenseTensor tensor;
  private final ResourceScope scope;

  FixedConstant(DenseTensor tensor, ResourceScope scope) {
    this.tensor = tensor;
    this.scope = scope;
  }

  @Override
  public DenseTensor tensor() {
    return tensor;
  }

  @Override
  public boolean isCurrent() {
    return current;
  }

  @Override
  public @Nullable DenseTensor packed(Object format, Packing packing) {
    DenseTensor known = forms.get(format);
    if (known == null && packing.pack(tensor, scope) instanceof DenseTensor made) {
      forms.put(format, made);
      known = made;
    }
    return known;
  }

  /** The preparation of a step that finds this among its operands for as long as it is current. */
  Preparation kept() {
    return new Preparation(operand -> current && operand.is(tensor) ? this : null);
  }
}
