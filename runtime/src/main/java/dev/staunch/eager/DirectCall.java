package dev.staunch.eager;

import dev.staunch.memory.Hold;
import dev.staunch.memory.Releasable;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A small operation that is computed where it is called, without a task: one of our own that gives
 * a new tensor and does nothing else, whose operands are there. It reads them in its turn, as a
 * task would, so nobody can tell the difference from what comes out (E5). Where elements are just
 * combined, it reads without a turn: if somebody came to write meanwhile, what it made does not
 * count.
 *
 * <p>It is a holder of the scope of its result, and of those operands that are members there, all
 * in one; others it holds one by one.
 */
final class DirectCall extends Hold {
  /** There is a bit for each; no operation of our own has so many. */
  static final int MOST_ARGUMENTS = Integer.SIZE;

  private final Signature signature;
  private final CallEnvironment here;
  private final ResourceScope scope;

  /** As the kernel gets them; all in place before this is let into the scope. */
  private final Object[] values;

  /** A bit for each operand that lies elsewhere and is held by itself. */
  private int elsewhere;

  /** The sum of the stamps of what is read without a turn; each of them only grows. */
  private long stamps;

  /**
   * @param arguments how many there are
   */
  DirectCall(Signature signature, CallEnvironment here, int arguments) {
    super(signature);
    this.signature = signature;
    this.here = here;
    this.scope = here.scope();
    this.values = new Object[arguments];
  }

  /**
   * The tensor, or its fault; null if anything is out of the ordinary, such as an operand that is
   * pending, faulted, closed or about to be written: nothing has happened then.
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
            ((DenseTensor) values[taken]).letGo();
          }
          endRead(tensor);
        }
      }
    }
  }

  /** Begins to read an operand, in a turn or without one; false if it has to wait. */
  private boolean beginRead(Handle tensor) {
    if (!signature.readsWithoutTurn) {
      return here.context.engine.tryRead(tensor.data());
    }
    long stamp = tensor.data().stamp();
    stamps += stamp;
    return stamp >= 0;
  }

  private void endRead(Handle tensor) {
    if (!signature.readsWithoutTurn) {
      here.context.engine.endRead(tensor.data());
    }
  }

  /** Whether somebody may have written, since then, what was read without a turn. */
  private boolean wasOvertaken(Object[] arguments) {
    long now = 0;
    for (Object argument : arguments) {
      if (signature.readsWithoutTurn && argument instanceof Handle tensor) {
        now += tensor.data().stamp();
      }
    }
    return now != stamps;
  }

  /** Puts the tensor that a handle has in its place, to be read; false if it has to wait. */
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
    if (dense.home() == scope) { // if it still is will be seen once this was let in
      return true;
    }
    if (!dense.hold()) {
      endRead(tensor);
      return false;
    }
    elsewhere |= 1 << i;
    return true;
  }

  /** Whether {@code part} is the memory of an operand: of another, it may go back at once. */
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
    if (!scope.letIn(this)) {
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
          : TensorCall.tensorOrFault(made, Arrays.asList(values), signature);
    } finally {
      end();
    }
  }

  /** Whoever closes an operand from now on sees that it is used here. */
  private boolean allAreThere() {
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof DenseTensor operand
          && (elsewhere & 1 << i) == 0
          && !scope.has(operand)) {
        return false;
      }
    }
    return true;
  }

  /** A kernel may return an operand, or its memory, as it is: nothing would order what follows. */
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
