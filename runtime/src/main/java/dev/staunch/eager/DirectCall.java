package dev.staunch.eager;

import dev.staunch.memory.Hold;
import dev.staunch.memory.Releasable;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A small operation that runs on the calling thread, without a task: a built-in operation that
 * returns one new tensor, has no other effect, and whose operands are available. It takes its turn
 * to read them, as a task would, so the result is the same (E5). An operation that only combines
 * elements reads without a turn; if a writer came meanwhile, its result is discarded.
 *
 * <p>The call is one holder for the scope of its result and for all operands that are members of
 * that scope. It holds other operands one by one.
 */
final class DirectCall extends Hold {
  private final Signature signature;
  private final CallEnvironment here;
  private final ResourceScope scope;

  /** The arguments as the kernel gets them; all in place before this hold is let into the scope. */
  private final Object[] values;

  /** One bit for each operand that lies in another scope and is held individually. */
  private int elsewhere;

  /** The sum of the stamps of the variables that are read without a turn; stamps only grow. */
  private long stamps;

  /**
   * @param arguments how many arguments there are
   */
  DirectCall(Signature signature, CallEnvironment here, int arguments) {
    super(signature, true);
    this.signature = signature;
    this.here = here;
    this.scope = here.scope();
    this.values = new Object[arguments];
  }

  /**
   * The tensor, or its fault; null, without any effect, if anything is out of the ordinary, such as
   * an operand that is pending, faulted, closed or about to be written.
   */
  @Nullable Object outcome(Object[] arguments) {
    int taken = 0;
    try {
      while (taken < values.length && take(arguments[taken], taken)) {
        taken++;
      }
      return taken == values.length ? computed(arguments) : null;
    } finally {
      while (--taken >= 0) {
        if (arguments[taken] instanceof Handle tensor) {
          if ((elsewhere & 1 << taken) != 0) {
            ((DenseTensor) values[taken]).release();
          }
          endRead(tensor);
        }
      }
    }
  }

  /** Begins to read an operand, with a turn or without; false if that would have to wait. */
  private boolean beginRead(Handle tensor) {
    if (!signature.readsWithoutTurn) {
      return here.context.engine.tryRead(tensor.data());
    }
    long stamp = tensor.stamp();
    stamps += stamp;
    return stamp >= 0;
  }

  private void endRead(Handle tensor) {
    if (!signature.readsWithoutTurn) {
      here.context.engine.endRead(tensor.data());
    }
  }

  /** Whether an operand that was read without a turn may have been written since. */
  private boolean wasOvertaken(Object[] arguments) {
    long now = 0;
    for (Object argument : arguments) {
      if (signature.readsWithoutTurn && argument instanceof Handle tensor) {
        now += tensor.stamp();
      }
    }
    return now != stamps;
  }

  /** Puts the tensor of a handle in its place to be read; false if that would have to wait. */
  private boolean take(Object argument, int i) {
    values[i] = argument;
    if (!(argument instanceof Handle tensor)) {
      return true;
    }
    if (!(tensor.content() instanceof DenseTensor dense)
        || tensor.wasClosed()
        || !beginRead(tensor)) {
      return false;
    }
    values[i] = dense;
    if (dense.home() == scope) { // whether it still is shows once this hold is let in
      return true;
    }
    if (!dense.retain()) {
      endRead(tensor);
      return false;
    }
    elsewhere |= 1 << i;
    return true;
  }

  /** Whether {@code part} is the memory of an operand; any other memory may be released at once. */
  @Override
  protected boolean uses(Releasable part) {
    for (Object value : values) {
      if (value instanceof DenseTensor operand && operand.storage() == part) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Object computed(Object[] arguments) {
    if (!scope.admit(this)) {
      return null;
    }
    try {
      if (!allAreThere()) {
        return null;
      }
      Object made = signature.door.call(here, values, null, null);
      if (wasOvertaken(arguments)) {
        if (made instanceof DenseTensor tensor) {
          tensor.closeUnused();
        }
        return null;
      }
      return made instanceof DenseTensor tensor
          ? own(tensor)
          : CallerResults.tensorOrFault(made, Arrays.asList(values), signature);
    } finally {
      end();
    }
  }

  /**
   * Whether the operands are all still members of the scope. From here on, the release of an
   * operand that is closed waits for this call.
   */
  private boolean allAreThere() {
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof DenseTensor operand
          && (elsewhere & 1 << i) == 0
          && !scope.contains(operand)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A kernel may return an operand, or its memory, as it is: nothing would order later accesses.
   */
  private Object own(DenseTensor made) {
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
