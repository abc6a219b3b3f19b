package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.TensorForm;

/** Steps that store a result in a tensor that exists. */
public final class Storing {
  private Storing() {}

  /**
   * Copies {@code result} into {@code target}, which must have its shape and a dtype that can hold
   * it, and returns {@code target}; returns a fault unchanged.
   */
  public static Object into(Steps steps, Object target, Object result) {
    if (!Steps.isTensor(result)) {
      return result;
    }
    TensorForm form = Steps.form(result);
    TensorForm out = Steps.form(target);
    Fault fault = Promotion.inPlace(form.dtype(), out.dtype());
    if (fault == null && out.layout().mayOverlap()) {
      fault = OperandChecks.overlapping();
    }
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
