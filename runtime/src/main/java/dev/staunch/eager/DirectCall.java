package dev.staunch.eager;

import dev.staunch.engine.EngineContext;
import dev.staunch.memory.Hold;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A small operation that is computed where it is called, without a task: one of our own that gives
 * a new tensor and does nothing else, whose operands are there. It reads them in its turn, as a
 * task would, so nobody can tell the difference from what comes out (E5).
 */
final class DirectCall {
  private DirectCall() {}

  /**
   * The tensor, or its fault; null if anything is out of the ordinary, such as an operand that is
   * pending, faulted, closed or about to be written: nothing has happened then.
   */
  static @Nullable Object outcome(Signature signature, CallEnvironment here, Object[] arguments) {
    EngineContext engine = here.context.engine;
    Object[] values = new Object[arguments.length];
    int taken = 0;
    try {
      while (taken < values.length && take(arguments[taken], values, taken, engine)) {
        taken++;
      }
      return taken == values.length ? computed(signature, here, values) : null;
    } finally {
      while (--taken >= 0) {
        if (arguments[taken] instanceof Handle tensor) {
          ((DenseTensor) values[taken]).letGo();
          engine.endRead(tensor.data());
        }
      }
    }
  }

  /** Puts the tensor that a handle has in its place, to be read; false if it has to wait. */
  private static boolean take(Object argument, Object[] values, int i, EngineContext engine) {
    values[i] = argument;
    if (!(argument instanceof Handle tensor)) {
      return true;
    }
    if (!(tensor.content() instanceof DenseTensor dense)
        || tensor.wasClosed()
        || !engine.tryRead(tensor.data())) {
      return false;
    }
    if (!dense.hold()) {
      engine.endRead(tensor.data());
      return false;
    }
    values[i] = dense;
    return true;
  }

  private static @Nullable Object computed(
      Signature signature, CallEnvironment here, Object[] values) {
    Hold hold = here.scope().hold(signature);
    if (hold == null) {
      return null;
    }
    try {
      Object made = signature.door.call(here, values, null, null);
      return made instanceof DenseTensor tensor
          ? own(tensor, values, here)
          : TensorCall.tensorOrFault(made, Arrays.asList(values), signature);
    } finally {
      hold.end();
    }
  }

  /** A kernel may return an operand, or its memory, as it is: nothing would order what follows. */
  private static Object own(DenseTensor made, Object[] values, CallEnvironment here) {
    Storage memory = made.storage();
    boolean given = false;
    boolean shares = false;
    for (Object value : values) {
      if (value instanceof DenseTensor operand && operand.storage() == memory) {
        shares = true;
        given |= made.is(operand);
      }
    }
    if (!shares) {
      return made;
    }
    Object copy = here.context.copyOf(made, here);
    if (!given) {
      made.close();
    }
    return copy;
  }
}
