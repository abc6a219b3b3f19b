package dev.staunch.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An object of a script class: a module of a loaded model, or one that a script made. Shared by
 * reference; a slot that one thread sets another sees, whole.
 */
public final class ObjectValue {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
  private final ClassLayout layout;
  private final @Nullable Object[] slots;

  public ObjectValue(ClassLayout layout) {
    this.layout = layout;
    this.slots = new Object[layout.slots().size()];
  }

  public ClassLayout layout() {
    return layout;
  }

  /** The value in slot {@code index}, or null if it was never set. */
  public @Nullable Object get(int index) {
    return SLOT.getAcquire(slots, index);
  }

  public void set(int index, Object value) {
    SLOT.setRelease(slots, index, value);
  }

  @Override
  public String toString() {
    return layout.name();
  }
}
